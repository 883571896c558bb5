"""Erase for good: what would go is shown first, exactly that goes, and then what is left is told."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from memoranda.errors import UsageError
from memoranda.server import digests
from memoranda.server.doors import Changing
from memoranda.server.pages.notices import Notice, noticed, told
from memoranda.server.pages.render import page
from memoranda.types import Fact, Selection

router = APIRouter()

SHOWN = 200


@router.get("/facts/{fact_id}/erase")
def preview(request: Request, fact_id: str, hands: Changing) -> HTMLResponse:
    """What an erasure would take."""
    return _preview(request, fact_id, hands.memory.select(_one(fact_id), erase=True))


def _one(fact_id: str) -> Selection:
    return Selection(ids=(fact_id,))


def _preview(request: Request, fact_id: str, goes: list[Fact], status: int = 200) -> HTMLResponse:
    first = next(fact for fact in goes if fact.id == fact_id)
    return page(
        request,
        "erase.html",
        status,
        fact=first,
        others=[fact for fact in goes if fact.id != fact_id],
        shown=SHOWN,
        sign=digests.of_facts(goes),
        changed=status != 200,
    )


@router.post("/facts/{fact_id}/erase")
def erase(
    request: Request,
    fact_id: str,
    hands: Changing,
    sign: Annotated[str, Form()] = "",
    sure: Annotated[str, Form()] = "",
) -> Response:
    """Erase what was shown, if that is still all."""
    goes = hands.memory.select(_one(fact_id), erase=True)
    if digests.of_facts(goes) != sign:
        return _preview(request, fact_id, goes, 409)
    if not sure:
        raise UsageError(
            "nothing was erased: tick the box that says you are sure, for there is no undo"
        )
    done = hands.memory.erase(Selection(ids=tuple(fact.id for fact in goes)))
    says = f"Erased for good: {len(done.ids)} {'fact' if len(done.ids) == 1 else 'facts'}."
    return told(request, Notice(says, report=done), "/erased")


@router.get("/erased")
def erased(request: Request, hands: Changing) -> HTMLResponse:
    """What an erasure did, and what it leaves to a person. Told for a few minutes."""
    note = noticed(request)
    return page(request, "erased.html", report=note.report if note else None)
