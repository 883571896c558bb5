"""Keyed updates in any order, with ends and denials: the newest word holds, and every earlier state can be asked for.

A model of a few lines says what must hold; the store has to agree with it after every move.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from memoranda.memory import Memory
from memoranda.settings import Settings
from memoranda.testing import ManualClock, SequentialIds
from memoranda.types import Draft, Origin, from_micros, to_micros

ME = "user:me"
VALUES = ("Oslo", "Rome", "Bonn", "Nice")
BASE = datetime(2025, 6, 1, tzinfo=UTC)
# Names of one attribute: the table's own, aliases, and one that a user added.
NAMES = ("home", "city", "lives_in", "Wohnort")
VERBS = ("say", "say", "say", "say", "end", "deny")
# A move: what is said, of which value, under which name, on which day; several on one day in order of saying.
MOVES = st.lists(
    st.tuples(
        st.sampled_from(VERBS),
        st.sampled_from(VALUES),
        st.sampled_from(NAMES),
        st.integers(0, 12),
    ),
    max_size=14,
)


def opened(clock):
    settings = Settings(aliases={"Wohnort": "home"})
    return Memory.open(":memory:", clock=clock, ids=SequentialIds(), settings=settings)


def draft(verb, value, name, day):
    text = {
        "say": f"The user lives in {value}.",
        "end": f"The user no longer lives in {value}.",
        "deny": f"The user does not live in {value}.",
    }[verb]
    return Draft(
        text,
        ME,
        attribute=name,
        value=value,
        polarity=verb == "say",
        ends=verb == "end",
        origin=Origin.USER,
        observed_at=to_micros(BASE + timedelta(days=day)),
    )


def current(m, as_of=None):
    """The values that are believed now: by the list of live facts, and by recall."""
    live = {fact.value for fact in m.facts() if fact.polarity} if as_of is None else None
    got = m.recall("Where does the user live?", subjects=[ME], as_of=as_of, k=50, tokens=9_999)
    told = {fact.value for fact in got.facts if fact.polarity}
    assert live is None or told <= live
    return told


@given(MOVES)
def test_only_the_newest_word_holds_and_as_of_reaches_every_earlier_one(moves):
    clock = ManualClock()
    with opened(clock) as m:
        seen, said = [], []
        for verb, value, name, day in moves:
            clock.advance(hours=1)
            m.remember_many([draft(verb, value, name, day)])
            said.append((day, len(said), verb, value))
            holds = current(m)
            assert len(holds) <= 1
            assert not stale(holds, said), (said, holds)
            seen.append((from_micros(clock.now()), holds))
        clock.advance(days=1)
        for at, holds in seen:
            assert current(m, at) == holds


def stale(holds, said):
    """The values believed although something said later (or as late, but after) replaced, ended or denied them."""
    gone = set()
    for value in holds:
        affirmed = max((d, n) for d, n, verb, v in said if verb == "say" and v == value)
        for day, n, verb, other in said:
            later = (day, n) > affirmed and day >= affirmed[0]
            if later and ((verb == "say" and other != value) or (verb != "say" and other == value)):
                gone.add(value)
    return gone


@given(st.permutations(range(6)), st.permutations(VALUES * 2))
def test_the_order_of_arrival_does_not_matter(order, values):
    clock = ManualClock()
    with opened(clock) as m:
        for day in order:
            clock.advance(hours=1)
            m.remember_many([draft("say", values[day], "home", day)])
        assert current(m) == {values[5]}
