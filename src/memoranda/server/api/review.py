"""Review: what waits for a person, and what they decide. Reading it needs the session too."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any

from fastapi import Query

from memoranda.errors import UnknownFact, UsageError
from memoranda.server import digests
from memoranda.server.api import asked, told
from memoranda.server.api.description import fails
from memoranda.server.api.fields import Name, Run, Size, Subject
from memoranda.server.api.routing import tagged
from memoranda.server.doors import Changing, Hands
from memoranda.types import Origin, Outcome, ReviewItem

router = tagged("review")


@router.get("/review", response_model=told.Review, summary="What waits for a person")
def review(
    hands: Changing,
    subject: Annotated[Subject | None, Query()] = None,
    source: Annotated[Name | None, Query(examples=["https://example.org/"])] = None,
    run: Annotated[Run | None, Query()] = None,
    origin: Annotated[Origin | None, Query(examples=["external"])] = None,
    size: Annotated[Size, Query(examples=[10])] = 50,
) -> dict[str, list[dict[str, Any]]]:
    """Oldest first, each with the gate's reasons, flags of its wording, what its approval would replace, and a digest
    of what is shown here."""
    waiting = hands.reviewer.batch(
        subject=subject, source=source, run=run, origin=origin, limit=size
    )
    return {"items": [_told(item) for item in waiting]}


def _told(item: ReviewItem) -> dict[str, Any]:
    shown = {field.name: getattr(item, field.name) for field in fields(item)}
    return {**shown, "digest": digests.of_item(item)}


@router.post(
    "/review/approve",
    response_model=told.Outcome,
    responses=fails(UnknownFact),
    summary="Approve a held fact",
)
def approve(hands: Changing, body: asked.Approval) -> Outcome:
    """Make it live, or with `text` an edited one in its place; with the `digest` that was told of it, only if it and
    what it would replace are still the same."""
    _as_seen(hands, [body.id], None if body.digest is None else [body.digest])
    return hands.reviewer.approve(body.id, text=body.text)


@router.post(
    "/review/approve-many",
    response_model=told.Outcomes,
    responses=fails(UnknownFact),
    summary="Approve several held facts",
)
def approve_many(hands: Changing, body: asked.Several) -> dict[str, list[Outcome]]:
    """All in one transaction, which `undo` takes back; with their digests, only if all are still what was told."""
    _as_seen(hands, body.ids, body.digests)
    return {"outcomes": hands.reviewer.approve_all(body.ids)}


def _as_seen(hands: Hands, ids: list[str], seen: list[str] | None) -> None:
    """Raise `UsageError` unless all of this is what was told, where digests of that are given."""
    if seen is None:
        return
    if len(seen) != len(ids):
        raise UsageError("nothing was approved: give one digest for each id")
    if not digests.unchanged(hands, list(zip(ids, seen, strict=True))):
        raise UsageError(
            "nothing was approved: it waits no longer, or its approval would replace something else; look again"
        )


@router.post(
    "/review/reject",
    response_model=told.Count,
    responses=fails(UnknownFact),
    summary="Turn down held facts",
)
def reject(hands: Changing, body: asked.Rejection) -> dict[str, int]:
    """They stay for the trace and are never recalled."""
    return {"count": hands.reviewer.reject(body.ids, why=body.why)}


@router.post("/review/reject-all", response_model=told.Count, summary="Turn down all from a source")
def reject_all(hands: Changing, body: asked.RejectionOfAll) -> dict[str, int]:
    """All that is held from a source, run or origin, in one operation, which `undo` takes back."""
    done = hands.reviewer.reject_all(
        source=body.source, run=body.run, origin=body.origin, why=body.why
    )
    return {"count": done}
