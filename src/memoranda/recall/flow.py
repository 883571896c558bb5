"""The flow of a recall: read what may answer, rank it, pick the few, render them, and say why in a receipt."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import ceil

from memoranda.core import Core, fresh_nonce
from memoranda.facts.matching import asked, candidate
from memoranda.facts.rows import fact_of
from memoranda.facts.vectors import Seen, query_vector
from memoranda.gate.clean import storable
from memoranda.gate.draft import micros, names, share, whole
from memoranda.ranking import facts as fact_ranking
from memoranda.ranking import turns as turn_ranking
from memoranda.ranking import weights
from memoranda.ranking.facts import FactIndex
from memoranda.ranking.question import Question, read
from memoranda.ranking.turns import Turn, TurnIndex
from memoranda.recall import loading, meaning
from memoranda.recall.loading import FactShelf
from memoranda.recall.picking import Entry, Limits, Picker, of_fact, of_turns
from memoranda.recall.reranking import reranked
from memoranda.recall.taken import brings_back, question_of, taken_back
from memoranda.sessions.turns import item_of, log_of, rewritten, spoken, texts_of
from memoranda.types import (
    Fact,
    Recall,
    RecalledTurn,
    Receipt,
    Scored,
    Status,
    Trust,
    from_micros,
)
from memoranda.window.render import render_frame, render_item, render_recalled

# So many more than could be chosen are looked at, and stand in the receipt as left out.
RANKED = 5


@dataclass(frozen=True, slots=True)
class Wants:
    """What a recall is asked for beside the question; None: as the settings say (see `Memory.recall`).

    skip: ids that are in the window already; the receipt says so. session: the one that is going on, whose turns stand
    in the window or can be reopened.
    """

    k: int | None = None
    tokens: int | None = None
    as_of: datetime | None = None
    tags: Iterable[str] = ()
    min_trust: Trust | None = None
    min_confidence: float | None = None
    turns: int | None = None
    skip: frozenset[str] = frozenset()
    session: str | None = None


async def recall(core: Core, query: str, subjects: Sequence[str], wants: Wants = Wants()) -> Recall:
    """See `Memory.recall`."""
    subjects = asked(query, subjects)
    now, moment = core.clock.now(), micros("as_of", wants.as_of)
    question = read(storable(query), now)
    limits = _limits(core, subjects, wants)
    wanted = names("tags", wants.tags)
    pool = _Pool(core, question, subjects, limits, moment, now)
    if question.terms or core.embedder is not None:
        await pool.gather(wanted, wants.session)
    picker = Picker(await reranked(core, question, pool.entries), limits, wants.skip)
    nonce = fresh_nonce(core)
    facts, said = await _pick(pool, picker, nonce)
    text = render_recalled(facts, nonce, said)
    cost = core.counter.count(text)
    receipt = Receipt(
        id=core.ids.new("r_"),
        at=from_micros(now),
        subjects=subjects,
        chosen=tuple(Scored(one.id, one.score, one.parts) for one in picker.chosen),
        left_out=tuple(picker.left_out),
        considered=pool.considered,
        tokens=cost,
    )
    return Recall(tuple(facts), text, cost, receipt, picker.lowest, tuple(said))


def _limits(core: Core, subjects: Sequence[str], wants: Wants) -> Limits:
    settings = core.settings

    def number(name: str, wanted: int | None, usual: int) -> int:
        return usual if wanted is None else whole(name, wanted)

    most = number("k", wants.k, settings.recall_k)
    sure = wants.min_confidence
    return Limits(
        k=most,
        turns=number("turns", wants.turns, settings.recall_turns),
        tokens=number("tokens", wants.tokens, settings.recall_tokens),
        floor=settings.recall_floor,
        min_trust=number("min_trust", wants.min_trust, settings.min_trust),
        min_confidence=settings.min_confidence if sure is None else share("min_confidence", sure),
        below_user=settings.below_user,
        per_subject=_each(most, settings.recall_subject_share, len(subjects)),
        per_source=settings.recall_per_source,
    )


def _each(most: int, share: float, subjects: int) -> int:
    """How many one subject may have while others have some left."""
    if subjects < 2:
        return most
    each = ceil(most * share)
    return max(1, each if subjects == 2 else min(each, ceil(most / subjects)))


@dataclass
class _Pool:
    """All that may answer a question: entries of the one ranking, and where their texts are read."""

    core: Core
    question: Question
    subjects: Sequence[str]
    limits: Limits
    as_of: int | None
    now: int
    entries: list[Entry] = field(default_factory=list)
    shelves: dict[str, FactShelf] = field(default_factory=dict)
    turns: dict[str, dict[tuple[str, int], Turn]] = field(default_factory=dict)
    considered: int = 0

    async def gather(self, tags: tuple[str, ...], session: str | None) -> None:
        """Read, rank and enter facts and turns."""
        numbers = await loading.numbers(self.core, self.subjects)
        asked_for = await query_vector(self.core, self.question.text)
        await self._facts(numbers, asked_for, tags)
        # A moment of the past has no turns: what was taken back since must not be brought back by them. Nor have tags.
        if self.limits.turns and self.as_of is None and not tags:
            for subject in self.subjects:
                if log_of(subject) in numbers:
                    await self._turns(subject, numbers, asked_for, session)

    async def _facts(
        self, numbers: Mapping[str, int], asked_for: bytes | None, tags: tuple[str, ...]
    ) -> None:
        for subject in self.subjects:
            self.shelves[subject] = await self._shelf(subject, numbers.get(subject, 0))
        near: dict[str, float] | None = None
        if asked_for is not None and self.as_of is None:
            near = {}
            for subject, shelf in self.shelves.items():
                near.update(await self._near_facts(subject, shelf, asked_for))
        indexes = [_tagged(shelf.index, tags) for shelf in self.shelves.values()]
        most = 2 * self.limits.k + RANKED
        ranked = fact_ranking.score(
            self.question, indexes, near or None, now=self._moment, most=most
        )
        self.considered += sum(map(len, indexes))
        self.entries += [of_fact(found, self.limits.floor) for found in ranked]

    @property
    def _moment(self) -> int:
        return self.now if self.as_of is None else self.as_of

    async def _shelf(self, subject: str, n: int) -> FactShelf:
        if self.as_of is None:
            return await loading.facts_of(self.core, subject, n, self.question)
        rows = await self.core.store.rows(
            "candidates_as_of", tenant=self.core.tenant, subject=subject, now=self.as_of
        )
        by_id = {row[loading.ID]: row for row in rows}
        return FactShelf(n, by_id, FactIndex(map(candidate, rows)))

    async def _near_facts(
        self, subject: str, shelf: FactShelf, asked_for: bytes
    ) -> dict[str, float]:
        async def texts(items: Sequence[str]) -> Mapping[str, str]:
            return {item: shelf.rows[item][3] for item in items}

        whole_subject = shelf.index.counts is None
        items = list(shelf.rows)[::-1] if whole_subject else list(shelf.rows)
        near = await meaning.cosines(
            self.core, asked_for, subject, "fact", items, texts, every=not whole_subject
        )
        if not whole_subject:
            best = sorted(near, key=lambda item: -near[item])[: loading.SEARCHED // 4]
            self.shelves[subject] = await loading.facts_among(self.core, subject, shelf, best)
        return near

    async def _turns(
        self,
        subject: str,
        numbers: Mapping[str, int],
        asked_for: bytes | None,
        session: str | None,
    ) -> None:
        index = await loading.turns_of(self.core, subject, numbers[log_of(subject)], self.question)
        near = None
        if asked_for is not None and index.turns:
            seen = (rewritten(subject), numbers.get(rewritten(subject), 0))
            near = await self._near_turns(subject, index, asked_for, seen)
        most = 2 * self.limits.k + RANKED
        kept = turn_ranking.score(self.question, index, near or None, most=most, without=session)
        self.considered += len(index)
        turns = self.turns[subject] = {turn.key: turn for turn in index.turns}
        gone = await taken_back(self.core, self.subjects, numbers, [said.turn for said in kept])
        self.entries += [
            entry
            for entry in of_turns(kept, subject, self._floor(index))
            if entry.said
            and not brings_back(
                gone, entry.said.turn, question_of(entry.said.turn, turns, self.limits.min_trust)
            )
        ]

    def _floor(self, index: TurnIndex) -> float:
        """The least evidence a turn must have: less where the question is about who asks or somebody who spoke."""
        question = self.question
        about = question.personal or turn_ranking.names_speaker(question, index)
        factor = weights.TURN_PERSONAL if about else weights.WORLD if question.world else 1.0
        return min(0.95, self.limits.floor * weights.TURN * factor)

    async def _near_turns(
        self, subject: str, index: TurnIndex, asked_for: bytes, seen: Seen
    ) -> dict[tuple[str, int], float]:
        keys = {item_of(turn.key): turn.key for turn in reversed(index.turns)}

        async def texts(items: Sequence[str]) -> Mapping[str, str]:
            found = await texts_of(self.core, [keys[item] for item in items])
            return {item_of(key): spoken(*said) for key, said in found.items()}

        near = await meaning.cosines(
            self.core, asked_for, subject, "turn", list(keys), texts, seen=seen
        )
        return {keys[item]: value for item, value in near.items()}


def _tagged(index: FactIndex, tags: tuple[str, ...]) -> FactIndex:
    """The facts that carry all of the tags."""
    if not tags:
        return index
    wanted = set(tags)
    return FactIndex(one for one in index.candidates if wanted <= set(json.loads(one.tags)))


# Picking


async def _pick(pool: _Pool, picker: Picker, nonce: str) -> tuple[list[Fact], list[RecalledTurn]]:
    """Read the entries that pass the rules, best first, until the caps are reached."""
    count = pool.core.counter.count
    frame = count(render_frame(nonce))
    facts: list[Fact] = []
    turns: list[RecalledTurn] = []
    for entry in picker:
        if picker.refuses(entry):
            continue
        item = await (_said(pool, entry) if entry.said else _fact(pool, entry))
        # Between the two reads another process may have taken it back; then there is nothing to show.
        if item is None:
            continue
        cost = _cost(pool, item, nonce) + (0 if facts or turns else frame)
        if picker.take(entry, cost):
            facts += [item] if isinstance(item, Fact) else []
            turns += [item] if isinstance(item, RecalledTurn) else []
    picker.settle()
    place = {entry.id: n for n, entry in enumerate(picker.chosen)}
    facts.sort(key=lambda fact: place[fact.id])
    return facts, [turn for turn in turns if turn.id in place]


def _cost(pool: _Pool, item: Fact | RecalledTurn, nonce: str) -> int:
    """The tokens of an item's line. A fact's are counted once: another nonce changes nothing that is counted."""
    costs = pool.shelves[item.subject].costs if isinstance(item, Fact) else {}
    if item.id not in costs:
        costs[item.id] = pool.core.counter.count(render_item(item, nonce) + "\n")
    return costs[item.id]


async def _fact(pool: _Pool, entry: Entry) -> Fact | None:
    """The fact of an entry; in the past, in the state it had then."""
    shelf = pool.shelves[entry.subject]
    if pool.as_of is None:
        return shelf.fact(entry.id)
    row = shelf.rows[entry.id]
    states = await pool.core.store.rows(
        "state_as_of", tenant=pool.core.tenant, fact_id=entry.id, now=pool.as_of
    )
    fact = fact_of((*row[: -1 - len(states[0])], *states[0])) if states else None
    return fact if fact is not None and fact.status is Status.LIVE else None


async def _said(pool: _Pool, entry: Entry) -> RecalledTurn | None:
    """What was said in a turn, and the question it answers if the turn before it is one."""
    assert entry.said is not None
    turn = entry.said.turn
    asked = question_of(turn, pool.turns[entry.subject], pool.limits.min_trust)
    keys = [turn.key, *([asked.key] if asked is not None else [])]
    found = await texts_of(pool.core, keys)
    if turn.key not in found:
        return None
    most = pool.core.settings.recall_turn_characters
    speaker, text = found[turn.key]
    asked_before = found.get(keys[-1], ("", ""))[1] if len(keys) > 1 else ""
    return RecalledTurn(
        id=entry.id,
        session=turn.session,
        n=turn.n,
        speaker=speaker or turn.origin,
        origin=turn.origin,
        at=from_micros(turn.at),
        text=excerpt(text, pool.question, most),
        before=asked_before[-most // 3 :],
        trust=Trust(entry.trust),
        score=entry.score,
    )


def excerpt(text: str, question: Question, most: int) -> str:
    """At most `most` characters of a text, around the first of the question's words in it."""
    if len(text) <= most:
        return text
    folded = text.casefold()
    found = [at for word in question.words if (at := folded.find(word)) >= 0]
    start = max(0, min(min(found, default=0) - most // 4, len(text) - most))
    head, tail = "…" if start else "", "…" if start + most < len(text) else ""
    return f"{head}{text[start : start + most].strip()}{tail}"
