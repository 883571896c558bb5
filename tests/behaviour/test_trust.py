"""Lower trust cannot supersede, extend, confirm or crowd out higher trust: every pair of origins."""

import itertools
from datetime import timedelta

import pytest

from memoranda.types import Origin, Status, Verdict

ME = "user:me"
# What can be live: the operator's and the user's words, a tool's, and external ones that a person approved.
ORIGINS = (Origin.OPERATOR, Origin.USER, Origin.TOOL, Origin.EXTERNAL)
PAIRS = list(itertools.product(ORIGINS, repeat=2))
RANK = {origin: rank for rank, origin in enumerate(reversed(ORIGINS))}


def live(m, asha, text, origin, **named):
    out = m.remember(text, subject=ME, origin=origin, **named)
    if out.status is Verdict.HELD and origin is Origin.EXTERNAL:
        out = asha.approve(out.id)
    assert out.status is Verdict.ACCEPTED
    return out.id


@pytest.mark.parametrize(("old", "new"), PAIRS, ids=str)
def test_supersede(m, asha, old, new):
    before = live(m, asha, "The user lives in Oslo.", old, attribute="home", value="Oslo")
    out = m.remember(
        "The user lives in Rome.", subject=ME, origin=new, attribute="home", value="Rome"
    )
    stands = m.show(before).status is Status.LIVE
    if new is Origin.EXTERNAL or RANK[new] < RANK[old]:
        assert out.status is Verdict.HELD
        assert stands
    else:
        assert out.status is Verdict.ACCEPTED
        assert out.replaced == (before,)
        assert not stands


@pytest.mark.parametrize(("old", "new"), PAIRS, ids=str)
def test_extend_and_confirm(m, asha, clock, old, new):
    fact = live(m, asha, "The user plays chess.", old)
    ends = m.show(fact).expires_at
    changes = len(m.why(fact).changes)
    clock.advance(days=10)
    out = m.remember("The user plays chess.", subject=ME, origin=new)
    assert (out.status, out.id) == (Verdict.CONFIRMED, fact)
    may = new is not Origin.EXTERNAL and RANK[new] >= RANK[old]
    assert m.show(fact).expires_at == ends + timedelta(days=10 * may)
    assert len(m.why(fact).changes) == changes + may


@pytest.mark.parametrize(("high", "low"), [p for p in PAIRS if RANK[p[0]] > RANK[p[1]]], ids=str)
def test_crowd_out_by_saying_nearly_the_same(m, asha, high, low):
    fact = live(m, asha, "The user's favourite drink at breakfast is black coffee with milk.", high)
    live(m, asha, "At breakfast the user's favourite drink is coffee with black milk.", low)
    got = m.recall("favourite drink at breakfast", subjects=[ME])
    assert [f.id for f in got.facts] == [fact]


@pytest.mark.parametrize("low", [Origin.TOOL, Origin.EXTERNAL], ids=str)
def test_at_most_two_of_five_below_user(m, asha, clock, low):
    words = ["red", "blue", "green", "black", "white", "amber"]
    mine = {live(m, asha, f"The user owns a {w} bicycle bell.", Origin.USER) for w in words[:3]}
    clock.advance(days=1)
    for word in words:
        live(m, asha, f"The {word} bicycle is in the {word} shed.", low)
    got = m.recall("bicycle", subjects=[ME])
    assert len(got.facts) == 5
    assert mine <= {f.id for f in got.facts}
    assert "low-trust-share" in {left.reason for left in got.receipt.left_out}
    assert got.min_trust == min(f.trust for f in got.facts)


def test_a_low_floor_of_trust_can_be_raised(m, asha):
    live(m, asha, "The bicycle is in the shed.", Origin.TOOL)
    assert m.recall("bicycle", subjects=[ME])
    assert not m.recall("bicycle", subjects=[ME], min_trust=3)


def test_a_draft_cannot_replace_a_fact_of_higher_trust_or_of_another(m, asha):
    from memoranda.types import Draft

    mine = live(m, asha, "The user lives in Oslo.", Origin.USER)
    theirs = m.remember("User 2 lives in Bonn.", subject="user:2", origin="user").id
    outs = m.remember_many(
        [
            Draft("The user lives in Rome.", ME, origin=Origin.TOOL, replaces=mine),
            Draft("The user lives in Bern.", ME, origin=Origin.OPERATOR, replaces=theirs),
            Draft("The user lives in Nice.", ME, origin=Origin.USER, source_ref=f"correct:{mine}"),
        ]
    )
    assert [o.status for o in outs] == ["held", "accepted", "refused"]
    assert m.show(mine).status is Status.LIVE
    assert m.show(theirs).status is Status.LIVE
