"""What waits for a person: read by nobody's prompt, approved by a Reviewer alone, lapsed after fourteen days."""

from datetime import UTC, datetime, timedelta

import pytest

from memoranda.errors import NotAllowed, StoreMissing, UnknownFact, UsageError
from memoranda.reviewer import Reviewer
from memoranda.types import Origin, Selection, Status, Verdict

ME = "user:me"
KAYAK = "The user owns a kayak."


def held(m, text=KAYAK, **named):
    out = m.remember(text, **{"subject": ME, **named})
    assert out.status is Verdict.HELD
    return out.id


def test_approving_makes_it_readable(m, asha, clock):
    fact = held(m)
    clock.advance(days=3)
    assert [f.id for f in asha.pending()] == [fact]
    out = asha.approve(fact)
    assert (out.status, out.id, out.reasons) == (Verdict.ACCEPTED, fact, ("approved",))
    row = m.show(fact)
    assert (row.status, row.approved_by, row.origin) == (Status.LIVE, "asha", Origin.EXTERNAL)
    assert row.expires_at == row.approved_at + timedelta(days=365)
    assert [f.id for f in m.recall("kayak", subjects=[ME]).facts] == [fact]
    with pytest.raises(NotAllowed):
        asha.approve(fact)


def test_an_expiry_that_was_given_survives_the_wait(m, asha, clock):
    day = datetime(2026, 6, 1, tzinfo=UTC)
    fact = held(m, "The user flies to Rome in May.", kind="plan", expires_at=day)
    clock.advance(days=2)
    asha.approve(fact)
    assert m.show(fact).expires_at == day


def test_editing_makes_a_row_of_the_persons_own(m, asha):
    fact = held(m, "He has a kayak.", origin="user", run="r", step=1)
    assert asha.approve(fact).reasons == ("not-self-contained", "edit-before-approval")
    out = asha.approve(fact, text=KAYAK)
    new, old = m.show(out.id), m.show(fact)
    assert (new.fact, new.origin, new.approved_by) == (KAYAK, Origin.OPERATOR, "asha")
    assert (old.status, old.superseded_by) == (Status.REJECTED, new.id)
    assert [f.id for f in m.why(new.id).chain] == [fact, new.id]
    with pytest.raises(NotAllowed):
        asha.approve(fact, text="The user owns two kayaks.")
    assert len(m.facts()) == 1


def test_what_is_refused_stays_refused_for_a_person(m, asha):
    fact = held(m)
    out = asha.approve(fact, text="The user's password is Tr0ub4dor&3.")
    assert (out.status, out.id) == (Verdict.REFUSED, None)
    assert asha.approve(fact, text="He owns it.").status is Verdict.REFUSED
    assert m.show(fact).status is Status.PENDING


def test_approval_replaces_by_key_and_outranks_trust(m, asha):
    mine = m.remember("The user lives in Oslo.", subject=ME, origin="user", attribute="home").id
    fact = held(m, "The user lives in Rome.", origin="tool", attribute="home")
    assert m.show(mine).status is Status.LIVE
    assert asha.approve(fact).replaced == (mine,)
    assert m.show(mine).status is Status.SUPERSEDED


def test_approval_of_what_is_known_already_makes_no_second_row(m, asha):
    fact = held(m)
    known = m.remember(KAYAK, subject=ME, origin="user").id
    out = asha.approve(fact)
    assert (out.status, out.id) == (Verdict.CONFIRMED, known)
    assert [f.id for f in m.facts()] == [known]
    assert m.show(fact).superseded_by == known


def test_many_in_one_transaction(m, asha):
    facts = [held(m, f"The user owns kayak {n}.") for n in range(3)]
    outs = asha.approve_all(facts)
    assert [o.status for o in outs] == ["accepted"] * 3
    assert len({o.operation for o in outs}) == 1
    m.undo(outs[0].operation)
    assert [f.id for f in asha.pending()] == facts
    with pytest.raises(UnknownFact):
        asha.approve_all([facts[0], "f_none"])
    assert len(asha.pending()) == 3


def test_rejecting_keeps_it_for_the_trace(m, asha):
    fact = held(m)
    assert asha.reject([fact], why="not true") == 1
    row = m.show(fact)
    assert (row.status, row.retired_why) == (Status.REJECTED, "not true")
    assert not m.recall("kayak", subjects=[ME])
    with pytest.raises(NotAllowed):
        asha.approve(fact)
    assert m.operations()[0].actor == "reviewer:asha"


def test_it_lapses_after_fourteen_days(m, asha, clock):
    fact = held(m)
    clock.advance(days=13.9)
    assert [f.id for f in asha.pending()] == [fact]
    assert m.maintain()["pending"] == 0
    clock.advance(days=0.2)
    assert asha.pending() == []
    assert m.facts(status="pending") == []
    assert [f.id for f in m.facts(status="expired")] == [fact]
    with pytest.raises(NotAllowed):
        asha.approve(fact)
    again = held(m)
    assert again != fact
    assert m.maintain()["pending"] == 1
    assert m.maintain()["pending"] == 0
    assert m.show(fact).status is Status.REJECTED
    # What a person did last is what a plain undo takes back, not the upkeep.
    assert m.undo().facts == (again,)


@pytest.mark.parametrize("origin", ["external", "tool"], ids=str)
def test_pending_is_read_by_no_prompt(m, clock, origin):
    kind = "fact" if origin == "external" else "procedure"
    held(m, origin=origin, kind=kind)
    start = datetime(2026, 1, 1, 12, tzinfo=UTC)
    assert not m.recall("kayak", subjects=[ME], min_trust=0, min_confidence=0)
    assert not m.recall("kayak", subjects=[ME], as_of=start)
    window = m.window(session="s", subject=ME)
    assert "owns a kayak" not in repr(window.build("What about the kayak?"))
    assert window.state.standing is None
    assert m.select(Selection(subject=ME, query="kayak")) == []


def test_only_a_named_person_on_a_store_that_is_there_reviews(world, m):
    with pytest.raises(UsageError):
        world.reviewer("  ")
    with pytest.raises(StoreMissing):
        Reviewer.open(world.path.with_name("none.db"), name="asha")
    assert not any("approve" in name for name in dir(m))


@pytest.mark.parametrize("name", ["", " \n", "asha\x1b[31m", "a" * 201, "\ud800", 7])
def test_a_reviewer_has_a_name_that_can_be_kept(world, m, name):
    with pytest.raises(UsageError):
        world.reviewer(name)


def test_a_reviewers_name_is_kept_in_one_form(world, m):
    fact = held(m)
    world.reviewer(" asha \n of Oslo").approve(fact)
    assert m.show(fact).approved_by == "asha of Oslo"
    assert m.why(fact).changes[-1].actor == "reviewer:asha of Oslo"


@pytest.mark.parametrize(
    "named",
    [{"tenant": " x "}, {"tenant": "a\0b"}, {"actor": ""}, {"actor": "AKIAIOSFODNN7EXAMPLE"}],
    ids=str,
)
def test_a_wrong_name_leaves_no_store_behind(world, named):
    with pytest.raises(UsageError):
        world.memory(**named)
    assert not world.path.exists()
