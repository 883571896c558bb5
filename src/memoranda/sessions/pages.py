"""Sessions and their messages by the page, and the steps of one."""

from __future__ import annotations

from memoranda.accounts import LogPage, SessionEntry, SessionsPage, StepEntry
from memoranda.core import Core
from memoranda.errors import UnknownSession, UsageError
from memoranda.gate.draft import name, whole
from memoranda.paging import LARGEST, cursor, holds, page_size, place, walk, wanted_words
from memoranda.ports import Row
from memoranda.sessions.log import logged_of
from memoranda.types import from_micros


async def sessions_page(
    core: Core, *, words: str = "", after: str | None = None, size: int = 50
) -> SessionsPage:
    """See `Memory.sessions_page`."""
    size, wanted = page_size(size), wanted_words(words)
    start = (LARGEST, "") if after is None else place("sessions", after, int, str)

    async def piece(last: Row | None, count: int) -> tuple[list[Row], bool]:
        at, session = start if last is None else (last[3], last[0])
        rows = await core.store.rows(
            "sessions_before", tenant=core.tenant, at=at, session=session, most=count
        )
        return rows, len(rows) == count

    async def pick(row: Row) -> SessionEntry | None:
        return _entry(row) if not wanted or holds(wanted, row[0]) else None

    walked = await walk(piece, pick, size)
    last = walked.last
    behind = None if last is None else cursor("sessions", last[3], last[0])
    return SessionsPage(tuple(walked.found), behind)


def _entry(row: Row) -> SessionEntry:
    session, messages, first, last = row
    return SessionEntry(session, messages, from_micros(first), from_micros(last))


async def session_of(core: Core, session: str) -> SessionEntry:
    """What the log has of a session. Raises `UnknownSession`."""
    rows = await core.store.rows("session", tenant=core.tenant, session=name("session", session))
    if not rows:
        raise UnknownSession
    return _entry(rows[0])


async def log_page(
    core: Core, session: str, *, after: int = 0, before: int | None = None, size: int = 50
) -> LogPage:
    """See `Memory.log_page`."""
    size, entry = page_size(size), await session_of(core, session)
    after, before = whole("after", after), None if before is None else whole("before", before)
    if after and before is not None:
        raise UsageError("give `after` or `before`, not both")
    if before is None:
        rows = await core.store.rows(
            "messages_from",
            tenant=core.tenant,
            session=entry.session,
            after=after,
            most=size + 1,
        )
        kept, more = rows[:size], len(rows) > size
        behind, in_front = (kept[-1][1] if more else None), (after + 1 if after else None)
    else:
        rows = await core.store.rows(
            "messages_up_to",
            tenant=core.tenant,
            session=entry.session,
            before=before,
            most=size + 1,
        )
        kept, more = rows[:size][::-1], len(rows) > size
        behind, in_front = max(before - 1, 0) or None, (kept[0][1] if more else None)
    receipts = await _receipts(core, entry.session, kept)
    return LogPage(entry, tuple(map(logged_of, kept)), behind, in_front, receipts)


async def _receipts(core: Core, session: str, rows: list[Row]) -> dict[int, str]:
    if not rows:
        return {}
    found = await core.store.rows(
        "receipts_of_messages",
        tenant=core.tenant,
        session=session,
        first=rows[0][1],
        last=rows[-1][1],
    )
    return dict(found)


async def steps(core: Core, session: str) -> list[StepEntry]:
    """See `Memory.steps`."""
    entry = await session_of(core, session)
    rows = await core.store.rows("steps_of_session", tenant=core.tenant, session=entry.session)
    return [
        StepEntry(step, count, first, last, from_micros(start), from_micros(end))
        for step, count, first, last, start, end in rows
    ]
