"""A clock that stands still and identifiers that count: the same every time."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta

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
