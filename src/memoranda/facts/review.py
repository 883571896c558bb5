"""What waits for a person: read it, approve it, edit and approve it, turn it down. Reached through `Reviewer` alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memoranda.core import Core
from memoranda.errors import NotAllowed, UsageError
from memoranda.facts.ledger import Entry, same_key, supersede
from memoranda.facts.lifetimes import expiry
from memoranda.facts.reading import facts
from memoranda.facts.rows import Pen, fact_by_id, pen
from memoranda.facts.supersession import Relation
from memoranda.gate.admit import admit
from memoranda.gate.clean import sentence
from memoranda.gate.items import Approval, Refusal
from memoranda.gate.policy import judge, shape_holds
from memoranda.ports import Tx
from memoranda.types import Draft, Fact, Origin, Outcome, Status, Verdict, to_micros


def reviewer_actor(name: str) -> str:
    """How a reviewer stands in the operation log; an empty name is a `UsageError`."""
    name = sentence(name)
    if not name:
        raise UsageError("a reviewer needs a name: it stands beside everything they approve")
    return f"reviewer:{name}"


async def pending(core: Core, *, subject: str | None = None) -> list[Fact]:
    """What waits and has not lapsed, oldest first."""
    now = core.clock.now()
    waiting = await facts(core, subject=subject, status="pending")
    return [
        fact
        for fact in reversed(waiting)
        if fact.expires_at is None or to_micros(fact.expires_at) > now
    ]


async def approve(core: Core, name: str, fact_id: str, *, text: str | None = None) -> Outcome:
    """See `Reviewer.approve`."""
    if text is None:
        return (await approve_all(core, name, [fact_id]))[0]
    held = await fact_by_id(core.store, core.tenant, fact_id)
    _must_wait(held, core.clock.now())
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
        outcomes = [await _approve(ink, name, fact_id) for fact_id in dict.fromkeys(fact_ids)]
        await ink.sign("approve")
        return outcomes

    return await core.store.atomic(body)


async def _approve(ink: Pen, name: str, fact_id: str) -> Outcome:
    """Make one held fact live, with the lifetime of its kind from now, closing what it replaces by key."""
    fact = await fact_by_id(ink.tx, ink.core.tenant, fact_id)
    _must_wait(fact, ink.now)
    item = as_draft(fact)
    if isinstance(judged := judge(item, ink.core.settings, ink.core.screens, ink.now), Refusal):
        return Outcome(Verdict.REFUSED, fact_id, judged.reasons)
    if wrong := tuple(shape_holds(fact.fact, ink.core.settings)):
        return Outcome(Verdict.HELD, fact_id, (*wrong, "edit-before-approval"), None, (), fact.fact)
    await ink.bump(fact.subject)
    entry = Entry(
        item,
        fact.trust,
        False,
        (),
        fact.digest,
        to_micros(fact.observed_at),
        expiry(item, ink.core.settings, ink.now),
    )
    keyed = await same_key(ink, entry)
    # A person's approval outranks the trust of what is there: that is what they were asked.
    replaced = [
        row.id for kind in (Relation.REPLACES, Relation.WEAKER) for row in keyed.get(kind, ())
    ]
    late = keyed.get(Relation.LATE)
    state = (await ink.state(fact_id)).but(
        status=Status.SUPERSEDED if late else Status.LIVE,
        expires_at=entry.expires_at,
        approved_by=name,
        approved_at=ink.now,
        superseded_by=late[0].id if late else None,
        superseded_at=ink.now if late else None,
    )
    await ink.change(fact_id, fact.subject, state)
    await supersede(ink, fact.subject, replaced, fact_id)
    return Outcome(
        Verdict.ACCEPTED, fact_id, ("approved",), ink.operation, tuple(replaced), fact.fact
    )


def _must_wait(fact: Fact, now: int) -> None:
    if fact.status is not Status.PENDING:
        raise NotAllowed(f"fact {fact.id} is {fact.status}, it does not wait for a decision")
    if fact.expires_at is not None and to_micros(fact.expires_at) <= now:
        raise NotAllowed(f"fact {fact.id} waited too long and lapsed; it has to be said again")


def as_draft(fact: Fact) -> Draft:
    """A stored fact as the draft it came from, without what its state adds."""
    return Draft(
        text=fact.fact,
        subject=fact.subject,
        kind=fact.kind,
        attribute=fact.attribute,
        value=fact.value,
        polarity=fact.polarity,
        tags=fact.tags,
        origin=fact.origin,
        run=fact.source_run,
        step=fact.source_step,
        source_ref=fact.source_ref,
        quote=fact.quote,
        derived_from=fact.derived_from,
        confidence=fact.confidence,
        observed_at=to_micros(fact.observed_at),
        durable_reason=fact.durable_reason,
    )


async def reject(core: Core, name: str, fact_ids: Sequence[str], *, why: str = "") -> int:
    """See `Reviewer.reject`."""

    async def body(tx: Tx) -> int:
        ink = pen(core, tx)
        for fact_id in dict.fromkeys(fact_ids):
            fact = await fact_by_id(tx, core.tenant, fact_id)
            _must_wait(fact, ink.now)
            await ink.bump(fact.subject)
            state = (await ink.state(fact_id)).but(
                status=Status.REJECTED, retired_at=ink.now, retired_why=why or f"rejected by {name}"
            )
            await ink.change(fact_id, fact.subject, state)
        await ink.sign("reject", why=why)
        return len(dict.fromkeys(fact_ids))

    return await core.store.atomic(body) if fact_ids else 0
