"""What a question is about: the person who asks, the world, or neither; and the time it names."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.ranking.question import read
from memoranda.ranking.times import spans
from memoranda.types import to_micros

NOW = to_micros(datetime(2026, 11, 30, 9, tzinfo=UTC))  # a Monday


@pytest.mark.parametrize(
    ("text", "personal", "world"),
    [
        ("Where is my bike stored?", True, False),
        ("What do I do for a living?", True, False),
        ("Am I allergic to anything?", True, False),
        ("List my allergies", True, False),
        ("Tell me what my dentist is called", True, False),
        ("How do I commute?", True, False),
        ("How long have I been at Acme?", True, False),
        ("Wie heißt mein Hund?", True, False),
        ("¿Dónde trabaja mi hermana?", True, False),
        ("我的猫叫什么?", True, False),
        ("How do I fix a flat tyre?", False, True),
        ("How can I improve my handwriting?", False, True),
        ("How should we season a wok?", False, True),
        ("Can you explain recursion to me?", False, True),
        ("Write me a limerick about a lazy cat.", False, True),
        ("Suggest a name for my new coffee shop.", False, False),
        ("What is a leap year?", False, True),
        ("Who painted the Night Watch?", False, True),
        ("Why do ships float?", False, True),
        ("Which planet is the largest?", False, True),
        ("Which theme?", False, False),
        ("Where does Effie go to school?", False, False),
        ("What was decided about the bow?", False, False),
        ("", False, False),
    ],
)
def test_what_a_question_is_about(text: str, personal: bool, world: bool) -> None:
    question = read(text, NOW)
    assert (question.personal, question.world) == (personal, world)


def days(text: str) -> list[tuple[str, str]]:
    def day(micros: int) -> str:
        return datetime.fromtimestamp(micros / 1e6, UTC).date().isoformat()

    return [(day(start), day(end)) for start, end in spans(text, NOW)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what did i say on 8 may 2023?", [("2023-05-08", "2023-05-09")]),
        ("on may 8th, 2023", [("2023-05-08", "2023-05-09")]),
        ("on 2023-05-08", [("2023-05-08", "2023-05-09")]),
        ("in june 2023", [("2023-06-01", "2023-07-01")]),
        ("in december", [("2025-12-01", "2026-01-01")]),
        ("in march", [("2026-03-01", "2026-04-01")]),
        ("in 2019", [("2019-01-01", "2020-01-01")]),
        ("yesterday", [("2026-11-29", "2026-11-30")]),
        ("last week", [("2026-11-23", "2026-11-30")]),
        ("this month", [("2026-11-01", "2026-12-02")]),
        ("last month", [("2026-10-01", "2026-11-01")]),
        ("last year", [("2025-01-01", "2026-01-01")]),
        ("last friday", [("2026-11-27", "2026-11-28")]),
        ("last monday", [("2026-11-23", "2026-11-24")]),
        ("last weekend", [("2026-11-28", "2026-11-30")]),
        ("31 february 2023", [("2023-02-01", "2023-03-01")]),
        ("may i come in?", []),
        ("it may rain", []),
        ("9999 years ago", []),
        ("no time at all", []),
    ],
)
def test_the_times_that_a_question_names(text: str, expected: list[tuple[str, str]]) -> None:
    assert days(text) == expected


def test_about_two_weeks_ago_is_meant_roughly() -> None:
    [(start, end)] = spans("two weeks ago", NOW)
    fortnight = NOW - 14 * 86_400_000_000
    assert start < fortnight < end
    assert end - start < 10 * 86_400_000_000


@given(st.text(max_size=400), st.integers(-(2**62), 2**62))
def test_any_text_at_any_time_is_a_question(text: str, now: int) -> None:
    question = read(text, now)
    assert len(question.terms) == len(set(question.terms))
    assert all(start <= end for start, end in question.spans)


def test_a_long_text_is_read_in_reasonable_time() -> None:
    for text in ("why " * 30_000, "a" * 100_000, "how do i " * 12_000, "\u4e2d" * 100_000):
        assert len(read(text, NOW).terms) <= 4096
