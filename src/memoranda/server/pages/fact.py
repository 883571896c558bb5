"""One fact: what it says, where it came from, how far it came, and what a person does about it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from memoranda.facts.cohorts import TAKEN
from memoranda.facts.lifetimes import over
from memoranda.gate.reasons import reason_of
from memoranda.memory import Memory
from memoranda.server import sight
from memoranda.server.doors import Changing, Person, Reading
from memoranda.server.pages.notices import Notice, told
from memoranda.server.pages.render import page
from memoranda.server.pages.visible import UNSEEN
from memoranda.types import Fact, Outcome, Selection, Trace, Verdict

router = APIRouter()

Text = Annotated[str, Form()]
# What a person decided about a fact, and may think better of.
UNDOABLE = ("retire", "rollback", "correct", "approve", "reject", "pin", "unpin")


@router.get("/facts/{fact_id}")
def fact(request: Request, fact_id: str, memory: Reading, who: Person) -> HTMLResponse:
    """Everything about one fact."""
    trace = memory.why(fact_id)
    one = sight.read_by(trace.fact, who)
    blast = memory.blast(fact_id)
    derived = [far for far in blast.reached if len(far.path) == 1 and far.path[0].run is None]
    shaped = [far for far in blast.reached if far not in derived]
    return page(
        request,
        "fact.html",
        fact=one,
        expired=over(one, memory.core.settings, memory.core.clock.now()),
        changes=sight.trace(trace, who).changes,
        chain=[version for version in trace.chain if version.id != one.id],
        sources=trace.sources,
        derived=[far.fact for far in derived],
        shaped=shaped,
        recalled=trace.recalled,
        goes=going(memory, one) if who else [],
        undo=_undo(trace) if who else None,
        readable=lambda other: sight.readable(other, who),
    )


def going(memory: Memory, one: Fact) -> list[Fact]:
    """What is forgotten with a fact."""
    if one.status not in TAKEN:
        return []
    return [also for also in memory.select(Selection(ids=(one.id,))) if also.id != one.id]


def _undo(trace: Trace) -> str | None:
    """The operation behind the state that the fact has now, where a person may take that back."""
    last = trace.changes[-1] if trace.changes else None
    return last.operation if last and last.verb in UNDOABLE else None


@router.post("/facts/{fact_id}/correct")
def correct(
    request: Request, fact_id: str, hands: Changing, text: Text = "", value: Text = ""
) -> Response:
    """Put a corrected sentence in the place of this one."""
    old = hands.memory.show(fact_id)
    text = " ".join(text.split())
    if text in ("", UNSEEN.sub("", old.fact)) and value.strip() == (old.value or ""):
        says = "Nothing was changed: the sentence is the same as before."
        return told(request, Notice(says, "warn"), f"/facts/{fact_id}")
    done = hands.memory.correct(fact_id, text, value=value_of(old, text, value))
    if done.id is None:
        return page(
            request,
            "correct.html",
            422,
            fact=old,
            text=text,
            value=value,
            reasons=meanings(done.reasons),
        )
    return told(request, _corrected(done, fact_id), f"/facts/{done.id}")


def value_of(old: Fact, text: str, value: str) -> str | None:
    """The value that a person meant; None for one that they left as it was though the sentence has it no longer."""
    value = value.strip()
    left = value == old.value and value.casefold() not in text.casefold()
    return None if left or not old.attribute else value or None


def _corrected(done: Outcome, fact_id: str) -> Notice:
    back = f"/facts/{fact_id}"
    if done.status is Verdict.HELD:
        why = "; ".join(meanings(done.reasons))
        says = f"Not replaced yet. Your sentence waits under Review, because: {why}. The old one still holds."
        return Notice(says, "warn", done.operation, back)
    if done.status is Verdict.CONFIRMED:
        return Notice(
            "This was known already, and nothing was added.", "warn", done.operation, back
        )
    return Notice(
        "Corrected. This sentence holds now, and the old one will not be recalled again.",
        undo=done.operation,
        back=back,
    )


def meanings(reasons: tuple[str, ...]) -> list[str]:
    """What the gate's reasons mean, in words."""
    known = [(name, reason_of(name)) for name in reasons]
    return [reason.meaning.replace("`", "") if reason else name for name, reason in known]


@router.post("/facts/{fact_id}/forget")
def forget(request: Request, fact_id: str, hands: Changing, why: Text = "") -> Response:
    """Never recall this fact again, nor what was derived from it."""
    done = hands.memory.retire(Selection(ids=(fact_id,)), why=why)
    others = len([one for one in done.facts if one != fact_id])
    says = "Forgotten. It will not be recalled again; it is kept here for the trace."
    if others:
        says += f" {others} more went with it, because {'it was' if others == 1 else 'they were'} derived from it."
    at = f"/facts/{fact_id}"
    return told(request, Notice(says, undo=done.id, back=at), at)


@router.post("/facts/{fact_id}/pin")
def pin(request: Request, fact_id: str, hands: Changing) -> Response:
    """Keep a fact before the model in every conversation about its subject."""
    done = hands.reviewer.pin(fact_id)
    says = "Pinned. It stands in every new conversation about this subject."
    if "over-cap" in done.reasons:
        says += (
            " More is pinned than has room there: unpin something, or the last ones are left out."
        )
    return _changed(request, fact_id, done, says)


@router.post("/facts/{fact_id}/unpin")
def unpin(request: Request, fact_id: str, hands: Changing) -> Response:
    """Keep it there no longer."""
    done = hands.reviewer.unpin(fact_id)
    return _changed(request, fact_id, done, "Unpinned. It is recalled when it answers a question.")


def _changed(request: Request, fact_id: str, done: Outcome, says: str) -> Response:
    at = f"/facts/{fact_id}"
    return told(request, Notice(says, undo=done.operation, back=at), at)
