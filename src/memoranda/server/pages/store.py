"""The store: whether it is well, what it holds, what is never to be kept, and its upkeep."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from memoranda.memory import Memory
from memoranda.server.doors import Changing, Reading
from memoranda.server.pages.notices import Notice, told
from memoranda.server.pages.render import page
from memoranda.types import Health

router = APIRouter()


@router.get("/store")
def store(request: Request, memory: Reading) -> HTMLResponse:
    """What `doctor` says of it, rules of what is never kept, and files that nobody uses."""
    return _store(request, memory, memory.health(thorough=False))


@router.get("/store/check")
def check(request: Request, hands: Changing) -> HTMLResponse:
    """The same after every byte was looked at, which may take seconds, so a person asks for it."""
    return _store(request, hands.memory, hands.memory.health())


def _store(request: Request, memory: Memory, health: Health) -> HTMLResponse:
    return page(
        request,
        "store.html",
        health=health,
        rules=memory.never_list(),
        unused=memory.unused_files(),
        unused_days=memory.core.settings.file_unused_days,
    )


@router.post("/store/maintain")
def maintain(request: Request, hands: Changing) -> Response:
    """Do the upkeep."""
    rows = sum(hands.memory.maintain().values())
    says = f"The upkeep was done; {rows} {'row was' if rows == 1 else 'rows were'} touched."
    return told(request, Notice(says), "/store")


@router.get("/store/rescan")
def preview(request: Request, hands: Changing) -> HTMLResponse:
    """What the present rules would take out of what is kept. Looks at everything, so a person asks for it."""
    return page(request, "rescan.html", found=hands.memory.rescan(dry_run=True), done=False)


@router.post("/store/rescan")
def rescan(request: Request, hands: Changing) -> HTMLResponse:
    """Take it out. Sent twice it finds nothing the second time, so the answer can be a page."""
    return page(request, "rescan.html", found=hands.memory.rescan(), done=True)
