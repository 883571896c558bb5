"""An embedder without a model: words and pieces of words, each hashed to a place and a sign.

It knows no meanings: texts are near each other when they share words, stems or spellings. For tests, and for trying out
what vectors change; the same on every machine and in every version of Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b

from memoranda.analysis import STOP_WORDS
from memoranda.embedders.vectors import packed
from memoranda.errors import UsageError
from memoranda.ports import Space
from memoranda.stemmer import stem

WORD = re.compile(r"\w+")
PIECES = (3, 4)
# What a shared word weighs, and what a shared piece of one does: a slip of the pen keeps most pieces.
WHOLE, PIECE = 1.0, 0.3
# Texts beyond this are cut: an embedder is for sentences.
LONGEST = 20_000


class HashingEmbedder:
    """Feature hashing of stems and of pieces of words, into `dim` numbers."""

    blocking = True

    def __init__(self, dim: int = 256) -> None:
        if dim < 8:
            raise UsageError("a hashing embedder needs at least 8 numbers")
        self.space = Space("hashing-1", dim)

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[bytes]:
        """One vector for each text; a question is a text like any other."""
        return [self._vector(text[:LONGEST]) for text in texts]

    def _vector(self, text: str) -> bytes:
        numbers = [0.0] * self.space.dim
        # So that a text without words has a direction too.
        numbers[0] = 0.01
        for feature, weight in _features(text.casefold()):
            place, sign = _hashed(feature)
            numbers[place % self.space.dim] += sign * weight
        return packed(numbers)


def _features(text: str) -> Iterator[tuple[str, float]]:
    found = WORD.findall(text)
    # What every sentence holds brings no two of them together, unless there is nothing else.
    for word in [word for word in found if word not in STOP_WORDS] or found:
        yield f"w{stem(word) if word.isascii() else word}", WHOLE
        framed = f"<{word}>"
        for size in PIECES:
            for start in range(len(framed) - size + 1):
                yield f"p{framed[start : start + size]}", PIECE


@lru_cache(maxsize=20_000)
def _hashed(feature: str) -> tuple[int, int]:
    number = int.from_bytes(
        blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little"
    )
    return number >> 1, 1 if number & 1 else -1
