"""How facts are ranked: words, other names of the same thing, slips, tags, meaning; and the floor for each question."""

import json

from hypothesis import given
from hypothesis import strategies as st

from memoranda.analysis import stored_terms
from memoranda.ranking.facts import Candidate, FactIndex, Found, score
from memoranda.ranking.question import read

NOW = 10**15


def candidate(text: str, *tags: str, at: int = 0, **more: object) -> Candidate:
    stored = stored_terms(text, tags)
    named = {"trust": 3, "confidence": 1.0, "observed_at": at, "created_at": at, **more}
    return Candidate(text, "user:me", text, stored, json.dumps(list(tags)), **named)  # type: ignore[arg-type]


def ranked(
    question: str, *facts: Candidate, meaning: dict[str, float] | None = None
) -> list[Found]:
    return score(read(question, NOW), [FactIndex(facts)], meaning, now=NOW)


def texts(found: list[Found], floor: float = 0.27) -> list[str]:
    return [one.candidate.text for one in found if one.score >= min(0.9, one.floor * floor)]


MARRIED = candidate("Ines is married to Ruaridh.")
DOG = candidate("Ines has a greyhound called Biscuit.")
TEA = candidate("Ines drinks her tea black.")
LIFE = (MARRIED, DOG, TEA)


def test_another_name_of_the_same_thing_is_found() -> None:
    assert texts(ranked("Who is my husband?", *LIFE)) == [MARRIED.text]
    assert texts(ranked("What is the name of my dog?", *LIFE))[0] == DOG.text


def test_a_question_to_the_world_needs_more_than_one_about_the_person() -> None:
    assert texts(ranked("Is my tea black?", *LIFE))[:1] == [TEA.text]
    assert texts(ranked("What is a black hole?", *LIFE)) == []
    assert texts(ranked("How do I brew tea for a crowd?", *LIFE)) == []


def test_a_name_in_the_question_makes_it_one_about_the_person() -> None:
    assert texts(ranked("Which illness does Biscuit have this time of year?", *LIFE)) == [DOG.text]


def test_a_slip_in_a_name_is_forgiven() -> None:
    assert texts(ranked("Who is Biscut?", *LIFE)) == [DOG.text]


def test_a_tag_finds_its_fact_in_a_rambling_question() -> None:
    fact = candidate("Deploys go to a cluster on EKS.", "kubernetes", "dead letter")
    long = "So I have been thinking about this for ages and wonder, " * 3
    assert texts(ranked(f"{long} what about kubernetes then?", fact)) == [fact.text]
    assert texts(ranked(f"{long} what about dead letters then?", fact)) == [fact.text]
    assert texts(ranked(f"{long} what about letters then?", fact)) == []


def test_meaning_finds_what_shares_no_word_and_ranks_above_chance() -> None:
    found = ranked(
        "Where do I earn my money?", *LIFE, meaning={TEA.id: 0.1, DOG.id: 0.6, MARRIED.id: 0.2}
    )
    assert texts(found)[0] == DOG.text


def test_newer_first_on_equal_score_and_past_its_time_never() -> None:
    old, new = candidate("a kayak", at=1), candidate("the kayak", at=2)
    gone = candidate("one kayak", at=3, expires_at=NOW)
    assert texts(ranked("kayak", old, new, gone)) == [new.text, old.text]


WORDS = st.lists(
    st.sampled_from("red green blue hat cat bat dog 42 x7".split()), min_size=1, max_size=5
)


@given(st.lists(WORDS, max_size=12), WORDS)
def test_scores_are_shares_in_order_and_the_order_is_the_only_one(
    facts: list[list[str]], question: list[str]
) -> None:
    rows = [candidate(" ".join(words), at=at) for at, words in enumerate(facts)]
    found = ranked(" ".join(question), *rows)
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < value <= 1 for value in scores)
    again = ranked(" ".join(question), *reversed(rows))
    assert [(one.candidate, one.score) for one in again] == [
        (one.candidate, one.score) for one in found
    ]
    most = score(read(" ".join(question), NOW), [FactIndex(rows)], now=NOW, most=3)
    assert most == found[:3]


@given(st.lists(WORDS, min_size=1, max_size=12), WORDS)
def test_several_subjects_weigh_words_together(facts: list[list[str]], question: list[str]) -> None:
    rows = [candidate(" ".join(words), at=at) for at, words in enumerate(facts)]
    asked = read(" ".join(question), NOW)
    parts = [FactIndex(rows[::2]), FactIndex(rows[1::2])]
    # What stands for a word, a slip say, is looked for in each subject by itself; the words weigh the same.
    whole = {one.candidate.id: one.score for one in score(asked, [FactIndex(rows)], now=NOW)}
    split = {one.candidate.id: one.score for one in score(asked, parts, now=NOW)}
    assert split == whole
