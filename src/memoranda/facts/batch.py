"""What a reviewer reads before deciding: each held fact with its reasons, its flags and what it would replace."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import cast

from memoranda.core import Core
from memoranda.facts.keys import Entry, late_by, named, same_key
from memoranda.facts.lifetimes import approved_until
from memoranda.facts.reading import facts
from memoranda.facts.rows import Pen, as_draft, fact_of, pen, to_forget
from memoranda.facts.supersession import Relation
from memoranda.gate.draft import name, whole
from memoranda.gate.screen.engine import Engine
from memoranda.gate.screen.injection import INJECTION
from memoranda.ports import Tx
from memoranda.types import Fact, Origin, ReviewItem, to_micros

CLOSED = (Relation.REPLACES, Relation.WEAKER)


async def batch(
    core: Core,
    *,
    subject: str | None = None,
    source: str | None = None,
    run: str | None = None,
    origin: Origin | None = None,
    limit: int | None = None,
) -> list[ReviewItem]:
    """See `Reviewer.batch`."""
    waiting = await held(core, subject=subject, source=source, run=run, origin=origin)
    most = len(waiting) if limit is None else whole("limit", limit)
    return [await _item(core, fact) for fact in waiting[:most]]


async def held(
    core: Core,
    *,
    subject: str | None = None,
    source: str | None = None,
    run: str | None = None,
    origin: Origin | None = None,
) -> list[Fact]:
    """What waits and has not lapsed, oldest first; of these marks only."""
    source = None if source is None else name("source", source)
    run = None if run is None else name("run", run)
    waiting = (await facts(core, subject=subject, status="pending"))[::-1]
    return [
        fact
        for fact in waiting
        if (source is None or fact.source_ref == source)
        and (run is None or fact.source_run == run)
        and (origin is None or fact.origin == origin)
    ]


async def _item(core: Core, fact: Fact) -> ReviewItem:
    said = await core.store.rows("first_reason", tenant=core.tenant, id=fact.id)
    reasons = tuple((said[0][0] or "").split(", ")) if said and said[0][0] else ()
    # Only read with, and so outside a transaction: a preview must not keep writers waiting.
    ink = pen(core, cast(Tx, core.store))
    target = to_forget(fact)
    replaced = [target] if target else (await closing(ink, entry_of(ink, fact)))[0]
    rows = [await core.store.rows("fact", tenant=core.tenant, id=one) for one in replaced]
    flags = flags_of(f"{fact.fact}\n{fact.quote or ''}")
    return ReviewItem(fact, reasons, flags, tuple(fact_of(row[0]) for row in rows if row))


def entry_of(ink: Pen, fact: Fact) -> Entry:
    """A held fact as it would enter if it were approved now."""
    until = approved_until(fact, ink.core.settings, ink.now)
    item = replace(as_draft(fact), expires_at=until)
    return Entry(item, fact.trust, False, (), fact.digest, to_micros(fact.observed_at), until)


async def closing(ink: Pen, entry: Entry) -> tuple[list[str], str | None]:
    """The live facts that approval closes, and the newer one that it would stand behind, if there is one."""
    keyed = await same_key(ink, entry)
    replaced = [row.id for kind in CLOSED for row in keyed.get(kind, ())]
    replaced += [fact_id for fact_id, _ in await named(ink, entry)]
    return list(dict.fromkeys(replaced)), await late_by(ink, entry, keyed)


def flags_of(text: str) -> tuple[str, ...]:
    """The wording of planted instructions in a text, by the names of the rules that know it."""
    return tuple(dict.fromkeys(f"injection:{found.rule}" for found in _engine().scan(text)))


@cache
def _engine() -> Engine:
    return Engine(INJECTION)
