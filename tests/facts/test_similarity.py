"""Two ways to the same numbers."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.embedders.vectors import packed
from memoranda.errors import EmbedderError
from memoranda.facts import similarity
from memoranda.facts.similarity import Matrix, Plain, Quick, floats

NUMBER = st.floats(-1, 1, width=32)


def unit(dim):
    return st.lists(NUMBER, min_size=dim, max_size=dim).filter(any).map(maybe).filter(bool)


def maybe(numbers):
    try:
        return packed(numbers)
    except EmbedderError:
        return b""


@given(st.integers(1, 40).flatmap(lambda dim: st.lists(unit(dim), min_size=1, max_size=20)))
def test_both_ways_agree_and_are_cosines(blobs):
    numpy = pytest.importorskip("numpy")
    ids = list(range(len(blobs)))
    plain = Plain(ids, blobs).similarities(blobs[0])
    assert plain == pytest.approx(Quick(ids, blobs, numpy).similarities(blobs[0]), abs=1e-6)
    exact = [
        math.fsum(a * b for a, b in zip(floats(blob), floats(blobs[0]), strict=True))
        for blob in blobs
    ]
    assert plain == pytest.approx(exact, abs=1e-6)
    assert plain[0] == pytest.approx(1, abs=1e-6)
    assert all(-1.000001 <= share <= 1.000001 for share in plain)


@given(st.lists(NUMBER, min_size=1, max_size=50).filter(lambda n: math.hypot(*n) > 1e-6))
def test_what_is_packed_has_length_one_and_its_direction(numbers):
    back = floats(packed(numbers))
    assert math.hypot(*back) == pytest.approx(1, abs=1e-5)
    length = math.hypot(*numbers)
    assert list(back) == pytest.approx([x / length for x in numbers], abs=1e-6)


def test_bytes_are_little_endian():
    assert packed([1.0]) == b"\x00\x00\x80\x3f"
    assert list(floats(b"\x00\x00\x80\x3f")) == [1.0]


def test_what_does_not_fit_is_refused():
    one, two = packed([1, 0]), packed([1, 0, 0])
    for ids, blobs in (([1, 2], [one, two]), ([1], []), ([1], [one[:3]]), ([1], [b""])):
        with pytest.raises(ValueError, match="one length"):
            Matrix.of(ids, blobs)
    for matrix in (Matrix.of([1], [one]), Plain([1], [one])):
        with pytest.raises(ValueError, match="length"):
            matrix.similarities(two)
    assert Matrix.of([], []).similarities(one) == []


def test_without_numpy_it_works(monkeypatch):
    monkeypatch.setattr(similarity, "_numpy", lambda numbers: None)
    matrix = Matrix.of(["a", "b"], [packed([1, 0]), packed([1, 1])])
    assert isinstance(matrix, Plain)
    assert matrix.ids == ["a", "b"]
    assert matrix.similarities(packed([1, 0])) == pytest.approx([1, 0.5**0.5])


@pytest.mark.parametrize("numbers", [[], [0.0], [float("nan")], [float("inf")], [1e-320]])
def test_a_vector_without_a_direction_is_an_error(numbers):
    if numbers == [1e-320]:
        assert list(floats(packed(numbers))) == [1.0]
        return
    with pytest.raises(EmbedderError):
        packed(numbers)
