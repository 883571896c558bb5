"""Times as people type them on a command line."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from memoranda.errors import UsageError

_SPAN = re.compile(r"([0-9]{1,6})([hdwy])")
_UNITS = {
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "y": timedelta(days=365),
}
FORMS = "a date (2027-01-31), a date and time (2027-01-31T18:00, with +02:00 or Z for another zone)"


def moment(text: str, option: str) -> datetime:
    """An ISO date or time in UTC. One without a zone is local; a bare date is its first minute."""
    try:
        return datetime.fromisoformat(text.strip()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise UsageError(f"{option} {text!r} is not a time; write {FORMS}") from None


def deadline(text: str, option: str, now: datetime | None = None) -> datetime:
    """A moment to come: an ISO time, or a span from now such as 12h, 30d, 2w or 1y."""
    now = now or datetime.now(UTC)
    span = _SPAN.fullmatch(text.strip())
    try:
        when = now + int(span[1]) * _UNITS[span[2]] if span else moment(text, option)
    except OverflowError:
        raise UsageError(
            f"{option} {text!r} is too far away; use --durable REASON to keep it for good"
        ) from None
    except UsageError:
        raise UsageError(
            f"{option} {text!r} is not a time; write {FORMS} or a span such as 30d, 12h, 2w"
        ) from None
    if when <= now:
        raise UsageError(f"{option} {text!r} is over already; give a time to come")
    return when
