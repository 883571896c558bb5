"""Sessions of the log: the list, and the messages of one with the receipt of each turn and what was learnt from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from memoranda.memory import Memory
from memoranda.server.doors import Person, Reading, of_a_person
from memoranda.server.pages.messages import Shown, shown
from memoranda.server.pages.render import page
from memoranda.sessions.log import message_of
from memoranda.types import Fact, LoggedMessage, Selection

router = APIRouter()

Session = Annotated[str, Query(max_length=1000)]
SIZE = 50


@dataclass(frozen=True, slots=True)
class Line:
    """A message of the log with its parts, its receipt (None: nothing was asked for it) and the facts of its step."""

    logged: LoggedMessage
    parts: list[Shown]
    receipt: str | None
    facts: list[Fact]


@router.get("/sessions")
def sessions(
    request: Request,
    memory: Reading,
    words: Annotated[str, Query(max_length=200)] = "",
    after: str | None = None,
) -> HTMLResponse:
    """The sessions, the latest spoken in first."""
    listed = memory.sessions_page(words=words, after=after)
    return page(request, "sessions.html", listed=listed, words=words)


@router.get("/sessions/one")
def one(
    request: Request,
    memory: Reading,
    who: Person,
    session: Session,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
) -> HTMLResponse:
    """Messages of a session, in order: to a person, for they hold what came from outside as it came."""
    of_a_person(who)
    found = memory.log_page(session, after=after, before=before, size=SIZE)
    facts = learnt(memory, session)
    last = memory.log(session, limit=1)[-1].n
    lines = [_line(message, found.receipts, facts) for message in found.messages]
    return page(
        request,
        "session.html",
        session=found.session,
        lines=lines,
        after=found.after if (found.after or 0) < last else None,
        before=found.before,
        facts=sum(map(len, facts.values())),
        last=last,
    )


def learnt(memory: Memory, session: str) -> dict[int | None, list[Fact]]:
    """The facts that came from a session and are believed or wait, by the step they were said in."""
    found: dict[int | None, list[Fact]] = {}
    source = f"session:{session}"
    for fact in memory.select(Selection(source=source)):
        if fact.source_ref == source:  # not what was derived from it
            found.setdefault(fact.source_step, []).append(fact)
    return found


def _line(
    message: LoggedMessage, receipts: Mapping[int, str], facts: dict[int | None, list[Fact]]
) -> Line:
    """A message; what was learnt in its step stands under what the user said there."""
    said = message.step is not None and message.role == "user"
    here = [f for f in facts.get(message.step, []) if said and f.source_run == message.run]
    return Line(message, shown(message_of(message)), receipts.get(message.n), here)
