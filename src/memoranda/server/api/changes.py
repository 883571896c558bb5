"""Add a statement of the person who is at the page, correct one, retire it, pin it. All of it needs the session."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path

from memoranda.errors import UnknownFact
from memoranda.server.api import asked, told
from memoranda.server.api.description import fails
from memoranda.server.api.fields import Id
from memoranda.server.api.routing import tagged
from memoranda.server.doors import Changing
from memoranda.types import Operation, Origin, Outcome

router = tagged("facts")
OneFact = Annotated[Id, Path()]


@router.post("/facts", response_model=told.Outcome, summary="Add a statement")
def remember(hands: Changing, body: asked.NewFact) -> Outcome:
    """Offer a statement to the gate, as the person's own. The verdict is the answer, a refusal too."""
    return hands.memory.remember(
        body.text,
        subject=body.subject,
        kind=body.kind,
        attribute=body.attribute,
        value=body.value,
        tags=body.tags,
        expires_at=body.expires_at,
        durable_reason=body.durable_reason,
        origin=Origin.OPERATOR,
    )


@router.post(
    "/facts/{fact_id}/correct",
    response_model=told.Outcome,
    responses=fails(UnknownFact),
    summary="Correct a fact",
)
def correct(hands: Changing, fact_id: OneFact, body: asked.Correction) -> Outcome:
    """Replace a live fact by a better wording of it: a new fact that supersedes the old."""
    return hands.memory.correct(fact_id, body.text, value=body.value)


@router.post(
    "/facts/{fact_id}/retire",
    response_model=told.Operation,
    responses=fails(UnknownFact),
    summary="Retire a fact",
)
def retire(hands: Changing, fact_id: OneFact, body: asked.Reason) -> Operation:
    """Forget it, with what was derived from it: never recalled again, kept for the trace, and `undo` takes it back."""
    return hands.memory.retire(fact_id, why=body.why)


@router.post(
    "/facts/{fact_id}/pin",
    response_model=told.Outcome,
    responses=fails(UnknownFact),
    summary="Pin a fact",
)
def pin(hands: Changing, fact_id: OneFact) -> Outcome:
    """Keep a live fact before the model in every request, within the cap of the standing block."""
    return hands.reviewer.pin(fact_id)


@router.post(
    "/facts/{fact_id}/unpin",
    response_model=told.Outcome,
    responses=fails(UnknownFact),
    summary="Unpin a fact",
)
def unpin(hands: Changing, fact_id: OneFact) -> Outcome:
    """Pin it no longer."""
    return hands.reviewer.unpin(fact_id)
