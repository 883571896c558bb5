"""Words and stems: one form for what is stored and what is asked."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memoranda.analysis import (
    BAR,
    fold,
    grams,
    likeness,
    query_terms,
    same_form,
    stored_terms,
    terms,
)
from memoranda.stemmer import stem

TEXT = st.text(st.characters(codec="utf-8"), max_size=60)

# From the examples beside the rules in Porter's paper, taken through all steps.
PAIRS = """
caresses caress, ponies poni, ties ti, caress caress, cats cat, feed feed, agreed agre, plastered plaster, bled bled,
motoring motor, sing sing, conflated conflat, troubled troubl, sized size, hopping hop, tanned tan, falling fall,
hissing hiss, fizzed fizz, failing fail, filing file, happy happi, sky sky, relational relat, conditional condit,
rational ration, valenci valenc, hesitanci hesit, digitizer digit, conformabli conform, radicalli radic,
differentli differ, vileli vile, analogousli analog, vietnamization vietnam, predication predic, operator oper,
feudalism feudal, decisiveness decis, hopefulness hope, callousness callous, formaliti formal, sensitiviti sensit,
sensibiliti sensibl, triplicate triplic, formative form, formalize formal, electriciti electr, electrical electr,
hopeful hope, goodness good, revival reviv, allowance allow, inference infer, airliner airlin, gyroscopic gyroscop,
adjustable adjust, defensible defens, irritant irrit, replacement replac, adjustment adjust, dependent depend,
adoption adopt, homologou homolog, communism commun, activate activ, angulariti angular, homologous homolog,
effective effect, bowdlerize bowdler, probate probat, rate rate, cease ceas, controll control, roll roll
"""


@pytest.mark.parametrize("pair", [p.split() for p in PAIRS.split(",")], ids=lambda p: p[0])
def test_stems_of_the_paper(pair):
    assert stem(pair[0]) == pair[1]


@given(st.text("abcdefghijklmnopqrstuvwxyz", max_size=20))
def test_a_stem_is_never_longer_nor_empty(word):
    # "at", "bl" and "iz" get an e back after -ed and -ing: never longer than the word itself.
    assert len(stem(word)) <= len(word)
    assert bool(stem(word)) == bool(word)


@given(TEXT)
def test_folding_twice_is_folding_once(text):
    assert fold(fold(text)) == fold(text)


@given(TEXT)
def test_a_question_asks_for_a_part_of_what_the_same_text_stores(text):
    asked, kept = query_terms(text), set(stored_terms(text).split()) - {BAR}
    assert set(asked) <= set(terms(text)) == set(kept)
    assert bool(asked) == bool(kept)


@given(TEXT, TEXT)
def test_likeness_is_a_share(one, other):
    a, b = terms(one), terms(other)
    assert 0 <= likeness(a, b) == likeness(b, a) <= 1
    assert likeness(a, a) == bool(a)


@given(TEXT)
def test_case_and_the_marks_at_the_end_make_no_other_statement(text):
    assume(any(character.isalnum() for character in text))
    assert same_form(f" {text.strip()} .") == same_form(text)
    assert same_form(text.casefold()) == same_form(text)


def test_runs_without_spaces_give_characters_and_pairs():
    assert grams("喝咖啡") == ["喝", "咖", "啡", "喝咖", "咖啡"]
    assert query_terms("咖啡") == ["咖啡"]
    assert query_terms("茶") == ["茶"]
    assert set(query_terms("東京")) <= set(terms("ユーザーは東京に住んでいます"))
    assert query_terms("the of and user") == []
