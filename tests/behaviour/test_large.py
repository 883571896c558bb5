"""A subject with too many rows to be ranked whole: the engine's index, and the same answers."""

import random

import pytest

from memoranda.messages import said
from memoranda.settings import Settings
from memoranda.types import Selection

ME = "user:me"
WORDS = (
    "kayak canoe bicycle garden kitchen harbour market quince medlar violin piano lamp ladder cellar attic window "
    "bridge river tower meadow castle forest valley island engine wagon saddle anchor rudder compass"
).split()
VERBS = ("bought", "sold", "painted", "repaired", "lost", "borrowed")


@pytest.fixture
def said_many():
    chance = random.Random(7)
    return [
        f"The user {chance.choice(VERBS)} the {' '.join(chance.sample(WORDS, 4))} number {n}."
        for n in range(300)
    ]


@pytest.fixture
def pair(world, said_many):
    """The same store ranked whole, and through the index."""
    whole = world.memory(settings=Settings(recall_whole=10_000, recall_tokens=100_000))
    large = world.memory(settings=Settings(recall_whole=20, recall_tokens=100_000))
    for text in said_many:
        whole.remember(text, subject=ME, origin="operator")
    return whole, large


QUESTIONS = (
    "Which kayak did I buy?",
    "the violin in the attic",
    "What became of my compass and the anchor?",
    "number 123",
    "What did I paint by the river near the castle?",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_first_ten_are_those_of_the_whole(pair, question):
    whole, large = pair
    wanted = whole.recall(question, subjects=[ME], k=10)
    found = large.recall(question, subjects=[ME], k=10)
    assert [one.score for one in found.receipt.chosen] == pytest.approx(
        [one.score for one in wanted.receipt.chosen], abs=0.02
    )
    assert {f.id for f in found.facts} == {f.id for f in wanted.facts}


def test_what_is_new_and_what_is_gone_is_noticed(world, pair):
    _, large = pair
    assert not large.recall("zirconium", subjects=[ME])
    fact = large.remember("The user keeps a zirconium theodolite.", subject=ME, origin="user")
    assert [f.id for f in large.recall("zirconium theodolite", subjects=[ME]).facts] == [fact.id]
    large.retire(fact.id)
    assert not large.recall("zirconium theodolite", subjects=[ME]).facts
    large.undo(large.operations()[0].id)
    assert [f.id for f in large.recall("zirconium theodolite", subjects=[ME]).facts] == [fact.id]
    assert large.erase(fact.id).byte_hits == 0
    assert b"zirconium" not in world.bytes().lower()
    assert large.health().findings == ()


def test_nobody_else_is_found(pair):
    _, large = pair
    large.remember("Kim keeps a zirconium theodolite.", subject="user:kim", origin="operator")
    for n in range(30):
        large.remember(f"Kim owns lamp {n}.", subject="user:kim", origin="operator")
    assert not large.recall("zirconium theodolite", subjects=[ME])
    assert large.recall("zirconium theodolite", subjects=["user:kim"]).facts


ODD = (
    *('"kayak" OR scope:x', "NEAR(kayak canoe)", "kayak*", "^", "- + ( )", "''\"\""),
    *("a" * 100_000, "カヤック", "\x00kayak"),
)


@pytest.mark.parametrize("question", ODD, ids=range(len(ODD)))
def test_no_question_is_an_expression(pair, question):
    _, large = pair
    found = large.recall(question, subjects=[ME])
    assert all(fact.subject == ME for fact in found.facts)


def test_turns_of_a_large_log_are_found_and_go(world, said_many):
    large = world.memory(settings=Settings(recall_whole=20))
    window = large.window(session="s1", subject=ME, budget=100_000)
    for text in said_many[:60]:
        window.append(said("user", text.replace("The user", "I")))
    window.append(said("user", "I saw a zirconium theodolite at the harbour."))
    question = "Where did I see the zirconium theodolite?"
    [turn] = large.recall(question, subjects=[ME], turns=1).turns
    assert "zirconium" in turn.text
    fact = large.remember(
        "The user saw a zirconium theodolite at the harbour.", subject=ME, origin="user"
    )
    large.erase(Selection(ids=(fact.id,)))
    assert "zirconium" not in large.recall(question, subjects=[ME], turns=5).text


def test_many_scripts_typos_and_odd_questions(m):
    texts = {
        "用户在维也纳工作。": "用户在哪里工作?",
        "ユーザーは緑茶が好きです。": "好きなお茶は? 緑茶",
        "사용자는 부산에 살고 있습니다.": "부산에 사는 사람",
        "المستخدم يعمل في مستشفى.": "أين المستشفى",
        "उपयोगकर्ता को चाय पसंद है।": "चाय पसंद",
        "The user's sister Annelise moved to 东京.": "东京",
        "The user met Katharina at the lake.": "Who is Katarina?",
    }
    for text, question in texts.items():
        fact = m.remember(text, subject=ME, origin="operator")
        assert fact.id in [f.id for f in m.recall(question, subjects=[ME]).facts], question
    for odd in ("", " ", "?", "\u200b", "a" * 100_000, "мама " * 20_000, "🎈" * 500, "\ud800x"):
        assert isinstance(m.recall(odd, subjects=[ME]).text, str)


def test_turns_in_scripts_without_spaces_are_found_in_a_large_log(world, said_many):
    large = world.memory(settings=Settings(recall_whole=20))
    large.observe([said("user", text) for text in said_many[:40]], subject=ME, session="s1")
    large.observe([said("user", "我上个月在北京买了一把旧吉他。")], subject=ME, session="s2")
    assert [t.session for t in large.recall("北京 旧吉他", subjects=[ME]).turns] == ["s2"]


def test_a_recall_makes_vectors_of_what_it_finds(world, said_many):
    large = world.memory(settings=Settings(recall_whole=20, embedder="hashing"))
    for text in said_many[:30]:
        large.remember(text, subject=ME, origin="operator")
    assert large.recall("Which kayak did I buy?", subjects=[ME]).receipt.considered
    found = large.reembed()
    assert 0 < found.texts - found.made <= found.texts


def test_a_question_of_small_words_goes_by_meaning_in_a_large_subject_too(world, said_many):
    settings = Settings(recall_whole=20, recall_floor=0.0, embedder="hashing")
    large = world.memory(settings=settings)
    for text in said_many[:30]:
        large.remember(text, subject=ME, origin="operator")
    large.reembed()
    assert large.recall("Who am I and what about them?", subjects=[ME]).facts
