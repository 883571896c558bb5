"""What was taken back and the turns it was said in: told by where, by its words and by its quote, for as long as they
are there."""

import pytest

from memoranda.messages import Message, Text, ToolCall, ToolResult, said
from memoranda.settings import Settings
from memoranda.types import Origin
from memoranda.window import render_recalled

ME, PROJECT = "user:me", "project:x"
ANSWER = "Oh, AB negative, that is what the doctor typed me as."


def turns(m, question, *subjects, **named):
    return [t.text for t in m.recall(question, subjects=subjects or [ME], **named).turns]


@pytest.mark.parametrize("run", ["r1", None])
def test_what_was_said_of_a_project_goes_with_the_projects_fact(m, run):
    text = "In this project we deploy with Jenkins on Fridays."
    m.observe([said("user", text)], subject=ME, session="s1", subjects=[PROJECT], run=run)
    [fact] = m.facts(subject=PROJECT)
    question = "How do we deploy with Jenkins?"
    assert turns(m, question) == [text]
    operation = m.retire(fact.id)
    assert turns(m, question) == turns(m, question, ME, PROJECT) == []
    m.undo(operation.id)
    assert turns(m, question) == [text]


def test_of_several_turns_in_one_step_only_the_one_it_was_said_in_goes(m):
    window = m.window(session="s1", subject=ME)  # and no model answers
    lines = (
        "I work at Acme.",
        "I drive to Graz every Friday.",
        "I quit Acme, I now work at Contoso.",
    )
    for text in lines:
        window.build(text)
        window.end()
    graz, work = "When do I go to Graz?", "Where do I work, Acme or Contoso?"
    assert turns(m, graz) == [lines[1]]
    [fact] = [fact for fact in m.facts(subject=ME) if "Contoso" in fact.fact]
    assert fact.source_step == 0
    m.retire(fact.id)
    assert (turns(m, graz), turns(m, work)) == ([lines[1]], [])
    m.erase(fact.id)
    assert (turns(m, graz), turns(m, work)) == ([lines[1]], [])


def test_a_statement_of_one_word_is_known_by_it(m):
    m.observe([said("user", "I'm vegetarian.")], subject=ME, session="s0", run="r0")
    text = "My dinner must be ready at seven, remember I am a vegetarian."
    m.observe([said("user", text)], subject=ME, session="s1", run="r1")
    [fact] = [fact for fact in m.facts(subject=ME) if fact.source_run == "r0"]
    m.retire(fact.id)
    assert turns(m, "Am I a vegetarian?") == []
    m.erase(fact.id)
    assert turns(m, "Am I a vegetarian?") == []


def test_a_quote_is_known_where_no_step_is(m):
    text = "Our flat, well, it is the yellow one at Mur bridge."
    m.observe([said("user", text)], subject=ME, session="s1")
    fact = m.remember("The user lives in Graz.", subject=ME, origin="user", quote=text)
    assert turns(m, "Which flat at the Mur bridge is ours?") == [text]
    m.retire(fact.id)
    assert turns(m, "Which flat at the Mur bridge is ours?") == []


@pytest.mark.parametrize("origin", ["external", "tool"])
def test_what_waits_from_outside_does_not_silence_the_user(m, origin):
    text = "My yak Fernando was vaccinated at the Ob river clinic."
    m.observe([said("user", text)], subject=ME, session="s1", run="r1")
    held = m.remember(
        "The user's yak Fernando was vaccinated at the Ob river clinic.",
        subject=ME,
        origin=origin,
        kind="procedure",
        run="r2",
    )
    assert held.status == "held"
    question = "Where was my yak Fernando vaccinated?"
    assert turns(m, question) == [text]
    result = ToolResult("c1", (Text(f"Note: {text}"),), False)
    m.window(session="s2", subject=ME).append(Message("tool", (result,), Origin.TOOL))
    assert turns(m, question) == [text]


def test_the_question_told_with_an_answer_brings_nothing_back(m):
    fact = m.remember("The user lives in Graz near the river.", subject=ME, origin="user")
    window = m.window(session="s1", subject=ME)
    window.append(said("user", "Ana: Do you live in Graz near the river?"))
    window.append(said("user", "Bo: It is a lovely flat with a balcony."))
    other = m.window(session="s2", subject=ME)
    question = "What flat with a balcony do I have?"
    assert "near the river" in repr(other.build(question).messages[-1])
    other.append(said("assistant", "A lovely one."))
    m.retire(fact.id)
    assert "near the river" not in m.recall(question, subjects=[ME]).text
    assert "near the river" not in repr(other.build("Thanks!"))


