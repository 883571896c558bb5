"""A slip of the keyboard is forgiven; another word is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.ranking.typos import LONG, SHORTEST, Spelling

KNOWN = ("typescript", "redis", "mongo", "error", "plane", "live", "kubernetes", "effie")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("typscript", "typescript"),
        ("typsecript", "typescript"),
        ("tyypescript", "typescript"),
        ("reedis", "redis"),
        ("eror", "error"),
        ("kubernates", "kubernetes"),
        ("efie", "effie"),
    ],
)
def test_a_slip_inside_a_word_is_found(typed: str, meant: str) -> None:
    assert Spelling(KNOWN).near(typed) == {meant: True}


@pytest.mark.parametrize(
    "typed", ["mango", "liver", "k9s", "rediz", "plan", "a", "", "пять", "404"]
)
def test_another_word_is_no_slip(typed: str) -> None:
    assert not any(Spelling(KNOWN).near(typed).values())


@pytest.mark.parametrize(("typed", "meant"), [("planet", "plane"), ("mongod", "mongo")])
def test_a_letter_more_at_the_end_is_told_apart(typed: str, meant: str) -> None:
    assert Spelling(KNOWN).near(typed) == {meant: False}


WORDS = st.text("abcde", min_size=SHORTEST + 1, max_size=12)


@given(WORDS, st.data())
def test_every_letter_left_out_or_doubled_is_found(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 1))
    spelling = Spelling([word])
    for typed in (word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:]):
        assert typed == word or word in spelling.near(typed)


@given(st.lists(WORDS, max_size=20), WORDS)
def test_what_is_found_is_one_step_away(known: list[str], typed: str) -> None:
    for found in Spelling(known).near(typed):
        assert found in known
        assert abs(len(found) - len(typed)) <= 1
        if len(found) == len(typed):
            wrong = sum(a != b for a, b in zip(found, typed, strict=True))
            assert wrong == 2 or (wrong == 1 and len(typed) >= LONG)
