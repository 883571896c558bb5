"""What was taken back, and whether a turn of the log would bring it again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memoranda.analysis import own_terms
from memoranda.core import Core
from memoranda.ports import Row
from memoranda.ranking.taken import Gone, TakenBack, gone
from memoranda.ranking.turns import Key, Turn
from memoranda.recall.picking import TRUSTS
from memoranda.types import Trust


@dataclass(frozen=True, slots=True)
class Kept:
    """What was taken back of a subject's facts, as it was at change number `n`."""

    n: int
    taken: TakenBack


async def taken_back(
    core: Core, subjects: Sequence[str], numbers: Mapping[str, int], turns: Sequence[Turn]
) -> list[TakenBack]:
    """What these turns must not bring back: facts of the subjects, and of others that were said in the same runs and
    sessions, as what is said of a project is.
    """
    found = [await _of_subject(core, subject, numbers.get(subject, 0)) for subject in subjects]
    rows = await core.store.rows(
        "taken_back_near",
        tenant=core.tenant,
        runs=json.dumps(sorted({turn.run for turn in turns if turn.run}), ensure_ascii=False),
        sources=json.dumps(
            sorted({f"session:{turn.session}" for turn in turns}), ensure_ascii=False
        ),
    )
    return [*found, TakenBack(map(_gone, rows))] if rows else found


async def _of_subject(core: Core, subject: str, n: int) -> TakenBack:
    name = ("taken", core.tenant, subject)
    kept: Kept | None = core.shelves.get(name)
    if kept is None or kept.n != n:
        rows = await core.store.rows("taken_back", tenant=core.tenant, subject=subject)
        kept = Kept(n, TakenBack(map(_gone, rows)))
        core.shelves.put(name, kept, len(rows))
    return kept.taken


def _gone(row: Row) -> Gone:
    run, step, quote, stored = row
    return gone(run, step, own_terms(stored), quote)


def brings_back(taken: Sequence[TakenBack], turn: Turn, asked: Turn | None) -> bool:
    """Whether a turn, or the question that is shown with it, would bring back what was taken back."""
    return any(
        one.brings_back(said.run, said.step, said.terms)
        for said in (turn, asked)
        if said is not None
        for one in taken
    )


def question_of(turn: Turn, turns: Mapping[Key, Turn], least: int) -> Turn | None:
    """The turn before, if it asks and may be shown: it is told with its answer."""
    before = turns.get((turn.session, turn.n - 1))
    if before is None or not before.asks:
        return None
    return before if TRUSTS.get(before.origin, Trust.EXTERNAL) >= least else None
