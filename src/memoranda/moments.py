"""Times as a person reads them: those of this machine."""

from __future__ import annotations

from datetime import datetime


def local(moment: datetime) -> datetime:
    """The moment in the zone of this machine; in UTC where the calendar ends before that zone gets there."""
    try:
        return moment.astimezone()
    except (OverflowError, ValueError, OSError):
        return moment
