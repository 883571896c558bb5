"""A turn's receipt: what was put before the model for it, and what was left out and why."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from memoranda.accounts import ReceiptEntry, RecordedItem
from memoranda.memory import Memory
from memoranda.server import sight
from memoranda.server.doors import Person, Reading
from memoranda.server.pages.render import page
from memoranda.server.pages.words import LEFT_OUT
from memoranda.sessions.log import message_of
from memoranda.types import LoggedMessage

router = APIRouter()
LONGEST = 600


@router.get("/receipts/{receipt}")
def one(request: Request, memory: Reading, who: Person, receipt: str) -> HTMLResponse:
    """The receipt, with the facts as they stand now."""
    found = memory.receipt(receipt)
    asked = "" if who is None else _asked(memory, found.entry)
    return page(
        request,
        "receipt.html",
        receipt=found,
        asked=asked,
        said=said,
        reasons=LEFT_OUT,
        unread={one.id for one in (*found.chosen, *found.left_out) if not _may(one, who)},
    )


def _may(item: RecordedItem, who: str | None) -> bool:
    """Whether whoever looks may read it: the words of the log are for a person."""
    return who is not None or (
        item.message is None and (item.fact is None or sight.readable(item.fact, who))
    )


def _asked(memory: Memory, entry: ReceiptEntry) -> str:
    """What the user said in the turn, as the log has it now; "" where it is not known."""
    if entry.session is None or not entry.message:
        return ""
    found = memory.log_page(entry.session, after=entry.message - 1, size=1).messages
    return said(found[0]) if found and found[0].n == entry.message else ""


def said(message: LoggedMessage) -> str:
    """The words of a message, of its results where it has no others, cut to what a list can show."""
    read = message_of(message)
    text = read.text or "\n".join(result.text for result in read.results)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} [...]"
