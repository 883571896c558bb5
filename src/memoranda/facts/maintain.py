"""Upkeep: every registered job, each in its own transaction, safe to run twice and at once."""

from __future__ import annotations

from dataclasses import replace

from memoranda.analysis import TERMS_VERSION
from memoranda.core import Core
from memoranda.facts.cohorts import children_of
from memoranda.facts.episodes import summarise
from memoranda.facts.erase import UNFINISHED, erased_of, note, wiped
from memoranda.facts.ledger import terms_of
from memoranda.facts.lifetimes import DAY, patience
from memoranda.facts.rows import fact_by_id, pen
from memoranda.ports import Tx
from memoranda.types import Status

ACTOR = "maintenance"
PAGE = 500


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
            await ink.sign("lapse", why="waited too long", actor=ACTOR)
        return len(lapsed)

    return await core.store.atomic(body)


async def purge(core: Core) -> int:
    """Erase what was kept for the trace alone and is older than `trace_days` (0: it is kept for good).

    What a row that stays was derived from stays too: its `why` must not lead nowhere. The log keeps what was said, it
    has a retention of its own; but the turns that these rows kept out of recall are recalled no more.
    """
    if not core.settings.trace_days:
        return 0

    async def body(tx: Tx) -> int:
        ink = pen(core, tx)
        before = ink.now - core.settings.trace_days * DAY
        rows = await tx.rows("dead_facts", tenant=core.tenant, before=before)
        dead: dict[str, str] = dict(rows)
        children = await children_of(core, tx)
        while kept := [one for one in dead if not dead.keys() >= set(children.get(one, ()))]:
            for one in kept:
                del dead[one]
        if dead:
            facts = [await fact_by_id(tx, core.tenant, one) for one in sorted(dead)]
            told = erased_of([fact for fact in facts if fact.status is not Status.LIVE])
            ids, of = tuple(sorted(dead)), tuple(sorted(set(dead.values())))
            told = replace(told, ids=ids, subjects=of, needles=(), answers=frozenset(), words=())
            await wiped(ink, told, "purge", actor=ACTOR)
        return len(dead)

    return await core.store.atomic(body)


async def reanalyse(core: Core) -> int:
    """Write the terms of every row anew when the analyser has changed since they were written."""
    key = f"terms/{core.tenant}"
    if await terms_version(core) == TERMS_VERSION:
        return 0
    changed, after = 0, ""
    while page := await core.store.rows("terms_after", tenant=core.tenant, after=after, most=PAGE):
        changed += await _rewritten(core, after)
        after = page[-1][0]

    async def body(tx: Tx) -> None:
        await tx.run("set_meta", key=key, value=str(TERMS_VERSION))
        if changed:
            await pen(core, tx).sign("reanalyse", actor=ACTOR)

    await core.store.atomic(body)
    return changed


async def terms_version(core: Core) -> int:
    """The version of the analyser that this tenant's rows were written with. What was there before was noted when the
    store was migrated, so that without a note it is the second."""
    noted = await core.store.rows("meta", key=f"terms/{core.tenant}")
    return int(noted[0][0]) if noted else 2


async def _rewritten(core: Core, after: str) -> int:
    """One page of rows, in one transaction; each subject's caches hear of it."""

    async def body(tx: Tx) -> int:
        ink = pen(core, tx)
        rows = await tx.rows("terms_after", tenant=core.tenant, after=after, most=PAGE)
        stale = [
            (fact_id, subject, new)
            for fact_id, subject, fact, tags, attribute, value, old in rows
            if (new := terms_of(core, fact, tags, attribute, value)) != old
        ]
        for subject in sorted({subject for _, subject, _ in stale}):
            await ink.bump(subject)
        for fact_id, _, new in stale:
            await tx.run("set_terms", tenant=core.tenant, id=fact_id, terms=new)
        return len(stale)

    return await core.store.atomic(body)


async def finish_erasure(core: Core) -> int:
    """Clear the store's bytes of what was deleted, also for an erasure that an open reader had kept from finishing."""
    waiting = await core.store.rows("meta", key=UNFINISHED)
    scrubbed = await core.store.scrub(())
    if not waiting or scrubbed.blocked_by_reader:
        return 0
    await note(core, UNFINISHED, None)
    return 1


MAINTENANCE = {"pending": lapse_pending, "episodes": summarise, "trace": purge, "terms": reanalyse}
# After all that deletes.
LAST = {"bytes": finish_erasure}
# Which job keeps up which table; the rest say why they are kept.
MAINTAINED = {"agent_facts": "trace", "fact_states": "trace", "sightings": "trace"}
KEPT = {
    "memoranda_meta": "names the schema; holds nothing of anybody",
    "subjects": "change numbers; a subject's name and a count",
    "operations": "who did what and when; ids, never a text",
    "never_rules": "a person's own rules, until that person removes them",
    "tombstones": "an id and a time",
}
