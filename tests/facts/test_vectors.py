"""Vectors are read where they are, made where they are missing, and gone with what they are of."""

import asyncio
import json
import logging
import sqlite3

import pytest

from memoranda import AsyncMemory, Memory, Selection, Settings, said
from memoranda.errors import EmbedderError, UsageError
from memoranda.facts import vectors
from memoranda.ports import Space
from memoranda.sessions.turns import log_of
from memoranda.step import step
from memoranda.testing import HashingEmbedder, ManualClock

ME = "user:me"
SECRET = "AKIAIOSFODNN7EXAMPLE"


class Counting(HashingEmbedder):
    """Notes what it is given; `fault` is raised instead, or `wrong` is given."""

    def __init__(self, dim=64, model=None):
        super().__init__(dim)
        if model:
            self.space = Space(model, dim)
        self.asked, self.fault, self.wrong, self.meanwhile = [], None, None, None

    async def embed(self, texts, *, query=False):
        self.asked += [(text, query) for text in texts]
        if self.meanwhile:
            self.meanwhile()
        if self.fault:
            raise self.fault
        return self.wrong if self.wrong is not None else await super().embed(texts, query=query)

    @property
    def texts(self):
        return [text for text, _ in self.asked]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.db"


@pytest.fixture
def embedder():
    return Counting()


@pytest.fixture
def memory(path, embedder):
    with Memory.open(path, embedder=embedder, clock=ManualClock()) as one:
        yield one


def remember(memory, text, subject=ME):
    return memory.remember(text, subject=subject, origin="user").id


def get(memory, wanted, subject=ME, most=None, seen=None):
    return step(
        vectors.vectors_of(memory.core, subject, wanted, most, seen=seen and (subject, seen))
    )


def rows(path, query="select place, item, digest from vectors order by place, item"):
    connection = sqlite3.connect(path)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def facts_of(memory, subject=ME):
    texts = step(vectors.live_texts(memory.core, subject))
    return {("fact", item): text for item, text in texts.items()}


def test_made_once_and_kept(memory, embedder, path):
    a = remember(memory, "The user owns a kayak.")
    assert embedder.asked == []  # a write never embeds
    wanted = facts_of(memory)
    first = get(memory, wanted)
    assert list(first) == [("fact", a)]
    assert embedder.texts == ["The user owns a kayak."]
    assert get(memory, wanted) == first
    assert len(embedder.asked) == 1
    with Memory.open(path, embedder=Counting()) as other:
        assert get(other, wanted) == first
        assert other.core.embedder.embedder.asked == []


@pytest.mark.parametrize("count", [3, 40])
def test_some_or_many_are_found_again(memory, embedder, count):
    for n in range(count):
        remember(memory, f"The user owns book number {n}.")
    wanted = facts_of(memory)
    assert len(get(memory, wanted, most=1000)) == count
    embedder.asked.clear()
    assert len(get(memory, wanted)) == count
    assert embedder.asked == []


def test_no_more_than_most_are_made_and_the_first_first(memory, embedder):
    for n in range(5):
        remember(memory, f"The user owns book number {n}.")
    wanted = facts_of(memory)
    assert list(get(memory, wanted, most=2)) == list(wanted)[:2]
    assert embedder.texts == list(wanted.values())[:2]
    assert next(iter(wanted.values())).endswith("4.")  # newest first
    assert len(get(memory, wanted, most=0)) == 2


def test_the_setting_says_how_many(path, embedder):
    with Memory.open(path, embedder=embedder, settings=Settings(embed_at_recall=1)) as memory:
        remember(memory, "The user owns a kayak.")
        remember(memory, "The user has a dog.")
        assert len(get(memory, facts_of(memory))) == 1


def test_equal_texts_are_embedded_once_even_across_subjects(memory, embedder):
    for subject in ("user:a", "user:b"):
        remember(memory, "The user owns a kayak.", subject)
        assert get(memory, facts_of(memory, subject), subject)
    assert len(embedder.asked) == 1


def test_another_text_of_the_same_item_is_embedded_anew(memory, embedder, path):
    a = remember(memory, "The user owns a kayak.")
    one = get(memory, {("fact", a): "The user owns a kayak."})
    two = get(memory, {("fact", a): "2026: The user owns a kayak."})
    assert one != two
    assert len(rows(path)) == 1


def test_spaces_are_never_mixed(path):
    for model, dim in (("one", 64), ("two", 64), ("two", 32)):
        one = Counting(dim, model)
        with Memory.open(path, embedder=one) as memory:
            a = remember(memory, "The user owns a kayak.")
            made = get(memory, facts_of(memory))
            assert len(made["fact", a]) == 4 * dim
            assert len(one.asked) == 1
    assert rows(path, "select model, dim from vectors order by model") == [("one", 64), ("two", 32)]


FAULTS = (EmbedderError("x"), TimeoutError(SECRET), RuntimeError(SECRET), KeyError(SECRET))


