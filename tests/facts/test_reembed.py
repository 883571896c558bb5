"""A change of models: in batches, going on where it stopped, while recall works."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import memoranda
from memoranda import AsyncMemory, Memory, Settings
from memoranda.errors import EmbedderError, UsageError
from memoranda.facts import reembed, vectors
from memoranda.ports import Space
from memoranda.step import step
from memoranda.testing import HashingEmbedder

ME = "user:me"


class Model(HashingEmbedder):
    """A hashing embedder of some name that fails after a number of texts."""

    def __init__(self, name="one", most=10**9):
        super().__init__(64)
        self.space = Space(name, 64)
        self.most, self.count = most, 0
        self.meanwhile = lambda: None

    async def embed(self, texts, *, query=False):
        self.meanwhile()
        self.count += len(texts)
        if self.count > self.most:
            raise EmbedderError("enough")
        return await super().embed(texts, query=query)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "memory.db"
    with Memory.open(path) as memory:
        for subject in ("user:me", "user:you"):
            for n in range(100):
                memory.remember(
                    f"The user owns book {subject} {n}.", subject=subject, origin="user"
                )
    return path


def models(path):
    connection = sqlite3.connect(path)
    try:
        return dict(connection.execute("select model, count(*) from vectors group by model"))
    finally:
        connection.close()


def test_it_makes_all_then_drops_the_others(path):
    with Memory.open(path, embedder=Model("one")) as memory:
        seen = []
        done = memory.reembed(progress=lambda *at: seen.append(at))
        assert (done.model, done.texts, done.made, done.left_out, done.dropped) == (
            "one",
            200,
            200,
            0,
            0,
        )
        assert seen == sorted(seen)
        assert seen[-1] == (200, 200)
        assert len(seen) >= 4
    with Memory.open(path, embedder=Model("two")) as memory:
        done = memory.reembed(subject="user:me")
        assert (done.texts, done.made, done.dropped) == (100, 100, 100)
        assert models(path) == {"one": 100, "two": 100}
        done = memory.reembed()
        assert (done.texts, done.made, done.dropped) == (200, 100, 100)
        assert memory.reembed().made == 0
    assert models(path) == {"two": 200}


def test_what_was_made_is_kept_when_it_fails_and_the_old_stays_until_the_end(path):
    with Memory.open(path, embedder=Model("one")) as memory:
        memory.reembed()
    with (
        Memory.open(path, embedder=Model("two", most=150)) as memory,
        pytest.raises(EmbedderError, match="run this again"),
    ):
        memory.reembed()
    assert models(path) == {"one": 200, "two": 100}
    with Memory.open(path, embedder=(model := Model("two"))) as memory:
        done = memory.reembed()
        assert done.made == model.count == 100
    assert models(path) == {"two": 200}


def test_recall_works_meanwhile(path):
    model = Model("two")
    with Memory.open(path, embedder=model) as memory, Memory.open(path, embedder=Model()) as other:
        answers = []
        model.meanwhile = lambda: answers.append(len(other.recall("book 7", subjects=[ME]).facts))
        memory.reembed()
        assert answers
        assert all(answers)


def test_what_is_written_meanwhile_is_looked_at_again(path):
    model = Model("two")
    with Memory.open(path, embedder=model) as memory, Memory.open(path) as other:
        waiting = iter(range(5))

        def write():
            if (n := next(waiting, None)) is not None:
                other.remember(f"The user owns boat {n}.", subject=ME, origin="user")

        model.meanwhile = write
        memory.reembed()
        assert memory.health().counts["facts without a vector"] == 0
    assert models(path) == {"two": 205}


def test_what_may_not_be_kept_is_left_out(path):
    model = Model()
    with Memory.open(path, embedder=model) as memory:
        memory.never_add("books", words="book user:me 7")
        done = memory.reembed()
        assert (done.texts, done.made, done.left_out) == (200, 199, 1)


def test_items_that_cannot_be_kept_do_not_hold_it_up(path):
    async def ghosts(core, subject):
        return {"none#1": "a message that is not there"} if subject == ME else {}

    with Memory.open(path, embedder=Model()) as memory:
        object.__setattr__(memory.core, "embeddable", {**memory.core.embeddable, "turn": ghosts})
        assert memory.reembed().left_out == 1


def test_upkeep_makes_some(path):
    settings = Settings(embed_at_maintain=70)
    with Memory.open(path, embedder=Model(), settings=settings) as memory:
        assert memory.maintain()["missing-vectors"] == 70
        assert memory.maintain()["missing-vectors"] == 70
        assert memory.maintain()["missing-vectors"] == 60
        assert memory.maintain()["missing-vectors"] == 0
    with Memory.open(path, embedder=Model(most=64), settings=Settings()) as memory:
        memory.core.store  # noqa: B018
        assert memory.maintain()["missing-vectors"] == 0


def test_upkeep_with_none_or_a_broken_embedder_does_the_rest(path):
    with Memory.open(path, embedder=Model(), settings=Settings(embed_at_maintain=0)) as memory:
        assert memory.maintain()["missing-vectors"] == 0
    with Memory.open(path, embedder=Model(most=0)) as memory:
        assert memory.maintain()["missing-vectors"] == 0


def test_without_an_embedder_it_says_what_to_do(path):
    with (
        Memory.open(path) as memory,
        pytest.raises(UsageError, match=r"memoranda\[embed\]"),
    ):
        memory.reembed()


def test_the_async_face(path):
    async def flow():
        async with await AsyncMemory.open(path, embedder=Model()) as memory:
            return await memory.reembed(subject=ME)

    assert asyncio.run(flow()).made == 100


KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
from memoranda import Memory
from memoranda.testing import HashingEmbedder

with Memory.open(sys.argv[2], embedder=HashingEmbedder(64)) as memory:
    memory.reembed(progress=lambda done, total: os.kill(os.getpid(), signal.SIGKILL))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_killed_at_every_batch_it_gets_there(path):
    source = Path(memoranda.__file__).resolve().parents[1]
    for _ in range(4):
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(KILLED), str(source), str(path)],
            env={**os.environ},
            check=False,
        )
        assert done.returncode == -signal.SIGKILL
    with Memory.open(path, embedder=HashingEmbedder(64)) as memory:
        assert memory.reembed().made == 0
    assert models(path) == {"hashing-1": 200}


def test_two_at_once_agree(path):
    with (
        Memory.open(path, embedder=Model()) as one,
        Memory.open(path, embedder=(model := Model())) as two,
    ):
        model.meanwhile = lambda: None
        first = Model()
        object.__setattr__(one.core, "embedder", first)
        first.meanwhile = two.reembed
        one.reembed()
    assert models(path) == {"one": 200}


def test_every_place_of_the_registry_can_be_kept(path):
    with Memory.open(path, embedder=Model()) as memory:
        assert set(memory.core.embeddable) <= set(vectors.SETTERS)
        assert step(reembed.fill(memory.core)) == 200
