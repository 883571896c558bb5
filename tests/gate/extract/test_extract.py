"""What holds of every text, and what single sentences must give."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.gate.extract import extract
from memoranda.gate.extract.engine import LONGEST_FACT, MOST_PER_MESSAGE
from memoranda.types import Draft, Kind, Origin, to_micros

SAID_AT = to_micros(datetime(2026, 3, 11, 10, 30, tzinfo=UTC))
PRONOUNS = ("i ", "my ", "we ", "he ", "she ", "it ", "they ", "our ", "you ", "this ", "that ")


def said(text: str, previous: list[Draft] | None = None) -> list[Draft]:
    return extract(text, subject="user:me", said_at=SAID_AT, previous=previous or [])


def keys(text: str, previous: list[Draft] | None = None) -> list[tuple[str | None, str | None]]:
    return [(draft.attribute, draft.value) for draft in said(text, previous)]


PIECES = st.sampled_from(
    """I|I'm|i’m|my|we|our|live|in|Graz|work|at|Acme|am|a|nurse|vegetarian|and|but|,|.|!|?|not|no longer
    |have|two|cats
    |called|Tom|on|12 May|next Tuesday|tomorrow|remember that|please|always|
    |answer|in German|call me|if|"|'|`|```|>|\n
    |sister|is|use|Vim|prefer|love|hate|stopped|smoking|sold|car|it|you|😀|\x00|\ud800|猫|قطة
    |31.02.2026|on the 31st|{|}
    |the|project|due|moved|to|from|actually|sorry|kidding|/s|\x01|\x02|quit|job
    |because|so|\\|(|)|in 99 years""".replace("\n    |", "|").split("|")
)
SENTENCES = st.lists(PIECES, max_size=40).map(" ".join)


@given(st.one_of(SENTENCES, st.text(max_size=300)))
@settings(max_examples=400, deadline=None)
def test_every_draft_is_one_short_sentence_about_somebody_with_a_verbatim_quote(text: str) -> None:
    drafts = said(text)
    assert len(drafts) <= MOST_PER_MESSAGE
    for draft in drafts:
        assert 0 < len(draft.text) <= LONGEST_FACT
        assert "\n" not in draft.text
        assert draft.text.endswith(".")
        assert not draft.text.lower().startswith(PRONOUNS)
        assert draft.quote is not None
        assert draft.quote in text
        assert draft.value is None if draft.attribute is None else draft.value or draft.ends
        assert 0 <= draft.confidence <= 1
        assert draft.observed_at == SAID_AT
        assert not (draft.ends and draft.polarity)
        assert not {"\x00", "\x01", "\x02"} & set(draft.text + (draft.value or ""))


@given(st.one_of(SENTENCES, st.text(max_size=200)), st.integers(-(2**62), 2**62))
@settings(max_examples=200, deadline=None)
def test_any_text_at_any_time_is_read_without_an_error(text: str, moment: int) -> None:
    once = extract(text, subject="user:me", said_at=moment)
    assert once == extract(text, subject="user:me", said_at=moment)


@pytest.mark.parametrize(
    "text",
    [
        "\x00" * 1000,
        "\ud800 I live in \udfff",
        "أنا أعيش في غراتس",
        "我住在格拉茨。我有两只猫。",
        "😀" * 25_000,
        "I " * 50_000,
    ],
)
def test_strange_and_long_texts_pass(text: str) -> None:
    said(text)


def test_the_end_of_a_long_message_still_counts() -> None:
    assert ("home", "Graz") in keys("Well, who knows. " * 900 + "I live in Graz.")


def test_one_sentence_gives_one_draft_for_each_attribute() -> None:
    found = dict(keys("I'm Ana, a nurse from Graz with two cats"))
    assert found == {"name": "Ana", "role": "nurse", "hometown": "Graz", "pet": "two cats"}


def test_values_of_other_people_are_theirs() -> None:
    assert keys("My sister lives in Bern.") == [("sister.home", "Bern")]
    assert said("My sister lives in Bern.")[0].text == "The user's sister lives in Bern."


def test_one_value_a_draft() -> None:
    assert keys("I'm allergic to nuts and shellfish.") == [
        ("allergy", "nuts"),
        ("allergy", "shellfish"),
    ]


def test_a_setting_is_part_of_the_key() -> None:
    assert keys("At work I use Emacs.") == [("work.editor", "Emacs")]
    assert said("At work I use Emacs.")[0].text == "At work, the user uses Emacs."


def test_a_number_taken_out_of_a_sentence_leaves_its_key() -> None:
    assert (
        keys("I take the 7:12 train to work.")[0][0] == keys("I take the 7:40 train to work")[0][0]
    )
    assert keys("I take the 7:12 train to work.")[0][1] == "7:12"


@pytest.mark.parametrize(
    ("text", "attribute", "value", "sentence"),
    [
        ("I no longer work at Acme.", "employer", "Acme", "The user no longer works at Acme."),
        ("I used to live in Linz.", "home", "Linz", "The user no longer lives in Linz."),
        ("I don't live in Linz any more", "home", "Linz", "The user no longer lives in Linz."),
        ("I’m not vegan anymore", "diet", "vegan", "The user is no longer vegan."),
        ("I quit my job.", "employer", None, "The user no longer has the job they had."),
        ("We broke up.", "partner", None, "The user broke up with the partner they had."),
        ("I sold my car.", "car", None, "The user no longer has their car."),
        ("I stopped smoking.", "hobby", "smokes", "The user no longer smokes."),
    ],
)
def test_ends_say_what_holds_no_longer(
    text: str, attribute: str, value: str | None, sentence: str
) -> None:
    (draft,) = said(text)
    assert (draft.attribute, draft.value, draft.text) == (attribute, value, sentence)
    assert draft.ends
    assert not draft.polarity


def test_a_denial_without_an_end() -> None:
    (draft,) = said("I don't like olives.")
    assert (draft.text, draft.polarity, draft.ends) == (
        "The user does not like olives.",
        False,
        False,
    )


def test_a_correction_takes_the_attribute_of_what_it_corrects() -> None:
    before = said("I live in Linz.")
    for text in ("no wait, Graz", "No, it's Graz, not Linz.", "Sorry, I meant Graz."):
        assert keys(text, before) == [("home", "Graz")]
        assert keys(text) == []


def test_a_statement_of_its_own_is_no_value_of_what_was_said_before() -> None:
    before = said("My name is Ann. I live in Oslo.")
    assert keys("Actually I moved to Rome.", before) == [("home", "Rome")]
    for text in (
        "Actually I need help.",
        "No, I disagree.",
        "Sorry, I'm late.",
        "Actually, Tell me more.",
        "Wait, Berlin has lakes.",
        "Actually Rome is nice.",
        "It is not Oslo, but I like it.",
    ):
        assert not [key for key in keys(text, before) if key[0] in ("home", "name")], text
    for text, home in (
        ("No, Graz please.", "Graz"),
        ("Sorry, I meant Frankfurt am Main.", "Frankfurt am Main"),
        ("Correction: Den Haag", "Den Haag"),
    ):
        assert keys(text, before) == [("home", home)]


def test_within_one_message_a_correction_follows_what_it_corrects() -> None:
    assert keys("I live in Linz. No wait, Graz.")[-1] == ("home", "Graz")


def test_an_end_takes_the_value_that_it_ends() -> None:
    before = said("I'm taking a pottery course.")
    (draft,) = said("The pottery course ended yesterday.", before)
    assert (draft.attribute, draft.value, draft.ends) == (
        before[0].attribute,
        before[0].value,
        True,
    )


def test_a_joke_takes_back_the_sentence_before_it() -> None:
    assert keys("I live in Graz. My name is Batman. Just kidding!") == [("home", "Graz")]


def test_a_question_at_the_end_leaves_the_statement_before_it() -> None:
    assert keys("I'm a vegetarian, what could I cook tonight?") == [("diet", "vegetarian")]


def test_instructions_are_procedures_and_preferences_are_not() -> None:
    assert said("Always answer in German.")[0].kind is Kind.PROCEDURE
    assert said("I prefer short answers.")[0].kind is Kind.PREFERENCE


def test_a_plan_expires_a_week_after_its_day() -> None:
    (draft,) = said("I'm flying to Lisbon on 12 May.")
    assert draft.kind is Kind.PLAN
    assert draft.text == "The user is flying to Lisbon on Tuesday 12 May 2026."
    assert draft.expires_at == to_micros(datetime(2026, 5, 20, tzinfo=UTC)) - 1


@pytest.mark.parametrize(
    "text",
    ["I flew to Lisbon on 12 May 2020.", "My exam was yesterday.", "My exam is on 5 May 2020."],
)
def test_a_past_date_is_no_plan(text: str) -> None:
    assert all(draft.kind is not Kind.PLAN for draft in said(text))


def test_an_appointment_has_one_date() -> None:
    (first,) = said("My dentist appointment is on Monday.")
    (second,) = said("Sorry, the dentist is on Wednesday.")
    assert first.attribute == second.attribute == "dentist.plan"


def test_the_caller_says_who_speaks_and_where_from() -> None:
    (draft,) = extract(
        "I love my job in Graz.",
        subject="person:ana",
        said_at=SAID_AT,
        speaker_name="Ana",
        origin=Origin.TOOL,
    )
    assert draft.text == "Ana likes Ana's job in Graz."
    assert (draft.subject, draft.origin) == ("person:ana", Origin.TOOL)


@pytest.mark.parametrize(
    "text",
    [
        "I'm working on a bug where the app crashes.",
        "I have two questions about the contract.",
        "My boss is driving me crazy.",
        "We need to fix this by Friday.",
        "I left the door open.",
        "I sold the idea to my team.",
        "I have been to the doctor.",
        "I run into errors at 5.",
        "In the story, I live on Mars.",
        "For example, my name is John and I live in Ohio.",
        "I moved the file to the trash.",
        "I can't imagine that.",
        "Always test your code, they say.",
    ],
)
def test_talk_of_the_moment_is_no_fact(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # somebody one works with is no employer, and must not take an employer's place
        ("I work with a guy who lives in Oslo.", []),
        ("I work with people who have dementia.", []),
        ("I work for a man who hates cats.", []),
        ("I work with children.", []),
        ("I work with Siemens.", [("employer", "Siemens")]),
        # both halves of one sentence
        (
            "I work as a nurse at St. Olav's hospital.",
            [("role", "nurse"), ("employer", "St. Olav's hospital")],
        ),
        ("I started working at a bakery.", [("employer", "a bakery")]),
        ("I turned 38 yesterday.", [("age", "38")]),
        ("I turned 38 last year.", []),
        # a year alone is no birthday, and must not take a birthday's place
        ("I was born in 1988.", [("birth_year", "1988")]),
        ("I was born on 4 May 1988.", [("birthday", "4 May 1988")]),
        ("Our daughter was born in 2020.", [("daughter.birth_year", "2020")]),
    ],
)
def test_what_newcomers_say(text: str, expected: list[tuple[str, str]]) -> None:
    assert keys(text) == expected


def test_a_year_of_birth_reads_as_one() -> None:
    assert [d.text for d in said("I was born in 1988.")] == ["The user was born in 1988."]
