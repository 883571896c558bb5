"""Look at stored rows again when the rules have changed: what would be refused now does not stay.

A fact that holds a secret is erased, since a secret must not stay readable, not even in a trace; one that is refused
for another reason is retired, which can be undone. Messages of the log get placeholders. Twice finds nothing more.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace

from memoranda.core import Core, Looked
from memoranda.facts.bulk import retire
from memoranda.facts.cohorts import TAKEN
from memoranda.facts.erase import OUT_OF_REACH, erased_of, wiped
from memoranda.facts.erase import note as noted
from memoranda.facts.rows import as_draft, fact_of, pen
from memoranda.gate.rules import refresh
from memoranda.gate.screen.rules import version
from memoranda.gate.screening import action, found_in, screened
from memoranda.ports import Rescan, Rescreened, Tx
from memoranda.types import Fact, Selection

# Shorter values stand in other texts by chance.
SHORTEST_VALUE = 8


def rules_mark(core: Core) -> str:
    """Changes when a rule, a policy or a person's own rule does."""
    told = json.dumps([version(), dict(core.settings.screening), core.never.mark], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


async def rescan(core: Core, *, dry_run: bool = False) -> Rescan:
    """See `Memory.rescan`."""
    await refresh(core, core.store)
    looked = {place: await look(core, dry_run) for place, look in core.rescreens.items()}
    found = tuple(row for place in looked.values() for row in place.found)
    needles = tuple(dict.fromkeys(n for place in looked.values() for n in place.needles))
    counts = {place: part.rows for place, part in looked.items()}
    left = tuple(dict.fromkeys(what for place in looked.values() for what in place.left))
    if dry_run:
        return Rescan(True, rules_mark(core), counts, found, out_of_reach=left)
    await noted(core, rescan_key(core), rules_mark(core))
    if not needles:
        return Rescan(False, rules_mark(core), counts, found, out_of_reach=left)
    scrubbed = await core.store.scrub(needles)
    reach = (*left, *OUT_OF_REACH)
    return Rescan(
        False, rules_mark(core), counts, found, scrubbed.hits, scrubbed.blocked_by_reader, reach
    )


def rescan_key(core: Core) -> str:
    """Under which name the store notes by which rules its rows were last looked at."""
    return f"rescan/{core.tenant}"


async def rescreen_facts(core: Core, dry_run: bool) -> Looked:
    """The facts: those with secrets go, those that are refused otherwise are retired."""
    rows = await core.store.rows("facts_of_tenant", tenant=core.tenant)
    bad = [(fact, why) for fact in map(fact_of, rows) if (why := _refused(core, fact))]
    secret = [(fact, why) for fact, why in bad if why.startswith("secret:")]
    other = [
        (fact, why) for fact, why in bad if not why.startswith("secret:") and fact.status in TAKEN
    ]
    needles = tuple(value for fact, _ in secret for value in _values(core, fact))
    if not dry_run:
        await _erase([fact for fact, _ in secret], core, needles)
        for why in sorted({why for _, why in other}):
            await _retire(core, [fact for fact, reason in other if reason == why], why)
    found = [Rescreened("facts", fact.id, why, "erased") for fact, why in secret]
    found += [Rescreened("facts", fact.id, why, "retired") for fact, why in other]
    return Looked(tuple(found), len(rows), needles)


def _refused(core: Core, fact: Fact) -> str:
    """The first reason why the present rules refuse a fact, a secret before all others; "" if they do not."""
    refused = screened(as_draft(fact), core.settings.screening, core.screens).refused
    return min(refused, key=lambda reason: not reason.startswith("secret:"), default="")


def _values(core: Core, fact: Fact) -> Iterable[str]:
    texts = (fact.fact, fact.quote, fact.value, fact.attribute, fact.source_ref, *fact.tags)
    for text in filter(None, texts):
        for finding in found_in(text, core.screens)[0]:
            value = text[finding.start : finding.end]
            if finding.group == "secret" and action(finding, core.settings.screening) == "refuse":
                yield from (value,) if len(value) >= SHORTEST_VALUE else ()


async def _erase(facts: list[Fact], core: Core, needles: tuple[str, ...]) -> None:
    if not facts:
        return
    erased = erased_of(facts)
    more = tuple(needle for needle in needles if needle not in erased.needles)
    erased = replace(erased, needles=(*erased.needles, *more))

    async def body(tx: Tx) -> None:
        await wiped(pen(core, tx), erased, "erase")

    await core.store.atomic(body)


async def _retire(core: Core, facts: list[Fact], why: str) -> None:
    await retire(core, Selection(ids=tuple(fact.id for fact in facts)), why=f"rescan:{why}")


RESCREENS = {"facts": rescreen_facts}
