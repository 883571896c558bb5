"""What was done: the operation log, with a way back for each that has one."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from memoranda.accounts import OperationsPage
from memoranda.errors import UnknownFact
from memoranda.memory import Memory
from memoranda.server.doors import Reading
from memoranda.server.pages.render import page
from memoranda.server.pages.words import FINAL, VERBS

router = APIRouter()


@router.get("/operations")
def operations(request: Request, memory: Reading, after: str | None = None) -> HTMLResponse:
    """The operations, newest first."""
    listed = memory.operations_page(after=after)
    texts = _texts(memory, listed)
    return page(
        request,
        "operations.html",
        listed=listed,
        after=after,
        texts=texts,
        verbs=VERBS,
        final=FINAL,
    )


def _texts(memory: Memory, listed: OperationsPage) -> dict[str, str]:
    """The text of each fact that is named, as far as it is still there."""
    found = {}
    for fact_id in {fact_id for one in listed.operations for fact_id in one.operation.facts}:
        try:
            found[fact_id] = memory.show(fact_id).fact
        except UnknownFact:
            continue
    return found
