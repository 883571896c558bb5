"""Read facts and their trace: lists, one row, why it is believed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from memoranda.accounts import Known
from memoranda.core import Core
from memoranda.errors import UsageError
from memoranda.facts.lifetimes import over
from memoranda.facts.rows import fact_by_id, fact_of
from memoranda.gate.draft import name, whole
from memoranda.gate.screen.messages import screened_text
from memoranda.ports import Row
from memoranda.types import (
    Change,
    Fact,
    FactFilter,
    Operation,
    Recalled,
    Status,
    Trace,
    from_micros,
)

EVERY = tuple(Status)
# The states that a filter takes, and whether their time must have passed (None: either).
FILTERS: dict[str, tuple[tuple[Status, ...], bool | None]] = {
    "live": ((Status.LIVE,), False),
    "expired": ((Status.LIVE, Status.PENDING), True),
    "pending": ((Status.PENDING,), False),
    "superseded": ((Status.SUPERSEDED,), None),
    "retired": ((Status.RETIRED,), None),
    "rejected": ((Status.REJECTED,), None),
    "all": (EVERY, None),
}


def filtered(status: str) -> tuple[tuple[Status, ...], bool | None]:
    """The filter of this name. Raises `UsageError` if there is none."""
    if not isinstance(status, str) or status not in FILTERS:
        raise UsageError(f"status must be one of {', '.join(FILTERS)}")
    return FILTERS[status]


async def facts(
    core: Core, *, subject: str | None = None, status: FactFilter = "live", tag: str | None = None
) -> list[Fact]:
    """See `Memory.facts`."""
    states, expired = filtered(status)
    if subject is not None:
        subject = name("subject", subject)
        query = "pending_facts_of_subject" if status == "pending" else "facts_of_subject"
        rows = await core.store.rows(query, tenant=core.tenant, subject=subject)
    elif status == "pending":
        rows = await core.store.rows("pending_facts", tenant=core.tenant)
    else:
        rows = await core.store.rows("facts_of_tenant", tenant=core.tenant)
    tag = None if tag is None else name("tag", tag)
    now = core.clock.now()
    return [
        fact
        for fact in map(fact_of, rows)
        if fact.status in states
        and expired in (None, over(fact, core.settings, now))
        and (tag is None or tag in fact.tags)
    ]


async def show(core: Core, fact_id: str) -> Fact:
    """See `Memory.show`."""
    return await fact_by_id(core.store, core.tenant, fact_id)


async def why(core: Core, fact_id: str) -> Trace:
    """See `Memory.why`."""
    fact = await fact_by_id(core.store, core.tenant, fact_id)
    sources = [
        await core.store.rows("fact", tenant=core.tenant, id=source) for source in fact.derived_from
    ]
    return Trace(
        fact=fact,
        changes=await changes_of(core, fact_id),
        chain=await _chain(core, fact),
        sources=tuple(fact_of(row[0]) for row in sources if row),
        recalled=await recalled_where(core, fact_id),
    )


async def changes_of(core: Core, fact_id: str) -> tuple[Change, ...]:
    """What was done to a fact, in order."""
    rows = await core.store.rows("fact_changes", tenant=core.tenant, id=fact_id)
    return tuple(map(_change, rows))


async def recalled_where(core: Core, fact_id: str) -> tuple[Recalled, ...]:
    """When a fact was put before a model, in order."""
    rows = await core.store.rows("recalled_where", tenant=core.tenant, fact_id=fact_id)
    return tuple(map(_recalled, rows))


async def known(core: Core, subject: str) -> tuple[Known, ...]:
    """All facts of a subject in every state, oldest first, without what is known for a secret by now."""
    rows = await facts(core, subject=subject, status="all")
    return tuple(
        [
            Known(
                _shown(core, fact),
                await changes_of(core, fact.id),
                await recalled_where(core, fact.id),
            )
            for fact in reversed(rows)
        ]
    )


def _shown(core: Core, fact: Fact) -> Fact:
    """The fact as it may leave the house: the rules know more secrets than when it was stored."""
    texts: dict[str, Any] = {
        name: screened_text(text, core.screens)
        for name in ("fact", "quote", "value", "source_ref", "retired_why", "durable_reason")
        if (text := getattr(fact, name)) is not None
    }
    return replace(fact, tags=tuple(screened_text(t, core.screens) for t in fact.tags), **texts)


def _change(row: Row) -> Change:
    operation, verb, actor, reason, at, status = row
    return Change(operation, verb, actor, reason, from_micros(at), Status(status))


def _recalled(row: Row) -> Recalled:
    receipt, session, run, at, share = row
    return Recalled(receipt, session, run, from_micros(at), share)


async def _chain(core: Core, fact: Fact) -> tuple[Fact, ...]:
    """Every version before and after a fact, oldest first; a fact seen twice ends the walk."""
    seen = {fact.id: fact}
    waiting = [fact]
    while waiting:
        at = waiting.pop()
        before = await core.store.rows("predecessors", tenant=core.tenant, id=at.id)
        around = [row[0] for row in before] + ([at.superseded_by] if at.superseded_by else [])
        for fact_id in around:
            rows = (
                []
                if fact_id in seen
                else await core.store.rows("fact", tenant=core.tenant, id=fact_id)
            )
            for row in rows:
                seen[fact_id] = fact_of(row)
                waiting.append(seen[fact_id])
    return tuple(sorted(seen.values(), key=lambda version: (version.created_at, version.id)))


async def subjects(core: Core) -> list[tuple[str, int]]:
    """See `Memory.subjects`."""
    return [
        (row[0], row[1])
        for row in await core.store.rows("subject_counts", tenant=core.tenant, now=core.clock.now())
    ]


async def operations(core: Core, *, limit: int = 50) -> list[Operation]:
    """See `Memory.operations`."""
    rows = await core.store.rows("operations", tenant=core.tenant, most=whole("limit", limit))
    return [await operation_of(core, row) for row in rows]


async def operation_of(core: Core, row: Row) -> Operation:
    """The operation of a row of the operation log, with the facts it changed."""
    op_id, at, actor, verb, reason, run, undo_of, undone_by = row
    touched = await core.store.rows("states_of_operation", tenant=core.tenant, operation=op_id)
    ids = tuple(dict.fromkeys(fact_id for fact_id, _ in touched))
    return Operation(op_id, from_micros(at), actor, verb, reason, run, ids, undo_of, undone_by)
