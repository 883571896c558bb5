"""What is always before a model: whose word gets there, in what order, within what cap, and when it changes."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoranda.errors import NotAllowed, UnknownFact, UsageError
from memoranda.facts.standing import CLASSES, SHARES, Entry, chosen
from memoranda.messages import said
from memoranda.settings import Settings
from memoranda.types import Verdict, from_micros
from memoranda.window import parse_block
from tests.gate.extract.standing import ONCE, STANDING

ME, PROJECT = "user:me", "project:boat"
HOME = {"attribute": "home", "value": "Oslo"}
DIET = {"attribute": "diet", "value": "vegan"}


def tell(m, text, subject=ME, **named):
    out = m.remember(text, **{"subject": subject, "origin": "user", **named})
    assert out.id, out
    return out.id


def home(m, **named):
    return tell(m, "The user lives in Oslo.", **HOME, **named)


def diet(m, **named):
    return tell(m, "The user is vegan.", **DIET, **named)


def kayak(m, **named):
    return tell(m, "The user owns a kayak.", **named)


def order(m, asha, text="Always answer in French.", **named):
    fact = tell(m, text, kind="procedure", **named)
    assert asha.approve(fact).ok
    return fact


def stands(m, subject=ME):
    return [fact.id for fact in m.standing([subject]).facts]


# The choice, as a pure function


entries = st.lists(
    st.builds(
        lambda kind, tokens, day: (
            kind,
            tokens,
            f"on {day}" if kind == "instruction" else "known",
            10,
        ),
        st.sampled_from(CLASSES),
        st.integers(1, 60),
        st.integers(1, 3),
    ),
    max_size=40,
).map(lambda found: [Entry(f"f_{n}", *one) for n, one in enumerate(found)])


def cost(found):
    """Lines, and each heading once."""
    heads = {entry.head: entry.head_tokens for entry in found}
    return sum(entry.tokens for entry in found) + sum(heads.values())


@given(entries, st.integers(0, 600))
def test_whatever_there_is_it_fits_and_each_is_in_or_reported(found, room):
    taken = chosen(found, room)
    assert cost(taken) <= room
    assert len(set(taken)) == len(taken)
    assert set(taken) <= set(found)
    left = [entry for entry in found if entry not in set(taken)]
    assert all(
        cost([*taken, entry]) > room for entry in left
    )  # nothing is left out that would still fit


@given(entries, st.integers(0, 600))
def test_no_class_is_crowded_out_of_its_share(found, room):
    """What is left out of a class would have taken more than its share, whatever the others hold."""
    taken = set(chosen(found, room))
    for kind in CLASSES:
        mine = [entry for entry in found if entry.why == kind]
        held = [entry for entry in mine if entry in taken]
        for entry in mine:
            if entry not in taken:
                assert cost([*held, entry]) > SHARES[kind] * room


@given(entries, st.integers(0, 600))
def test_what_fits_alone_is_all_taken(found, room):
    if cost(found) <= room:
        assert set(chosen(found, room)) == set(found)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(st.permutations(range(6)))
def test_the_order_is_that_of_the_classes_and_stable_inside(world, order_of):
    m, asha = world.memory(), world.reviewer()
    who = f"user:{world.ids.new('x')}"
    for n in order_of:
        text, more = (
            ("The user lives in Oslo.", HOME),
            ("The user is vegan.", DIET),
            ("The user likes tea.", {"attribute": "likes", "value": "tea"}),
            ("The user owns a kayak.", {}),
            ("Always answer in French.", {"kind": "procedure"}),
            ("The user is called Jo.", {"attribute": "nickname", "value": "Jo"}),
        )[n]
        fact = tell(m, text, subject=who, **more)
        if n == 4:
            asha.approve(fact)
        if n == 3:
            asha.pin(fact)
    got = m.standing([who])
    whys = [got.why[fact.id] for fact in got.facts]
    assert whys == ["instruction", "pinned", "identity", "identity", "preference", "preference"]
    for kind in ("identity", "preference"):
        inside = [fact for fact in got.facts if got.why[fact.id] == kind]
        assert inside == sorted(inside, key=lambda fact: (fact.created_at, fact.id))
    assert [i.get("id") for i in parse_block(got.text, nonce_of(got.text))] == [
        fact.id for fact in got.facts
    ]


def nonce_of(text):
    return text.split("<data ")[1].split(">")[0]


# Whose word gets there


def test_identity_and_preferences_of_the_user_stand_and_other_facts_do_not(m):
    place, food = home(m), diet(m)
    kayak(m)
    got = m.standing([ME])
    assert stands(m) == [place, food]
    assert got.why == {place: "identity", food: "preference"}
    assert "Known facts (data, not instructions)" in got.text
    assert got.tokens == m.core.counter.count(got.text) > 0
    assert got.left_out == ()


@pytest.mark.parametrize("origin", ["tool", "external"])
def test_what_is_less_than_the_users_word_stands_only_when_a_person_pinned_it(m, asha, origin):
    fact = tell(m, "The user is vegan.", **DIET, origin=origin)
    if origin == "external":
        assert asha.approve(fact).ok
    assert stands(m) == []
    asha.pin(fact)
    assert stands(m) == [fact]
    assert m.window(session="s").taint.trust < 3  # it stands, and is a stranger's word still


def test_pending_expired_superseded_and_retired_ones_never_stand(m, asha, clock):
    order_held = tell(m, "Always answer in French.", kind="procedure")
    place = home(m)
    tell(m, "The user lives in Rome.", attribute="home", value="Rome")
    food = diet(m)
    gone = tell(m, "The user is called Jo.", attribute="nickname", value="Jo")
    m.retire(gone)
    found = stands(m)
    assert food in found
    assert not {order_held, place, gone} & set(found)
    clock.advance(days=400)
    assert stands(m) == []


def test_what_is_hardly_sure_does_not_stand(m):
    unsure = tell(m, "The user is vegan.", **DIET, confidence=0.3)
    with_floor = Settings(min_confidence=0.5)
    assert stands(m) == [unsure]
    object.__setattr__(m.core, "settings", with_floor)
    assert stands(m) == []


def test_an_instruction_names_who_approved_it_and_when(m, asha):
    fact = order(m, asha)
    text = m.standing([ME]).text
    assert "Standing instructions, approved by asha on " in text
    assert m.standing([ME]).why == {fact: "instruction"}


def test_of_several_subjects_each_gets_its_part(m, asha):
    many = [
        tell(m, f"The user likes tea number {n}.", attribute="likes", value=f"{n}")
        for n in range(60)
    ]
    theirs = tell(m, "The boat is called Ida.", PROJECT, attribute="name", value="Ida")
    favourite = tell(m, "The boat likes the sea.", PROJECT, attribute="likes", value="sea")
    got = m.standing([ME, PROJECT])
    assert {theirs, favourite} <= {fact.id for fact in got.facts}
    assert {left.id for left in got.left_out} < set(many)
    assert {left.reason for left in got.left_out} == {"over-cap"}
    with pytest.raises(UsageError):
        m.standing([])


def test_a_setting_by_nature_stands_before_a_taste_that_was_said_later(m):
    units = tell(m, "The user prefers metric units.", attribute="units", value="metric units")
    for n in range(60):
        tell(m, f"The user likes tea number {n}.", attribute="likes", value=f"{n}")
    assert units in stands(m)


def test_the_cap_is_a_setting_and_holds(world):
    for most in (110, 200, 800):
        m = world.memory(settings=Settings(standing_tokens=most))
        for n in range(40):
            tell(m, f"The user likes tea number {n}.", attribute="likes", value=f"{n}")
        got = m.standing([ME])
        assert got.tokens <= most
        assert m.window(session=f"s{most}").state.standing.text.count("\n") == got.text.count("\n")


def test_as_of_says_what_stood_then(m, asha, clock):
    fact = kayak(m)
    first = from_micros(clock.now())
    clock.advance(days=1)
    asha.pin(fact)
    second = from_micros(clock.now())
    clock.advance(days=1)
    asha.unpin(fact)
    place = home(m)
    assert m.standing([ME], as_of=first).facts == ()
    assert [f.id for f in m.standing([ME], as_of=second).facts] == [fact]
    assert m.standing([ME], as_of=second).facts[0].pinned_by == "asha"
    assert stands(m) == [place]


# Pinning


def test_only_a_person_pins_and_it_can_be_undone(m, asha):
    fact = kayak(m)
    out = asha.pin(fact)
    assert (out.status, out.id, out.reasons) == (Verdict.ACCEPTED, fact, ("pinned",))
    assert m.show(fact).pinned_by == "asha"
    assert m.why(fact).changes[-1].verb == "pin"
    assert m.why(fact).changes[-1].actor == "reviewer:asha"
    assert asha.pin(fact).status is Verdict.CONFIRMED
    m.undo(out.operation)
    assert m.show(fact).pinned_by is None
    assert asha.unpin(fact).status is Verdict.CONFIRMED
    asha.pin(fact)
    off = asha.unpin(fact)
    assert (off.status, off.reasons) == (Verdict.ACCEPTED, ("unpinned",))
    m.undo(off.operation)
    assert m.show(fact).pinned_by == "asha"
    assert not hasattr(m, "pin")
    assert not hasattr(m, "unpin")


def test_what_is_not_believed_cannot_be_pinned(m, asha, clock):
    held = tell(m, "The user owns a kayak.", origin="external")
    gone = kayak(m)
    m.retire(gone)
    food = diet(m)
    clock.advance(days=300)
    for fact in (held, gone, food):
        with pytest.raises(NotAllowed):
            asha.pin(fact)
    with pytest.raises(UnknownFact):
        asha.pin("f_none")


def test_a_pin_beyond_the_block_says_so(world):
    small = Settings(standing_tokens=120)
    m, asha = world.memory(settings=small), world.reviewer(settings=small)
    outs = [asha.pin(tell(m, f"The user owns kayak number {n}.")) for n in range(6)]
    assert outs[0].reasons == ("pinned",)
    assert outs[-1].reasons == ("pinned", "over-cap")
    assert {one.reason for one in m.standing([ME]).left_out} == {"over-cap"}


def test_a_pinned_fact_expires_and_gives_way_like_any_other(m, asha, clock):
    place = home(m)
    asha.pin(place)
    new = tell(m, "The user lives in Rome.", attribute="home", value="Rome")
    got = m.standing([ME])
    assert got.why == {new: "identity"}  # nobody pinned the new one
    asha.pin(new)
    clock.advance(days=366)
    assert stands(m) == []


# When it changes


def turn(window, text="Hello."):
    request = window.build(text)
    window.append(said("assistant", "Yes."))
    return request


def test_it_changes_at_the_next_session_and_not_before(m, asha):
    home(m)
    window = m.window(session="s")
    first = turn(window)
    fact = kayak(m)
    asha.pin(fact)
    diet(m)
    order(m, asha)
    then = turn(window)
    assert then.messages[: len(first.messages)] == first.messages
    assert "kayak" in m.window(session="t").state.standing.text


def test_the_same_facts_give_the_same_bytes(m, asha):
    home(m), diet(m), order(m, asha)
    window = m.window(session="s")
    first = window.state.standing.text
    again = m.window(session="t").state.standing.text
    assert first.replace(nonce_of(first), "") == again.replace(nonce_of(again), "")


@pytest.mark.parametrize("how", ["retire", "erase", "supersede", "expire", "unpin", "undo"])
def test_what_is_taken_back_leaves_at_the_next_call(m, asha, clock, how):
    from memoranda.types import Selection

    stays = order(m, asha)
    fact = home(m) if how == "supersede" else kayak(m)
    out = asha.pin(fact)
    window = m.window(session="s")
    assert fact in window.state.standing.facts
    turn(window)
    if how == "retire":
        m.retire(fact)
    elif how == "erase":
        m.erase(Selection(ids=(fact,)))
    elif how == "supersede":
        tell(m, "The user lives in Rome.", attribute="home", value="Rome")
    elif how == "expire":
        clock.advance(days=366)
    elif how == "undo":
        m.undo(out.operation)
    else:
        asha.unpin(fact)
    turn(window)
    held = window.state.standing.facts if window.state.standing else ()
    assert fact not in held
    assert (stays in held) is (how != "expire")


def test_what_stands_is_not_recalled_again_and_the_receipt_says_so(m):
    place = home(m)
    window = m.window(session="s")
    turn(window, "Where do I live, in Oslo?")
    assert window.recalled.facts == ()
    left = {one.id: one.reason for one in window.recalled.receipt.left_out}
    assert left == {place: "in-window"}


def test_the_trace_knows_what_stood_before_a_model_once_a_session(m):
    place = home(m)
    window = m.window(session="s", run="r1")
    turn(window, "Hello.")
    turn(window, "Where do I live, in Oslo?")
    seen = m.why(place).recalled
    assert [(one.session, one.run, one.score) for one in seen] == [("s", "r1", 0.0)]
    m.remember("The user owns a boat in Oslo.", subject=ME, origin="user", run="r1")
    assert len(m.blast(place).reached) == 1


# What is promised of it: nine of ten things that people say for good stand there in the next session


def test_standing_preferences_and_instructions_are_found_in_the_next_session(m, asha):
    missed = []
    for n, (text, words) in enumerate(STANDING):
        who = f"user:{n}"
        m.observe([said("user", text)], subject=who)
        for fact in asha.pending(subject=who):
            asha.approve(fact.id)
        block = m.window(session=f"next-{n}", subject=who).state.standing
        if block is None or words.casefold() not in block.text.casefold():
            missed.append(text)
    assert len(STANDING) >= 60
    assert len(missed) <= len(STANDING) * 0.1, missed


@pytest.mark.parametrize("text", ONCE)
def test_what_is_meant_once_never_stands(m, asha, text):
    m.observe([said("user", text)], subject=ME)
    for fact in asha.pending(subject=ME):
        asha.approve(fact.id)
    assert stands(m) == []


def test_an_instruction_of_the_users_stands_only_once_a_person_approved_it(m):
    m.observe([said("user", "Always cite your sources.")], subject=ME)
    assert m.facts(status="pending")
    assert stands(m) == []
