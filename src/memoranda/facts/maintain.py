"""Upkeep: every registered job, each in its own transaction, safe to run twice and at once."""

from __future__ import annotations

from memoranda.core import Core
from memoranda.facts.lifetimes import patience
from memoranda.facts.rows import pen
from memoranda.ports import Tx
from memoranda.types import Status


async def maintain(core: Core) -> dict[str, int]:
    """See `Memory.maintain`. Returns for each job how many rows it touched."""
    return {name: await job(core) for name, job in core.maintenance.items()}


async def lapse_pending(core: Core) -> int:
    """Held items that waited past their time are turned down; they can be said again."""

    async def body(tx: Tx) -> int:
        ink = pen(core, tx)
        before = ink.now - patience(core.settings)
        lapsed = await tx.rows("lapsed_pending", tenant=core.tenant, before=before)
        for fact_id, subject in lapsed:
            await ink.bump(subject)
            state = await ink.state(fact_id)
            await ink.change(
                fact_id,
                subject,
                state.but(
                    status=Status.REJECTED, retired_at=ink.now, retired_why="waited too long"
                ),
            )
        if lapsed:
            await ink.sign("lapse", why="waited too long", actor="maintenance")
        return len(lapsed)

    return await core.store.atomic(body)


MAINTENANCE = {"pending": lapse_pending}
# Which job keeps up which table; the rest say why they are kept.
MAINTAINED = {"agent_facts": "pending", "fact_states": "pending"}
KEPT = {
    "memoranda_meta": "names the schema; holds nothing of anybody",
    "subjects": "change numbers; a subject's name and a count",
    "operations": "who did what and when; ids, never a text",
    "never_rules": "a person's own rules, until that person removes them",
    "sightings": "which step said what, by digest; goes with its fact",
    "tombstones": "an id and a time",
}
