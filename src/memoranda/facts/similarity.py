"""How near a question's vector is to many others: exact, by numpy where it is at hand, else in plain Python.

Vectors have length 1, so the product of two is the cosine between them.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from operator import mul
from typing import Any

# So many numbers are worth the loading of numpy; below that it is used when something else has loaded it.
WORTH_LOADING = 1_000_000


class Matrix:
    """Many vectors of one space, in the order of `ids`."""

    ids: Sequence[Any]

    @staticmethod
    def of(ids: Sequence[Any], blobs: Sequence[bytes]) -> Matrix:
        """A matrix of vectors that are all of one length, one for each id; else `ValueError`."""
        lengths = {len(blob) for blob in blobs}
        if len(ids) != len(blobs) or len(lengths) > 1 or any(n % 4 or not n for n in lengths):
            raise ValueError("vectors of one matrix must be of one length, one for each id")
        numpy = _numpy(sum(map(len, blobs)) // 4)
        return Plain(ids, blobs) if numpy is None else Quick(ids, blobs, numpy)

    def similarities(self, query: bytes) -> list[float]:
        """The cosine of `query` with each vector, -1 to 1, in the order of `ids`."""
        raise NotImplementedError


def _numpy(numbers: int) -> Any:
    if "numpy" not in sys.modules and numbers < WORTH_LOADING:
        return None
    try:
        import numpy
    except ImportError:
        return None
    return numpy


def floats(blob: bytes) -> array[float]:
    """The numbers of a vector. They are kept little-endian whatever the machine."""
    numbers = array("f", blob)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


class Plain(Matrix):
    """With the standard library alone."""

    def __init__(self, ids: Sequence[Any], blobs: Sequence[bytes]) -> None:
        self.ids = ids
        self._rows = [floats(blob) for blob in blobs]

    def similarities(self, query: bytes) -> list[float]:
        """The cosine of `query` with each vector."""
        asked = floats(query)
        if self._rows and len(asked) != len(self._rows[0]):
            raise ValueError("the query's vector is of another length")
        return [sum(map(mul, asked, row)) for row in self._rows]


class Quick(Matrix):
    """With numpy."""

    def __init__(self, ids: Sequence[Any], blobs: Sequence[bytes], numpy: Any) -> None:
        self.ids, self._numpy = ids, numpy
        flat = numpy.frombuffer(b"".join(blobs), dtype="<f4")
        self._rows = flat.reshape(len(blobs), -1) if blobs else None

    def similarities(self, query: bytes) -> list[float]:
        """The cosine of `query` with each vector."""
        if self._rows is None:
            return []
        asked = self._numpy.frombuffer(query, dtype="<f4")
        if len(asked) != self._rows.shape[1]:
            raise ValueError("the query's vector is of another length")
        found: list[float] = (self._rows @ asked).tolist()
        return found
