"""Times as people type them."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.cli import times
from memoranda.errors import UsageError

NOW = datetime(2027, 1, 31, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2027-03-01T10:00Z", datetime(2027, 3, 1, 10, 0, tzinfo=UTC)),
        ("2027-03-01T10:00+02:00", datetime(2027, 3, 1, 8, 0, tzinfo=UTC)),
        ("2027-03-01T10:00", datetime(2027, 3, 1, 10, 0).astimezone(UTC)),
        (" 2027-03-01 ", datetime(2027, 3, 1).astimezone(UTC)),
        ("30d", NOW + timedelta(days=30)),
        ("12h", NOW + timedelta(hours=12)),
        ("2w", NOW + timedelta(weeks=2)),
        ("1y", NOW + timedelta(days=365)),
    ],
)
def test_deadlines(text: str, wanted: datetime) -> None:
    assert times.deadline(text, "--expires", NOW) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "30",
        "-3d",
        "0d",
        "3m",
        "2027-13-01",
        "1999-01-01",
        "999999y",
        "0001-01-01",
        "٣d",
        "3d\n4d",
    ],
)
def test_what_is_no_deadline(text: str) -> None:
    with pytest.raises(UsageError, match="--expires"):
        times.deadline(text, "--expires", NOW)


@given(st.text(max_size=20))
def test_anything_is_a_time_or_a_named_error(text: str) -> None:
    try:
        when = times.moment(text, "--as-of")
    except UsageError:
        return
    assert when.tzinfo is UTC
