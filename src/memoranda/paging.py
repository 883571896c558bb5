"""Pages of long lists by their keys: where one ends is written as a text, and no page looks at more than it may.

A page goes on behind the key of the last row of the one before, so that it costs the same wherever it lies and rows
that come in between are neither shown twice nor hide others. What is rare is looked for in bounded pieces: a page may
hold fewer than it was asked for and still say where to go on.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from memoranda.analysis import fold
from memoranda.errors import UsageError

R = TypeVar("R")
T = TypeVar("T")
MOST = 200
LONGEST_CURSOR = 2000
LONGEST_WORDS = 200
# Rows that one page looks at, at most, and how many of them are fetched at once.
LOOK = 10_000
PIECE = 1000
LARGEST = 2**63 - 1


def cursor(what: str, *parts: str | int) -> str:
    """A place in a list as a text that fits into an address: what list it is, and the key."""
    text = json.dumps([what, *parts], ensure_ascii=False, separators=(",", ":"))
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def place(what: str, text: Any, *shape: type) -> tuple[Any, ...]:
    """The key that `cursor` wrote: parts of these types. Raises `UsageError` for anything else."""
    try:
        if not isinstance(text, str) or len(text) > LONGEST_CURSOR or not text.isascii():
            raise ValueError
        kept = json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode())
        if not isinstance(kept, list) or [type(part) for part in kept] != [str, *shape]:
            raise ValueError
        if kept[0] != what or not all(map(_fits, kept)):
            raise ValueError
    except (ValueError, RecursionError):
        raise UsageError(
            f"that is no place in a list of {what}; give `after` or `before` of a page as it was told, or leave it out"
        ) from None
    return tuple(kept[1:])


def _fits(part: str | int) -> bool:
    """Whether a store takes it: half a character cannot be encoded."""
    if isinstance(part, str):
        return bool(part.encode()) or not part
    return abs(part) <= LARGEST


def page_size(value: Any) -> int:
    """How many rows a page is to hold: from 1 to `MOST`."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST:
        raise UsageError(f"size must be a whole number from 1 to {MOST}")
    return value


def wanted_words(value: Any) -> tuple[str, ...]:
    """The folded words that a row must hold, in any order; () for none."""
    if not isinstance(value, str):
        raise UsageError(f"words must be a string, not {type(value).__name__}")
    if len(value) > LONGEST_WORDS:
        raise UsageError(f"words is longer than {LONGEST_WORDS} characters")
    return tuple(dict.fromkeys(fold(value).split()))


def holds(words: Sequence[str], *texts: str | None) -> bool:
    """Whether each word stands in one of the texts, also as a part of a longer one, in any case and accents."""
    whole = fold("\n".join([text for text in texts if text]))
    return all(word in whole for word in words)


@dataclass(frozen=True, slots=True)
class Walked(Generic[R, T]):
    """What a walk found. last: the row to go on behind (None: there is no more). next: the first one of what comes, if
    it is known."""

    found: list[T]
    last: R | None = None
    next: R | None = None


# piece(the row to go on behind or None, how many) -> the rows there in order, and whether there may be more
Piece = Callable[[R | None, int], Awaitable[tuple[list[R], bool]]]
# pick(row) -> what a page shows of it; None: it is not wanted
Pick = Callable[[R], Awaitable[T | None]]


async def walk(piece: Piece[R], pick: Pick[R, T], size: int, look: int = LOOK) -> Walked[R, T]:
    """Look at rows in their order until `size` are found, or there is no more, or `look` were looked at."""
    found: list[T] = []
    last = end = None
    looked, count = 0, size + 1
    while True:
        rows, more = await piece(last, count)
        for row in rows:
            item = await pick(row)
            if item is not None:
                if len(found) == size:
                    return Walked(found, end, row)
                found.append(item)
                end = row
            last = row
        looked += len(rows)
        if not more:
            return Walked(found)
        if looked >= look:
            return Walked(found, last)
        count = min(2 * count, PIECE, look)
