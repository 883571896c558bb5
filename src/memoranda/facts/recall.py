"""Recall: the few live facts that answer a question, as data, with a receipt. Or nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime

from memoranda.analysis import query_terms
from memoranda.core import Core
from memoranda.errors import UsageError
from memoranda.facts.rank import Candidate, Limits, Picker, candidate, score
from memoranda.facts.rows import fact_of
from memoranda.gate.clean import sentence, storable
from memoranda.gate.draft import micros
from memoranda.types import Fact, Recall, Receipt, Trust, from_micros
from memoranda.window.render import render_item, render_recalled


async def recall(
    core: Core,
    query: str,
    *,
    subjects: Sequence[str],
    k: int | None = None,
    tokens: int | None = None,
    as_of: datetime | None = None,
    tags: Sequence[str] = (),
    min_trust: Trust | None = None,
    min_confidence: float | None = None,
    skip: frozenset[str] = frozenset(),
) -> Recall:
    """See `Memory.recall`. `skip` holds ids that are in the window already; the receipt says so."""
    _check(query, subjects)
    now = core.clock.now()
    moment = micros("as_of", as_of)
    rows = await _candidates(core, subjects, now, moment, tags)
    picker = Picker(rows, _limits(core, k, tokens, min_trust, min_confidence))
    nonce = fresh_nonce(core)
    facts = await _pick(core, picker, query, skip, moment, nonce)
    receipt = Receipt(
        id=core.ids.new("r_"),
        at=from_micros(now),
        subjects=tuple(subjects),
        chosen=tuple(picker.chosen),
        left_out=tuple(picker.left_out),
        considered=len(rows),
        tokens=picker.tokens,
    )
    text = render_recalled(facts, nonce)
    lowest = min((fact.trust for fact in facts), default=None)
    return Recall(tuple(facts), text, core.counter.count(text) if text else 0, receipt, lowest)


def fresh_nonce(core: Core) -> str:
    """A nonce for a fence: sixteen hexadecimal digits that no text can know ahead."""
    return hashlib.sha256(core.ids.new("n_").encode()).hexdigest()[:16]


def _check(query: str, subjects: Sequence[str]) -> None:
    if not isinstance(query, str):
        raise UsageError("the query must be a string")
    if isinstance(subjects, str) or not all(isinstance(subject, str) for subject in subjects):
        raise UsageError("subjects is a list of strings, e.g. ['user:me']")
    if not subjects:
        raise UsageError("recall needs at least one subject; it never looks at everybody's facts")


def _limits(
    core: Core,
    k: int | None,
    tokens: int | None,
    min_trust: Trust | None,
    min_confidence: float | None,
) -> Limits:
    settings = core.settings
    return Limits(
        k=settings.recall_k if k is None else k,
        tokens=settings.recall_tokens if tokens is None else tokens,
        floor=settings.recall_floor,
        min_trust=settings.min_trust if min_trust is None else min_trust,
        min_confidence=settings.min_confidence if min_confidence is None else min_confidence,
        below_user=settings.below_user,
    )


async def _candidates(
    core: Core, subjects: Sequence[str], now: int, as_of: int | None, tags: Sequence[str]
) -> dict[str, Candidate]:
    """Every row of the subjects that may be read, by id; with `tags` only those that carry all of them."""
    name, moment = ("candidates", now) if as_of is None else ("candidates_as_of", as_of)
    found: dict[str, Candidate] = {}
    wanted = set(map(sentence, tags))
    for subject in dict.fromkeys(map(sentence, subjects)):
        for row in await core.store.rows(name, tenant=core.tenant, subject=subject, now=moment):
            if not wanted or wanted <= set(json.loads(row[6])):
                found[row[0]] = candidate(row)
    return found


async def _pick(
    core: Core, picker: Picker, query: str, skip: frozenset[str], as_of: int | None, nonce: str
) -> list[Fact]:
    """Read the candidates that pass the rules, best first, until the caps are reached."""
    question = query_terms(storable(query))
    facts: list[Fact] = []
    for found in score(question, list(picker.rows.values())) if question else []:
        if found.id in skip:
            picker.leave(found, "in-window")
            continue
        if picker.refuses(found):
            continue
        fact = await _read(core, found.id, as_of)
        # Between the two reads another process may have erased it; then there is nothing to show.
        if fact and picker.take(found, core.counter.count(render_item(fact, nonce))):
            facts.append(fact)
    return facts


async def _read(core: Core, fact_id: str, as_of: int | None) -> Fact | None:
    """The fact's row; with `as_of` in the state it had then."""
    rows = await core.store.rows("fact", tenant=core.tenant, id=fact_id)
    if not rows or as_of is None:
        return fact_of(rows[0]) if rows else None
    states = await core.store.rows("state_as_of", tenant=core.tenant, fact_id=fact_id, now=as_of)
    return fact_of((*rows[0][: -len(states[0])], *states[0])) if states else None
