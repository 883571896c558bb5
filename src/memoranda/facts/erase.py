"""Erase: gone from the bytes. Rows, states, receipts, the log's text; then the store's files are searched."""

from __future__ import annotations

from collections.abc import Sequence

from memoranda.core import Core, Erased
from memoranda.facts.bulk import as_selection, select
from memoranda.facts.rows import pen
from memoranda.ports import Tx
from memoranda.types import Erasure, Fact, Selection

SHORTEST_NEEDLE = 3
OUT_OF_REACH = (
    "a paraphrase: other wording of the same in a message, a note or another fact",
    "backups and copies of the store made before now",
    "what was already sent to a model's service",
)


async def erase(core: Core, selection: Selection | str) -> Erasure:
    """See `Memory.erase`. The clean-up of the bytes runs once, after the rows are gone."""
    taken = await select(core, as_selection(selection), everything=True)
    if not taken:
        return Erasure((), {}, 0, False, ())
    erased = erased_of(taken)
    removed = await wipe(core, erased)
    scrubbed = await core.store.scrub(erased.needles)
    return Erasure(erased.ids, removed, scrubbed.hits, scrubbed.blocked_by_reader, OUT_OF_REACH)


async def wipe(core: Core, erased: Erased, *, why: str | None = None) -> dict[str, int]:
    """Remove the facts from every registered table, in one transaction; the bytes are the caller's to scrub."""

    async def body(tx: Tx) -> dict[str, int]:
        ink = pen(core, tx)
        for subject in erased.subjects:
            await ink.bump(subject)
        removed = {table: await clean(core, tx, erased) for table, clean in core.erasable.items()}
        for fact_id in erased.ids:
            await tx.run("add_tombstone", tenant=core.tenant, id=fact_id, erased_at=ink.now)
        await ink.sign("erase", why=why)
        return removed

    return await core.store.atomic(body)


def erased_of(taken: Sequence[Fact]) -> Erased:
    """What must not be left of these facts: ids, and every wording of them that we stored."""
    texts = [
        text
        for fact in taken
        for text in (fact.fact, fact.quote or "")
        if len(text.strip()) >= SHORTEST_NEEDLE
    ]
    # Longest first, so that a quote inside a longer one does not leave the longer one's rest behind.
    needles = sorted(dict.fromkeys(texts), key=len, reverse=True)
    return Erased(
        ids=tuple(fact.id for fact in taken),
        subjects=tuple(sorted({fact.subject for fact in taken})),
        needles=tuple(needles),
    )


# How each table of facts is wiped


async def wipe_facts(core: Core, tx: Tx, erased: Erased) -> int:
    """The rows themselves, and pointers to them in other rows."""
    removed = 0
    for fact_id in erased.ids:
        await tx.run("unlink_superseded", tenant=core.tenant, id=fact_id)
        removed += await tx.run("erase_fact", tenant=core.tenant, id=fact_id)
    return removed


async def wipe_states(core: Core, tx: Tx, erased: Erased) -> int:
    """The states they had, and pointers to them in other facts' states."""
    removed = 0
    for fact_id in erased.ids:
        await tx.run("unlink_superseded_states", tenant=core.tenant, id=fact_id)
        removed += await tx.run("erase_fact_states", tenant=core.tenant, fact_id=fact_id)
    return removed


async def wipe_quotes(core: Core, tx: Tx, erased: Erased) -> int:
    """The rows, and their wording in the quotes of others: two facts may have been taken from one sentence."""
    removed = await wipe_facts(core, tx, erased)
    for subject in erased.subjects:
        rows = await tx.rows("quotes_of_subject", tenant=core.tenant, subject=subject)
        for fact_id, quote in rows:
            if (without := erased.without(quote)) != quote:
                await tx.run("rewrite_quote", tenant=core.tenant, id=fact_id, quote=without)
    return removed


async def wipe_reasons(core: Core, tx: Tx, erased: Erased) -> int:
    """Their wording in reasons that people gave."""
    cleaned = 0
    for operation, why in await tx.rows("reasons", tenant=core.tenant):
        if (without := erased.without(why)) != why:
            cleaned += await tx.run("rewrite_reason", tenant=core.tenant, id=operation, why=without)
    return cleaned


async def wipe_sightings(core: Core, tx: Tx, erased: Erased) -> int:
    """Which steps said it: the digest is made from the text."""
    removed = 0
    for fact_id in erased.ids:
        removed += await tx.run("erase_sightings", tenant=core.tenant, fact_id=fact_id)
    return removed


ERASABLE = {
    "agent_facts": wipe_quotes,
    "fact_states": wipe_states,
    "operations": wipe_reasons,
    "sightings": wipe_sightings,
}