@pytest.mark.parametrize("fault", FAULTS, ids=repr)
def test_an_embedder_that_fails_is_told_by_type_and_nothing_fails(memory, embedder, caplog, fault):
    remember(memory, "The user owns a kayak.")
    embedder.fault = fault
    with caplog.at_level(logging.WARNING):
        assert get(memory, facts_of(memory)) == {}
        assert step(vectors.query_vector(memory.core, "boat?")) is None
    assert type(fault).__name__ in caplog.text
    assert SECRET not in caplog.text
    embedder.fault = None
    assert len(get(memory, facts_of(memory))) == 1


@pytest.mark.parametrize("wrong", [[], [b""], [b"\0" * 12], [b"\0" * 256] * 2, [None], None, 3])
def test_what_is_no_vectors_is_not_kept(memory, embedder, path, wrong, caplog):
    remember(memory, "The user owns a kayak.")
    embedder.wrong = wrong
    if wrong is None:
        embedder.wrong = [bytearray()]
    assert get(memory, facts_of(memory)) == {}
    assert rows(path) == []
    assert "words alone" in caplog.text


def test_a_model_that_cannot_be_loaded_is_no_embedder(path, caplog):
    class Broken(HashingEmbedder):
        @property
        def space(self):
            raise EmbedderError("changed")

        @space.setter
        def space(self, value):
            pass

    with Memory.open(path, embedder=Broken()) as memory:
        remember(memory, "The user owns a kayak.")
        assert get(memory, facts_of(memory)) == {}
        assert memory.recall("kayak", subjects=[ME]).facts
        assert "cannot be loaded" in memory.health().embedder


def test_what_may_not_be_kept_is_not_sent(memory, embedder):
    wanted = {("fact", "f_1"): f"The key is {SECRET}.", ("fact", "f_2"): " "}
    assert get(memory, wanted) == {}
    step(vectors.query_vector(memory.core, f"is {SECRET} the key?"))
    assert len(embedder.asked) == 1
    assert SECRET not in str(embedder.asked)


def test_a_question_is_a_query_and_remembered_for_a_while(memory, embedder):
    one = step(vectors.query_vector(memory.core, "which boat?"))
    assert embedder.asked == [("which boat?", True)]
    assert step(vectors.query_vector(memory.core, "which boat?")) == one
    assert len(embedder.asked) == 1
    assert step(vectors.query_vector(memory.core, "  ")) is None


def test_what_was_taken_back_meanwhile_gets_no_vector(memory, embedder, path):
    a = remember(memory, "The user owns a kayak.")
    wanted = facts_of(memory)
    embedder.meanwhile = lambda: memory.erase(Selection(ids=(a,)))
    get(memory, wanted)
    assert rows(path) == []


def test_texts_that_changed_meanwhile_are_not_kept(memory, embedder, path):
    remember(memory, "The user owns a kayak.")
    wanted = facts_of(memory)
    seen = step(vectors.change_number(memory.core, memory.core.store, ME))
    embedder.meanwhile = lambda: remember(memory, "The user has a dog.")
    assert get(memory, wanted, seen=seen)
    assert rows(path) == []
    embedder.meanwhile = None
    seen = step(vectors.change_number(memory.core, memory.core.store, ME))
    assert get(memory, wanted, seen=seen)
    assert len(rows(path)) == 1


def test_nothing_that_a_reader_sees_changes(memory, path):
    remember(memory, "The user owns a kayak.")
    before = rows(path, "select * from subjects")
    get(memory, facts_of(memory))
    assert rows(path, "select * from subjects") == before


def test_erasing_a_fact_takes_its_vector_from_the_bytes(memory, path):
    a, b = remember(memory, "The user owns a kayak."), remember(memory, "The user has a dog.")
    made = get(memory, facts_of(memory))
    memory.erase(a)  # the file is still open: the bytes must go anyway
    assert [item for _, item, _ in rows(path)] == [b]
    memory.maintain()
    data = path.read_bytes()
    assert made["fact", a] not in data
    assert made["fact", b] in data


def test_what_cannot_be_recalled_any_more_loses_its_vector_at_upkeep(memory, path):
    a, b, c = (remember(memory, f"The user owns {x}.") for x in ("a kayak", "a boat", "a car"))
    get(memory, facts_of(memory))
    memory.retire(a)
    assert memory.maintain()["vectors"] == 1
    assert {item for _, item, _ in rows(path)} == {b, c}
    memory.core.clock.advance(days=4000)
    assert memory.maintain()["vectors"] == 2
    assert rows(path) == []


def turns(memory, session, subject=ME):
    window = memory.window(session=session, subject=subject)
    window.build("My flat is in Graz, near the old bridge.")
    window.append(said("assistant", "I see."))
    window.build("And the weather?")
    window.append(said("assistant", "Cold."))
    found = memory.log(session)
    return {
        ("turn", f"{session}#{m.n}"): json.dumps(dict(m.body), ensure_ascii=False) for m in found
    }


