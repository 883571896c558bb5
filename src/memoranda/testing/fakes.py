"""A clock that stands still, identifiers that count and a re-ranker of words: the same every time."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from memoranda.analysis import words
from memoranda.errors import EmbedderError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class ManualClock:
    """A clock that moves only when told to. Begins at `start` (2026-01-01, noon UTC)."""

    def __init__(self, start: datetime = datetime(2026, 1, 1, 12, tzinfo=UTC)) -> None:
        self._now = (start - _EPOCH) // timedelta(microseconds=1)

    def now(self) -> int:
        """Microseconds since 1970, UTC."""
        return self._now

    def advance(self, *, days: float = 0, hours: float = 0, seconds: float = 0) -> None:
        """Move on by days of 24 hours, hours and seconds; negative numbers move back."""
        step = timedelta(days=days, hours=hours, seconds=seconds)
        self._now += step // timedelta(microseconds=1)


class SequentialIds:
    """Identifiers of a prefix and 26 digits: ...0001, ...0002, one count for all prefixes."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def new(self, prefix: str) -> str:
        """The next identifier that begins with `prefix`."""
        return f"{prefix}{next(self._numbers):026d}"


class SharedWordsReranker:
    """A re-ranker without a model: the share of the question's words that a text holds. With `fails`, none."""

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    async def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """For each text the share of the question's words in it, 0 to 1."""
        self.asked.append((question, tuple(texts)))
        if self.fails:
            raise EmbedderError("this re-ranker fails, as it was told")
        wanted = set(words(question)) or {""}
        return [len(wanted & set(words(text))) / len(wanted) for text in texts]
