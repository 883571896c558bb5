"""The newest vectors of a process, by content."""

import threading

from hypothesis import given
from hypothesis import strategies as st

from memoranda.embedders.cached import CachedEmbedder
from memoranda.embedders.hashing import HashingEmbedder
from memoranda.step import step


class Counting(HashingEmbedder):
    def __init__(self):
        super().__init__(8)
        self.asked = []

    async def embed(self, texts, *, query=False):
        self.asked += [(text, query) for text in texts]
        return await super().embed(texts, query=query)


@given(st.lists(st.lists(st.sampled_from("abcdef")), max_size=12), st.integers(1, 200))
def test_it_gives_what_the_embedder_gives_and_asks_for_nothing_twice_at_once(batches, most):
    inner, plain = Counting(), HashingEmbedder(8)
    one = CachedEmbedder(inner, most)
    for batch in batches:
        inner.asked.clear()
        assert step(one.embed(batch)) == step(plain.embed(batch))
        assert len(inner.asked) == len(set(inner.asked)) <= len(set(batch))


def test_the_oldest_goes_first_and_questions_are_apart():
    inner = Counting()
    one = CachedEmbedder(inner, 2 * 32)
    for text in ("a", "b", "a", "c", "a", "b"):
        step(one.embed([text]))
    assert [text for text, _ in inner.asked] == ["a", "b", "c", "b"]
    step(one.embed(["b"], query=True))
    assert inner.asked[-1] == ("b", True)


def test_threads_share_it():
    one, plain = CachedEmbedder(HashingEmbedder(8), 100), HashingEmbedder(8)
    wrong = []

    def work(seed):
        for n in range(300):
            texts = [str((seed * n) % 17), str(n % 5)]
            if step(one.embed(texts)) != step(plain.embed(texts)):
                wrong.append(texts)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
