"""Dates in words, resolved against the day they were said on. Weeks start on Monday; all days are UTC.

A date without a year is the next one of its kind. One that has only just passed is ambiguous ("on 3 March",
said on the 5th: gone, or in a year?) and is left unresolved: no date is better than one wrong by a year.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from memoranda.types import from_micros, to_micros

DAY = timedelta(days=1)
JUST_PASSED = 90
PLAN_GRACE = 7

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "a couple of": 2, "a few": 3,
}  # fmt: skip

_DAY = "|".join([*WEEKDAYS, "mon", "tues?", "wed", "thur?s?", "fri", "sat", "sun"])
_MONTH = "|".join(
    [*MONTHS, "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sept?", "oct", "nov", "dec"]
)
_COUNT = r"\d{1,3}|" + "|".join(sorted(NUMBERS, key=len, reverse=True))


@dataclass(frozen=True, slots=True)
class When:
    """A resolved date: where it stands in the text, its first and last day, and how to say it."""

    start: int
    end: int
    first: date
    last: date
    words: str


def day_of(micros: int) -> date:
    """The day (UTC) of a moment; a moment outside the calendar counts as 1970."""
    try:
        return from_micros(micros).date()
    except OverflowError:
        return date(1970, 1, 1)


def expiry(last: date) -> int | None:
    """The end of the day a week after a plan's last day, in microseconds; None beyond the calendar."""
    try:
        end = datetime(last.year, last.month, last.day, tzinfo=UTC) + (PLAN_GRACE + 1) * DAY
    except OverflowError:
        return None
    return to_micros(end) - 1


def spoken(day: date) -> str:
    """`Tuesday 17 March 2026`: both the weekday and the number, in no country's order of digits."""
    return f"{WEEKDAYS[day.weekday()].title()} {day.day} {MONTHS[day.month - 1].title()} {day.year}"


def month_number(word: str) -> int:
    """1 to 12 of a month's name or abbreviation."""
    return next(i for i, name in enumerate(MONTHS, 1) if name.startswith(word[:3].lower()))


def weekday_number(word: str) -> int:
    """0 (Monday) to 6 of a weekday's name or abbreviation."""
    return next(i for i, name in enumerate(WEEKDAYS) if name.startswith(word[:3].lower()))


def count(word: str) -> int:
    """The number that a word or digits stand for."""
    return int(word) if word.isdigit() else NUMBERS[word.lower()]


