"""The standing block: what is always before a model of its subjects, within a cap that no one class can use up.

Four classes, in the order in which they are shown: instructions that a person approved, facts that a person pinned,
then identity and preferences as the user or an operator stated them. Whatever else is known has to be asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import zip_longest

from memoranda.core import Core, fresh_nonce
from memoranda.errors import UsageError
from memoranda.facts.rows import State, fact_of
from memoranda.gate.draft import micros, names
from memoranda.types import Fact, Kind, LeftOut, Receipt, Scored, Standing, Trust
from memoranda.window.render import (
    render_standing,
    render_standing_frame,
    render_standing_item,
)

INSTRUCTION, PINNED = "instruction", "pinned"
CLASSES = (INSTRUCTION, PINNED, "identity", "preference")
# What each class is sure of, however much there is of the others; what one leaves over, the others get in this order.
SHARES: Mapping[str, float] = {
    INSTRUCTION: 0.35,
    PINNED: 0.25,
    "identity": 0.15,
    "preference": 0.25,
}
# Of a subject so many are looked at, pinned and approved ones before all others, then the newest.
MOST_READ = 500
# What an answer is shaped by whatever it is about comes before tastes and circumstances.
MANNER = frozenset(
    """
    name nickname pronouns home timezone language allergy avoids diet condition answer_language answer_style format
    units currency date_format spelling indentation theme preference needs instruction
    """.split()
)


@dataclass(frozen=True, slots=True)
class Entry:
    """What may stand: the fact's id, its class, what its line costs, and the heading it needs with that one's cost."""

    id: str
    why: str
    tokens: int
    head: str = ""
    head_tokens: int = 0


class Room:
    """What is still free of a cap; a heading is paid for by the first that stands below it."""

    def __init__(self, tokens: int) -> None:
        self.free = tokens
        self.heads: set[str] = set()

    def cost(self, entry: Entry) -> int:
        """What this entry would take."""
        return entry.tokens + (0 if entry.head in self.heads else entry.head_tokens)

    def take(self, entry: Entry) -> None:
        """Give it its room."""
        self.free -= self.cost(entry)
        self.heads.add(entry.head)


def chosen(entries: Sequence[Entry], room: int) -> list[Entry]:
    """Those that stand, of `entries` with the most important first: each class its share, then what is left over."""
    free = Room(room)
    taken: dict[Entry, None] = {}
    for kind in CLASSES:
        used = 0
        for entry in entries:
            cost = free.cost(entry)
            if entry.why == kind and used + cost <= SHARES[kind] * room and cost <= free.free:
                used += cost
                free.take(entry)
                taken[entry] = None
    for kind in CLASSES:
        for entry in entries:
            if entry.why == kind and entry not in taken and free.cost(entry) <= free.free:
                free.take(entry)
                taken[entry] = None
    return list(taken)


def why_standing(fact: Fact) -> str:
    """The class in which a fact stands; "" for a procedure that nobody approved: no pin makes an order of it."""
    if fact.kind is Kind.PROCEDURE:
        return INSTRUCTION if fact.approved_by else ""
    return PINNED if fact.pinned_by else fact.kind.value


def naming(receipt: Receipt, ids: Iterable[str]) -> Receipt:
    """The receipt of a turn that was the first to show these standing facts: the trace must know of them too."""
    shown = tuple(Scored(fact_id, 0.0, {"standing": 1.0}) for fact_id in ids)
    return replace(receipt, chosen=(*receipt.chosen, *shown))


async def standing(
    core: Core,
    subjects: Sequence[str],
    *,
    as_of: datetime | None = None,
    room: int | None = None,
    nonce: str | None = None,
) -> Standing:
    """See `Memory.standing`. `room`: the cap, where it is less than the setting."""
    about = names("subjects", subjects)
    if not about:
        raise UsageError("a standing block needs at least one subject: whose?")
    rows = [await _rows(core, subject, micros("as_of", as_of)) for subject in about]
    known = {fact.id: fact for facts in rows for fact in facts}
    sure = [[fact for fact in facts if _sure(core, fact)] for facts in rows]
    mark = nonce or fresh_nonce(core)
    entries = [_entry(core, fact, mark) for fact in _in_turn(map(_by_weight, sure))]
    most = core.settings.standing_tokens if room is None else room
    ids = {entry.id for entry in chosen(entries, most)}
    facts = _shown([known[fact_id] for fact_id in ids], about)
    unsure = [
        LeftOut(fact_id, "low-confidence") for fact_id in known if fact_id not in _ids(entries)
    ]
    left = [LeftOut(entry.id, "over-cap") for entry in entries if entry.id not in ids]
    return _rendered(core, facts, mark, (*left, *unsure))


def _rendered(core: Core, facts: Sequence[Fact], nonce: str, left: tuple[LeftOut, ...]) -> Standing:
    orders = [fact for fact in facts if fact.kind is Kind.PROCEDURE]
    text = render_standing(orders, [f for f in facts if f.kind is not Kind.PROCEDURE], nonce)
    why = {fact.id: why_standing(fact) for fact in facts}
    return Standing(text, tuple(facts), core.counter.count(text), left, why)


async def _rows(core: Core, subject: str, then: int | None) -> list[Fact]:
    query, now = ("standing_facts", core.clock.now()) if then is None else ("standing_as_of", then)
    least = max(Trust.USER, core.settings.min_trust)
    rows = await core.store.rows(
        query, tenant=core.tenant, subject=subject, now=now, least=int(least), most=MOST_READ
    )
    return [fact for fact in map(fact_of, rows) if why_standing(fact)]


def _sure(core: Core, fact: Fact) -> bool:
    """What a person approved or pinned is as sure as that person."""
    decided = why_standing(fact) in (INSTRUCTION, PINNED)
    return decided or fact.confidence >= core.settings.min_confidence


def _by_weight(facts: Iterable[Fact]) -> list[Fact]:
    """The most important first: what bears on every answer, then what was said last."""
    newest = sorted(facts, key=lambda f: (f.observed_at, f.created_at, f.id), reverse=True)
    return sorted(newest, key=lambda fact: not _bears_on_all(fact))


def _bears_on_all(fact: Fact) -> bool:
    return bool(fact.attribute) and str(fact.attribute).rpartition(".")[2] in MANNER


def _in_turn(subjects: Iterable[list[Fact]]) -> list[Fact]:
    """One of each subject in turn, so that none of them crowds out another."""
    return [fact for several in zip_longest(*subjects) for fact in several if fact is not None]


def _shown(facts: Iterable[Fact], subjects: Sequence[str]) -> list[Fact]:
    """In the order of the block, which changes only where facts come or go."""

    def place(fact: Fact) -> tuple[object, ...]:
        kind = CLASSES.index(why_standing(fact))
        by = (fact.approved_by, fact.approved_at) if kind == 0 else ()
        return (kind, *by, subjects.index(fact.subject), fact.created_at, fact.id)

    return sorted(facts, key=place)


def _entry(core: Core, fact: Fact, nonce: str) -> Entry:
    head = render_standing_frame(fact if why_standing(fact) == INSTRUCTION else None, nonce)
    line = render_standing_item(fact, nonce)
    count = core.counter.count
    return Entry(fact.id, why_standing(fact), count(line + "\n"), head, count(head + "\n"))


def _ids(entries: Iterable[Entry]) -> set[str]:
    return {entry.id for entry in entries}


async def still_pinned(core: Core, fact_id: str) -> bool:
    """Whether a person's pin still holds a fact."""
    rows = await core.store.rows("state", tenant=core.tenant, id=fact_id)
    return bool(rows) and State(*rows[0]).pinned_by is not None
