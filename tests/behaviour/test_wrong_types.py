"""Every call says in an error of ours what is wrong with an argument of another type, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memoranda import Selection, said
from memoranda.errors import MemorandaError, MessageError, UsageError
from tests.behaviour.conftest import ME

CALLS: dict[str, Callable[[Any], Any]] = {
    "attribute": lambda m: m.remember("The user is.", subject=ME, origin="user", attribute=5),
    "a draft as a dict": lambda m: m.remember_many([{"text": "x"}]),
    "drafts as a string": lambda m: m.remember_many("x"),
    "a message as a string": lambda m: m.observe(["I live in Oslo."], subject=ME),
    "messages as a string": lambda m: m.observe("I live in Oslo.", subject=ME),
    "one message": lambda m: m.observe(said("user", "I live in Oslo."), subject=ME),
    "a service's message": lambda m: m.observe([{"role": "user", "content": "x"}], subject=ME),
    "too few times": lambda m: m.observe([said("user", "I live in Oslo.")], subject=ME, times=[]),
    "first step": lambda m: m.observe([said("user", "x")], subject=ME, first_step="1"),
    "trust": lambda m: m.recall("x", subjects=[ME], min_trust="user"),
    "confidence": lambda m: m.recall("x", subjects=[ME], min_confidence="a"),
    "no id": lambda m: m.show(None),
    "an id as a number": lambda m: m.why(3),
    "nothing to correct with": lambda m: m.correct("f_1", None),
    "ids without a selection": lambda m: m.retire(["f_1"]),
    "nothing to retire": lambda m: m.retire(None),
    "ids to erase without a selection": lambda m: m.erase(["f_1"]),
    "an id as the ids": lambda m: m.retire(Selection(ids="f_1")),  # type: ignore[arg-type]
    "budget as a string": lambda m: m.window(session="s", budget="8000"),
    "budget below nothing": lambda m: m.window(session="s", budget=-5),
    "no system": lambda m: m.window(session="s", system=None),
    "more than a number holds": lambda m: m.recall("x", subjects=[ME], k=10**40),
    "a folder as a number": lambda m: m.files(ME, folder=5),
    "an item as the items": lambda m: m.files(ME).project_init("Build a boat.", items="abc"),
    "append a string": lambda m: m.window(session="s").append("hello"),
    "append a service's message": lambda m: m.window(session="s").append({"role": "assistant"}),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_wrong_type_is_told(m: Any, call: Callable[[Any], Any]) -> None:
    with pytest.raises(UsageError):
        call(m)
    assert m.facts(status="all") == []
    assert m.log("s") == []


def test_who_gives_a_services_message_hears_how_to_read_it(m: Any) -> None:
    with pytest.raises(UsageError, match="from_openai"):
        m.window(session="s").append({"role": "assistant", "content": "Hello."})


@pytest.mark.parametrize("path", [5, None])
def test_a_path_is_text_or_a_path(world: Any, path: Any) -> None:
    world.path = path
    with pytest.raises(UsageError, match="path"):
        world.memory()


@pytest.mark.parametrize(
    "wrong", [{"settings": {"recall_k": 3}}, {"reranker": 5}, {"reranker": lambda q, texts: []}]
)
def test_what_a_store_is_opened_with_is_looked_at_first(world: Any, wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"Settings\(|a re-ranker has an async `scores`"):
        world.memory(**wrong)


def test_a_number_that_is_too_large_is_told_the_limit(m: Any) -> None:
    with pytest.raises(UsageError, match=r"k must be at most \d+"):
        m.recall("x", subjects=[ME], k=10**40)


def test_a_reviewer_names_what_is_wrong(world: Any, m: Any) -> None:
    reviewer = world.reviewer()
    with pytest.raises(MemorandaError):
        reviewer.approve(None)


@pytest.mark.parametrize(("role", "text"), [("alien", "x"), ("user", 5), ("user", None)])
def test_a_message_has_a_role_and_a_text(role: Any, text: Any) -> None:
    with pytest.raises(MessageError):
        said(role, text)


@pytest.mark.parametrize(("what", "said_so"), [("run", "run is empty; give it a name$")])
def test_an_example_is_of_the_same_kind(m: Any, what: str, said_so: str) -> None:
    with pytest.raises(UsageError, match=said_so):
        m.remember("The user is.", subject=ME, origin="user", **{what: ""})
