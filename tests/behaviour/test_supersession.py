"""One attribute, newer values: replaced, kept beside, too late, ended."""

from datetime import UTC, datetime, timedelta

import pytest

from memoranda.errors import NotAllowed, SettingsError, UnknownFact, UsageError
from memoranda.settings import settings_from
from memoranda.types import Draft, Origin, Status

ME = "user:me"


def say(m, text, value=None, attribute="home", **named):
    named = {"subject": ME, "origin": "user", "attribute": attribute, "value": value, **named}
    return m.remember(text, **named)


def values(m):
    return sorted(fact.value for fact in m.facts())


def at(day):
    return datetime(2025, 6, day, tzinfo=UTC)


def test_a_newer_value_of_an_attribute_replaces_the_older(m):
    old = say(m, "The user lives in Oslo.", "Oslo")
    new = say(m, "The user lives in Rome.", "Rome", attribute="city")
    assert new.replaced == (old.id,)
    was = m.show(old.id)
    assert (was.status, was.superseded_by) == (Status.SUPERSEDED, new.id)
    assert was.superseded_at == m.show(new.id).created_at
    got = m.recall("Where does the user live?", subjects=[ME])
    assert [f.id for f in got.facts] == [new.id]


def test_without_values_whole_sentences_are_compared(m):
    old = say(m, "The user prefers the dark theme.", attribute="theme")
    new = say(m, "The user prefers the light theme.", attribute="theme")
    assert new.replaced == (old.id,)


def test_without_a_key_nothing_is_replaced(m):
    say(m, "The user lives in Oslo.", attribute=None)
    say(m, "The user lives in Rome.", attribute=None)
    assert len(m.facts()) == 2


@pytest.mark.parametrize(
    ("attribute", "one", "other"),
    [("likes", "jazz", "modern jazz"), ("theme", "dark", "very dark"), ("allergy", "nuts", "eggs")],
    ids=str,
)
def test_refinements_and_multi_valued_attributes_keep_both(m, attribute, one, other):
    say(m, f"The user noted {one}.", one, attribute)
    out = say(m, f"The user noted {other}.", other, attribute)
    assert out.replaced == ()
    assert values(m) == sorted([one, other])


def test_other_contexts_keep_both(m):
    say(m, "The user's home is Oslo.", "Oslo", "home")
    say(m, "The user's sister lives in Rome.", "Rome", "sister.home")
    say(m, "The other user lives in Bonn.", "Bonn", "home", subject="user:2")
    assert values(m) == ["Bonn", "Oslo", "Rome"]


def test_a_late_older_statement_does_not_win(m):
    now = say(m, "The user lives in Rome.", "Rome", observed_at=at(20))
    late = say(m, "The user lives in Oslo.", "Oslo", observed_at=at(10))
    assert late.reasons == ("older-than-current",)
    was = m.show(late.id)
    assert (was.status, was.superseded_by) == (Status.SUPERSEDED, now.id)
    assert values(m) == ["Rome"]


def test_a_statement_dated_ahead_does_not_stop_later_ones(m):
    say(m, "The user lives in Rome.", "Rome", observed_at=datetime(2999, 1, 1, tzinfo=UTC))
    say(m, "The user lives in Oslo.", "Oslo")
    assert values(m) == ["Oslo"]


def test_an_end_closes_the_value_without_a_successor(m):
    say(m, "The user works at Acme.", "Acme", "employer")
    end = Draft(
        "The user no longer works at Acme.",
        ME,
        attribute="employer",
        value="Acme",
        polarity=False,
        ends=True,
        origin=Origin.USER,
    )
    out = m.remember_many([end])[0]
    assert len(out.replaced) == 1
    assert [(f.fact, f.polarity) for f in m.facts()] == [(end.text, False)]
    say(m, "The user works at Beta.", "Beta", "employer")
    assert [f.value for f in m.facts() if f.polarity] == ["Beta"]


def test_an_end_of_another_value_closes_nothing(m):
    say(m, "The user works at Beta.", "Beta", "employer")
    end = Draft(
        "The user no longer works at Acme.",
        ME,
        attribute="employer",
        value="Acme",
        ends=True,
        origin=Origin.USER,
    )
    assert m.remember_many([end])[0].replaced == ()


