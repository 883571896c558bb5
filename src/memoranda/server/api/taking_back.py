"""Take back: what a selection takes, retire it, erase it, roll back a run, undo; and the log of all operations."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query

from memoranda.accounts import OperationsPage, RunsPage
from memoranda.errors import UndoConflict, UnknownFact, UnknownOperation, UsageError
from memoranda.server import digests, sight
from memoranda.server.api import asked, told
from memoranda.server.api.description import fails
from memoranda.server.api.fields import Cursor, Id, Size
from memoranda.server.api.routing import tagged
from memoranda.server.doors import Changing, Person, Reading
from memoranda.types import Erasure, Fact, Operation, Selection

router = tagged("taking back")


@router.post(
    "/selections/preview",
    response_model=told.Facts,
    responses=fails(UnknownFact),
    summary="What would be taken",
)
def preview(hands: Changing, body: asked.Preview) -> dict[str, Any]:
    """The facts that retiring or erasing this selection would take, with all that came of them. Changes nothing."""
    return previewed(hands.memory.select(body.selection.chosen(), erase=body.erase))


def previewed(facts: list[Fact]) -> dict[str, Any]:
    """Facts that a verb would take, with their digest."""
    return {"facts": facts, "digest": digests.of_facts(facts)}


@router.post(
    "/selections/retire",
    response_model=told.Operation,
    responses=fails(UnknownFact),
    summary="Retire a selection",
)
def retire_selection(hands: Changing, body: asked.Retirement) -> Operation:
    """Forget all of it in one operation, which `undo` takes back."""
    return hands.memory.retire(body.selection.chosen(), why=body.why)


@router.post(
    "/selections/erase",
    response_model=told.Erasure,
    responses=fails(UnknownFact),
    summary="Erase a selection",
)
def erase(hands: Changing, body: asked.Erasing) -> Erasure:
    """Remove it from the bytes of the store. There is no undo; the answer says what is left. With the `digest` of a
    preview only what that showed is erased."""
    chosen = body.selection.chosen()
    if body.digest is None:
        return hands.memory.erase(chosen)
    goes = hands.memory.select(chosen, erase=True)
    if digests.of_facts(goes) != body.digest:
        raise UsageError(
            "nothing was erased: other facts would go than those that were shown; look again"
        )
    return hands.memory.erase(Selection(ids=tuple(fact.id for fact in goes)))


@router.get("/runs", response_model=told.RunsPage, summary="A page of runs that wrote facts")
def runs(
    memory: Reading,
    person: Person,
    after: Annotated[Cursor | None, Query()] = None,
    size: Annotated[Size, Query(examples=[50])] = 50,
) -> RunsPage:
    """The latest writer first. Without a session only what of them is believed."""
    return sight.runs(memory.runs_page(after=after, size=size), person)


@router.post("/runs/preview", response_model=told.Facts, summary="What a roll-back would take")
def preview_rollback(hands: Changing, body: asked.OfRun) -> dict[str, Any]:
    """What a run (or some of its steps) wrote, and everything derived from that. Changes nothing."""
    return previewed(hands.memory.select(Selection(run=body.run, steps=body.span)))


@router.post("/runs/rollback", response_model=told.Operation, summary="Roll back a run")
def rollback(hands: Changing, body: asked.Rollback) -> Operation:
    """Retire what it wrote and everything derived from that; what it had replaced holds again. `undo` takes it back."""
    return hands.memory.rollback(body.of_run.run, steps=body.of_run.span, why=body.why)


@router.get("/operations", response_model=told.OperationsPage, summary="A page of operations")
def operations(
    memory: Reading,
    person: Person,
    after: Annotated[Cursor | None, Query()] = None,
    size: Annotated[Size, Query(examples=[50])] = 50,
) -> OperationsPage:
    """Who did what, when and why, newest first. The reasons are told with the session alone."""
    return sight.operations(memory.operations_page(after=after, size=size), person)


@router.get(
    "/operations/{operation_id}",
    response_model=told.Operation,
    responses=fails(UnknownOperation),
    summary="One operation",
)
def operation(
    memory: Reading,
    person: Person,
    operation_id: Annotated[Id, Path(examples=["o_01jdyq4c6s8m2n0v3x5z7b9d1f"])],
) -> Operation:
    """An operation with all facts that it changed."""
    return sight.operation(memory.operation(operation_id), person)


@router.post(
    "/undo",
    response_model=told.Operation,
    responses=fails(UnknownOperation, UndoConflict),
    summary="Undo an operation",
)
def undo(hands: Changing, body: asked.Undo) -> Operation:
    """Take back an operation: each fact gets the state that it had before."""
    return hands.memory.undo(body.operation)
