"""Pin a fact into the standing block, and take it out again. Reached through `Reviewer` alone: only a person may."""

from __future__ import annotations

from dataclasses import replace

from memoranda.core import Core
from memoranda.errors import NotAllowed
from memoranda.facts.lifetimes import over
from memoranda.facts.rows import Pen, fact_by_id, pen
from memoranda.facts.standing import standing
from memoranda.ports import Tx
from memoranda.types import Fact, Outcome, Status, Verdict


async def pin(core: Core, name: str, fact_id: str) -> Outcome:
    """See `Reviewer.pin`."""

    async def body(tx: Tx) -> Outcome:
        ink = pen(core, tx)
        fact = await fact_by_id(tx, core.tenant, fact_id)
        if fact.status is not Status.LIVE or over(fact, core.settings, ink.now):
            raise NotAllowed(f"fact {fact_id} is not believed now; only what is can be pinned")
        if fact.pinned_by:
            return Outcome(Verdict.CONFIRMED, fact_id, ("already-pinned",), None, (), fact.fact)
        return await _change(ink, fact, "pin", name, "pinned")

    done = await core.store.atomic(body)
    subject = (await fact_by_id(core.store, core.tenant, fact_id)).subject
    most = min(core.settings.standing_tokens, core.settings.window_budget // 4)
    left = {one.id for one in (await standing(core, [subject], room=most)).left_out}
    crowded = [
        other
        for other in left
        if (await fact_by_id(core.store, core.tenant, other)).pinned_by is not None
    ]
    return replace(done, reasons=(*done.reasons, "over-cap")) if crowded else done


async def unpin(core: Core, fact_id: str) -> Outcome:
    """See `Reviewer.unpin`."""

    async def body(tx: Tx) -> Outcome:
        ink = pen(core, tx)
        fact = await fact_by_id(tx, core.tenant, fact_id)
        if not fact.pinned_by:
            return Outcome(Verdict.CONFIRMED, fact_id, ("not-pinned",), None, (), fact.fact)
        return await _change(ink, fact, "unpin", None, "unpinned")

    return await core.store.atomic(body)


async def _change(ink: Pen, fact: Fact, verb: str, name: str | None, told: str) -> Outcome:
    await ink.bump(fact.subject)
    await ink.change(fact.id, fact.subject, (await ink.state(fact.id)).but(pinned_by=name))
    await ink.sign(verb, subject=fact.subject)
    return Outcome(Verdict.ACCEPTED, fact.id, (told,), ink.operation, (), fact.fact)
