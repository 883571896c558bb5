"""Secrets are refused at every door and never echoed: outcome, exceptions, logs, operations, receipts, bytes."""

import logging

import pytest

from memoranda.errors import UsageError
from memoranda.messages import said as message
from memoranda.types import Draft, Origin, Selection, Verdict

ME = "user:me"
KEY = "sk-" + "Zq9xW4vT" * 5
TEXT = "The user owns a kayak."


@pytest.mark.parametrize(
    "door",
    [
        "text",
        "quote",
        "value",
        "attribute",
        "tags",
        "run",
        "source_ref",
        "durable_reason",
        "subject",
    ],
    ids=str,
)
@pytest.mark.parametrize("origin", ["user", "external", "operator"], ids=str)
def test_no_door_takes_a_secret(world, m, caplog, door, origin):
    caplog.set_level(logging.DEBUG)
    named = {"text": TEXT, "subject": ME, "attribute": "car", "origin": origin}
    named[door] = [KEY] if door == "tags" else f"it is {KEY}"
    out = m.remember(named.pop("text"), **named)
    assert out.status is Verdict.REFUSED
    assert out.id is None
    assert any(reason.startswith("secret:") for reason in out.reasons)
    seen = (out, m.operations(), m.facts(status="all"), m.subjects(), caplog.text)
    assert KEY not in repr(seen)
    assert KEY.lower().encode() not in world.bytes().lower()


def test_nor_through_a_batch_an_approval_a_correction_or_an_actor(world, m, asha):
    held = m.remember(TEXT, subject=ME).id
    mine = m.remember("The user has a dog.", subject=ME, origin="user").id
    outs = [
        *m.remember_many([Draft(TEXT + KEY, ME), Draft(TEXT, ME, origin=Origin.USER, actor=KEY)]),
        asha.approve(held, text=f"The user's key is {KEY}."),
        m.correct(mine, f"The user's key is {KEY}."),
        m.correct(mine, TEXT, value=KEY),
    ]
    assert [o.status for o in outs] == ["refused"] * 5
    asha.reject([held], why=KEY)
    assert KEY.encode() not in world.bytes()


def test_a_log_keeps_a_placeholder(world, m):
    window = m.window(session="s", subject=ME)
    window.build(f"My key is {KEY} and I own a kayak.")
    window.append(message("assistant", f"Noted: {KEY}"))
    m.observe([message("user", f"password: {KEY}")], subject=ME, session="s2", run="r")
    bodies = repr([m.log("s"), m.log("s2")])
    assert bodies.count("[secret removed]") == 3
    assert KEY.encode() not in world.bytes()


@pytest.mark.parametrize("call", ["show", "why", "retire", "erase", "undo", "rollback", "log"])
def test_a_secret_in_the_wrong_place_is_not_stored(world, m, call):
    said = ""
    try:
        getattr(m, call)(KEY)
    except UsageError as error:
        said = str(error)
    assert KEY not in said
    m.recall(KEY, subjects=[ME, KEY])
    m.facts(subject=KEY)
    m.select(Selection(subject=ME, query=KEY))
    assert KEY.encode() not in world.bytes()
