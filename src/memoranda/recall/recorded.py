"""Receipts as they are stored: what was put before a model, what was left out and why."""

from __future__ import annotations

import json

from memoranda.accounts import ReceiptEntry, RecordedItem, RecordedReceipt
from memoranda.core import Core
from memoranda.errors import UnknownReceipt
from memoranda.facts.rows import fact_of
from memoranda.gate.draft import name, string, whole
from memoranda.ports import Row
from memoranda.sessions.log import logged_of
from memoranda.types import LoggedMessage, from_micros

TURN = "turn:"
# Behind every id: they are of ASCII letters.
LAST_ID = "\U0010ffff"


async def receipt(core: Core, receipt_id: str) -> RecordedReceipt:
    """See `Memory.receipt`."""
    receipt_id = string("receipt", receipt_id)
    rows = await core.store.rows("receipt", tenant=core.tenant, id=receipt_id)
    if not rows:
        raise UnknownReceipt
    entry = await _entry(core, rows[0])
    items = await core.store.rows("receipt_items", tenant=core.tenant, receipt=entry.id)
    asked = await _message(core, entry.session, entry.message)
    return RecordedReceipt(
        entry,
        None if asked is None else asked.step,
        tuple([await _item(core, row) for row in items if row[1]]),
        tuple([await _item(core, row) for row in items if not row[1]]),
    )


async def receipts(
    core: Core, *, session: str | None = None, limit: int = 50
) -> list[ReceiptEntry]:
    """See `Memory.receipts`."""
    most = whole("limit", limit)
    if session is None:
        rows = await core.store.rows(
            "receipts_before", tenant=core.tenant, before=LAST_ID, most=most
        )
    else:
        rows = await core.store.rows(
            "receipts_of_session",
            tenant=core.tenant,
            session=name("session", session),
            most=most,
        )
    return [await _entry(core, row) for row in rows]


async def _entry(core: Core, row: Row) -> ReceiptEntry:
    receipt_id, session, run, at, subjects, considered, tokens, message = row
    counts = await core.store.rows("receipt_counts", tenant=core.tenant, receipt=receipt_id)
    return ReceiptEntry(
        receipt_id,
        session,
        run,
        from_micros(at),
        tuple(json.loads(subjects)),
        considered,
        tokens,
        message,
        *counts[0],
    )


async def _item(core: Core, row: Row) -> RecordedItem:
    item, _, score, reason = row
    if item.startswith(TURN):
        session, _, n = item.removeprefix(TURN).rpartition("#")
        message = await _message(core, session, int(n) if n.isdecimal() else None)
        return RecordedItem(item, score, reason, message=message)
    rows = await core.store.rows("fact", tenant=core.tenant, id=item)
    return RecordedItem(item, score, reason, fact=fact_of(rows[0]) if rows else None)


async def _message(core: Core, session: str | None, n: int | None) -> LoggedMessage | None:
    if session is None or n is None:
        return None
    rows = await core.store.rows("message", tenant=core.tenant, session=session, n=n)
    return logged_of(rows[0]) if rows else None
