"""Erase: gone from the bytes. Rows, states, receipts, the log's text; then the store's files are searched."""

from __future__ import annotations

from collections.abc import Sequence

from memoranda.analysis import terms
from memoranda.core import Core, Erased
from memoranda.facts.cohorts import as_selection, gather, narrowed
from memoranda.facts.rows import Pen, pen
from memoranda.gate.draft import LONGEST_NAME
from memoranda.ports import Tx
from memoranda.ranking.taken import TakenBack, gone
from memoranda.types import Erasure, Fact, Selection
from memoranda.wordings import squeezed

SHORTEST_NEEDLE = 3
# A quote of fewer words is an answer ("Graz"), and the word stands in much else that nobody wants erased.
FEWEST_WORDS = 3
SHORTEST_ANSWER = 12
SESSION = "session:"
UNFINISHED = "unfinished-erasure"
OUT_OF_REACH = (
    "a paraphrase: other wording of the same in a message, a note or another fact",
    "files in folders and older text left on their disk: those found are named, edit them and their copies yourself",
    "backups and copies of the store made before now",
    "what was already sent to a model's service",
)


async def erase(core: Core, selection: Selection | str) -> Erasure:
    """See `Memory.erase`. The clean-up of the bytes runs once, after the rows are gone."""
    chosen = await narrowed(core, as_selection(core, selection), everything=True)

    async def body(tx: Tx) -> tuple[Erased, dict[str, int]]:
        erased = erased_of(await gather(core, tx, chosen, everything=True))
        return erased, await wiped(pen(core, tx), erased, "erase") if erased.ids else {}

    erased, removed = await core.store.atomic(body)
    if not erased.ids:
        return Erasure((), {}, 0, False, ())
    scrubbed = await core.store.scrub(erased.needles)
    if scrubbed.blocked_by_reader:
        await note(core, UNFINISHED, str(core.clock.now()))
    return Erasure(
        erased.ids,
        removed,
        scrubbed.hits,
        scrubbed.blocked_by_reader,
        OUT_OF_REACH,
        scrubbed.searched,
        await elsewhere(core, erased) if scrubbed.hits else (),
        await similar(core, erased),
        await outside(core, erased),
    )


async def wiped(ink: Pen, erased: Erased, verb: str, *, actor: str | None = None) -> dict[str, int]:
    """Wipe what every registered table holds of these facts; only tombstones stay. One operation."""
    core, tx = ink.core, ink.tx
    for subject in erased.subjects:
        await ink.bump(subject)
    removed = {table: await wipe(core, tx, erased) for table, wipe in core.erasable.items()}
    for fact_id in erased.ids:
        await tx.run("add_tombstone", tenant=core.tenant, id=fact_id, erased_at=ink.now)
    await ink.sign(verb, actor=actor)
    return removed


async def note(core: Core, key: str, value: str | None) -> None:
    """Keep one of the store's own notes, or with None drop it."""

    async def body(tx: Tx) -> None:
        if value is None:
            await tx.run("delete_meta", key=key)
        else:
            await tx.run("set_meta", key=key, value=value)

    await core.store.atomic(body)


def erased_of(taken: Sequence[Fact]) -> Erased:
    """What must not be left of these facts: ids, and every wording of them that we stored."""
    quotes = dict.fromkeys(fact.quote for fact in taken if fact.quote)
    texts = [
        *(fact.fact for fact in taken if len(fact.fact.strip()) >= SHORTEST_NEEDLE),
        *(quote for quote in quotes if not _answer(quote)),
    ]
    sources = {fact.source_ref or "" for fact in taken}
    return Erased(
        ids=tuple(fact.id for fact in taken),
        subjects=tuple(sorted({fact.subject for fact in taken})),
        # Longest first, so that a quote inside a longer one does not leave the longer one's rest behind.
        needles=tuple(sorted(dict.fromkeys(texts), key=len, reverse=True)),
        runs=tuple(sorted({fact.source_run for fact in taken if fact.source_run})),
        sessions=tuple(sorted(s.removeprefix(SESSION) for s in sources if s.startswith(SESSION))),
        answers=frozenset(squeezed(quote) for quote in quotes if _answer(quote)) - {""},
        words=tuple(frozenset(terms(fact.fact)) for fact in taken),
        taken=TakenBack(
            gone(f.source_run, f.source_step, frozenset(terms(f.fact)), f.quote) for f in taken
        ),
    )


def _answer(quote: str) -> bool:
    return len(quote.split()) < FEWEST_WORDS and len(quote.strip()) < SHORTEST_ANSWER


async def elsewhere(core: Core, erased: Erased) -> tuple[str, ...]:
    """Where the same words still stand because they were said of or by somebody else. Looks through the tenant."""
    found: list[str] = []
    for fact_id, fact, quote in await core.store.rows("wordings_of_facts", tenant=core.tenant):
        if any(erased.without(text) != text for text in (fact, quote or "")):
            found.append(fact_id)
    for session, n, body in await core.store.rows("bodies", tenant=core.tenant):
        if erased.without(body) != body:
            found.append(f"{session}#{n}")
    return tuple(found)


async def similar(core: Core, erased: Erased) -> tuple[str, ...]:
    """What shares most words with what was erased, of every place that can look."""
    return tuple([name for look in core.similar.values() for name in await look(core, erased)])


async def outside(core: Core, erased: Erased) -> tuple[str, ...]:
    """Where beyond the store the wording still stands. Nothing is changed there."""
    return tuple([name for look in core.outside.values() for name in await look(core, erased)])


async def similar_facts(core: Core, erased: Erased) -> list[str]:
    """The ids of facts of the same subjects that may be paraphrases."""
    rows = [
        row
        for subject in erased.subjects
        for row in await core.store.rows("texts_of_subject", tenant=core.tenant, subject=subject)
    ]
    return [fact_id for fact_id, text in rows if erased.resembles(text)]


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
    found: dict[str, str] = {}
    for subject in erased.subjects if erased.needles else ():
        found.update(await tx.rows("quotes_of_subject", tenant=core.tenant, subject=subject))
    for run in erased.runs if erased.needles else ():
        found.update(await tx.rows("quotes_of_run", tenant=core.tenant, run=run))
    for fact_id, quote in sorted(found.items()):
        if (without := erased.without(quote)) != quote:
            await tx.run("rewrite_quote", tenant=core.tenant, id=fact_id, quote=without)
    return removed


async def wipe_reasons(core: Core, tx: Tx, erased: Erased) -> int:
    """Their wording in reasons that people gave, here and with the facts that were retired for them."""
    cleaned = 0
    for operation, why in await tx.rows("reasons", tenant=core.tenant) if erased.needles else ():
        short = len(why) >= LONGEST_NAME
        without = erased.without_start(why) if short else erased.without(why)
        if without != why:
            change = {"operation": operation, "why": why, "without": without}
            await tx.run("rewrite_retired_why", tenant=core.tenant, **change)
            await tx.run("rewrite_retired_why_states", tenant=core.tenant, **change)
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
SIMILAR = {"agent_facts": similar_facts}
