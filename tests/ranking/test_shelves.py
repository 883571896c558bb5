"""What is kept in memory is bounded, and the least lately used goes first."""

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
    shelves.clear()
    assert shelves.rows == 0
