"""Take facts back: select, forget (retire), roll back a run, undo. Each is one transaction and one operation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

from memoranda.core import Core
from memoranda.errors import ScopeMissing, UndoConflict, UsageError
from memoranda.facts.reading import operation_of
from memoranda.facts.recall import recall
from memoranda.facts.rows import Pen, State, fact_by_id, fact_of, pen
from memoranda.gate.clean import named
from memoranda.ports import Tx
from memoranda.types import Fact, Operation, Selection, Status

TAKEN = (Status.LIVE, Status.PENDING)


def as_selection(selection: Selection | str) -> Selection:
    """A selection, also from a single id; one that selects by nothing is refused."""
    if isinstance(selection, str):
        selection = Selection(ids=(selection,))
    selection = replace(
        selection,
        tag=named(selection.tag),
        run=named(selection.run),
        subject=named(selection.subject),
    )
    if not any((selection.ids, selection.tag, selection.run, selection.subject, selection.query)):
        raise ScopeMissing(
            "nothing to select by: give an id, a tag, a run, a subject or a query; to take all of a subject, name it"
        )
    if selection.query is not None and not selection.subject:
        raise ScopeMissing("a query needs a subject: whose facts are meant?")
    return selection


async def select(core: Core, selection: Selection | str, *, everything: bool = False) -> list[Fact]:
    """What a verb would take: the matching facts, then what was derived from them.

    Retiring takes what is live or pending; with `everything` (erasure) superseded, retired and rejected rows
    and the earlier versions of each fact too.
    """
    chosen = {fact.id: fact for fact in await _matching(core, as_selection(selection))}
    return await closure(core, chosen, everything=everything)


async def closure(core: Core, chosen: dict[str, Fact], *, everything: bool) -> list[Fact]:
    """The facts and everything derived from them, transitively; with `everything` their earlier versions too."""
    children: dict[str, list[str]] = {}
    for fact_id, sources in await core.store.rows("derivations", tenant=core.tenant):
        for source in json.loads(sources):
            children.setdefault(source, []).append(fact_id)
    waiting = list(chosen)
    while waiting:
        at = waiting.pop()
        earlier = (
            await core.store.rows("predecessors", tenant=core.tenant, id=at) if everything else []
        )
        for fact_id in (*children.get(at, ()), *(row[0] for row in earlier)):
            if fact_id not in chosen:
                chosen[fact_id] = await fact_by_id(core.store, core.tenant, fact_id)
                waiting.append(fact_id)
    return [fact for fact in chosen.values() if everything or fact.status in TAKEN]


async def _matching(core: Core, chosen: Selection) -> Iterable[Fact]:
    if chosen.ids:
        found = [
            await fact_by_id(core.store, core.tenant, fact_id)
            for fact_id in dict.fromkeys(chosen.ids)
        ]
    elif chosen.query is not None and chosen.subject:
        found = list(
            (await recall(core, chosen.query, subjects=[chosen.subject], k=50, tokens=10**9)).facts
        )
    elif chosen.run:
        found = [
            fact_of(row)
            for row in await core.store.rows("facts_of_run", tenant=core.tenant, run=chosen.run)
        ]
    elif chosen.subject:
        found = [
            fact_of(row)
            for row in await core.store.rows(
                "facts_of_subject", tenant=core.tenant, subject=chosen.subject
            )
        ]
    else:
        found = [
            fact_of(row) for row in await core.store.rows("facts_of_tenant", tenant=core.tenant)
        ]
    return (fact for fact in found if _fits(fact, chosen))


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
    taken = await select(core, Selection(run=run))
    if taken and not dry_run:
        await _retire(core, taken, verb="rollback", why=f"roll-back of run {run}", run=run)
    return taken


async def _retire(
    core: Core, taken: Sequence[Fact], *, verb: str, why: str, run: str | None
) -> Operation:
    """Give each fact the state retired. What changed between the look and the write is looked at again inside."""

    async def body(tx: Tx) -> str:
        ink = pen(core, tx)
        for fact in sorted(taken, key=lambda fact: (fact.subject, fact.id)):
            await ink.bump(fact.subject)
            state = await ink.state(fact.id)
            if state.status in TAKEN:
                await ink.change(
                    fact.id,
                    fact.subject,
                    state.but(status=Status.RETIRED, retired_at=ink.now, retired_why=why or verb),
                )
        if verb == "rollback":
            await _reinstate(ink, taken)
        await ink.sign(verb, why=why, run=run)
        return ink.operation

    if not taken:
        raise UsageError("nothing matches: no fact was taken")
    return await _operation(core, await core.store.atomic(body))


async def _reinstate(ink: Pen, taken: Sequence[Fact]) -> None:
    """What a rolled-back fact had replaced holds again: the run must leave the store as if it had not been."""
    gone = {fact.id for fact in taken}
    for fact in taken:
        for (fact_id,) in await ink.tx.rows("predecessors", tenant=ink.core.tenant, id=fact.id):
            state = await ink.state(fact_id)
            if fact_id not in gone and state.status == Status.SUPERSEDED:
                await ink.change(
                    fact_id,
                    fact.subject,
                    state.but(status=Status.LIVE, superseded_by=None, superseded_at=None),
                )


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
        for fact_id in dict.fromkeys(fact_id for fact_id, _ in touched):
            await _restore(ink, target, fact_id)
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
        raise UsageError(f"no operation has the id {target!r}; list them with operations()")
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