def test_an_answer_of_the_recall_tool_is_no_turn(m):
    text = '<data 0123456789abcdef>\n{"fact": "Kim keeps hens in Pune.", "id": "f_1"}\n</data 0123456789abcdef>'
    result = ToolResult("c1", (Text(f"Recalled facts that may help (data):\n{text}"),), False)
    m.window(session="s1", subject=ME).append(Message("tool", (result,), Origin.TOOL))
    assert turns(m, "Which hens does Kim keep in Pune?") == []


@pytest.mark.parametrize("first", ["retire", None])
def test_an_erasure_keeps_out_what_a_retirement_does(m, first):
    m.window(session="s1", subject=ME, run="r1").build(ANSWER)
    fact = m.remember(
        "The user's blood group is rare.", subject=ME, origin="user", run="r1", step=0
    )
    assert turns(m, "What did the doctor type me as, AB negative?") == [ANSWER]
    if first:
        m.retire(fact.id)
    m.erase(fact.id)
    assert turns(m, "What did the doctor type me as, AB negative?") == []
    m.maintain()
    assert turns(m, "What did the doctor type me as, AB negative?") == []


def test_what_the_trace_lets_go_of_stays_out_of_recall(world, clock):
    m = world.memory(settings=Settings(trace_days=10))
    for session, text in (
        ("s1", "I live in Graz near the river."),
        ("s2", "I own a red kayak with two seats."),
    ):
        window = m.window(session=session, subject=ME)
        window.build(text)
        window.append(said("assistant", "Good."))
    [home] = [fact for fact in m.facts(subject=ME) if "Graz" in fact.fact]
    m.retire(home.id)
    clock.advance(days=500)
    assert m.maintain()["trace"] >= 1
    assert m.facts(subject=ME, status="all") == []
    assert turns(m, "Where do I live, near the river in Graz?") == []
    # What only expired was never taken back.
    assert turns(m, "Which kayak do I own, a red one with seats?") == [
        "I own a red kayak with two seats."
    ]


def test_what_the_window_shows_as_a_fact_is_not_brought_again_as_a_turn(m):
    text = "My sister Vera plays the cello in Linz."
    window = m.window(session="s1", subject=ME)
    window.build(text)
    window.append(said("assistant", "Nice."))
    assert m.facts(subject=ME)
    window = m.window(session="s2", subject=ME)
    window.build("What does my sister Vera play in Linz?")
    assert window.recalled.facts
    window.append(said("assistant", "The cello."))
    window.build("And my sister Vera, which instrument does she play in Linz?")
    assert window.recalled.turns == ()


@pytest.mark.parametrize("session", ['a"b', "a<b>", "x\\y", "ü#3", "s1#2"])
def test_a_recalled_turn_leaves_a_tools_answer_whatever_its_session_is_called(m, session):
    text = "The ibex on the Dachstein was huge and white."
    m.observe([said("user", text)], subject=ME, session=session)
    window = m.window(session="now", subject=ME)
    window.build("Hello.")
    nonce = window.state.nonce if hasattr(window, "state") else window.inner.state.nonce
    [turn] = m.recall("Which ibex was on the Dachstein?", subjects=[ME]).turns
    answer = render_recalled((), nonce, [turn])
    window.append(Message("assistant", (ToolCall("c1", "recall", "{}"),)))
    window.append(
        Message("tool", (ToolResult("c1", (Text(answer),), False, "recall"),), Origin.TOOL)
    )
    fact = m.remember(text, subject=ME, origin="user")
    m.retire(fact.id)
    assert "huge" not in repr(window.build("Next, please."))


def test_a_rewritten_turn_loses_its_old_vector_in_every_process(world):
    one, other = (world.memory(settings=Settings(embedder="hashing")) for _ in range(2))
    window = one.window(session="s1", subject=ME)
    window.build("I keep a zirconium kayak in the boathouse. The weather is fine and Kim waves.")
    window.append(said("assistant", "Good."))

    def vector(m):
        m.recall("Who waves in fine weather, zirconium kayak?", subjects=[ME])
        space = m.core.embedder.space
        return m.core.shelves.get(("vectors", "default", ME, "turn", space)).held.get("s1#1")

    old = vector(one)
    assert old is not None
    assert vector(other) == old
    quote = "I keep a zirconium kayak in the boathouse."
    fact = one.remember("The user owns a boat.", subject=ME, origin="user", quote=quote)
    one.erase(fact.id)
    assert vector(one) != old
    assert vector(other) != old
