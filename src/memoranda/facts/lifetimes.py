"""When a fact expires: by its kind, counted from when it is stored, unless somebody gave a time or a reason."""

from __future__ import annotations

from datetime import UTC, datetime

from memoranda.settings import Settings
from memoranda.types import Draft, Fact, Kind, Status, to_micros

DAY = 86_400_000_000
LAST = to_micros(datetime.max.replace(tzinfo=UTC))


def expiry(item: Draft, settings: Settings, now: int) -> int | None:
    """The moment a live fact expires, in microseconds; None with a `durable_reason`.

    Counted from now, not from when it was said: an old chat imported today is new to the store, and which of
    two values is newer is decided by `observed_at` alone.
    """
    if item.durable_reason:
        return None
    if item.expires_at is not None:
        return item.expires_at
    return _after(now, item.kind, settings)


def _after(moment: int, kind: Kind, settings: Settings) -> int:
    # No calendar goes further: a later time could be stored and never be read.
    return min(moment + lifetime(kind, settings), LAST)


def lifetime(kind: Kind, settings: Settings) -> int:
    """How long a fact of this kind lives, in microseconds."""
    return settings.lifetimes[kind] * DAY


def patience(settings: Settings) -> int:
    """How long a held item waits for a person, in microseconds."""
    return settings.pending_days * DAY


def approved_until(fact: Fact, settings: Settings, now: int) -> int | None:
    """When a held fact expires once it is approved: a time that somebody gave stays, else its kind's from now."""
    if fact.durable_reason or fact.expires_at is None:
        return None
    given = to_micros(fact.expires_at)
    by_kind = _after(to_micros(fact.created_at), fact.kind, settings)
    return _after(now, fact.kind, settings) if given == by_kind else given


def over(fact: Fact, settings: Settings, now: int) -> bool:
    """Whether a fact's time has passed: its own, or for a held one that of waiting."""
    expires = None if fact.expires_at is None else to_micros(fact.expires_at)
    return ended(fact.status, to_micros(fact.created_at), expires, settings, now)


def ended(
    status: str, created_at: int, expires_at: int | None, settings: Settings, now: int
) -> bool:
    """The same of a row."""
    if status == Status.PENDING:
        return created_at + patience(settings) <= now
    return expires_at is not None and expires_at <= now