@pytest.mark.parametrize("session", ["s1", "s#1#", "9", "#", "a 7"])
def test_a_turn_has_one_as_long_as_its_message_is_there(memory, path, session):
    wanted = turns(memory, session)
    assert len(get(memory, wanted)) == len(wanted) == 4
    assert memory.maintain()["vectors"] == 0
    connection = sqlite3.connect(path)
    connection.execute("delete from session_log where n > 2")
    connection.commit()
    connection.close()
    assert memory.maintain()["vectors"] == 2


def test_a_turn_that_is_not_there_gets_none(memory, path):
    get(memory, {("turn", "none#3"): "a text"})
    assert rows(path) == []


def test_a_rewritten_message_and_its_neighbours_lose_theirs(memory, path):
    wanted = turns(memory, "s1")
    get(memory, wanted)
    before = {item for place, item, _ in rows(path) if place == "turn"}
    (fact,) = memory.facts(subject=ME)
    memory.erase(fact.id)
    after = {item for place, item, _ in rows(path) if place == "turn"}
    assert before - after >= {"s1#1", "s1#2"}
    assert "s1#4" in after


def test_whoever_spoke_in_the_same_session_hears_of_a_rewritten_message(memory, path):
    turns(memory, "s1", "user:you")
    memory.observe(
        [said("user", "I said: My flat is in Graz, near the old bridge.")], subject=ME, session="s1"
    )
    before = step(vectors.change_number(memory.core, memory.core.store, log_of(ME)))
    memory.erase(Selection(subject="user:you"))
    assert step(vectors.change_number(memory.core, memory.core.store, log_of(ME))) > before


def test_a_rule_that_another_process_added_counts_at_once(memory, embedder, path):
    remember(memory, "The user owns a kayak.")
    with Memory.open(path) as other:
        other.never_add("boats", words="kayak")
    assert get(memory, facts_of(memory)) == {}
    assert embedder.asked == []


def test_without_an_embedder_there_is_nothing(path):
    with Memory.open(path) as memory:
        a = remember(memory, "The user owns a kayak.")
        assert get(memory, {("fact", a): "x"}) == {}
        assert step(vectors.query_vector(memory.core, "x")) is None
        assert memory.maintain()["vectors"] == 0
        assert "words alone" in memory.health().embedder


def test_health_counts_vectors(memory, path):
    remember(memory, "The user owns a kayak.")
    assert memory.health().counts["facts without a vector"] == 1
    get(memory, facts_of(memory))
    health = memory.health()
    assert health.counts["vectors of facts"] == 1
    assert health.counts["facts without a vector"] == 0
    assert health.embedder.startswith("hashing-1, 64 numbers")
    with Memory.open(path, embedder=Counting(model="other")) as other:
        assert other.health().counts["vectors of other models"] == 1


def test_a_store_that_cannot_be_written_still_gives_vectors(memory, monkeypatch, caplog):
    from memoranda.errors import StoreFull

    remember(memory, "The user owns a kayak.")

    async def full(body):
        raise StoreFull("no room")

    monkeypatch.setattr(type(memory.core.store), "atomic", lambda self, body: full(body))
    assert len(get(memory, facts_of(memory))) == 1
    assert "StoreFull" in caplog.text


def test_the_async_face_embeds_on_a_thread_or_awaits(path):
    import threading

    class Native(HashingEmbedder):
        blocking = False

        async def embed(self, texts, *, query=False):
            await asyncio.sleep(0)
            places.append(threading.current_thread())
            return await super().embed(texts, query=query)

    class InPlace(HashingEmbedder):
        async def embed(self, texts, *, query=False):
            places.append(threading.current_thread())
            return await super().embed(texts, query=query)

    places = []

    async def flow(embedder):
        async with await AsyncMemory.open(path, embedder=embedder) as memory:
            await memory.remember("The user owns a kayak.", subject=ME, origin="user")
            return await vectors.vectors_of(memory.core, ME, {("fact", "f_x"): "a"})

    assert asyncio.run(flow(Native()))
    assert places == [threading.main_thread()]
    places.clear()
    assert asyncio.run(flow(InPlace()))
    assert places != [threading.main_thread()]


def test_an_embedder_must_be_one(path):
    class Spaceless:
        async def embed(self, texts, *, query=False):
            return []

    for wrong in ("minilm", Spaceless()):
        with pytest.raises(UsageError, match="embed"):
            Memory.open(path, embedder=wrong)
    assert not path.exists()


def test_the_settings_name_one(path):
    with Memory.open(path, settings=Settings(embedder="hashing")) as memory:
        assert memory.core.embedder.space.model == "hashing-1"
    with Memory.open(path, settings=Settings(embedder="none")) as memory:
        assert memory.core.embedder is None
