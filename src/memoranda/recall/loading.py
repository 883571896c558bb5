"""What a question is held against: the facts and turns of a subject, from memory while nothing has changed.

A subject's change number is read at every question, so that what another process wrote is noticed. Of a subject with
more rows than `recall_whole`, the engine's index finds those that hold most of the question's words, and counts how
many hold each; they are then ranked by the same functions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memoranda.analysis import UNSPACED
from memoranda.core import Core
from memoranda.facts.matching import candidate
from memoranda.facts.rows import fact_of
from memoranda.ports import Row, Tx
from memoranda.ranking.concepts import mates
from memoranda.ranking.facts import FactIndex
from memoranda.ranking.question import Question
from memoranda.ranking.turns import Key, Turn, TurnIndex
from memoranda.sessions.turns import log_of, rewritten, turn_of
from memoranda.types import Fact

# How many rows the engine's index gives, and how many terms it is asked for.
SEARCHED = 400
MOST_TERMS = 32
ID = 1
INDEXING = {
    "fact": ("facts_unindexed", "index_facts"),
    "turn": ("turns_unindexed", "index_turns"),
}


@dataclass(slots=True)
class FactShelf:
    """The live facts of a subject as they were at change number `n`, or those that a search found."""

    n: int
    rows: Mapping[str, Row]
    index: FactIndex
    decoded: dict[str, Fact] = field(default_factory=dict)
    costs: dict[str, int] = field(default_factory=dict)

    def fact(self, fact_id: str) -> Fact:
        """A fact of the shelf, decoded when it is first wanted."""
        if fact_id not in self.decoded:
            self.decoded[fact_id] = fact_of(self.rows[fact_id][:-1])
        return self.decoded[fact_id]


@dataclass(slots=True)
class TurnShelf:
    """The turns of a subject as they were at change number `n`; `last` is the number of the newest."""

    n: int
    last: int
    index: TurnIndex


async def numbers(core: Core, subjects: Sequence[str]) -> Mapping[str, int]:
    """The change numbers of the subjects' facts and turns, by name."""
    found = [*subjects, *map(log_of, subjects), *map(rewritten, subjects)]
    names = json.dumps(found, ensure_ascii=False)
    return dict(await core.store.rows("change_numbers", tenant=core.tenant, names=names))


# Facts


async def facts_of(core: Core, subject: str, n: int, question: Question) -> FactShelf:
    """The facts of a subject that a question is held against; all of them, unless there are too many."""
    name = ("facts", core.tenant, subject)
    kept: FactShelf | int | None = core.shelves.get(name)
    if isinstance(kept, FactShelf) and kept.n == n:
        return kept
    most = core.settings.recall_whole
    if kept != n:  # a number alone: at this number there were too many
        if await _fits(core, subject, most):
            rows = await core.store.rows("live_facts", tenant=core.tenant, subject=subject)
            shelf = _shelf(n, rows)
            core.shelves.put(name, shelf, len(rows))
            return shelf
        core.shelves.put(name, n, 1)
    return await _searched(core, subject, question)


async def _fits(core: Core, subject: str, most: int) -> bool:
    [[some]] = await core.store.rows(
        "live_some", tenant=core.tenant, subject=subject, most=most + 1
    )
    return bool(some <= most)


def _shelf(n: int, rows: Iterable[Row], counts: Mapping[str, int] | None = None) -> FactShelf:
    by_id = {row[ID]: row for row in rows}
    return FactShelf(n, by_id, FactIndex(map(candidate, by_id.values()), counts))


async def _searched(core: Core, subject: str, question: Question) -> FactShelf:
    of = {"tenant": core.tenant, "subject": subject}
    [[total]] = await core.store.rows("live_some", most=10**9, **of)
    if not question.terms:
        return _shelf(0, (), {"": total})
    groups = [[term, *sorted(mates().get(term, ()))] for term in question.terms[:MOST_TERMS]]
    terms = json.dumps([term for group in groups for term in group], ensure_ascii=False)
    await _indexed(core, subject, "fact")
    rows = await core.store.rows(
        "search_facts", terms=terms, now=core.clock.now(), most=SEARCHED, **of
    )
    counts: dict[str, int] = dict(
        await core.store.rows("count_facts", groups=json.dumps(groups, ensure_ascii=False), **of)
    )
    return _shelf(0, rows, {**counts, "": total})


async def _indexed(core: Core, subject: str, place: str) -> None:
    """Enter what is new of a large subject into the engine's index."""
    of = {"tenant": core.tenant, "subject": subject}
    behind, enter = INDEXING[place]
    [[done, last]] = await core.store.rows(behind, **of)
    if done >= last:
        return

    async def body(tx: Tx) -> None:
        await tx.rows("bump_subject", tenant=core.tenant, subject=f"index of {subject}")
        [[done, last]] = await tx.rows(behind, **of)
        if done < last:
            await tx.run(enter, after=done, **of)
            await tx.run("set_indexed", place=place, n=last, **of)

    await core.store.atomic(body)


async def facts_among(core: Core, subject: str, shelf: FactShelf, ids: Iterable[str]) -> FactShelf:
    """The shelf with further facts of the subject, such as those whose vectors are near."""
    wanted = json.dumps([one for one in ids if one not in shelf.rows])
    rows = await core.store.rows(
        "facts_among", tenant=core.tenant, subject=subject, ids=wanted, now=core.clock.now()
    )
    return _shelf(shelf.n, [*shelf.rows.values(), *rows], shelf.index.counts)


# Turns


async def turns_of(core: Core, subject: str, n: int, question: Question) -> TurnIndex:
    """The turns of a subject that a question is held against; all of them, unless there are too many."""
    name = ("turns", core.tenant, subject)
    kept: TurnShelf | None = core.shelves.get(name)
    if kept is not None and kept.n == n:
        return kept.index
    [[count, last]] = await core.store.rows("turn_marks", tenant=core.tenant, subject=subject)
    if count > core.settings.recall_whole:
        return await _turns_searched(core, subject, question)
    after = kept.last if kept is not None else 0
    fresh = await _turns_after(core, subject, after)
    if kept is not None and len(kept.index) + len(fresh) == count:
        index = kept.index.extended(fresh) if fresh else kept.index
    else:  # something was taken out
        index = TurnIndex(await _turns_after(core, subject, 0) if after else fresh)
    core.shelves.put(name, TurnShelf(n, last, index), count)
    return index


async def _turns_after(core: Core, subject: str, after: int) -> list[Turn]:
    rows = await core.store.rows("turns_after", tenant=core.tenant, subject=subject, after=after)
    return [turn_of(row)[1] for row in rows]


async def _turns_searched(core: Core, subject: str, question: Question) -> TurnIndex:
    # As turns are kept: words as they are written, and pairs of scripts without spaces.
    asked = sorted({*question.words, *(term for term in question.terms if UNSPACED.match(term))})
    terms = json.dumps(asked[:MOST_TERMS], ensure_ascii=False)
    of = {"tenant": core.tenant, "subject": subject}
    if not asked:
        return TurnIndex(())
    await _indexed(core, subject, "turn")
    found: list[Key] = await core.store.rows("search_turns", terms=terms, most=SEARCHED, **of)
    return TurnIndex(await turns_at(core, subject, found))


async def turns_at(core: Core, subject: str, keys: Iterable[Key]) -> list[Turn]:
    """These turns of a subject and those beside them, in order."""
    places = json.dumps([list(key) for key in keys], ensure_ascii=False)
    rows = await core.store.rows("turns_at", tenant=core.tenant, subject=subject, places=places)
    return [turn_of(row)[1] for row in rows]
