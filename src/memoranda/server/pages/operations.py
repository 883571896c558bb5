"""What was done: the operation log, with a way back for each that has one."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from memoranda.accounts import OperationsPage
from memoranda.errors import UnknownFact
from memoranda.memory import Memory
from memoranda.server import sight
from memoranda.server.doors import Person, Reading
from memoranda.server.pages.render import page
from memoranda.server.pages.words import FINAL, VERBS

router = APIRouter()


@router.get("/operations")
def operations(
    request: Request, memory: Reading, who: Person, after: str | None = None
) -> HTMLResponse:
    """The operations, newest first."""
    listed = sight.operations(memory.operations_page(after=after), who)
    texts = _texts(memory, listed, who)
    return page(
        request,
        "operations.html",
        listed=listed,
        after=after,
        texts=texts,
        verbs=VERBS,
        final=FINAL,
    )


def _texts(memory: Memory, listed: OperationsPage, who: str | None) -> dict[str, str | None]:
    """The text of each fact that is named and still there; None where whoever looks may not read it."""
    found: dict[str, str | None] = {}
    for fact_id in {fact_id for one in listed.operations for fact_id in one.operation.facts}:
        try:
            fact = memory.show(fact_id)
        except UnknownFact:
            continue
        found[fact_id] = fact.fact if sight.readable(fact, who) else None
    return found
