"""What waits for a person: read it, approve it, edit and approve it, turn it down. Reached through `Reviewer` alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memoranda.core import Core
from memoranda.errors import NotAllowed, ScopeMissing, UsageError
from memoranda.facts.batch import closing, entry_of
from memoranda.facts.batch import held as held_facts
from memoranda.facts.keys import Entry
from memoranda.facts.ledger import supersede, twins
from memoranda.facts.lifetimes import over
from memoranda.facts.rows import Pen, State, as_draft, fact_by_id, pen, to_forget
from memoranda.gate.admit import admit
from memoranda.gate.draft import name as as_name
from memoranda.gate.items import Approval, Refusal
from memoranda.gate.policy import judge, shape_holds
from memoranda.gate.rules import refresh
from memoranda.ports import Tx
from memoranda.types import Fact, Origin, Outcome, Status, Verdict


def reviewer_name(name: str) -> str:
    """A reviewer's name as it is kept beside everything they approve; `UsageError` for one that names nobody."""
    if isinstance(name, str) and not name.strip():
        raise UsageError("a reviewer needs a name: it stands beside everything they approve")
    return as_name("a reviewer's name", name)


async def approve(core: Core, name: str, fact_id: str, *, text: str | None = None) -> Outcome:
    """See `Reviewer.approve`."""
    if text is None:
        return (await approve_all(core, name, [fact_id]))[0]
    held = await fact_by_id(core.store, core.tenant, fact_id)
    _must_wait(core, held)
    kept = held.value if held.value and held.value.casefold() in text.casefold() else None
    # The edited words are the person's own: they enter as the operator's, and the held row gives way to them.
    edited = replace(
        as_draft(held),
        text=text,
        value=kept,
        origin=Origin.OPERATOR,
        source_ref=f"edit:{fact_id}",
        replaces=fact_id,
    )
    edited = replace(edited, run=None, step=None, derived_from=(), observed_at=None)
    return await admit(core, edited, approval=Approval(name))


async def approve_all(core: Core, name: str, fact_ids: Sequence[str]) -> list[Outcome]:
    """See `Reviewer.approve_all`."""

    async def body(tx: Tx) -> list[Outcome]:
        ink = pen(core, tx)
        await refresh(core, tx)
        outcomes = [await _approve(ink, name, fact_id) for fact_id in dict.fromkeys(fact_ids)]
        if any(outcome.ok for outcome in outcomes):
            await ink.sign("approve")
        return outcomes

    return await core.store.atomic(body)


async def _approve(ink: Pen, name: str, fact_id: str) -> Outcome:
    """Make one held fact live, closing what it replaces, unless it must be edited first or is known already."""
    fact = await fact_by_id(ink.tx, ink.core.tenant, fact_id)
    _must_wait(ink.core, fact)
    if target := to_forget(fact):
        return await _carry_out(ink, name, fact, target)
    entry = entry_of(ink, fact)
    if isinstance(
        judged := judge(entry.item, ink.core.settings, ink.core.screens, ink.now), Refusal
    ):
        return Outcome(Verdict.REFUSED, None, judged.reasons)
    if wrong := tuple(shape_holds(fact.fact, ink.core.settings)):
        return Outcome(Verdict.HELD, fact_id, (*wrong, "edit-before-approval"), None, (), fact.fact)
    await ink.bump(fact.subject)
    known = await twins(ink, fact.subject, fact.digest)
    state = (await ink.state(fact_id)).but(approved_by=name, approved_at=ink.now)
    if known:
        return await _known_already(ink, fact, state, known[0])
    return await _release(ink, fact, entry, state)


async def _carry_out(ink: Pen, name: str, fact: Fact, target: str) -> Outcome:
    """Forget what the row proposes to forget; the row itself never becomes a fact."""
    done = (await ink.state(fact.id)).but(
        status=Status.RETIRED,
        retired_at=ink.now,
        retired_why="carried out",
        approved_by=name,
        approved_at=ink.now,
    )
    await ink.change(fact.id, fact.subject, done)
    state = await ink.state(target)
    if state.status == Status.LIVE:
        retired = state.but(
            status=Status.RETIRED, retired_at=ink.now, retired_why=f"proposed, approved by {name}"
        )
        await ink.change(target, fact.subject, retired)
    return Outcome(Verdict.ACCEPTED, fact.id, ("approved", "forgotten"), ink.operation, (target,))


async def _known_already(ink: Pen, fact: Fact, state: State, known: str) -> Outcome:
    """Somebody said the same meanwhile and was believed: one row is enough."""
    closed = state.but(status=Status.SUPERSEDED, superseded_by=known, superseded_at=ink.now)
    await ink.change(fact.id, fact.subject, closed)
    return Outcome(Verdict.CONFIRMED, known, ("approved", "already-known"), ink.operation)


async def _release(ink: Pen, fact: Fact, entry: Entry, state: State) -> Outcome:
    """The fact goes live. A person's approval outranks the trust of what is there: that is what they were asked."""
    replaced, late = await closing(ink, entry)
    state = state.but(
        status=Status.SUPERSEDED if late else Status.LIVE,
        expires_at=entry.expires_at,
        superseded_by=late,
        superseded_at=ink.now if late else None,
    )
    await ink.change(fact.id, fact.subject, state)
    await supersede(ink, fact.subject, replaced, fact.id)
    return Outcome(
        Verdict.ACCEPTED, fact.id, ("approved",), ink.operation, tuple(replaced), fact.fact
    )


def _must_wait(core: Core, fact: Fact) -> None:
    if fact.status is not Status.PENDING:
        raise NotAllowed(f"fact {fact.id} is {fact.status}, it does not wait for a decision")
    if over(fact, core.settings, core.clock.now()):
        raise NotAllowed(f"fact {fact.id} waited too long and lapsed; it has to be said again")


async def reject(core: Core, name: str, fact_ids: Sequence[str], *, why: str = "") -> int:
    """See `Reviewer.reject`."""
    if isinstance(fact_ids, str):
        raise UsageError("reject takes a list of ids")

    async def body(tx: Tx) -> int:
        ink = pen(core, tx)
        for fact_id in dict.fromkeys(fact_ids):
            fact = await fact_by_id(tx, core.tenant, fact_id)
            _must_wait(core, fact)
            await ink.bump(fact.subject)
            state = (await ink.state(fact_id)).but(
                status=Status.REJECTED,
                retired_at=ink.now,
                retired_why=ink.reason(why) or f"rejected by {name}",
            )
            await ink.change(fact_id, fact.subject, state)
        await ink.sign("reject", why=why)
        return len(dict.fromkeys(fact_ids))

    return await core.store.atomic(body) if fact_ids else 0


async def reject_from(
    core: Core,
    name: str,
    *,
    source: str | None = None,
    run: str | None = None,
    origin: Origin | None = None,
    why: str = "",
) -> int:
    """See `Reviewer.reject_all`."""
    if source is None and run is None and origin is None:
        raise ScopeMissing("reject all of what? Give a source, a run or an origin")
    waiting = await held_facts(core, source=source, run=run, origin=origin)
    return await reject(core, name, [fact.id for fact in waiting], why=why)
