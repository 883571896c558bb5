"""The store: whether it is well, what it holds, what is never to be kept, and its upkeep."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from memoranda.server.doors import Changing, Reading
from memoranda.server.pages.going import on_to
from memoranda.server.pages.render import page

router = APIRouter()


@router.get("/store")
def store(
    request: Request, memory: Reading, done: Annotated[str, Query(max_length=40)] = ""
) -> HTMLResponse:
    """What `doctor` says of it, rules of what is never kept, and files that nobody uses."""
    return page(
        request,
        "store.html",
        health=memory.health(),
        rules=memory.never_list(),
        unused=memory.unused_files(),
        unused_days=memory.core.settings.file_unused_days,
        done=done,
    )


@router.post("/store/maintain")
def maintain(hands: Changing) -> Response:
    """Do the upkeep."""
    hands.memory.maintain()
    return on_to("/store", done="maintained")


@router.get("/store/rescan")
def preview(request: Request, hands: Changing) -> HTMLResponse:
    """What the present rules would take out of what is kept. Looks at everything, so a person asks for it."""
    return page(request, "rescan.html", found=hands.memory.rescan(dry_run=True), done=False)


@router.post("/store/rescan")
def rescan(request: Request, hands: Changing) -> HTMLResponse:
    """Take it out. Sent twice it finds nothing the second time, so the answer can be a page."""
    return page(request, "rescan.html", found=hands.memory.rescan(), done=True)
