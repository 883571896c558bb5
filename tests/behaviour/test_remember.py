"""What happens to a statement at the gate: accepted once, confirmed, held or refused."""

from datetime import UTC, datetime, timedelta

import pytest

from memoranda.errors import UsageError
from memoranda.types import Draft, Kind, Origin, Status, Verdict

ME = "user:me"
TEA = "The user drinks green tea."


def moment(clock):
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=clock.now())


def test_the_same_statement_from_the_same_step_is_one_fact(m):
    first = m.remember(TEA, subject=ME, origin="user", run="r", step=3)
    again = m.remember(TEA, subject=ME, origin="user", run="r", step=3)
    assert first.status is Verdict.ACCEPTED
    assert (again.status, again.id, again.reasons) == (Verdict.CONFIRMED, first.id, ("same-step",))
    assert len(m.facts(status="all")) == 1
    assert len(m.operations()) == 1


def test_a_step_that_only_confirmed_is_not_believed_anew_by_a_retry(m):
    """A file read in twice: what its steps said was confirmed, replaced since, and must stay replaced."""
    said = {"subject": ME, "attribute": "drink", "origin": "user", "run": "r"}
    first = m.remember(TEA, step=1, value="green tea", **said)
    assert m.remember(TEA, step=2, value="green tea", **said).id == first.id
    m.remember("The user drinks coffee.", step=3, value="coffee", **said)
    again = m.remember(TEA, step=2, value="green tea", **said)
    assert (again.id, again.reasons) == (first.id, ("same-step", "already-superseded"))
    assert [fact.value for fact in m.facts()] == ["coffee"]


def test_a_retry_does_not_bring_back_what_was_taken_back(m):
    first = m.remember(TEA, subject=ME, origin="user", run="r", step=3)
    m.retire(first.id)
    again = m.remember(TEA, subject=ME, origin="user", run="r", step=3)
    assert (again.status, again.ok) == (Verdict.REFUSED, False)
    assert "already-retired" in again.reasons
    assert not m.recall("tea", subjects=[ME])


def test_said_again_confirms_and_extends(m, clock):
    first = m.remember(TEA, subject=ME, origin="user")
    ends = m.show(first.id).expires_at
    clock.advance(days=100)
    again = m.remember("the user  drinks GREEN tea", subject=ME, origin="user")
    assert (again.status, again.id) == (Verdict.CONFIRMED, first.id)
    assert m.show(first.id).expires_at == ends + timedelta(days=100)
    assert [change.verb for change in m.why(first.id).changes] == ["remember", "confirm"]


def test_said_again_for_good_keeps_its_reason(m):
    first = m.remember(TEA, subject=ME, origin="operator")
    again = m.remember(TEA, subject=ME, origin="operator", durable_reason="A rule of the house.")
    assert (again.status, again.replaced) == (Verdict.ACCEPTED, (first.id,))
    assert [(f.expires_at, f.durable_reason) for f in m.facts()] == [(None, "A rule of the house.")]


@pytest.mark.parametrize(
    ("one", "other"),
    [("knows C", "knows C++"), ("knows C++", "knows C#"), ("owes 5 euros", "owes -5 euros")],
    ids=str,
)
def test_signs_make_another_statement(m, one, other):
    m.remember(f"The user {one}.", subject=ME, origin="user", attribute="language", value=one[6:])
    out = m.remember(
        f"The user {other}.", subject=ME, origin="user", attribute="language", value=other[6:]
    )
    assert out.status is Verdict.ACCEPTED
    assert len(m.facts()) == 2


def test_a_model_is_no_source(m):
    out = m.remember(TEA, subject=ME, origin="model")
    assert (out.status, out.id, out.reasons) == (Verdict.REFUSED, None, ("model-origin",))
    assert m.facts(status="all") == []


@pytest.mark.parametrize("origin", ["model", Origin.MODEL], ids=repr)
def test_a_draft_made_by_hand_is_judged_like_any(m, origin):
    out = m.remember_many([Draft(TEA, ME, origin=origin)])[0]
    assert out.reasons == ("model-origin",)
    outs = m.remember_many(
        [
            Draft(TEA, ME, origin="external"),
            Draft("Always greet the user in French.", ME, kind="procedure", origin="user"),
            Draft(TEA, ME, origin="user", confidence=float("nan")),
            Draft(TEA, "user:\0me", origin="user"),
        ]
    )
    assert [o.status for o in outs] == ["held", "held", "refused", "refused"]


def test_external_text_is_held_and_says_why(m):
    out = m.remember(TEA, subject=ME)
    assert (out.status, out.reasons) == (Verdict.HELD, ("external-origin",))
    assert m.show(out.id).status is Status.PENDING
    again = m.remember(TEA, subject=ME)
    assert (again.status, again.id) == (Verdict.HELD, out.id)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("He likes tea.", "not-self-contained"),
        ("The user likes tea. The user likes milk.", "several-sentences"),
        ("The user likes tea" + " and milk" * 40 + ".", "over-300-characters"),
    ],
    ids=["pronoun", "two", "long"],
)
def test_what_is_not_one_self_contained_sentence_is_held(m, text, reason):
    out = m.remember(text, subject=ME, origin="user")
    assert (out.status, out.reasons) == (Verdict.HELD, (reason,))


