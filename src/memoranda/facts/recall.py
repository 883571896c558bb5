"""Recall: the few live facts that answer a question, as data, with a receipt. Or nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import datetime

from memoranda.analysis import query_terms
from memoranda.core import Core
from memoranda.errors import UsageError
from memoranda.facts.rank import Candidate, Limits, Picker, candidate, score
from memoranda.facts.rows import fact_of
from memoranda.gate.clean import storable
from memoranda.gate.draft import micros, names, share, whole
from memoranda.types import Fact, Recall, Receipt, Status, Trust, from_micros
from memoranda.window.render import render_frame, render_item, render_recalled


async def recall(
    core: Core,
    query: str,
    *,
    subjects: Sequence[str],
    k: int | None = None,
    tokens: int | None = None,
    as_of: datetime | None = None,
    tags: Iterable[str] = (),
    min_trust: Trust | None = None,
    min_confidence: float | None = None,
    skip: frozenset[str] = frozenset(),
) -> Recall:
    """See `Memory.recall`. `skip` holds ids that are in the window already; the receipt says so."""
    subjects = _asked(query, subjects)
    now = core.clock.now()
    moment = micros("as_of", as_of)
    name, at = ("candidates", now) if moment is None else ("candidates_as_of", moment)
    rows = await _candidates(core, name, subjects, now=at)
    rows = _tagged(rows, names("tags", tags))
    picker = Picker(rows, _limits(core, k, tokens, min_trust, min_confidence))
    nonce = fresh_nonce(core)
    facts = await _pick(core, picker, query, skip, moment, nonce)
    text = render_recalled(facts, nonce)
    cost = core.counter.count(text)
    receipt = Receipt(
        id=core.ids.new("r_"),
        at=from_micros(now),
        subjects=subjects,
        chosen=tuple(picker.chosen),
        left_out=tuple(picker.left_out),
        considered=len(rows),
        tokens=cost,
    )
    lowest = min((fact.trust for fact in facts), default=None)
    return Recall(tuple(facts), text, cost, receipt, lowest)


async def matching(core: Core, query: str, subject: str, *, everything: bool) -> list[str]:
    """The ids of all facts of a subject that the query means, uncapped, best first: near-duplicates and little
    trusted ones too, for who forgets a thing wants none of it back. With `everything` in whatever state."""
    subjects = _asked(query, [subject])
    if everything:
        rows = await _candidates(core, "candidates_any", subjects)
    else:
        rows = await _candidates(core, "candidates", subjects, now=core.clock.now())
    found = score(query_terms(storable(query)), list(rows.values()))
    return [one.id for one in found if one.score >= core.settings.recall_floor]


def fresh_nonce(core: Core) -> str:
    """A nonce for a fence: sixteen hexadecimal digits that no text can know ahead."""
    return hashlib.sha256(core.ids.new("n_").encode()).hexdigest()[:16]


def _asked(query: str, subjects: Sequence[str]) -> tuple[str, ...]:
    """The subjects by the names they are kept under, each once."""
    if not isinstance(query, str):
        raise UsageError("the query must be a string")
    found = names("subjects", subjects)
    if not found:
        raise UsageError("recall needs at least one subject; it never looks at everybody's facts")
    return found


def _limits(
    core: Core,
    k: int | None,
    tokens: int | None,
    min_trust: Trust | None,
    min_confidence: float | None,
) -> Limits:
    settings = core.settings
    return Limits(
        k=settings.recall_k if k is None else whole("k", k),
        tokens=settings.recall_tokens if tokens is None else whole("tokens", tokens),
        floor=settings.recall_floor,
        min_trust=settings.min_trust if min_trust is None else whole("min_trust", min_trust),
        min_confidence=settings.min_confidence
        if min_confidence is None
        else share("min_confidence", min_confidence),
        below_user=settings.below_user,
    )


async def _candidates(
    core: Core, query: str, subjects: Sequence[str], **params: int
) -> dict[str, Candidate]:
    """The rows of the subjects that the named query gives, by id."""
    found: dict[str, Candidate] = {}
    for subject in subjects:
        for row in await core.store.rows(query, tenant=core.tenant, subject=subject, **params):
            found[row[0]] = candidate(row)
    return found


def _tagged(rows: dict[str, Candidate], tags: tuple[str, ...]) -> dict[str, Candidate]:
    """The rows that carry all of the tags."""
    if not tags:
        return rows
    wanted = set(tags)
    return {i: row for i, row in rows.items() if wanted <= set(json.loads(row.tags))}


async def _pick(
    core: Core, picker: Picker, query: str, skip: frozenset[str], as_of: int | None, nonce: str
) -> list[Fact]:
    """Read the candidates that pass the rules, best first, until the caps are reached."""
    frame = core.counter.count(render_frame(nonce))
    facts: list[Fact] = []
    for found in picker.ranked(query_terms(storable(query))):
        if found.id in skip:
            picker.leave(found, "in-window")
            continue
        if picker.refuses(found):
            continue
        fact = await _read(core, found.id, as_of)
        # Between the two reads another process may have taken it back; then there is nothing to show.
        if fact is None or fact.status is not Status.LIVE:
            continue
        cost = core.counter.count(render_item(fact, nonce) + "\n")
        if picker.take(found, cost if facts else cost + frame):
            facts.append(fact)
    return facts


async def _read(core: Core, fact_id: str, as_of: int | None) -> Fact | None:
    """The fact's row; with `as_of` in the state it had then."""
    rows = await core.store.rows("fact", tenant=core.tenant, id=fact_id)
    if not rows or as_of is None:
        return fact_of(rows[0]) if rows else None
    states = await core.store.rows("state_as_of", tenant=core.tenant, fact_id=fact_id, now=as_of)
    return fact_of((*rows[0][: -len(states[0])], *states[0])) if states else None
