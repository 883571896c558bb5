"""How far a fact came: the runs that it was put before, what these wrote from then on, and of that again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from memoranda.accounts import Blast, Hop, Reached
from memoranda.core import Core
from memoranda.facts.cohorts import children_of
from memoranda.facts.reading import recalled_where
from memoranda.facts.rows import fact_by_id, fact_of
from memoranda.types import Fact


async def blast(core: Core, fact_id: str) -> Blast:
    """See `Memory.blast`. Breadth first, so that each path is one of the shortest."""
    start = await fact_by_id(core.store, core.tenant, fact_id)
    children = await children_of(core, core.store)
    paths: dict[str, tuple[Hop, ...]] = {start.id: ()}
    found: list[Reached] = []
    waiting = [start.id]
    for at in waiting:
        for hop, fact in await _next(core, at, children):
            if fact.id not in paths:
                paths[fact.id] = (*paths[at], hop)
                found.append(Reached(fact, paths[fact.id]))
                waiting.append(fact.id)
    return Blast(start, await recalled_where(core, start.id), tuple(found))


async def _next(
    core: Core, fact_id: str, children: Mapping[str, Iterable[str]]
) -> list[tuple[Hop, Fact]]:
    """What may come directly of a fact: what was derived from it, and what was written after it was recalled."""
    derived = [await fact_by_id(core.store, core.tenant, one) for one in children.get(fact_id, ())]
    hops = [(Hop(fact.id), fact) for fact in derived]
    for run, since in (await _exposed(core, fact_id)).items():
        rows = await core.store.rows("facts_of_run", tenant=core.tenant, run=run)
        hops += [
            (Hop(fact.id, run), fact)
            for fact in reversed([fact_of(row) for row in rows])
            if fact.created_at >= since
        ]
    return hops


async def _exposed(core: Core, fact_id: str) -> dict[str, datetime]:
    """The runs that a fact was recalled in, each with the first time: what was written before cannot come of it."""
    found: dict[str, datetime] = {}
    for recalled in await recalled_where(core, fact_id):
        if recalled.run is not None:
            found.setdefault(recalled.run, recalled.at)
    return found
