"""A re-ranker orders what passed the floor; it brings nothing back, and recall does without it when it fails."""

import pytest

from memoranda.messages import said
from memoranda.testing import SharedWordsReranker

ME = "user:me"


class Backwards(SharedWordsReranker):
    async def scores(self, question, texts):
        self.asked.append((question, tuple(texts)))
        return [(n + 1) / len(texts) for n in range(len(texts))]


def told(m, *texts, **named):
    return [m.remember(t, **{"subject": ME, "origin": "user", **named}).id for t in texts]


def ids(got):
    return [fact.id for fact in got.facts]


def test_the_order_is_the_rerankers(world):
    plain, other = world.memory(), Backwards()
    told(
        plain,
        "The user owns a red kayak.",
        "The user owns a kayak.",
        "The user rows the kayak on Sundays.",
    )
    m = world.memory(reranker=other)
    before, after = (
        ids(plain.recall("my kayak", subjects=[ME])),
        m.recall("my kayak", subjects=[ME]),
    )
    assert ids(after) == before[::-1]
    assert [one.parts["rerank"] for one in after.receipt.chosen] == [1.0, 0.666667, 0.333333]
    assert other.asked[0][0] == "my kayak"


def test_what_is_below_the_floor_or_little_trusted_stays_out(world, asha):
    m = world.memory(reranker=Backwards())
    told(m, "The user owns a kayak.", "The user works at Acme.")
    for text in (
        "The kayak is blue.",
        "The kayak is old.",
        "The kayak is heavy.",
        "The kayak leaks.",
    ):
        asha.approve(told(m, text, origin="external")[0])
    got = m.recall("my kayak", subjects=[ME])
    assert "Acme" not in got.text
    assert sum(fact.origin == "external" for fact in got.facts) == 2


def test_a_turn_is_read_with_its_speaker(world):
    m = world.memory(reranker=SharedWordsReranker())
    m.window(session="s1", subject=ME).append(said("user", "Ana: I saw an ibex on the Dachstein."))
    got = m.recall("What did Ana see on the Dachstein?", subjects=[ME])
    assert [turn.speaker for turn in got.turns] == ["Ana"]
    assert m.core.reranker.asked[0][1] == ("Ana: I saw an ibex on the Dachstein.",)


@pytest.mark.parametrize("failing", [SharedWordsReranker(fails=True), None])
def test_without_one_or_when_it_fails_the_order_stays(world, failing):
    m = world.memory(reranker=failing)
    told(m, "The user owns a red kayak.", "The user owns a kayak.")
    got = m.recall("my kayak", subjects=[ME])
    assert len(got.facts) == 2
    assert all("rerank" not in one.parts for one in got.receipt.chosen)


def test_one_that_answers_wrongly_is_not_heard(world):
    class Short(SharedWordsReranker):
        async def scores(self, question, texts):
            return [1.0]

    m = world.memory(reranker=Short())
    told(m, "The user owns a red kayak.", "The user owns a kayak.")
    assert len(m.recall("my kayak", subjects=[ME]).facts) == 2