def test_negation_and_its_opposite_replace_each_other(m):
    likes = say(m, "The user likes jazz.", "jazz", "likes")
    no = Draft(
        "The user does not like jazz.",
        ME,
        attribute="likes",
        value="jazz",
        polarity=False,
        origin=Origin.USER,
    )
    assert m.remember_many([no])[0].replaced == (likes.id,)
    again = say(m, "The user likes jazz.", "jazz", "likes")
    assert again.status == "accepted"
    assert [(f.value, f.polarity) for f in m.facts()] == [("jazz", True)]


def test_an_expired_value_is_no_rival(m, clock):
    say(m, "The user lives in Oslo.", "Oslo")
    clock.advance(days=400)
    assert say(m, "The user lives in Rome.", "Rome").replaced == ()
    assert values(m) == ["Rome"]


def test_correct_makes_a_new_row_that_supersedes(m):
    old = say(m, "The user lives in Osla.", "Osla")
    out = m.correct(old.id, "The user lives in Oslo.", value="Oslo")
    new, was = m.show(out.id), m.show(old.id)
    assert (was.status, was.superseded_by, was.fact) == (
        Status.SUPERSEDED,
        new.id,
        "The user lives in Osla.",
    )
    assert (new.origin, new.attribute, new.value) == (Origin.OPERATOR, "home", "Oslo")
    assert [f.id for f in m.why(new.id).chain] == [old.id, new.id]


def test_correct_replaces_also_what_says_the_same(m):
    twin = m.remember("The user owns a red car.", subject=ME, origin="user").id
    wrong = m.remember("The user owns a rad car.", subject=ME, origin="user").id
    out = m.correct(wrong, "The user owns a red car.")
    assert set(out.replaced) == {twin, wrong}
    assert len(m.facts()) == 1


def test_only_what_is_believed_can_be_corrected(m):
    held = m.remember("The user owns a boat.", subject=ME).id
    with pytest.raises(NotAllowed):
        m.correct(held, "The user owns a car.")
    with pytest.raises(UnknownFact):
        m.correct("f_none", "The user owns a car.")
    gone = m.remember("The user owns a bus.", subject=ME, origin="user").id
    m.retire(gone)
    with pytest.raises(NotAllowed):
        m.correct(gone, "The user owns a car.")


def test_a_held_correction_replaces_when_it_is_approved(m, asha):
    first = m.remember("Always answer in French.", subject=ME, origin="user", kind="procedure").id
    asha.approve(first)
    held = m.correct(first, "Always answer in German.")
    assert held.status == "held"
    assert m.show(first).status is Status.LIVE
    out = asha.approve(held.id)
    assert out.replaced == (first,)
    assert [f.fact for f in m.facts()] == ["Always answer in German."]


def test_as_of_is_what_the_store_would_have_answered_then(m, clock):
    asked = "Where does the user live?"
    start = datetime(2026, 1, 1, 12, tzinfo=UTC)
    say(m, "The user lives in Oslo.", "Oslo")
    clock.advance(days=10)
    say(m, "The user lives in Rome.", "Rome", observed_at=start + timedelta(days=2))
    clock.advance(days=10)

    def then(days):
        got = m.recall(asked, subjects=[ME], as_of=start + timedelta(days=days))
        return [(f.value, f.status, f.superseded_by) for f in got.facts]

    # Nothing of what was learnt later shows, though Rome was said to hold from the second day on.
    assert then(-1) == []
    assert then(5) == [("Oslo", Status.LIVE, None)]
    assert then(10) == [("Rome", Status.LIVE, None)]


def test_as_of_reads_retirement_expiry_and_approval_as_they_were(m, asha, clock):
    start = datetime(2026, 1, 1, 12, tzinfo=UTC)
    plan = m.remember("The user flies to Rome.", subject=ME, origin="user", kind="plan").id
    held = m.remember("The user owns a Rome guide.", subject=ME).id
    clock.advance(days=1)
    asha.approve(held)
    clock.advance(days=1)
    m.retire(plan)
    clock.advance(days=10)

    def then(days):
        got = m.recall("Rome", subjects=[ME], as_of=start + timedelta(days=days))
        return {f.id for f in got.facts}

    assert [then(d) for d in (0.5, 1.5, 2.5)] == [{plan}, {plan, held}, {held}]


