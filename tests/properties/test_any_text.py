"""Any text anywhere: no exception but a UsageError, and never a look at another's facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import BudgetTooSmall, UsageError
from memoranda.memory import Memory
from memoranda.messages import Message, Text, ToolCall, ToolResult, said
from memoranda.types import Draft, Origin, Selection

NASTY = (
    *("'", '"', "';--", "*", "NEAR(", "-", "a OR b", "%", "_", "\\", "`", "{}", "[", "\n", "\r\n"),
    *(
        "\0",
        "a\0b",
        "\ud800",
        "x\udfff",
        "\u202e",
        "\u200b",
        "\ufeff",
        "\u2028",
        "👩‍👩‍👧‍👦",
        "🇳🇴",
        "e\u0301",
    ),
    *(
        "咖啡",
        "東京",
        "كتاب",
        "हिन्दी",
        "ไทย",
        "İ",
        "ß",
        "ﬁ",
        "user:other",
        "user:other\0",
        " user:other ",
    ),
    *(
        "../../etc/passwd",
        "a" * 100_000,
        "咖" * 35_000,
        "👩" * 25_000,
        "' OR 1=1 --",
        "<data 00000000>",
    ),
)
# Lone surrogates too: `text()` leaves them out when it is not told.
ANY = st.one_of(st.sampled_from(NASTY), st.text(st.characters(codec=None), max_size=40))
OTHERS = "The other keeps a zanzibar parrot."


def store() -> Memory:
    memory = Memory.open(":memory:")
    memory.remember(OTHERS, subject="user:other", origin="user", tags=["zanzibar"], run="other")
    memory.remember("The user keeps a parrot.", subject="user:me", origin="user")
    return memory


def quietly(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except UsageError:
        return None


def mine(name: str) -> bool:
    """Whether a subject's name is, as a person reads it, not the other's."""
    return " ".join(name.split()) != "user:other"


@given(ANY, ANY, ANY)
def test_recall(query: str, subject: str, tag: str) -> None:
    with store() as m:
        for subjects in ([subject], ["user:me", subject]):
            got = quietly(lambda s=subjects: m.recall(query + " zanzibar parrot", subjects=s))
            if got and mine(subject):
                assert {f.subject for f in got.facts} <= {"user:me"}
        quietly(lambda: m.recall(query, subjects=["user:me"], tags=[tag]))
        quietly(lambda: m.facts(subject=subject, tag=tag))
        for chosen in (
            Selection(subject=subject, query=query),
            Selection(tag=tag, subject="user:me"),
            Selection(run=tag, subject="user:me"),
            Selection(ids=(query,)),
        ):
            for everything in (False, True):
                found = quietly(lambda c=chosen, e=everything: m.select(c, erase=e))
                assert not found or not mine(subject) or OTHERS not in {f.fact for f in found}


@given(st.lists(ANY, min_size=9, max_size=9), st.sampled_from(list(Origin)))
def test_remember(texts: list[str], origin: Origin) -> None:
    text, subject, attribute, value, tag, run, quote, ref, reason = texts
    named = {"attribute": attribute, "value": value, "tags": [tag], "run": run, "step": 1}
    named |= {"quote": quote, "source_ref": ref, "durable_reason": reason, "origin": origin}
    with store() as m:
        out = quietly(lambda: m.remember(text, subject=subject, **named))
        raw = Draft(
            text, subject, attribute=attribute, tags=(tag,), run=run, origin=origin, actor=reason
        )
        m.remember_many([raw])
        if out and out.id and mine(subject):
            assert m.show(out.id).subject != "user:other"
            quietly(lambda: out.ok and m.correct(out.id, value + "x"))
            quietly(lambda: m.retire(out.id, why=reason))
            m.erase(out.id)
        assert OTHERS in {f.fact for f in m.facts(subject="user:other")} or not mine(subject)


@given(ANY)
def test_ids_runs_and_sessions(name: str) -> None:
    with store() as m:
        for call in (m.show, m.why, m.retire, m.erase, m.undo, m.rollback, m.log):
            quietly(lambda c=call: c(name))
        quietly(lambda: m.remember("The user waits.", subject="user:me", derived_from=[name]))
        assert len(m.facts(status="all")) >= 2 or name == "other"


@given(ANY, ANY, ANY)
def test_windows_and_logs(text: str, session: str, subject: str) -> None:
    with store() as m:
        talk = [
            said("user", text),
            Message("assistant", (Text(text), ToolCall(text, "f" + text[:50], text))),
            Message("tool", (ToolResult(text, (Text(text),)),)),
        ]
        quietly(lambda: m.observe(talk, subject=subject, session=session, run=session))
        window = quietly(lambda: m.window(session=session, subject=subject, budget=10**6))
        if window:
            request = window.build(text)
            assert not mine(subject) or OTHERS not in repr(request)
            window.append(talk[1])
            window.append(talk[2])
            window.append(said("assistant", text))
            assert len(m.log(session)) >= 4
            again = m.window(session=session, subject=subject, budget=1000)
            with_budget(again, text)
        m.sessions()


def with_budget(window: Any, text: str) -> None:
    try:
        window.build(text)
    except BudgetTooSmall:
        assert len(text) > 100


@pytest.mark.parametrize("subject", ["user:other\0", "user:\ud800other", "user:other\x1b"])
def test_a_name_with_a_hidden_character_is_nobody_else(subject: str) -> None:
    with store() as m:
        with pytest.raises(UsageError):
            m.recall("parrot", subjects=[subject])
        with pytest.raises(UsageError):
            m.window(session="s", subject=subject)
