"""What is kept in memory is bounded, and the least lately used goes first."""

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from hypothesis import given
from hypothesis import strategies as st

from memoranda.ranking.shelves import Shelves


def test_the_least_lately_used_goes_first() -> None:
    shelves = Shelves(10)
    for name in "abc":
        shelves.put(name, name.upper(), 3)
    assert shelves.get("a") == "A"
    shelves.put("d", "D", 3)
    assert [shelves.get(name) for name in "abcd"] == ["A", None, "C", "D"]


def test_what_is_too_large_alone_is_not_kept() -> None:
    shelves = Shelves(10)
    shelves.put("small", 1, 5)
    shelves.put("large", 2, 11)
    assert (shelves.get("small"), shelves.get("large")) == (1, None)
    shelves.put("small", 3, 11)
    assert shelves.get("small") is None


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 12))))
def test_never_more_than_the_bound(puts: list[tuple[str, int]]) -> None:
    shelves = Shelves(20)
    for name, size in puts:
        shelves.put(name, size, size)
        assert shelves.rows <= 20
        assert shelves.get(name) == size


def test_those_who_have_nothing_fill_no_memory() -> None:
    shelves = Shelves(10)
    for name in range(100):
        shelves.put(name, (), 0)
    assert shelves.rows == len([name for name in range(100) if shelves.get(name) is not None]) == 10


def test_threads_share_it() -> None:
    shelves = Shelves(30, Lock())

    def use(start: int) -> None:
        for name in range(start, start + 2000):
            shelves.put(name % 61, name, name % 7)
            shelves.get((name * 7) % 61)

    pause = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(use, range(0, 400, 100)))
    finally:
        sys.setswitchinterval(pause)
    assert shelves.rows <= 30
