"""The same gate, unchanged, lets people be known: what they say is believed without a review."""

from __future__ import annotations

import importlib.util
import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoranda.memory import Memory
from memoranda.messages import said
from memoranda.testing import ManualClock
from memoranda.types import Verdict

ME = "user:me"
CHATS = int(os.environ.get("MEMORANDA_CHATS", "1"))  # of six
PLANTED = Path(__file__).parents[1] / "gate" / "extract" / "planted.py"


def planted():
    spec = importlib.util.spec_from_file_location("planted_statements", PLANTED)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_85_of_100_planted_statements_are_accepted_and_recalled_without_review():
    """Each by a user of their own, recalled by the statement itself; one that tells the agent what to do must wait."""
    known = 0
    missed = []
    with Memory.open(":memory:", clock=ManualClock(datetime(2026, 3, 11, 11, tzinfo=UTC))) as m:
        for n, statement in enumerate(planted().STATED):
            subject = f"user:{n}"
            m.observe([said("user", statement.text)], subject=subject, run=f"r{n}")
            got = m.recall(statement.text, subjects=[subject])
            hit = any(
                statement.value.casefold() in f"{fact.value} {fact.fact}".casefold()
                for fact in got.facts
            )
            known += hit
            missed += [] if hit else [statement.text]
    print(f"planted statements accepted and recalled without review: {known} of 100")
    assert known >= 85, missed


def test_locomo_chats_as_user_turns_hold_at_most_one_in_twenty(shared):
    chats = json.loads((shared / "data/locomo/locomo_dev.json").read_text("utf-8"))
    turns, held, kept = 0, [], 0
    for chat in chats[:CHATS]:
        with Memory.open(":memory:") as m:
            sessions = [value for value in chat["conversation"].values() if isinstance(value, list)]
            for number, session in enumerate(sessions):
                for n, line in enumerate(session):
                    turns += 1
                    subject = f"user:{line['speaker']}"
                    outs = m.observe(
                        [said("user", line["text"])],
                        subject=subject,
                        run=f"s{number}",
                        first_step=n,
                    )
                    held += [out for out in outs if out.status is Verdict.HELD]
                    kept += sum(out.ok for out in outs)
    reasons = sorted({reason for out in held for reason in out.reasons})
    print(f"LoCoMo: {turns} turns, {kept} accepted or confirmed, {len(held)} held ({reasons})")
    assert turns > 300 * CHATS
    assert len(held) * 20 <= turns


@pytest.mark.parametrize(
    "text",
    ["Always answer in French.", "Please always use metric units.", "From now on, call me Bex in every answer.",
     "Never use emojis with me.", "Always put the summary first.", "Always ask before you send anything.",
     "From now on always reply in short sentences.", "Please never mention my ex."],
)  # fmt: skip
def test_a_legitimate_always_wish_is_asked_about_or_known_and_never_refused(text):
    with Memory.open(":memory:") as m:
        outs = [
            *m.observe([said("user", text)], subject=ME),
            m.remember(text, subject=ME, origin="user"),
        ]
        assert all(out.status is not Verdict.REFUSED for out in outs)
        assert outs[-1].status is Verdict.HELD
        assert all(out.fact for out in outs if out.status is Verdict.HELD)
