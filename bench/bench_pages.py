"""A page of 50 out of 100,000 facts beside a bare sqlite3 query of the same rows by the index, measured in turn.

Each benchmark puts `p50` and `p95`, the ratios of the two at these shares, into its extra info.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memoranda.memory import Memory
from memoranda.types import Draft, Origin

FACTS = 100_000
SUBJECTS = 100
SIZE = 50
ROUNDS = 500
ALL = "SELECT * FROM agent_facts WHERE tenant = 'default' AND status = 'live' "
ONE = "SELECT * FROM agent_facts WHERE tenant = 'default' AND subject = 'user:all' AND status = 'live' "
NEWEST = f"ORDER BY created_at DESC, id DESC LIMIT {SIZE}"


def draft(n: int, subject: str) -> Draft:
    text = f"The shop with number {n} in town {n % 17} has a door of colour {n % 23}."
    return Draft(text=text, subject=subject, origin=Origin.USER, run=f"run-{n // 500}", step=n)


def filled(path: Path, subject: Callable[[int], str]) -> Memory:
    memory = Memory.open(path)
    for first in range(0, FACTS, 1000):
        memory.remember_many([draft(n, subject(n)) for n in range(first, first + 1000)])
    return memory


@pytest.fixture(scope="module")
def spread(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with filled(
        tmp_path_factory.mktemp("spread") / "memory.db", lambda n: f"user:{n % SUBJECTS}"
    ) as memory:
        yield memory


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with filled(tmp_path_factory.mktemp("alone") / "memory.db", lambda _: "user:all") as memory:
        yield memory


def share(times: list[float], at: float) -> float:
    return sorted(times)[int(len(times) * at)]


def beside(
    benchmark: Any, memory: Memory, page: Callable[[], Any], bare: Callable[[], Any]
) -> None:
    """Run both in turn and note the ratios of the page to the bare query."""
    theirs: list[float] = []

    def setup() -> None:
        start = time.perf_counter()
        bare()
        theirs.append(time.perf_counter() - start)

    benchmark.pedantic(page, setup=setup, rounds=ROUNDS, iterations=1)
    ours = benchmark.stats.stats.data
    for name, at in (("p50", 0.5), ("p95", 0.95)):
        benchmark.extra_info[name] = share(ours, at) / share(theirs, at)


def bare_query(memory: Memory, text: str, *values: object) -> Callable[[], Any]:
    connection = sqlite3.connect(memory.core.store.place)
    assert len(connection.execute(text, values).fetchall()) == SIZE
    return lambda: connection.execute(text, values).fetchall()


def bench_first_page(benchmark: Any, spread: Memory) -> None:
    """The newest 50 of 100,000 facts of 100 subjects. Goal, with the template: <= 3 times the bare query."""
    beside(
        benchmark, spread, lambda: spread.facts_page(size=SIZE), bare_query(spread, ALL + NEWEST)
    )


def bench_deep_page(benchmark: Any, spread: Memory) -> None:
    """The same in the middle of them: as fast as the first."""
    after = None
    for _ in range(FACTS // 2 // 200):
        after = spread.facts_page(size=200, after=after).after
    here = spread.facts_page(size=1, after=after).facts[0]
    [(at,)] = sqlite3.connect(spread.core.store.place).execute(
        "SELECT created_at FROM agent_facts WHERE tenant = 'default' AND id = ?", (here.id,)
    )
    bare = bare_query(spread, f"{ALL} AND (created_at, id) <= (?, ?) {NEWEST}", at, here.id)
    beside(benchmark, spread, lambda: spread.facts_page(size=SIZE, after=after), bare)


def bench_page_of_a_subject(benchmark: Any, alone: Memory) -> None:
    """The newest 50 of a subject that has all 100,000."""
    page = lambda: alone.facts_page(subject="user:all", size=SIZE)  # noqa: E731
    beside(benchmark, alone, page, bare_query(alone, ONE + NEWEST))


def bench_words_that_nothing_has(benchmark: Any, spread: Memory) -> None:
    """The dearest page: 10,000 facts looked at and none found; seconds, without a reference."""
    benchmark.pedantic(lambda: spread.facts_page(words="zebra"), rounds=20, iterations=1)


def bench_subjects(benchmark: Any, spread: Memory) -> None:
    """50 subjects with the numbers of their live facts (1,000 each); seconds, without a reference."""
    benchmark.pedantic(lambda: spread.subjects_page(size=SIZE), rounds=100, iterations=1)


def bench_runs(benchmark: Any, spread: Memory) -> None:
    """The latest runs, of 500 facts each; seconds, without a reference."""
    benchmark.pedantic(lambda: spread.runs_page(size=SIZE), rounds=20, iterations=1)


def bench_counts(benchmark: Any, spread: Memory) -> None:
    """What a front page counts; seconds, without a reference."""
    benchmark.pedantic(spread.counts, rounds=200, iterations=1)
