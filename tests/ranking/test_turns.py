"""How turns are ranked: neighbours, speakers, times; and an index that grows is the same as one made whole."""

from datetime import UTC, datetime
from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from memoranda.analysis import all_words
from memoranda.ranking.question import read
from memoranda.ranking.turns import Turn, TurnIndex, score, z_scores
from memoranda.types import to_micros

NOW = to_micros(datetime(2026, 11, 30, tzinfo=UTC))
DAY = 86_400_000_000


def turn(n: int, text: str, session: str = "s", speaker: str = "", days: int = 10) -> Turn:
    at = NOW - days * DAY + n
    words = tuple(all_words(text))
    return Turn(session, n, speaker, "user", at, words, text.endswith("?"))


def best(question: str, *turns: Turn) -> int:
    return score(read(question, NOW), TurnIndex(turns))[0].turn.n


def test_an_answer_is_found_by_the_question_before_it() -> None:
    turns = (
        turn(1, "What did you buy at the market in the end?"),
        turn(2, "Three pounds of quinces and a crate of medlars."),
        turn(3, "I have to go now, see you on Thursday then."),
        turn(4, "The weather has been awful since we came back."),
    )
    found = score(read("What was bought at the market?", NOW), TurnIndex(turns))
    assert {one.turn.n for one in found[:2]} == {1, 2}
    assert {one.turn.n for one in found if one.evidence > 0.2} == {2}


def test_neighbours_of_another_session_do_not_count() -> None:
    turns = (turn(1, "market stalls everywhere", "a"), turn(1, "quinces and medlars", "b"))
    found = score(read("market", NOW), TurnIndex(turns))
    assert [(one.turn.session, one.evidence) for one in found] == [("a", 1.0), ("b", 0.0)]


def test_the_speaker_who_is_named_counts() -> None:
    turns = (
        turn(1, "I went hiking in the hills with a friend", speaker="Ana"),
        turn(2, "I went hiking in the hills with my sister", speaker="Bo"),
    )
    assert best("Who did Bo go hiking with?", *turns) == 2
    assert best("Who did Ana go hiking with?", *turns) == 1


def test_the_time_that_is_named_counts() -> None:
    turns = (turn(1, "went swimming", "a", days=1), turn(2, "went swimming", "b", days=20))
    assert best("When did I go swimming three weeks ago?", *turns) == 2
    assert best("Did I go swimming yesterday?", *turns) == 1


def test_nothing_shared_is_nothing_found() -> None:
    assert score(read("zirconium", NOW), TurnIndex([turn(1, "quinces")])) == []
    assert score(read("", NOW), TurnIndex([turn(1, "quinces")])) == []
    assert score(read("quinces", NOW), TurnIndex(())) == []


TEXTS = st.lists(st.sampled_from("hat cat bat rat mat".split()), min_size=1, max_size=6)
TALK = st.lists(st.tuples(st.sampled_from("abc"), TEXTS.map(" ".join)), max_size=12)


@given(TALK, st.integers(0, 12), TEXTS.map(" ".join))
def test_an_index_that_grows_is_the_same_as_one_made_whole(
    talk: list[tuple[str, str]], cut: int, question: str
) -> None:
    turns = [turn(n, text, session) for n, (session, text) in enumerate(talk)]
    in_order = sorted(turns, key=lambda one: one.key)
    grown = TurnIndex(sorted(turns[:cut], key=lambda one: one.key))
    before = score(read(question, NOW), grown)
    for _, some in groupby(turns[cut:], key=lambda one: one.session):
        grown = grown.extended(list(some))
    whole = TurnIndex(in_order)
    asked = read(question, NOW)
    assert {one.turn.key: one.fused for one in score(asked, grown)} == {
        one.turn.key: one.fused for one in score(asked, whole)
    }
    again = TurnIndex(sorted(turns[:cut], key=lambda one: one.key))
    assert score(asked, again) == before


@given(st.lists(st.floats(-1e6, 1e6), min_size=1))
def test_z_scores_have_no_mean(values: list[float]) -> None:
    found = z_scores(values)
    assert abs(sum(found)) < 1e-3 * len(values)
    assert z_scores([values[0]] * len(values)) == [0.0] * len(values)
