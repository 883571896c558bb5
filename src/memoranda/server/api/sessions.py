"""Sessions: the log of them, what was recalled in them, and what their window held. The words need the session.

The log holds what came from outside as it came, and no person has looked at that.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from fastapi import Path, Query

from memoranda.accounts import LogPage, ReceiptEntry, RecordedItem, RecordedReceipt, SessionsPage
from memoranda.errors import NotAllowed, UnknownReceipt, UnknownSession, WindowError
from memoranda.messages.neutral import to_json
from memoranda.server import sight
from memoranda.server.api import told_log
from memoranda.server.api.description import fails
from memoranda.server.api.fields import Cursor, Id, Session, Size, Step, Subject, Words
from memoranda.server.api.routing import tagged
from memoranda.server.doors import Person, Reading, of_a_person
from memoranda.window.bill import Bill

router = tagged("sessions")
OfSession = Annotated[Session, Query()]
OneSubject = Annotated[Subject | None, Query(description="Only what was said with this subject.")]
Budget = Annotated[
    Step | None, Query(description="Tokens of the window; left out: the setting.", examples=[8000])
]


@router.get("/sessions", response_model=told_log.SessionsPage, summary="A page of sessions")
def sessions(
    memory: Reading,
    words: Annotated[Words, Query(examples=["session"])] = "",
    after: Annotated[Cursor | None, Query()] = None,
    size: Annotated[Size, Query(examples=[50])] = 50,
) -> SessionsPage:
    """The latest spoken in first."""
    return memory.sessions_page(words=words, after=after, size=size)


@router.get(
    "/messages",
    response_model=told_log.LogPage,
    responses=fails(UnknownSession, NotAllowed),
    summary="A page of a session's messages",
)
def messages(
    memory: Reading,
    person: Person,
    session: OfSession,
    after: Annotated[Step, Query(description="Behind this number.", examples=[0])] = 0,
    before: Annotated[
        Step | None, Query(description="The last ones before this number.", examples=[100])
    ] = None,
    size: Annotated[Size, Query(examples=[50])] = 50,
) -> LogPage:
    """In order, as they were sent, secrets replaced. Needs the session."""
    of_a_person(person)
    return memory.log_page(session, after=after, before=before, size=size)


@router.get("/receipts", response_model=told_log.Receipts, summary="The latest receipts")
def receipts(
    memory: Reading,
    session: Annotated[Session | None, Query()] = None,
    size: Annotated[Size, Query(examples=[50])] = 50,
) -> dict[str, list[ReceiptEntry]]:
    """What was recalled, newest first: of one session or of all."""
    return {"receipts": memory.receipts(session=session, limit=size)}


@router.get(
    "/receipts/{receipt_id}",
    response_model=told_log.Receipt,
    responses=fails(UnknownReceipt),
    summary="One receipt",
)
def receipt(
    memory: Reading,
    person: Person,
    receipt_id: Annotated[Id, Path(examples=["r_01jdyq4c6s8m2n0v3x5z7b9d1f"])],
) -> RecordedReceipt:
    """A recall as it is stored: what was chosen with scores, what was left out and why."""
    found = memory.receipt(receipt_id)
    if person is not None:
        return found
    return replace(
        found,
        chosen=tuple(map(_without_words, found.chosen)),
        left_out=tuple(map(_without_words, found.left_out)),
    )


def _without_words(item: RecordedItem) -> RecordedItem:
    """The item without what only a person may read."""
    kept = item.fact if item.fact is not None and sight.is_believed(item.fact) else None
    return replace(item, fact=kept, message=None)


@router.get(
    "/window",
    response_model=told_log.Replay,
    responses=fails(UnknownSession, NotAllowed),
    summary="What a session's window held",
)
def replay(
    memory: Reading,
    person: Person,
    session: OfSession,
    subject: OneSubject = None,
    budget: Budget = None,
) -> Bill:
    """Every model call of the session as a window of `budget` tokens would have made it, with its compactions. Needs
    the session."""
    of_a_person(person)
    return memory.replay(session, subject=subject, budget=budget)


@router.get(
    "/window/request",
    response_model=told_log.Request,
    responses=fails(UnknownSession, NotAllowed, WindowError),
    summary="The request before the answer of a step",
)
def window_request(
    memory: Reading,
    person: Person,
    session: OfSession,
    step: Annotated[Step, Query()],
    subject: OneSubject = None,
    budget: Budget = None,
) -> dict[str, Any]:
    """Exactly what a window of `budget` tokens would have sent. Needs the session."""
    of_a_person(person)
    built = memory.window_at(session, step, subject=subject, budget=budget)
    return {
        "system": built.system,
        "messages": [to_json(message) for message in built.messages],
        "tokens": built.tokens,
        "compaction": built.compaction,
    }
