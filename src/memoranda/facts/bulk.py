"""Take facts back: forget (retire), roll back a run, undo. Each is one transaction and one operation."""

from __future__ import annotations

from collections.abc import Sequence

from memoranda.core import Core
from memoranda.errors import ScopeMissing, UndoConflict, UnknownOperation, UsageError
from memoranda.facts.cohorts import TAKEN, as_selection, closure, matched, narrowed, standing
from memoranda.facts.ledger import rivals
from memoranda.facts.reading import operation_of
from memoranda.facts.rows import Pen, State, fact_by_id, pen
from memoranda.ports import Tx
from memoranda.types import Fact, Operation, Selection, Status, from_micros

REPLACED = (*TAKEN, Status.SUPERSEDED)
FINAL = {"erase": "an erasure", "purge": "the end of what was kept for the trace"}


async def retire(core: Core, selection: Selection | str, *, why: str = "") -> Operation:
    """See `Memory.retire`."""
    chosen = await narrowed(core, as_selection(core, selection), everything=False)
    return await _retire(core, chosen, verb="retire", why=why, reinstate=False)


async def rollback(
    core: Core, run: str, *, steps: tuple[int, int] | None = None, why: str = ""
) -> Operation:
    """See `Memory.rollback`."""
    if not run:
        raise ScopeMissing("roll-back needs the name of a run")
    chosen = as_selection(core, Selection(run=run, steps=steps))
    why = why or f"roll-back of run {chosen.run}"
    return await _retire(core, chosen, verb="rollback", why=why, reinstate=True)


async def _retire(
    core: Core, chosen: Selection, *, verb: str, why: str, reinstate: bool
) -> Operation:
    """Give each fact of the cohort the state retired. All is looked for inside the transaction, where nobody adds."""

    async def body(tx: Tx) -> str:
        ink = pen(core, tx)
        written = await closure(core, tx, await matched(core, tx, chosen))
        # What was replaced since is closed for good too: rolling that back must not bring this one back.
        taken = [f for f in written if f.status in (REPLACED if reinstate else TAKEN)]
        if not taken:
            raise UsageError("nothing matches: no fact was taken")
        reason = ink.reason(why) or verb
        for fact in sorted(taken, key=lambda fact: (fact.subject, fact.id)):
            await ink.bump(fact.subject)
            state = await ink.state(fact.id)
            retired = state.but(status=Status.RETIRED, retired_at=ink.now, retired_why=reason)
            await ink.change(fact.id, fact.subject, retired)
        for follower in core.followers.values():
            await follower.hide(core, tx, [fact.id for fact in taken], ink.operation)
        if reinstate:
            await _reinstate(ink, standing(written), written)
        await ink.sign(verb, why=why, run=chosen.run)
        return ink.operation

    return await _operation(core, await core.store.atomic(body))


async def _reinstate(ink: Pen, taken: Sequence[Fact], written: Sequence[Fact]) -> None:
    """What a run had replaced holds again: the store must be left as if the run had not been.

    `written` is all of the run in whatever state: a row that the run itself replaced stays closed, and what that
    one had replaced comes back. Newest first, and nothing that something else has replaced since.
    """
    found: dict[str, Fact] = {}
    own = {fact.id for fact in written}
    waiting = [fact.id for fact in _leading_to(written, {fact.id for fact in taken})]
    while waiting:
        for (fact_id,) in await ink.tx.rows(
            "predecessors", tenant=ink.core.tenant, id=waiting.pop()
        ):
            before = await fact_by_id(ink.tx, ink.core.tenant, fact_id)
            if before.status is Status.RETIRED and fact_id not in own:
                # Rolled back itself after it had been replaced: what it had replaced is next in line.
                waiting.append(fact_id)
            elif fact_id not in own:
                found[fact_id] = before
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
        for follower in core.followers.values():
            await follower.restore(core, tx, target, ink.operation)
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
        raise UnknownOperation(target)
    verb, undone_by = rows[0][3], rows[0][7]
    if undone_by:
        raise UndoConflict(f"operation {target} was undone already, by {undone_by}")
    if verb in FINAL:
        raise UndoConflict(
            f"operation {target} is {FINAL[str(verb)]}; what was erased is gone; to undo an earlier operation, name it"
        )


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
