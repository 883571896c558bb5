"""When a fact expires: by its kind, counted from when it is stored, unless somebody gave a time or a reason."""

from __future__ import annotations

from memoranda.settings import Settings
from memoranda.types import Draft, Kind

DAY = 86_400_000_000


def expiry(item: Draft, settings: Settings, now: int) -> int | None:
    """The moment a live fact expires, in microseconds; None with a `durable_reason`.

    Counted from now, not from when it was said: an old chat imported today is new to the store, and which of
    two values is newer is decided by `observed_at` alone.
    """
    if item.durable_reason:
        return None
    if item.expires_at is not None:
        return item.expires_at
    return now + lifetime(item.kind, settings)


def lifetime(kind: Kind, settings: Settings) -> int:
    """How long a fact of this kind lives, in microseconds."""
    return settings.lifetimes[kind] * DAY


def patience(settings: Settings, now: int) -> int:
    """Until when a held item waits for a person."""
    return now + settings.pending_days * DAY
