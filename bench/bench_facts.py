"""What a write and a recall cost, beside the least that any such store would pay, measured in turn in one run.

Each benchmark puts `ratio` (to its reference) into its extra info: writes against a raw append of 4 KiB with
fdatasync, recall against reading all columns of the same rows with bare sqlite3.
"""

from __future__ import annotations

import os
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memoranda.memory import Memory
from memoranda.types import Draft, Origin

FACTS_A_SUBJECT = 100
QUESTION = "Which colour does the shop in town 5 have?"


def sentence(n: int) -> str:
    return f"The shop with number {n} in town {n % 17} has a door of colour {n % 23} since {1900 + n % 120}."


def drafts(first: int, count: int, subject: str) -> list[Draft]:
    return [
        Draft(text=sentence(n), subject=subject, origin=Origin.USER, run="bench", step=n)
        for n in range(first, first + count)
    ]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "memory.db") as memory:
        yield memory


class Append:
    """The reference of a durable write: 4 KiB appended and synced."""

    def __init__(self, path: Path) -> None:
        self.file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        self.times: list[float] = []

    def once(self) -> None:
        start = time.perf_counter()
        os.write(self.file, bytes(4096))
        os.fdatasync(self.file)
        self.times.append(time.perf_counter() - start)


def bench_remember(benchmark: Any, memory: Memory, tmp_path: Path) -> None:
    """2,000 times one `remember` through the whole gate, each after one raw append. Goal: <= 2.5 (means)."""
    append = Append(tmp_path / "raw")
    numbers = iter(range(10**6))

    def setup() -> tuple[tuple[int], dict[str, Any]]:
        append.once()
        return (next(numbers),), {}

    def remember(n: int) -> None:
        memory.remember(sentence(n), subject=f"user:{n % 20}", origin="user", run="bench", step=n)

    benchmark.pedantic(remember, setup=setup, rounds=2000, iterations=1)
    benchmark.extra_info["ratio"] = benchmark.stats.stats.mean / statistics.mean(append.times)


def bench_bulk(benchmark: Any, memory: Memory, tmp_path: Path) -> None:
    """1,000 facts in one `remember_many`; for a fact, against one raw append. Goal: <= 1."""
    append = Append(tmp_path / "raw")
    rounds = iter(range(10**6))

    def setup() -> tuple[tuple[list[Draft]], dict[str, Any]]:
        for _ in range(200):
            append.once()
        n = next(rounds)
        return (drafts(n * 1000, 1000, f"bulk:{n}"),), {}

    benchmark.pedantic(memory.remember_many, setup=setup, rounds=10, iterations=1)
    each = benchmark.stats.stats.mean / 1000
    benchmark.extra_info["ratio"] = each / statistics.mean(append.times)


@pytest.mark.parametrize("facts", [1_000, 10_000, 100_000])
def bench_recall(benchmark: Any, memory: Memory, facts: int) -> None:
    """Recall from a subject of 100 facts among so many in the store. Goal: <= 4 times the bare read, flat in size."""
    for n in range(facts // FACTS_A_SUBJECT):
        memory.remember_many(drafts(n * FACTS_A_SUBJECT, FACTS_A_SUBJECT, f"user:{n}"))
    bare = _bare_read(memory.core.store.place)
    times: list[float] = []

    def setup() -> None:
        start = time.perf_counter()
        bare()
        times.append(time.perf_counter() - start)

    found = benchmark.pedantic(
        lambda: memory.recall(QUESTION, subjects=["user:5"]), setup=setup, rounds=300, iterations=1
    )
    assert found.facts
    benchmark.extra_info["ratio"] = benchmark.stats.stats.median / statistics.median(times)


def _bare_read(place: str) -> Callable[[], object]:
    connection = sqlite3.connect(place)
    query = "SELECT * FROM agent_facts WHERE tenant = 'default' AND subject = 'user:5'"
    assert len(connection.execute(query).fetchall()) == FACTS_A_SUBJECT
    return lambda: connection.execute(query).fetchall()