def make(year: int, month: int, day: int) -> date | None:
    """The date, or None when there is no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def without_year(today: date, month: int, day: int) -> date | None:
    """The next such day from `today` on, or None when the last one has only just passed."""
    this = make(today.year, month, day)
    if this is not None and this >= today:
        return this
    if this is not None and (today - this).days < JUST_PASSED:
        return None
    ahead = (make(today.year + n, month, day) for n in range(1, 9) if today.year + n <= 9999)
    return next((d for d in ahead if d is not None), None)


def next_month_day(today: date, day: int) -> date | None:
    """The next day with this number in its month, `today` included."""
    for offset in range(4):
        months = today.year * 12 + today.month - 1 + offset
        found = make(months // 12, months % 12 + 1, day)
        if found is not None and found >= today:
            return found
    return None


def month_span(year: int, month: int, months: int = 1) -> tuple[date, date] | None:
    """First and last day of a run of months."""
    first, last = make(year, month, 1), year * 12 + month - 1 + months
    after = make(last // 12, last % 12 + 1, 1)
    return None if first is None or after is None else (first, after - DAY)


Span = tuple[date, date] | None
Reader = Callable[[re.Match[str], date], tuple[Span, str]]


def _one(day: date | None) -> tuple[Span, str]:
    return (None, "") if day is None else ((day, day), f"on {spoken(day)}")


def _iso(m: re.Match[str], today: date) -> tuple[Span, str]:
    return _one(make(int(m["y"]), int(m["m"]), int(m["d"])))


def _named(m: re.Match[str], today: date) -> tuple[Span, str]:
    month, day = month_number(m["mon"]), int(m["d"])
    year = m["y"]
    return _one(make(int(year), month, day) if year else without_year(today, month, day))


def _ordinal(m: re.Match[str], today: date) -> tuple[Span, str]:
    return _one(next_month_day(today, int(m["d"])))


def _relative(m: re.Match[str], today: date) -> tuple[Span, str]:
    word = m["w"].lower()
    days = 2 if "after" in word else 1 if "tomorrow" in word else 0
    return _one(today + days * DAY)


def _weekday(m: re.Match[str], today: date) -> tuple[Span, str]:
    wanted, word = weekday_number(m["day"]), (m["which"] or "").lower()
    monday = today - today.weekday() * DAY
    if word == "next" or m["after"]:
        return _one(monday + (7 + wanted) * DAY)
    ahead = (wanted - today.weekday()) % 7
    return _one(today + (ahead if ahead or word == "this" else 7) * DAY)


def _weekend(m: re.Match[str], today: date) -> tuple[Span, str]:
    saturday = today + (5 - today.weekday() + (7 if m["which"].lower() == "next" else 0)) * DAY
    return (max(saturday, today), saturday + DAY), f"on the weekend of {spoken(saturday)}"


def _period(m: re.Match[str], today: date) -> tuple[Span, str]:
    ahead, unit = (0 if m["which"].lower() == "this" else 1), m["unit"].lower()
    if unit == "week":
        monday = today + (7 * ahead - today.weekday()) * DAY
        return (monday, monday + 6 * DAY), f"in the week of {spoken(monday)}"
    if unit == "month":
        months = today.year * 12 + today.month - 1 + ahead
        return _month_words(months // 12, months % 12 + 1)
    year = today.year + ahead
    return month_span(year, 1, 12), f"in {year}"


def _month_words(year: int, month: int) -> tuple[Span, str]:
    return month_span(year, month), f"in {MONTHS[month - 1].title()} {year}"


def _month(m: re.Match[str], today: date) -> tuple[Span, str]:
    month = month_number(m["mon"])
    if m["y"]:
        return _month_words(int(m["y"]), month)
    if (m["which"] or "").lower() == "next" and month == today.month:
        return _month_words(today.year + 1, month)
    behind = (today.month - month) % 12
    if 0 < behind <= JUST_PASSED // 30:
        return None, ""
    return _month_words(today.year + (month < today.month), month)


def _season(m: re.Match[str], today: date) -> tuple[Span, str]:
    month, ahead = SEASONS[m["season"].lower()], m["which"].lower() == "next"
    year = today.year + (1 if ahead else 0)
    return month_span(year, month, 3), f"in {m['season'].lower()} {year}"


def _in(m: re.Match[str], today: date) -> tuple[Span, str]:
    n, unit = count(m["n"]), m["unit"].lower()
    if unit in ("day", "week"):
        day = today + n * (7 if unit == "week" else 1) * DAY
        return _one(day)
    months = today.year * 12 + today.month - 1 + n * (12 if unit == "year" else 1)
    last = (month_span(months // 12, months % 12 + 1) or (today, today))[1]
    return _one(make(months // 12, months % 12 + 1, min(today.day, last.day)))


_YEAR = r"(?:,? (?P<y>\d{4})(?!\d))?"
_TIMES = r"(?: (?:morning|afternoon|evening|night))?"
RULES: tuple[tuple[re.Pattern[str], Reader], ...] = tuple(
    (re.compile(rf"(?<![\w-]){pattern}(?![\w-])", re.IGNORECASE), reader)
    for pattern, reader in (
        (r"(?:on )?(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)", _iso),
        (r"(?:on )?(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})", _iso),
        ((rf"(?:on )?(?:the )?(?:(?:{_DAY}),? (?:the )?)?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? "
            rf"(?P<mon>{_MONTH})\.?{_YEAR}"), _named),
        ((rf"(?:on )?(?:(?:{_DAY}),? )?(?P<mon>{_MONTH})\.? (?:the )?(?P<d>\d{{1,2}})(?:st|nd|rd|"
            rf"th)?{_YEAR}"), _named),
        (rf"(?:on )?(?:(?:{_DAY}),? )?the (?P<d>\d{{1,2}})(?:st|nd|rd|th)", _ordinal),
        (r"(?P<w>the day after tomorrow)", _relative),
        (r"(?P<w>tomorrow|tonight|later today|today)" + _TIMES, _relative),
        ((rf"(?:on )?(?:(?P<which>next|this|this coming|coming) |on )(?P<day>{_DAY})(?P<after> "
            rf"next week)?{_TIMES}"), _weekday),
        (r"(?:on |over )?(?P<which>this|next) weekend", _weekend),
        (r"(?:some time |sometime |later )?(?P<which>this|next) (?P<unit>week|month|year)", _period),
        (r"(?P<which>this|next) (?P<season>spring|summer|autumn|fall|winter)", _season),
        (rf"(?:in|by|(?P<which>next)) (?P<mon>{_MONTH}){_YEAR}", _month),
        (rf"in (?P<n>{_COUNT}) (?P<unit>day|week|month|year)s?(?:['’] time)?", _in),
        (rf"(?P<n>{_COUNT}) (?P<unit>day|week|month|year)s? from (?:now|today)", _in),
    )
)  # fmt: skip


def find(text: str, said_at: int) -> list[When]:
    """The dates that `text` names, in order, none overlapping. Past ones are here too: see `future`."""
    today = day_of(said_at)
    found: list[When] = []
    for when in _matches(text, today):
        if not any(when.start < other.end and other.start < when.end for other in found):
            found.append(when)
    return sorted(found, key=lambda when: when.start)


def _matches(text: str, today: date) -> Iterator[When]:
    for pattern, reader in RULES:
        for match in pattern.finditer(text):
            try:
                span, words = reader(match, today)
            except (OverflowError, ValueError):  # beyond the calendar: no date
                continue
            if span is not None:
                yield When(match.start(), match.end(), *span, words)


def future(text: str, said_at: int) -> list[When]:
    """The dates that are not over yet on the day of saying."""
    today = day_of(said_at)
    return [when for when in find(text, said_at) if when.last >= today]


def spell_out(text: str, said_at: int) -> str:
    """`text` with every date in it made absolute, so that it still holds when read later."""
    for when in reversed(find(text, said_at)):
        words = when.words
        before = text[: when.start].rstrip().lower()
        if before.endswith(
            (" from", " to", " until", " till", " by", " on", " since", " is", " for")
        ):
            words = words.removeprefix("on ") if not before.endswith(" is") else words
        text = text[: when.start] + words + text[when.end :]
    return text
