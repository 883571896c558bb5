"""Take back what was just done, or what was done before."""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import parse_qsl, urlsplit

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from memoranda.errors import UndoConflict, UsageError
from memoranda.server.doors import Changing
from memoranda.server.pages.notices import Notice, told
from memoranda.server.pages.render import problem_page
from memoranda.server.problems import status_of

router = APIRouter()

# A page of this server, and nothing that a browser would take for an address elsewhere.
OURS = re.compile(r"/(?![/\\])[\x21-\x7e]*")


@router.post("/undo")
def undo(
    request: Request,
    hands: Changing,
    operation: Annotated[str, Form()] = "",
    back: Annotated[str, Form()] = "/",
) -> Response:
    """Take back one operation, and be where the person was."""
    if not operation:
        raise UsageError("undo what? The page did not say; go back and choose it again")
    try:
        done = hands.memory.undo(operation)
    except UndoConflict as conflict:
        says = f"Nothing was changed. {str(conflict)[:1].upper()}{str(conflict)[1:]}"
        return problem_page(
            request, status_of(conflict), says, title="This cannot be undone any more"
        )
    at = back if OURS.fullmatch(back) else "/"
    many = len(done.facts)
    says = f"Undone: {many} {'fact is' if many == 1 else 'facts are'} as before."
    return back_to(request, Notice(says, undo=done.id, back=at), at)


def back_to(request: Request, notice: Notice, at: str) -> Response:
    """To a page of this server whose address has a query and an anchor of its own."""
    parts = urlsplit(at)
    query = {name: value for name, value in parse_qsl(parts.query) if name != "note"}
    return told(request, notice, parts.path, parts.fragment, **query)