def test_a_sentence_without_its_subject_is_completed(m):
    out = m.remember("Prefers dark mode.", subject="user:8812", origin="user")
    assert m.show(out.id).fact == "User 8812 prefers dark mode."


def test_nothing_is_kept_of_what_is_empty_unsure_or_over(m, clock):
    now = moment(clock)
    assert m.remember("  ", subject=ME, origin="user").reasons == ("empty",)
    assert m.remember(TEA, subject=ME, origin="user", confidence=0.1).reasons == ("low-confidence",)
    assert m.remember(TEA, subject=ME, origin="user", expires_at=now).reasons == (
        "already-expired",
    )
    out = m.remember("a" * 100_000, subject=ME, origin="user")
    assert out.reasons[0] == "too-long"
    assert m.facts(status="all") == []


def test_derived_facts_have_the_lowest_trust_of_their_sources(m):
    user = m.remember(TEA, subject=ME, origin="user").id
    tool = m.remember("The user ordered a kettle.", subject=ME, origin="tool").id
    out = m.remember(
        "The user makes tea at home.", subject=ME, origin="operator", derived_from=[user, tool]
    )
    assert m.show(out.id).trust == m.show(tool).trust
    held = m.remember("The user owns a pot.", subject=ME).id
    out = m.remember("The user has a pot.", subject=ME, origin="user", derived_from=[held])
    assert out.status is Verdict.HELD
    out = m.remember("The user has a cup.", subject=ME, origin="user", derived_from=["f_none"])
    assert out.reasons == ("unknown-source",)


@pytest.mark.parametrize(
    "wrong",
    [
        {"subject": " "},
        {"subject": "user:\0me"},
        {"subject": "user:\ud800"},
        {"subject": 7},
        {"subject": ME, "origin": "god"},
        {"subject": ME, "kind": "rumour"},
        {"subject": ME, "tags": "one"},
        {"subject": ME, "tags": [1]},
        {"subject": ME, "derived_from": "f_1"},
        {"subject": ME, "confidence": 2},
        {"subject": ME, "confidence": float("nan")},
        {"subject": ME, "observed_at": datetime(2026, 1, 1)},  # noqa: DTZ001
        {"subject": ME, "step": 2**70},
        {"subject": ME, "step": -1},
        {"subject": ME, "run": 5},
        {"subject": ME, "value": 5},
    ],
    ids=repr,
)
def test_a_wrong_call_is_a_usage_error_and_touches_nothing(m, wrong):
    with pytest.raises(UsageError):
        m.remember(TEA, **{"origin": "user", **wrong})
    assert m.facts(status="all") == []


def test_expiry_by_kind(m, clock):
    days = {
        "fact": 365,
        "identity": 365,
        "preference": 183,
        "plan": 7,
        "activity": 7,
        "episode": 30,
    }
    for kind, count in days.items():
        out = m.remember(f"The user said {kind}.", subject=ME, origin="user", kind=kind)
        assert m.show(out.id).expires_at == moment(clock) + timedelta(days=count), kind
    given = moment(clock) + timedelta(days=1)
    out = m.remember("The user waits.", subject=ME, origin="user", expires_at=given)
    assert m.show(out.id).expires_at == given
    out = m.remember("The user stays.", subject=ME, origin="operator", durable_reason="law")
    assert m.show(out.id).expires_at is None


def test_the_kind_is_that_of_the_attribute(m):
    out = m.remember("The user lives in Oslo.", subject=ME, origin="user", attribute="lives_in")
    assert (m.show(out.id).kind, m.show(out.id).attribute) == (Kind.IDENTITY, "home")


def test_many_are_judged_like_one_by_one(m):
    outs = m.remember_many(
        [
            Draft(TEA, ME, origin=Origin.USER),
            Draft(TEA, ME, origin=Origin.USER),
            Draft(TEA, ME, origin=Origin.MODEL),
            Draft("The user owns a pot.", ME),
        ]
    )
    assert [o.status for o in outs] == ["accepted", "confirmed", "refused", "held"]


def test_operations_name_who_what_and_when_and_no_text(m, world):
    out = m.remember(TEA, subject=ME, origin="user", run="r1", step=1)
    m.retire(out.id, why="no longer asked for")
    done = m.operations()
    assert [(o.verb, o.actor, o.facts, o.run) for o in done] == [
        ("retire", "integrator", (out.id,), None),
        ("remember", "integrator", (out.id,), "r1"),
    ]
    assert done[0].why == "no longer asked for"
    assert all("tea" not in repr(o) for o in done)
