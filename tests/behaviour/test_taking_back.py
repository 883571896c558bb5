"""Forget, undo, roll back: each one operation, each undone."""

import pytest

from memoranda.errors import ScopeMissing, UndoConflict, UnknownFact, UsageError
from memoranda.types import Selection, Status

ME = "user:me"


def say(m, text, value=None, **named):
    named = {"subject": ME, "origin": "user", "value": value, **named}
    return m.remember(text, attribute="home" if value else None, **named)


def live(m):
    return sorted(fact.fact for fact in m.facts())


def test_retire_and_undo(m):
    fact = say(m, "The user owns a kayak.").id
    before = m.show(fact)
    done = m.retire(fact, why="sold it")
    row = m.show(fact)
    assert (row.status, row.retired_why, done.facts) == (Status.RETIRED, "sold it", (fact,))
    assert not m.recall("kayak", subjects=[ME])
    undone = m.undo()
    assert undone.undo_of == done.id
    assert m.show(fact) == before
    with pytest.raises(UndoConflict):
        m.undo(done.id)
    m.undo(undone.id)
    assert m.show(fact).status is Status.RETIRED


def test_undo_of_a_supersession_reinstates(m):
    old = say(m, "The user lives in Oslo.", "Oslo").id
    before = m.show(old)
    new = say(m, "The user lives in Rome.", "Rome")
    m.undo(new.operation)
    assert m.show(old) == before
    assert m.show(new.id).status is Status.RETIRED


def test_undo_refuses_what_has_changed_since(m, clock):
    first = say(m, "The user owns a kayak.")
    clock.advance(days=1)
    say(m, "The user owns a kayak.")
    with pytest.raises(UndoConflict, match="later operation"):
        m.undo(first.operation)


def test_undo_puts_no_second_value_beside_a_later_one(m):
    old = say(m, "The user lives in Oslo.", "Oslo").id
    done = m.retire(old)
    new = say(m, "The user lives in Rome.", "Rome").id
    with pytest.raises(UndoConflict, match=new):
        m.undo(done.id)
    assert live(m) == ["The user lives in Rome."]
    m.retire(new)
    m.undo(done.id)
    assert live(m) == ["The user lives in Oslo."]


def test_undo_needs_something_to_undo(m):
    with pytest.raises(UsageError):
        m.undo()
    with pytest.raises(UsageError):
        m.undo("o_none")


def test_retiring_takes_what_was_derived(m):
    fact = say(m, "The user owns a kayak.").id
    child = say(m, "The user can paddle.", derived_from=[fact]).id
    grandchild = say(m, "The user is fit.", derived_from=[child]).id
    done = m.retire(fact)
    assert set(done.facts) == {fact, child, grandchild}
    m.undo()
    assert len(m.facts()) == 3


def test_forget_by_query_takes_all_that_it_means(m):
    said = [say(m, f"The user keeps the blue kayak in shed {n}.").id for n in range(4)]
    said += [say(m, f"Kayak hire {n} is near.", origin="tool").id for n in range(4)]
    rest = say(m, "The user has a dog.").id
    chosen = Selection(subject=ME, query="kayak")
    assert {f.id for f in m.select(chosen)} == set(said)
    m.retire(chosen)
    assert not m.recall("kayak", subjects=[ME])
    assert [f.id for f in m.facts()] == [rest]


@pytest.mark.parametrize(
    "scope",
    [
        Selection(),
        Selection(query="kayak"),
        Selection(tag=" ", subject=ME),
        Selection(run=""),
        Selection(subject=""),
        Selection(ids="f_1"),  # type: ignore[arg-type]
        "",
    ],
    ids=repr,
)
@pytest.mark.parametrize("verb", ["retire", "erase", "select"])
def test_an_empty_scope_takes_nothing(m, scope, verb):
    say(m, "The user owns a kayak.")
    with pytest.raises(UsageError):
        getattr(m, verb)(scope)
    with pytest.raises((ScopeMissing, UsageError)):
        m.rollback("")
    assert len(m.facts()) == 1


def test_forgetting_what_is_not_there(m):
    with pytest.raises(UnknownFact):
        m.retire("f_none")
    with pytest.raises(UsageError, match="nothing matches"):
        m.retire(Selection(tag="none"))


def test_rollback_takes_what_a_run_wrote_and_what_came_of_it(m):
    mine = say(m, "The user owns a kayak.", run="good").id
    bad = say(m, "The user hates water.", run="bad").id
    held = m.remember("The user sold it all.", subject=ME, run="bad").id
    child = say(m, "The user needs no towel.", run="later", derived_from=[bad]).id
    assert {f.id for f in m.select(Selection(run="bad"))} == {bad, held, child}
    assert len(m.facts()) == 3
    done = m.rollback("bad", why="it guessed")
    assert set(done.facts) == {bad, held, child}
    assert [f.id for f in m.facts()] == [mine]
    assert (done.verb, done.run, done.why) == ("rollback", "bad", "it guessed")
    assert m.operations()[0] == done
    m.undo()
    assert {f.id for f in m.facts()} == {mine, bad, child}
    assert m.show(held).status is Status.PENDING
    with pytest.raises(UsageError, match="nothing matches"):
        m.rollback("none")


def test_rollback_reinstates_what_the_run_replaced(m):
    say(m, "The user lives in Oslo.", "Oslo", run="good")
    say(m, "The user lives in Rome.", "Rome", run="bad")
    say(m, "The user lives in Bonn.", "Bonn", run="bad")
    m.rollback("bad")
    assert live(m) == ["The user lives in Oslo."]
    m.undo()
    assert live(m) == ["The user lives in Bonn."]


def test_rollback_leaves_what_somebody_replaced_since(m):
    say(m, "The user lives in Oslo.", "Oslo", run="good")
    say(m, "The user lives in Rome.", "Rome", run="bad")
    say(m, "The user lives in Bonn.", "Bonn", run="later")
    m.rollback("bad")
    assert live(m) == ["The user lives in Bonn."]
    m.rollback("later")
    assert live(m) == ["The user lives in Oslo."]
    m.undo()
    m.undo()
    m.rollback("later")
    assert live(m) == ["The user lives in Rome."]


def test_rollback_puts_no_second_value_beside_another(m, clock):
    say(m, "The user lives in Oslo.", "Oslo", run="good", durable_reason="law")
    say(m, "The user lives in Rome.", "Rome", run="bad")
    clock.advance(days=400)
    say(m, "The user lives in Bonn.", "Bonn", run="later")
    m.rollback("bad")
    assert live(m) == ["The user lives in Bonn."]


def test_a_reason_holds_no_secret(m, world):
    fact = say(m, "The user owns a kayak.").id
    key = "sk-" + "a1B2" * 8
    m.retire(fact, why=f"the key is {key}")
    assert "secret removed" in m.operations()[0].why
    assert key.encode() not in world.bytes()
