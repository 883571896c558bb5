"""What recall finds and what it costs, by hand: figures for docs/measurements.md.

    python bench/recall.py weights LOCOMO.json CORRECTIONS.json [--model]
    python bench/recall.py speed [--most 1000000] [--peer]

weights: recall@10 of turns with the weights as they are, and with those that the other conversations would choose for
each one left out. speed: processor time of one recall from a subject of 100 facts, cold and warm, as a multiple of
reading all columns of the same rows with bare sqlite3, in stores of growing size; the same for one subject of 100,000
facts and for vectors against a numpy scan; with --peer against LangGraph's SqliteStore, if it is installed.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

from memoranda.analysis import all_words, fold
from memoranda.embedders import named
from memoranda.facts.similarity import Matrix
from memoranda.memory import Memory
from memoranda.ranking import weights
from memoranda.ranking.question import read
from memoranda.ranking.shelves import Shelves
from memoranda.ranking.times import tells_time
from memoranda.ranking.turns import Key, Turn, TurnIndex, score
from memoranda.settings import Settings
from memoranda.step import step
from memoranda.types import to_micros

# Weights

GRID = {
    "SESSION": (0.15, 0.25, 0.35),
    "SPEAKER": (1.2, 2.0),
    "ASKS": (0.25, 0.5),
    "NEIGHBOUR": (0.1, 0.15),
    "MEANING": (0.4, 0.5),
}


class Chat:
    """One conversation with its questions, ranked by the functions of the product alone."""

    def __init__(self, sample: Mapping[str, Any], fixes: Mapping[str, Any], embedder: Any) -> None:
        self.ids: list[str] = []
        texts, turns = [], []
        for session, said in _sessions(sample["conversation"]):
            start = datetime.strptime(f"{session} +0000", "%I:%M %p on %d %B, %Y %z")
            for turn in said:
                texts.append(f"{turn['speaker']}: {turn['text']}")
                turns.append(self._turn(turn, session, to_micros(start), len(self.ids)))
                self.ids.append(turn["dia_id"])
        self.now = max(turn.at for turn in turns)
        self.index = TurnIndex(turns)
        self.questions = list(_questions(sample, fixes, set(self.ids)))
        self.meaning: dict[str, dict[Key, float]] = {}
        if embedder is not None:
            matrix = Matrix.of([t.key for t in turns], step(embedder.embed(texts)))
            asked = step(embedder.embed([q for q, _ in self.questions], query=True))
            for (question, _), vector in zip(self.questions, asked, strict=True):
                near = matrix.similarities(vector)
                self.meaning[question] = dict(zip(matrix.ids, near, strict=True))

    @staticmethod
    def _turn(turn: Mapping[str, str], session: str, at: int, n: int) -> Turn:
        text = turn["text"]
        words = tuple(all_words(text))
        asks, timed = text.rstrip().endswith("?"), tells_time(fold(text))
        return Turn(session, n, turn["speaker"], "user", at, words, asks, timed)

    def recall(self) -> float:
        """Mean share of the evidence among the first ten."""
        found = []
        for question, gold in self.questions:
            ranked = score(
                read(question, self.now), self.index, self.meaning.get(question), most=10
            )
            best = {self.ids[said.turn.n] for said in ranked}
            found.append(len(best & gold) / len(gold))
        return statistics.mean(found)


def _sessions(talk: Mapping[str, Any]) -> Iterator[tuple[str, list[dict[str, str]]]]:
    n = 1
    while f"session_{n}_date_time" in talk:
        yield talk[f"session_{n}_date_time"], talk.get(f"session_{n}", [])
        n += 1


def _questions(
    sample: Mapping[str, Any], fixes: Mapping[str, Any], known: set[str]
) -> Iterator[tuple[str, set[str]]]:
    for n, qa in enumerate(sample["qa"]):
        fix = fixes.get(f"{sample['sample_id']}/{n}", {})
        gold = set(fix.get("evidence") or qa.get("evidence") or ()) & known
        if qa["category"] != 5 and gold and not fix.get("drop"):
            yield qa["question"], gold


def chosen_by(chats: Sequence[Chat]) -> dict[Chat, dict[tuple[float, ...], float]]:
    """Recall of every chat under every setting of the grid."""
    usual = {name: getattr(weights, name) for name in GRID}
    found: dict[Chat, dict[tuple[float, ...], float]] = {chat: {} for chat in chats}
    for setting in product(*GRID.values()):
        for name, value in zip(GRID, setting, strict=True):
            setattr(weights, name, value)
        for chat in chats:
            found[chat][setting] = chat.recall()
    for name, value in usual.items():
        setattr(weights, name, value)
    return found


def weigh(data: str, corrections: str, model: bool) -> None:
    fixes = json.loads(Path(corrections).read_text("utf-8"))
    embedder = named(Settings(embedder="minilm")) if model else None
    samples = json.loads(Path(data).read_text("utf-8"))
    chats = [Chat(sample, fixes, embedder) for sample in samples]
    count = [len(chat.questions) for chat in chats]

    def mean(values: Sequence[float]) -> float:
        return 100 * sum(v * n for v, n in zip(values, count, strict=True)) / sum(count)

    print(f"as they are: {mean([chat.recall() for chat in chats]):.1f}")
    found = chosen_by(chats)
    left_out = []
    for out in chats:
        others = [chat for chat in chats if chat is not out]
        best = max(found[out], key=lambda one: sum(found[chat][one] for chat in others))
        left_out.append(found[out][best])
    spread = [mean([found[chat][one] for chat in chats]) for one in found[chats[0]]]
    print(f"chosen without the conversation they are used on: {mean(left_out):.1f}")
    print(f"all {len(spread)} settings: {min(spread):.1f} to {max(spread):.1f}")


# Speed

SUBJECT = "user:0"
QUESTIONS = [f"Which colour does the shop in town {n} have?" for n in range(17)]


def sentence(n: int) -> str:
    return f"The shop with number {n} in town {n % 17} has a door of colour {n % 23} since {1900 + n % 120}."


def filled(path: Path, facts: int) -> None:
    """A store with that many facts, a hundred a subject: a thousand through the gate, the rest copies of them."""
    with Memory.open(path) as memory:
        for subject in range(10):
            for n in range(100):
                memory.remember(sentence(n), subject=f"user:{subject}", origin="operator")
    connection = sqlite3.connect(path)
    columns = [row[1] for row in connection.execute("pragma table_info(agent_facts)")]
    wanted = {"id": "id || :k", "subject": "subject || :k"}
    copy = (
        f"insert into agent_facts ({', '.join(columns)}) "
        f"select {', '.join(wanted.get(c, c) for c in columns)} from agent_facts where subject not like '%x%'"
    )
    for k in range(1, facts // 1000):
        connection.execute(copy, {"k": f"x{k}"})
        if k % 20 == 0:
            connection.commit()
    connection.commit()
    connection.close()


def timed(call: Callable[[int], object], rounds: int = 300) -> float:
    """Median processor time of a call, in microseconds."""
    times = []
    for n in range(rounds):
        start = time.process_time_ns()
        call(n)
        times.append(time.process_time_ns() - start)
    return statistics.median(times) / 1000


def speed(most: int, peer: bool) -> None:
    sizes = [size for size in (1_000, 10_000, 100_000, 1_000_000) if size <= most]
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "memory.db"
            filled(path, size)
            memory, bare = Memory.open(path), sqlite3.connect(path)
            text = (
                "select * from agent_facts where tenant='default' and subject=? and status='live'"
            )

            def reads(_: int, bare: Any = bare, text: str = text) -> object:
                return bare.execute(text, (SUBJECT,)).fetchall()

            def warm(n: int, memory: Memory = memory) -> object:
                return memory.recall(QUESTIONS[n % 17], subjects=[SUBJECT])

            def cold(n: int, memory: Memory = memory) -> object:
                memory.core = replace(memory.core, shelves=Shelves(50_000))
                return memory.recall(QUESTIONS[n % 17], subjects=[SUBJECT])

            reads(0), warm(0)
            found = [(timed(reads), timed(warm), timed(cold)) for _ in range(3)]
            base, hot, first = (statistics.median(column) for column in zip(*found, strict=True))
            print(
                f"{size} facts: bare reads {base:.0f} us, cold {first / base:.2f}, warm {hot / base:.2f}"
            )
            memory.close()
            bare.close()
            if peer and size in (10_000, 100_000):
                beside_langgraph(path, size, hot, first)


def beside_langgraph(path: Path, size: int, warm: float, cold: float) -> None:
    """The peer on the same texts, a namespace for each subject: its search by vectors, which cost nothing to make here.

    It loads an extension, which not every build of Python's sqlite3 allows: so by `pysqlite3`.
    """
    from langgraph.store.base import PutOp
    from langgraph.store.sqlite import SqliteStore
    from pysqlite3 import dbapi2

    fixed = [(n * 37 % 101) / 101 - 0.5 for n in range(384)]

    def embed(texts: Sequence[str]) -> list[list[float]]:
        return [
            [value * (1 + n % (2 + len(text) % 7)) for n, value in enumerate(fixed)]
            for text in texts
        ]

    connection = dbapi2.connect(f"{path}.peer", check_same_thread=False, isolation_level=None)
    store = SqliteStore(connection, index={"dims": 384, "embed": embed, "fields": ["text"]})
    store.setup()
    for first in range(0, size, 1000):
        some = range(first, first + 1000)
        store.batch([PutOp((f"user:{n // 100}",), f"{n}", {"text": sentence(n)}) for n in some])
    for what, query in (("newest five, no search", None), ("search", QUESTIONS[0])):
        took = timed(lambda _, q=query: store.search(("user:0",), query=q, limit=5), 100)
        ours = f"ours cold {cold / took:.2f}, warm {warm / took:.2f} of it"
        print(f"  peer, {what}: {took:.0f} us; {ours}")
    connection.close()


def one_large() -> None:
    """100,000 facts of one subject: through the engine's index, and vectors against a numpy scan."""
    import numpy

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        filled(path, 100_000)
        connection = sqlite3.connect(path)
        connection.execute("update agent_facts set subject = 'user:0', fact = fact || id")
        connection.execute("update fact_numbers set subject = 'user:0'")
        connection.commit()
        connection.close()
        with Memory.open(path) as memory:
            start = time.process_time()
            memory.recall(QUESTIONS[0], subjects=[SUBJECT])
            print(f"first recall of 100,000 facts, index made: {time.process_time() - start:.2f} s")
            took = timed(lambda n: memory.recall(QUESTIONS[n % 17], subjects=[SUBJECT]), 30)
    numbers = numpy.random.default_rng(1).normal(size=(100_000, 384)).astype("<f4")
    asked = numbers[0].copy()
    scan = timed(lambda _: numpy.argpartition(numbers @ asked, -10)[-10:], 30)
    print(
        f"recall by words {took / 1000:.1f} ms: {took / scan:.1f} times a numpy scan of its vectors"
    )
    matrix = Matrix.of(list(range(100_000)), [row.tobytes() for row in numbers])
    ours = timed(lambda _: matrix.similarities(asked.tobytes()), 10)
    print(f"all cosines as a list: {ours / scan:.1f} times the scan")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parts = parser.add_subparsers(dest="part", required=True)
    weighing = parts.add_parser("weights")
    weighing.add_argument("data")
    weighing.add_argument("corrections")
    weighing.add_argument("--model", action="store_true")
    timing = parts.add_parser("speed")
    timing.add_argument("--most", type=int, default=1_000_000)
    timing.add_argument("--peer", action="store_true")
    given = parser.parse_args()
    sys.setswitchinterval(0.05)
    print(datetime.now(UTC).date())
    if given.part == "weights":
        weigh(given.data, given.corrections, given.model)
    else:
        speed(given.most, given.peer)
        one_large()


if __name__ == "__main__":
    main()
