"""Subjects, runs and operations by the page, and what there is in all, as far as it is quickly counted."""

from __future__ import annotations

from memoranda.accounts import (
    Counts,
    OperationEntry,
    OperationsPage,
    RunEntry,
    RunsPage,
    SubjectsPage,
)
from memoranda.core import Core
from memoranda.errors import UnknownOperation
from memoranda.facts.lifetimes import patience
from memoranda.facts.reading import EVERY, operation_of
from memoranda.gate.draft import string, whole
from memoranda.paging import LARGEST, cursor, holds, page_size, place, walk, wanted_words
from memoranda.ports import Row
from memoranda.types import Operation, Status, from_micros

COUNTED = 1000
FEW = 20
# Each run that is found costs some more look-ups.
LOOK_RUNS = 10_000
STANDING = (Status.LIVE, Status.PENDING)
# Behind every id: they are of ASCII letters.
LAST_ID = "\U0010ffff"


async def counts(core: Core, *, most: int = COUNTED) -> Counts:
    """See `Memory.counts`."""
    most = whole("most", most)
    now = core.clock.now()
    rows = await core.store.rows(
        "counts_up_to", tenant=core.tenant, now=now, since=now - patience(core.settings), most=most
    )
    live, pending, subjects, sessions = rows[0]
    return Counts(live, pending, subjects, sessions, most)


async def subjects_page(
    core: Core, *, words: str = "", after: str | None = None, size: int = 50
) -> SubjectsPage:
    """See `Memory.subjects_page`."""
    size, wanted = page_size(size), wanted_words(words)
    start = "" if after is None else place("subjects", after, str)[0]

    async def piece(last: Row | None, count: int) -> tuple[list[Row], bool]:
        behind = start if last is None else last[0]
        rows = await core.store.rows("subjects_after", tenant=core.tenant, after=behind, most=count)
        return rows, len(rows) == count

    async def pick(row: Row) -> str | None:
        return row[0] if not wanted or holds(wanted, row[0]) else None

    walked = await walk(piece, pick, size)
    now = core.clock.now()
    found = []
    for subject in walked.found:
        live = await core.store.rows(
            "live_up_to", tenant=core.tenant, subject=subject, now=now, most=COUNTED
        )
        found.append((subject, live[0][0]))
    behind = None if walked.last is None else cursor("subjects", walked.last[0])
    return SubjectsPage(tuple(found), behind, COUNTED)


async def runs_page(core: Core, *, after: str | None = None, size: int = 50) -> RunsPage:
    """See `Memory.runs_page`."""
    size = page_size(size)
    start = (LARGEST, "") if after is None else place("runs", after, int, str)
    seen: set[str] = set()

    async def piece(last: Row | None, count: int) -> tuple[list[Row], bool]:
        at, fact_id = start if last is None else last[:2]
        rows: list[Row] = []
        more = False
        for status in EVERY:
            found = await core.store.rows(
                "older_of_runs", tenant=core.tenant, status=status, at=at, id=fact_id, most=count
            )
            more = more or len(found) == count
            rows += found
        rows.sort(reverse=True)
        return (rows[:count] if more else rows), more

    async def pick(row: Row) -> RunEntry | None:
        at, fact_id, run = row
        if run is None or run in seen:
            return None
        seen.add(run)
        newest = await core.store.rows("newest_of_run", tenant=core.tenant, run=run)
        # A run that wrote later stands on an earlier page.
        return await _run(core, run, at) if newest[:1] == [(at, fact_id)] else None

    walked = await walk(piece, pick, size, LOOK_RUNS)
    behind = None if walked.last is None else cursor("runs", *walked.last[:2])
    return RunsPage(tuple(walked.found), behind)


async def _run(core: Core, run: str, last: int) -> RunEntry:
    count = await core.store.rows("count_of_run", tenant=core.tenant, run=run)
    oldest = await core.store.rows("oldest_of_run", tenant=core.tenant, run=run)
    about = await core.store.rows("subjects_of_run", tenant=core.tenant, run=run, most=COUNTED)
    return RunEntry(
        run,
        count[0][0],
        sum(number for _, status, number in about if status in STANDING),
        from_micros(oldest[0][0] if oldest else last),
        from_micros(last),
        tuple(dict.fromkeys(subject for subject, _, _ in about)),
        COUNTED,
        sum(number for _, status, number in about if status == Status.LIVE),
        tuple(subject for subject, status, _ in about if status == Status.LIVE),
    )


async def operation(core: Core, operation_id: str) -> Operation:
    """See `Memory.operation`."""
    operation_id = string("operation", operation_id)
    rows = await core.store.rows("operation", tenant=core.tenant, id=operation_id)
    if not rows:
        raise UnknownOperation(operation_id)
    return await operation_of(core, rows[0])


async def operations_page(
    core: Core, *, after: str | None = None, size: int = 50
) -> OperationsPage:
    """See `Memory.operations_page`."""
    size = page_size(size)
    before = LAST_ID if after is None else place("operations", after, str)[0]
    rows = await core.store.rows(
        "operations_before", tenant=core.tenant, before=before, most=size + 1
    )
    found = [await _entry(core, row) for row in rows[:size]]
    behind = cursor("operations", rows[size - 1][0]) if len(rows) > size else None
    return OperationsPage(tuple(found), behind)


async def _entry(core: Core, row: Row) -> OperationEntry:
    op_id, at, actor, verb, why, run, undo_of, undone_by = row
    few = await core.store.rows("facts_of_operation", tenant=core.tenant, operation=op_id, most=FEW)
    count = len(few)
    if count == FEW:
        found = await core.store.rows("count_of_operation", tenant=core.tenant, operation=op_id)
        count = found[0][0]
    ids = tuple(fact_id for (fact_id,) in few)
    return OperationEntry(
        Operation(op_id, from_micros(at), actor, verb, why, run, ids, undo_of, undone_by), count
    )
