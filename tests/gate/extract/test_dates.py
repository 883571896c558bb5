"""Dates in words, against the arithmetic of the calendar."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.gate.extract.dates import (
    JUST_PASSED,
    MONTHS,
    WEEKDAYS,
    When,
    expiry,
    find,
    future,
    spell_out,
    spoken,
)
from memoranda.types import to_micros

DAYS = st.dates(date(1990, 1, 1), date(2090, 12, 31))


def at(day: date) -> int:
    return to_micros(datetime(day.year, day.month, day.day, 23, 59, tzinfo=UTC))


def one(text: str, today: date) -> When:
    (when,) = find(text, at(today))
    return when


@given(DAYS, st.integers(0, 999), st.sampled_from(["day", "week"]))
def test_in_so_many_days_or_weeks(today: date, n: int, unit: str) -> None:
    when = one(f"in {n} {unit}s", today)
    assert when.first == when.last == today + timedelta(days=n * (7 if unit == "week" else 1))


@given(DAYS, st.integers(1, 240))
def test_in_so_many_months_is_never_off_by_a_month(today: date, n: int) -> None:
    first = one(f"in {n} months", today).first
    assert (first.year * 12 + first.month) - (today.year * 12 + today.month) == n
    assert first.day == today.day or first.day < today.day <= 31


@given(DAYS, st.integers(0, 6))
def test_next_weekday_is_in_the_next_week_and_on_weekday_within_seven_days(
    today: date, n: int
) -> None:
    following = one(f"next {WEEKDAYS[n].title()}", today).first
    assert following.weekday() == n
    assert following.isocalendar()[:2] == (today + timedelta(days=7)).isocalendar()[:2]
    coming = one(f"on {WEEKDAYS[n]}", today).first
    assert coming.weekday() == n
    assert 1 <= (coming - today).days <= 7
    this = one(f"this {WEEKDAYS[n]}", today).first
    assert 0 <= (this - today).days <= 6


@given(DAYS, DAYS)
def test_a_date_without_a_year_is_the_next_one_or_none(today: date, other: date) -> None:
    text = f"on {other.day} {MONTHS[other.month - 1].title()}"
    found = find(text, at(today))
    past = [y for y in (today.year,) if _day(y, other) and _day(y, other) < today]  # type: ignore[operator]
    if not found:
        assert past
        assert (today - _day(today.year, other)).days < JUST_PASSED  # type: ignore[operator]
        return
    assert (found[0].first.month, found[0].first.day) == (other.month, other.day)
    assert found[0].first >= today
    if (other.month, other.day) != (2, 29):
        assert (found[0].first - today).days <= 366


def _day(year: int, other: date) -> date | None:
    try:
        return other.replace(year=year)
    except ValueError:
        return None


@given(DAYS, DAYS)
def test_a_date_with_its_year_is_that_date(today: date, other: date) -> None:
    month = MONTHS[other.month - 1].title()
    forms = (other.isoformat(), f"{other.day} {month} {other.year}", f"{month} {other.day}, {other.year}",
             f"{other.day}.{other.month}.{other.year}")  # fmt: skip
    for form in forms:
        assert one(form, today).first == other
    assert bool(future(other.isoformat(), at(today))) == (other >= today)


@given(DAYS, st.integers(1, 31))
def test_on_the_nth_is_the_next_day_of_that_number(today: date, n: int) -> None:
    day = one(f"on the {n}th", today).first
    assert day.day == n
    assert 0 <= (day - today).days <= 62
    assert not any((today + timedelta(days=d)).day == n for d in range((day - today).days))


@given(DAYS)
def test_weekends_weeks_months_and_years(today: date) -> None:
    monday = today - timedelta(days=today.weekday())
    weekend = one("this weekend", today)
    assert weekend.last == monday + timedelta(days=6)
    assert weekend.first == max(today, monday + timedelta(days=5))
    assert one("next weekend", today).first == monday + timedelta(days=12)
    assert one("next week", today).first == monday + timedelta(days=7)
    month = one("next month", today)
    assert month.first.day == 1
    assert month.first > today
    assert month.first - timedelta(days=1) >= today
    assert (month.last + timedelta(days=1)).day == 1
    assert one("next year", today).first == date(today.year + 1, 1, 1)


@given(DAYS)
def test_spelt_out_dates_say_the_same_read_later(today: date) -> None:
    told = spell_out("flying tomorrow", at(today))
    assert told == f"flying on {spoken(today + timedelta(days=1))}"
    later = today + timedelta(days=400)
    assert one(told, later).first == today + timedelta(days=1)


@pytest.mark.parametrize(
    "text",
    [
        "on the 32nd",
        "31 February 2026",
        "2026-13-01",
        "on 30 February",
        "Tuesdays",
        "I may go",
        "12/05/2026",
    ],
)
def test_what_is_no_single_date_is_left_alone(text: str) -> None:
    assert find(text, at(date(2026, 3, 11))) == []


def test_a_day_just_gone_is_not_taken_for_next_year() -> None:
    assert find("on 3 March", at(date(2026, 3, 5))) == []
    assert one("on 3 January", date(2026, 12, 20)).first == date(2027, 1, 3)


def test_the_ends_of_the_calendar() -> None:
    assert expiry(date(9999, 12, 31)) is None
    assert find("in 999 years", at(date(9990, 1, 1))) == []
    assert find("tomorrow", 2**62) != []
