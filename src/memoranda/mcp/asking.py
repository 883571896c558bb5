"""What waits may be asked about at once: of the person whom the client speaks for, and of nobody else.

The item stands in the queue before anybody is asked, so a client that goes away, or cannot ask, loses nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mcp.server.mcpserver import (
    AcceptedElicitation,
    CancelledElicitation,
    Context,
    DeclinedElicitation,
    Elicit,
)
from mcp_types import CallToolResult
from pydantic import BaseModel, Field

from memoranda.mcp.door import PATIENCE, Door, door_of
from memoranda.mcp.views import Kept, answer, plain
from memoranda.types import Outcome, Verdict

# A sentence of the wrong shape must be edited, and that takes more than a yes.
SHAPES = {"over-300-characters", "over-length", "several-sentences", "not-self-contained"}
HINT = "to say it better, offer one short sentence that names who or what it is about, in the third person"
WORDS = {
    "accepted": "remembered",
    "confirmed": "known already",
    "refused": "not remembered",
    "declined": "turned down by the person; do not propose it again",
}


class Decision(BaseModel):
    """What a person is asked."""

    # Strict: a client that sends "yes" or 1 did not show the form that it was given.
    approve: bool = Field(
        strict=True, title="Agree", description="Yes: it is done now. No: it is turned down."
    )


class Unasked(Decision):
    """Nobody was asked."""

    approve: bool = False


Decided = AcceptedElicitation[Decision] | DeclinedElicitation | CancelledElicitation


@dataclass(frozen=True, slots=True)
class Offer:
    """What the gate did with something, and the question about it, should it wait."""

    outcome: Outcome
    question: str
    # What the answer says of something carried out, where that is not "remembered".
    done: str = "remembered"


async def ask(context: Context[Any, Any], offer: Offer) -> Decision | Elicit[Decision]:
    """The question about what waits, if there is somebody to ask."""
    waits = offer.outcome.status is Verdict.HELD and not SHAPES & set(offer.outcome.reasons)
    if waits and may_ask(door_of(context), context):
        return Elicit(offer.question, Decision)
    return Unasked()


def may_ask(door: Door, context: Context[Any, Any]) -> bool:
    """Whether the owner said that this client speaks for a person, it can ask them, and they are not tired of it."""
    offered = context.client_capabilities.elicitation if context.client_capabilities else None
    forms = offered is not None and (offered.form is not None or offered.url is None)
    return door.grant.speaks_for is not None and forms and door.noes < PATIENCE


async def settle(door: Door, offer: Offer, decided: Decided) -> CallToolResult:
    """Carry out what the person decided, and say what became of the offer."""
    outcome, reviewer = offer.outcome, door.reviewer()
    unasked = isinstance(decided, CancelledElicitation) or (
        isinstance(decided, AcceptedElicitation) and isinstance(decided.data, Unasked)
    )
    if isinstance(decided, CancelledElicitation):
        door.noes += 1
    if outcome.status is not Verdict.HELD or outcome.id is None or unasked or reviewer is None:
        return reported(outcome, offer.done)
    if isinstance(decided, AcceptedElicitation) and decided.data.approve:
        door.noes = 0
        return reported(await reviewer.approve(outcome.id), offer.done)
    door.noes += 1
    await reviewer.reject([outcome.id], why="declined when asked")
    return answer(WORDS["declined"], Kept(status="declined", id=outcome.id))


def reported(outcome: Outcome, done: str = "remembered") -> CallToolResult:
    """An outcome for a model: the verdict and its named reasons, nothing of what is kept."""
    why = f" ({', '.join(map(plain, outcome.reasons))})" if outcome.reasons else ""
    status = "pending" if outcome.status is Verdict.HELD else outcome.status.value
    if outcome.status is Verdict.HELD:
        text = f"pending, id {outcome.id}{why}: not done before a person decides, with: memoranda review"
        text += f"; {HINT}" if SHAPES & set(outcome.reasons) else ""
    elif outcome.status is Verdict.ACCEPTED:
        text = f"{done}, id {outcome.id}{why}"
    else:
        text = f"{WORDS[outcome.status.value]}{why}"
    kept = Kept.model_validate({"status": status, "id": outcome.id, "reasons": [*outcome.reasons]})
    return answer(text, kept, is_error=outcome.status is Verdict.REFUSED)
