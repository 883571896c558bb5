"""The list of facts: the first page."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from memoranda.server.doors import Reading
from memoranda.server.pages.render import page

router = APIRouter()


@router.get("/")
def front(request: Request, memory: Reading) -> HTMLResponse:
    """Everything that is remembered, newest first."""
    return page(request, "facts.html", facts=memory.facts()[:50])
