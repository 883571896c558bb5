"""Cohorts: which facts a verb would take, by any of their marks, with everything that came of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

from memoranda.core import Core
from memoranda.errors import ScopeMissing, UsageError
from memoranda.facts.matching import matching
from memoranda.facts.rows import fact_by_id, fact_of
from memoranda.gate.draft import member, micros, name, texts, whole
from memoranda.ports import Row, Store, Tx
from memoranda.types import Fact, Kind, Origin, Selection, Status, to_micros
from memoranda.wordings import holds, squeezed

TAKEN = (Status.LIVE, Status.PENDING)
NAMES = ("tag", "run", "subject", "source", "attribute")
SOUGHT = tuple(field.name for field in fields(Selection))


def as_selection(core: Core, selection: Selection | str) -> Selection:
    """A selection, also from a single id; one that selects by nothing is refused, and so is a field that is empty."""
    wanted: Any = Selection(ids=(selection,)) if isinstance(selection, str) else selection
    if not isinstance(wanted, Selection):
        raise UsageError(f"give an id or a Selection(ids=...), not {type(wanted).__name__}")
    given: dict[str, Any] = {
        field: name(field, value)
        for field in NAMES
        if (value := getattr(wanted, field)) is not None
    }
    for field, family in (("origin", Origin), ("kind", Kind)):
        if (value := getattr(wanted, field)) is not None:
            given[field] = member(family, value, field)
    if "attribute" in given:
        given["attribute"] = core.attributes.canonical(given["attribute"])
    chosen = replace(wanted, ids=texts("ids", wanted.ids), **given)
    _bounded(chosen)
    return chosen


def _bounded(chosen: Selection) -> None:
    """Refuse a selection that names nobody and nothing, or whose parts lack what they belong to."""
    if "" in chosen.ids:
        raise UsageError("an id is empty")
    if not any(getattr(chosen, field) for field in SOUGHT):
        raise ScopeMissing(
            "nothing to select by: give an id, a tag, a run, a subject, a source or another mark; to take all of a "
            "subject, name it"
        )
    if chosen.query is not None and not chosen.subject:
        raise ScopeMissing("a query needs a subject: whose facts are meant?")
    if chosen.steps is not None:
        if not chosen.run:
            raise ScopeMissing("steps need a run: of which run are they?")
        if not isinstance(chosen.steps, tuple) or len(chosen.steps) != 2:
            raise UsageError("steps are the first and the last step: (3, 7)")
        if whole("steps", chosen.steps[0]) > whole("steps", chosen.steps[1]):
            raise UsageError("the first step comes after the last")
    since, until = micros("since", chosen.since), micros("until", chosen.until)
    if since is not None and until is not None and since >= until:
        raise UsageError("since must be before until")


async def select(core: Core, selection: Selection | str, *, everything: bool = False) -> list[Fact]:
    """What a verb would take: the matching facts, then what was derived from them.

    Retiring takes what is live or pending; with `everything` (erasure) superseded, retired and rejected rows, the
    earlier versions of each fact, other rows that say the same, and those that hold the same sentence, too.
    """
    chosen = await narrowed(core, as_selection(core, selection), everything=everything)
    return await gather(core, core.store, chosen, everything=everything)


async def narrowed(core: Core, chosen: Selection, *, everything: bool) -> Selection:
    """The selection without its query, which needs a recall and so no transaction: ids in its place."""
    if chosen.query is None or chosen.subject is None:
        return chosen
    found = await matching(core, chosen.query, chosen.subject, everything=everything)
    ids = [one for one in found if one in chosen.ids] if chosen.ids else found
    # An id that no row has: a query that finds nothing must not select by what is left.
    return replace(chosen, query=None, ids=tuple(ids) or ("",))


async def gather(
    core: Core, source: Store | Tx, chosen: Selection, *, everything: bool = False
) -> list[Fact]:
    """The facts of a narrowed selection and all that came of them, read from a store or inside a transaction."""
    found = await matched(core, source, chosen)
    if not everything:
        return standing(await closure(core, source, found))
    while True:
        taken = await closure(core, source, found, everything=True)
        found = [*taken, *await _wider(core, source, taken)]
        if len(found) == len(taken):
            return taken


def standing(facts: Iterable[Fact]) -> list[Fact]:
    """Those that can be retired."""
    return [fact for fact in facts if fact.status in TAKEN]


async def closure(
    core: Core, source: Store | Tx, chosen: Iterable[Fact], *, everything: bool = False
) -> list[Fact]:
    """The facts and everything derived from them, transitively, in whatever state.

    With `everything` also their earlier versions and the rows that say the same.
    """
    children = await children_of(core, source)
    found = {fact.id: fact for fact in chosen}
    waiting = list(found)
    while waiting:
        at = waiting.pop()
        near = [*children.get(at, ()), *(await _versions(core, source, at) if everything else ())]
        for fact_id in near:
            if fact_id not in found:
                found[fact_id] = await fact_by_id(source, core.tenant, fact_id)
                waiting.append(fact_id)
    return list(found.values())


async def _versions(core: Core, source: Store | Tx, fact_id: str) -> list[str]:
    """What came before a fact, and what says the same."""
    earlier = await source.rows("predecessors", tenant=core.tenant, id=fact_id)
    return [row[0] for row in earlier + await source.rows("twins", tenant=core.tenant, id=fact_id)]


async def children_of(core: Core, source: Store | Tx) -> dict[str, list[str]]:
    """For each fact the facts that were derived from it."""
    children: dict[str, list[str]] = {}
    for fact_id, sources in await source.rows("derivations", tenant=core.tenant):
        for each in json.loads(sources):
            children.setdefault(each, []).append(fact_id)
    return children


async def _wider(core: Core, source: Store | Tx, taken: list[Fact]) -> list[Fact]:
    """Other facts of the same subjects that hold a taken sentence whole: what is erased must not stand in them."""
    ids = {fact.id for fact in taken}
    needles: dict[str, set[str]] = {}
    for fact in taken:
        needles.setdefault(fact.subject, set()).add(squeezed(fact.fact))
    found = []
    for subject in sorted(needles):
        rows = await source.rows("facts_of_subject", tenant=core.tenant, subject=subject)
        rest = [fact for fact in map(fact_of, rows) if fact.id not in ids]
        found += [fact for fact in rest if _says(fact.fact, needles[subject])]
    return found


def _says(text: str, needles: Iterable[str]) -> bool:
    flat = squeezed(text)
    return any(needle in flat and holds(text, needle) for needle in needles)


async def matched(core: Core, source: Store | Tx, chosen: Selection) -> list[Fact]:
    """The facts that all marks of the selection fit."""
    if chosen.ids:
        ids = dict.fromkeys(filter(None, chosen.ids))
        found = [await fact_by_id(source, core.tenant, fact_id) for fact_id in ids]
    else:
        found = [fact_of(row) for row in await _rows(core, source, chosen)]
    return [fact for fact in found if _fits(fact, chosen)]


async def _rows(core: Core, source: Store | Tx, chosen: Selection) -> list[Row]:
    """The rows of the narrowest thing that is named and has an index; else the engine looks through all."""
    if chosen.run:
        return await source.rows("facts_of_run", tenant=core.tenant, run=chosen.run)
    if chosen.subject:
        return await source.rows("facts_of_subject", tenant=core.tenant, subject=chosen.subject)
    return await source.rows(
        "facts_by_marks",
        tenant=core.tenant,
        source=chosen.source,
        origin=chosen.origin,
        kind=chosen.kind,
        attribute=chosen.attribute,
        since=None if chosen.since is None else to_micros(chosen.since),
        until=None if chosen.until is None else to_micros(chosen.until),
    )


def _fits(fact: Fact, chosen: Selection) -> bool:
    return (
        (chosen.tag is None or chosen.tag in fact.tags)
        and (chosen.run is None or fact.source_run == chosen.run)
        and (chosen.steps is None or _within(fact.source_step, *chosen.steps))
        and (chosen.subject is None or fact.subject == chosen.subject)
        and (chosen.source is None or fact.source_ref == chosen.source)
        and (chosen.origin is None or fact.origin == chosen.origin)
        and (chosen.kind is None or fact.kind == chosen.kind)
        and (chosen.attribute is None or fact.attribute == chosen.attribute)
        and (chosen.since is None or fact.created_at >= chosen.since)
        and (chosen.until is None or fact.created_at < chosen.until)
    )


def _within(step: int | None, first: int, last: int) -> bool:
    return step is not None and first <= step <= last
