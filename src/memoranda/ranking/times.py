"""The times that a question names: years, months, days, and those that count from now. In microseconds, UTC. Pure.

English names and ISO dates. What is not understood is no error: the question then names no time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

Span = tuple[int, int]
DAY = timedelta(days=1)
MONTHS = (
    "january february march april may june july august september october november december".split()
)
DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_MONTH = "(?P<month>" + "|".join(f"{name[:3]}(?:{name[3:]})?" for name in MONTHS) + r")\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
DATES = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?P<year>(?:19|20)\d\d)-(?P<month>[01]?\d)-(?P<day>[0-3]?\d)\b",
        rf"\b{_DAY} (?:of )?{_MONTH}(?:,? {_YEAR})?\b",
        rf"\b{_MONTH} {_DAY}(?!\d)(?:,? {_YEAR})?\b",
        rf"\b{_MONTH},? (?:of )?{_YEAR}\b",
        rf"\b(?:in|during|since|early|late|mid|last|this|of)[ -]{_MONTH}\b",
        rf"\b(?:in|during|since|of|year) {_YEAR}\b",
    )
)
AGO = re.compile(
    r"\b(?P<count>\d{1,3}|a|an|one|two|three|four|five|six) (?P<unit>day|week|month|year)s? ago\b"
)
LAST = re.compile(
    r"\b(?P<which>last|past|this|previous) (?P<unit>week|month|year|weekend|"
    + "|".join(DAYS)
    + r")\b"
)
NEAR = {"today": 0, "yesterday": 1, "last night": 1, "this morning": 0, "tonight": 0}
NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
LENGTH = {"day": DAY, "week": 7 * DAY, "month": 30 * DAY, "year": 365 * DAY}
# What every one of these holds at least: most questions name no time, and are done with one look.
ANY = re.compile(
    r"\d|ago\b|last\b|past\b|this\b|previous\b|yesterday|today|tonight|"
    r"\b(?:" + "|".join(name[:3] for name in MONTHS) + ")"
)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
TELLING = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|recently|weekend|(?:19|20)\d\d"
    r"|(?:last|next|this|past) (?:week|month|year|night|summer|winter|spring|fall|autumn)"
    r"|" + "|".join(DAYS) + "|" + "|".join(name for name in MONTHS if name != "may") + r")s?\b"
)


def spans(folded: str, now: int) -> tuple[Span, ...]:
    """The spans of time (start, end; microseconds) that a folded text names, seen from `now`."""
    if not ANY.search(folded):
        return ()
    try:
        moment = EPOCH + timedelta(microseconds=now)
        found = [*_dates(folded, moment), *_relative(folded, moment)]
    except (OverflowError, ValueError):
        return ()
    return tuple((_micros(start), _micros(end)) for start, end in found)


def tells_time(folded: str) -> bool:
    """Whether a text says when something was or will be."""
    return TELLING.search(folded) is not None


def inside(at: int, named: tuple[Span, ...]) -> bool:
    """Whether a moment lies in one of the spans."""
    return any(start <= at < end for start, end in named)


def _dates(text: str, now: datetime) -> Iterator[tuple[datetime, datetime]]:
    taken: list[tuple[int, int]] = []
    for pattern in DATES:
        for match in pattern.finditer(text):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            if (span := _date(match.groupdict(), now)) is not None:
                taken.append(match.span())
                yield span


def _date(parts: dict[str, str | None], now: datetime) -> tuple[datetime, datetime] | None:
    """The day, month or year that is named; without a year the last one that has begun."""
    month = _month(parts.get("month"))
    year, day = parts.get("year"), parts.get("day")
    if month is None:
        return (_first(int(year or 0), 1), _first(int(year or 0) + 1, 1)) if year else None
    number = int(year) if year else now.year - (_first(now.year, month) > now)
    if day is None:
        return _first(number, month), _first(number + month // 12, month % 12 + 1)
    try:
        start = datetime(number, month, int(day), tzinfo=UTC)
    except ValueError:  # the 31st of a month that has none
        return None
    return start, start + DAY


def _month(text: str | None) -> int | None:
    if not text:
        return None
    if text.isdigit():
        return int(text) if 1 <= int(text) <= 12 else None
    return 1 + next(i for i, name in enumerate(MONTHS) if name.startswith(text[:3]))


def _first(year: int, month: int) -> datetime:
    return datetime(year, month, 1, tzinfo=UTC)


def _relative(text: str, now: datetime) -> Iterator[tuple[datetime, datetime]]:
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    for words, days in NEAR.items():
        if re.search(rf"\b{words}\b", text):
            yield today - days * DAY, today - (days - 1) * DAY
    for match in AGO.finditer(text):
        count = NUMBERS.get(match["count"]) or int(match["count"])
        unit = LENGTH[match["unit"]]
        start = today - count * unit
        # "Two weeks ago" is meant roughly: half a unit to each side.
        yield start - unit / 2, start + unit / 2 + DAY
    for match in LAST.finditer(text):
        yield _PERIODS.get(match["unit"], _weekday)(match["which"], match["unit"], today)


def _week(which: str, unit: str, today: datetime) -> tuple[datetime, datetime]:
    monday = today - today.weekday() * DAY
    return (monday, monday + 7 * DAY) if which == "this" else (monday - 7 * DAY, monday)


def _weekend(which: str, unit: str, today: datetime) -> tuple[datetime, datetime]:
    start, _ = _week(which, unit, today)
    return start + 5 * DAY, start + 7 * DAY


def _month_of(which: str, unit: str, today: datetime) -> tuple[datetime, datetime]:
    first = _first(today.year, today.month)
    before = _first(today.year - (today.month == 1), (today.month - 2) % 12 + 1)
    return (first, first + 31 * DAY) if which == "this" else (before, first)


def _year(which: str, unit: str, today: datetime) -> tuple[datetime, datetime]:
    year = today.year - (which != "this")
    return _first(year, 1), _first(year + 1, 1)


def _weekday(which: str, unit: str, today: datetime) -> tuple[datetime, datetime]:
    back = (today.weekday() - DAYS.index(unit)) % 7 or 7
    start = today - (back % 7 if which == "this" else back) * DAY
    return start, start + DAY


_PERIODS: dict[str, Callable[[str, str, datetime], tuple[datetime, datetime]]] = {
    "week": _week,
    "weekend": _weekend,
    "month": _month_of,
    "year": _year,
}


def _micros(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)
