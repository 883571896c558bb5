"""Take facts back: select, forget (retire), roll back a run, undo. Each is one transaction and one operation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

from memoranda.core import Core
from memoranda.errors import ScopeMissing, UndoConflict, UsageError
from memoranda.facts.ledger import rivals
from memoranda.facts.reading import operation_of
from memoranda.facts.recall import matching
from memoranda.facts.rows import Pen, State, fact_by_id, fact_of, pen
from memoranda.gate.draft import name, texts
from memoranda.ports import Row, Tx
from memoranda.types import Fact, Operation, Selection, Status, from_micros

TAKEN = (Status.LIVE, Status.PENDING)


def as_selection(selection: Selection | str) -> Selection:
    """A selection, also from a single id; one that selects by nothing is refused, and so is a field that is empty."""
    if isinstance(selection, str):
        selection = Selection(ids=(selection,))
    given = {
        field: name(field, value)
        for field in ("tag", "run", "subject")
        if (value := getattr(selection, field)) is not None
    }
    selection = replace(selection, ids=texts("ids", selection.ids), **given)
    if not (selection.ids or given or selection.query):
        raise ScopeMissing(
            "nothing to select by: give an id, a tag, a run, a subject or a query; to take all of a subject, name it"
        )
    if selection.query is not None and not selection.subject:
        raise ScopeMissing("a query needs a subject: whose facts are meant?")
    return selection


async def select(core: Core, selection: Selection | str, *, everything: bool = False) -> list[Fact]:
    """What a verb would take: the matching facts, then what was derived from them.

    Retiring takes what is live or pending; with `everything` (erasure) superseded, retired and rejected rows,
    the earlier versions of each fact and other rows that say the same too.
    """
    found = await _matching(core, as_selection(selection), everything=everything)
    taken = await closure(core, found, everything=everything)
    return taken if everything else _open(taken)


def _open(facts: Iterable[Fact]) -> list[Fact]:
    return [fact for fact in facts if fact.status in TAKEN]


async def closure(core: Core, chosen: Iterable[Fact], *, everything: bool = False) -> list[Fact]:
    """The facts and everything derived from them, transitively, in whatever state.

    With `everything` also their earlier versions and the rows that say the same.
    """
    children: dict[str, list[str]] = {}
    for fact_id, sources in await core.store.rows("derivations", tenant=core.tenant):
        for source in json.loads(sources):
            children.setdefault(source, []).append(fact_id)
    found = {fact.id: fact for fact in chosen}
    waiting = list(found)
    while waiting:
        at = waiting.pop()
        near = [*children.get(at, ()), *(await _versions(core, at) if everything else ())]
        for fact_id in near:
            if fact_id not in found:
                found[fact_id] = await fact_by_id(core.store, core.tenant, fact_id)
                waiting.append(fact_id)
    return list(found.values())


async def _versions(core: Core, fact_id: str) -> list[str]:
    """What came before a fact, and what says the same."""
    earlier = await core.store.rows("predecessors", tenant=core.tenant, id=fact_id)
    return [
        row[0] for row in earlier + await core.store.rows("twins", tenant=core.tenant, id=fact_id)
    ]


async def _matching(core: Core, chosen: Selection, *, everything: bool) -> list[Fact]:
    ids: Iterable[str] | None = dict.fromkeys(chosen.ids) or None
    if ids is None and chosen.query is not None and chosen.subject:
        ids = await matching(core, chosen.query, chosen.subject, everything=everything)
    if ids is not None:
        found = [await fact_by_id(core.store, core.tenant, fact_id) for fact_id in ids]
    else:
        found = [fact_of(row) for row in await _rows(core, chosen)]
    return [fact for fact in found if _fits(fact, chosen)]


async def _rows(core: Core, chosen: Selection) -> list[Row]:
    """The rows of the narrowest thing that is named."""
    if chosen.run:
        return await core.store.rows("facts_of_run", tenant=core.tenant, run=chosen.run)
    if chosen.subject:
        return await core.store.rows("facts_of_subject", tenant=core.tenant, subject=chosen.subject)
    return await core.store.rows("facts_of_tenant", tenant=core.tenant)


def _fits(fact: Fact, chosen: Selection) -> bool:
    return (
        (chosen.tag is None or chosen.tag in fact.tags)
        and (chosen.run is None or fact.source_run == chosen.run)
        and (chosen.subject is None or fact.subject == chosen.subject)
    )


async def retire(core: Core, selection: Selection | str, *, why: str = "") -> Operation:
    """See `Memory.retire`."""
    chosen = as_selection(selection)
    return await _retire(core, await select(core, chosen), verb="retire", why=why, run=chosen.run)


async def rollback(core: Core, run: str, *, dry_run: bool = False) -> list[Fact]:
    """See `Memory.rollback`."""
    if not run:
        raise ScopeMissing("roll-back needs the name of a run")
    chosen = as_selection(Selection(run=run))
    written = await closure(core, await _matching(core, chosen, everything=False))
    taken = _open(written)
    if taken and not dry_run:
        why = f"roll-back of run {chosen.run}"
        await _retire(core, taken, verb="rollback", why=why, run=chosen.run, written=written)
    return taken


async def _retire(
    core: Core,
    taken: Sequence[Fact],
    *,
    verb: str,
    why: str,
    run: str | None,
    written: Sequence[Fact] = (),
) -> Operation:
    """Give each fact the state retired. What changed between the look and the write is looked at again inside."""

    async def body(tx: Tx) -> str:
        ink = pen(core, tx)
        for fact in sorted(taken, key=lambda fact: (fact.subject, fact.id)):
            await ink.bump(fact.subject)
            state = await ink.state(fact.id)
            if state.status in TAKEN:
                reason = ink.reason(why) or verb
                retired = state.but(status=Status.RETIRED, retired_at=ink.now, retired_why=reason)
                await ink.change(fact.id, fact.subject, retired)
        await _reinstate(ink, taken, written)
        await ink.sign(verb, why=why, run=run)
        return ink.operation

    if not taken:
        raise UsageError("nothing matches: no fact was taken")
    return await _operation(core, await core.store.atomic(body))


async def _reinstate(ink: Pen, taken: Sequence[Fact], written: Sequence[Fact]) -> None:
    """What a run had replaced holds again: the store must be left as if the run had not been.

    `written` is all of the run in whatever state: a row that the run itself replaced stays closed, and what that
    one had replaced comes back. Newest first, and nothing that something else has replaced since.
    """
    found: dict[str, Fact] = {}
    for fact in _leading_to(written, {fact.id for fact in taken}):
        for (fact_id,) in await ink.tx.rows("predecessors", tenant=ink.core.tenant, id=fact.id):
            found[fact_id] = await fact_by_id(ink.tx, ink.core.tenant, fact_id)
    for fact in written:
        found.pop(fact.id, None)
    for fact in sorted(found.values(), key=lambda fact: fact.observed_at, reverse=True):
        if fact.status is Status.SUPERSEDED and not await rivals(ink, fact):
            state = await ink.state(fact.id)
            again = state.but(status=Status.LIVE, superseded_by=None, superseded_at=None)
            await ink.change(fact.id, fact.subject, again)


def _leading_to(written: Sequence[Fact], taken: set[str]) -> list[Fact]:
    """The facts of a run that are taken back, and those of it that they replaced, directly or in a chain."""
    leading = set(taken)
    more = {fact.id for fact in written if fact.superseded_by in leading} - leading
    while more:
        leading |= more
        more = {fact.id for fact in written if fact.superseded_by in leading} - leading
    return [fact for fact in written if fact.id in leading]


async def _operation(core: Core, operation: str) -> Operation:
    return await operation_of(
        core, (await core.store.rows("operation", tenant=core.tenant, id=operation))[0]
    )


async def undo(core: Core, operation: str | None = None) -> Operation:
    """See `Memory.undo`. Each fact gets back the state before; one the operation itself added is retired."""

    async def body(tx: Tx) -> str:
        target = operation or await _latest(core, tx)
        rows = await tx.rows("operation", tenant=core.tenant, id=target)
        _undoable(target, rows)
        touched = await tx.rows("states_of_operation", tenant=core.tenant, operation=target)
        if not touched:
            raise UsageError(
                f"operation {target} changed no fact that is still there; there is nothing to undo"
            )
        ink = pen(core, tx)
        ids = list(dict.fromkeys(fact_id for fact_id, _ in touched))
        for fact_id in ids:
            await _restore(ink, target, fact_id)
        for fact_id in ids:
            await _holds_alone(ink, fact_id)
        await ink.sign("undo", undo_of=target)
        await tx.run("mark_undone", tenant=core.tenant, id=target, undone_by=ink.operation)
        return ink.operation

    return await _operation(core, await core.store.atomic(body))


async def _latest(core: Core, tx: Tx) -> str:
    rows = await tx.rows("last_undoable", tenant=core.tenant)
    if not rows:
        raise UsageError("there is no operation to undo")
    return str(rows[0][0])


def _undoable(target: str, rows: list[tuple[object, ...]]) -> None:
    if not rows:
        raise UsageError("no operation has the id that was given; list them with operations()")
    verb, undone_by = rows[0][3], rows[0][7]
    if undone_by:
        raise UndoConflict(f"operation {target} was undone already, by {undone_by}")
    if verb == "erase":
        raise UndoConflict(f"operation {target} is an erasure; what was erased is gone")


async def _restore(ink: Pen, target: str, fact_id: str) -> None:
    """Put one fact back to the state before the operation, if nothing changed it since."""
    subject = (await fact_by_id(ink.tx, ink.core.tenant, fact_id)).subject
    await ink.bump(subject)
    newest, *before = await ink.tx.rows("last_states", tenant=ink.core.tenant, fact_id=fact_id)
    if newest[1] != target:
        raise UndoConflict(
            f"fact {fact_id} was changed by a later operation ({newest[1]}); undo that one first"
        )
    if before:
        state = State(*before[0][2:])
    else:
        state = State(*newest[2:]).but(
            status=Status.RETIRED, retired_at=ink.now, retired_why="undo"
        )
    await ink.change(fact_id, subject, state)


async def _holds_alone(ink: Pen, fact_id: str) -> None:
    """A fact that comes back must not stand beside a later value of its attribute."""
    fact = await fact_by_id(ink.tx, ink.core.tenant, fact_id)
    if fact.status is Status.LIVE and not fact.expired(from_micros(ink.now)):
        for rival in await rivals(ink, fact):
            raise UndoConflict(
                f"fact {fact_id} has been replaced by {rival} since; retire that one first"
            )