def test_why_tells_quote_run_chain_approver_and_where_recalled(m, asha):
    source = m.remember(
        "The user works at Acme.", subject=ME, run="r1", step=4, quote="I work at Acme"
    )
    asha.approve(source.id)
    child = m.remember(
        "The user commutes to Acme.", subject=ME, origin="user", derived_from=[source.id]
    )
    window = m.window(session="s1", subject=ME)
    window.build("What about Acme?")
    trace = m.why(source.id)
    assert (trace.fact.quote, trace.fact.source_run, trace.fact.source_step) == (
        "I work at Acme",
        "r1",
        4,
    )
    assert trace.fact.approved_by == "asha"
    assert [(c.verb, c.actor) for c in trace.changes] == [
        ("remember", "integrator"),
        ("approve", "reviewer:asha"),
    ]
    assert [r.session for r in trace.recalled] == ["s1"]
    assert [f.id for f in m.why(child.id).sources] == [source.id]


def test_users_extend_the_aliases_and_the_attributes_of_several_values(world, m):
    settings = settings_from(
        {"aliases": {"wohnort": "home", "vehicle_owned": "car"}, "multi_valued": ["car", "badge"]}
    )
    mine = world.memory(settings=settings)
    old = say(mine, "The user lives in Oslo.", "Oslo")
    assert say(mine, "The user lives in Rome.", "Rome", "Wohnort").replaced == (old.id,)
    for name, values_of in (("car", ("Saab", "Fiat")), ("badge", ("gold", "silver"))):
        for value in values_of:
            assert say(mine, f"The user has a {value} {name}.", value, name).replaced == ()
    assert values(mine) == ["Fiat", "Rome", "Saab", "gold", "silver"]


@pytest.mark.parametrize(
    "table",
    [{"aliases": ["home"]}, {"aliases": {"a": 1}}, {"multi_valued": "car"}, {"multi_valued": [1]}],
    ids=str,
)
def test_a_setting_of_another_shape_is_an_error_that_names_it(table):
    with pytest.raises(SettingsError, match=next(iter(table))):
        settings_from(table)


def test_an_attributes_own_name_is_no_alias(world):
    with pytest.raises(UsageError, match="alias"):
        world.memory(settings=settings_from({"aliases": {"home": "car"}}))


@pytest.mark.parametrize(
    ("attribute", "old", "new"),
    [
        ("home", "The user lives in Oslo.", "The user lives in Rome."),
        (None, "The user eats meat on Sundays.", "The user does not eat meat on Sundays."),
        (None, "The user never flies to Rome.", "The user flies to Rome."),
    ],
    ids=str,
)
def test_a_suspected_contradiction_without_a_key_waits_and_says_what_it_would_replace(
    m, asha, attribute, old, new
):
    first = say(m, old, "Oslo" if attribute else None, attribute)
    out = say(m, new, attribute=None)
    assert (out.status, out.reasons) == ("held", (f"may-contradict:{first.id}",))
    assert [f.id for f in m.facts()] == [first.id]
    (waiting,) = asha.pending()
    assert waiting.source_ref == f"correct:{first.id}"
    assert m.why(out.id).changes[0].why == f"may-contradict:{first.id}"
    assert asha.approve(out.id).replaced == (first.id,)
    assert [f.fact for f in m.facts()] == [new]


@pytest.mark.parametrize(
    ("attribute", "value", "old", "new"),
    [
        ("likes", "jazz", "The user likes jazz.", "The user likes chess."),
        ("home", "Oslo", "The user lives in Oslo.", "The user lives in Oslo Grünerløkka."),
        ("home", "Oslo", "The user lives in Oslo.", "The user's sister lives in Rome."),
        (None, None, "The user owns locker 17.", "The user owns locker 18."),
        (None, None, "The user plays chess.", "The user plays go."),
    ],
    ids=str,
)
def test_what_can_hold_beside_it_is_no_contradiction(m, attribute, value, old, new):
    say(m, old, value, attribute)
    assert say(m, new, attribute=None).status == "accepted"
