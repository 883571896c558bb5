"""One wording in all its spellings: what a byte search would find, a cut takes out."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.wordings import cut, cut_short, holds, spellings, squeezed

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=3, max_size=30)
WORDING = 'I call it "Zoë\'s" \\ boat'


@pytest.mark.parametrize(
    "said",
    [
        WORDING,
        WORDING.upper(),
        WORDING.swapcase(),
        unicodedata.normalize("NFD", WORDING),
        WORDING.replace(" ", "\n\t "),
        json.dumps(WORDING)[1:-1],
        json.dumps(json.dumps({"a": WORDING}))[11:-4],
        json.dumps(json.dumps(WORDING), ensure_ascii=False)[3:-3],
    ],
    ids=["same", "upper", "swapped", "NFD", "spaced", "JSON", "JSON in JSON", "unescaped JSON"],
)
def test_a_wording_is_cut_in_every_spelling(said: str) -> None:
    assert cut(f"Well, {said}, yes", [squeezed(WORDING)], "#") == "Well, #, yes"


@given(TEXTS, TEXTS, TEXTS)
def test_what_a_search_would_find_is_cut(before: str, wording: str, after: str) -> None:
    if not squeezed(wording):
        return
    left = cut(f"{before} {wording} {after}", [squeezed(wording)], "#")
    assert squeezed(wording) not in squeezed(left.replace("#", "")) or "#" in left
    plain = wording.encode().lower()
    assert left.count("#") >= 1
    if plain not in f"{before} # {after}".encode().lower():
        assert plain not in left.encode().lower()


@given(TEXTS, TEXTS)
def test_nothing_else_is_cut(text: str, wording: str) -> None:
    flat = squeezed(wording)
    if flat and flat not in squeezed(text):
        assert cut(text, [flat], "#") == text


def test_a_text_that_ends_in_the_middle_of_a_wording() -> None:
    flat = [squeezed("The user keeps a zirconium kayak.")]
    assert cut_short("wrong: The user keeps a zircon", flat, "#") == "wrong: #"
    assert cut_short("wrong: The user", flat, "#") == "wrong: The user"
    assert cut_short("wrong: all of it", flat, "#") == "wrong: all of it"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ann said: The user likes tea.", True),
        ("the USER likes tea", True),
        ("The user likes teal.", False),
        ("Another user likes tea.", False),
        ("Clothe user likes tea.", False),
        ("Clothe user likes tea. The user likes tea.", True),
    ],
    ids=["inside", "case", "longer", "another", "glued", "later"],
)
def test_a_sentence_within_a_sentence_is_one_of_whole_words(text: str, found: bool) -> None:
    assert holds(text, squeezed("The user likes tea")) is found


def test_spellings_are_folded_and_escaped_up_to_three_times() -> None:
    found = spellings(['Ab "é"'])
    assert 'ab "é"'.encode() in found
    assert b'ab \\"\\u00e9\\"' in found
    assert 'ab \\\\\\"é'.encode() in b" ".join(found)
    assert all(form == form.lower() for form in found)
    assert spellings(["plain words"]) == [b"plain words"]
