"""What was taken back, and whether a turn of the log would bring it again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memoranda.analysis import own_terms
from memoranda.core import Core
from memoranda.ports import Row
from memoranda.ranking.taken import Gone, TakenBack, gone
from memoranda.ranking.turns import Key, Turn
from memoranda.types import TRUST_OF, Origin, Status, Trust


@dataclass(frozen=True, slots=True)
class Taken:
    """What was taken back. waiting: what waits for a person and is trusted less than the user, who is not silenced by
    it: else a page that says what the user said would keep the user's own words from coming back.
    """

    back: TakenBack
    waiting: TakenBack

    def brings_back(self, turn: Turn) -> bool:
        """Whether a turn would bring any of it again."""
        place = (turn.run, turn.step, turn.terms)
        own = TRUST_OF[Origin(turn.origin)] >= Trust.USER
        return self.back.brings_back(*place) or (not own and self.waiting.brings_back(*place))


async def taken_back(
    core: Core, subjects: Sequence[str], numbers: Mapping[str, int], turns: Sequence[Turn]
) -> list[Taken]:
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
    return [*found, _taken(rows)] if rows else found


async def _of_subject(core: Core, subject: str, n: int) -> Taken:
    name = ("taken", core.tenant, subject)
    kept: tuple[int, Taken] | None = core.shelves.get(name)
    if kept is not None and kept[0] == n:
        return kept[1]
    rows = await core.store.rows("taken_back", tenant=core.tenant, subject=subject)
    taken = _taken(rows)
    core.shelves.put(name, (n, taken), len(rows))
    return taken


def _taken(rows: Iterable[Row]) -> Taken:
    back: list[Gone] = []
    waiting: list[Gone] = []
    for status, trust, run, step, quote, stored in rows:
        below = status == Status.PENDING and trust < Trust.USER
        (waiting if below else back).append(gone(run, step, own_terms(stored), quote))
    return Taken(TakenBack(back), TakenBack(waiting))


def brings_back(taken: Sequence[Taken], turn: Turn, asked: Turn | None) -> bool:
    """Whether a turn, or the question that is shown with it, would bring back what was taken back."""
    said = (turn,) if asked is None else (turn, asked)
    return any(one.brings_back(each) for each in said for one in taken)


def question_of(turn: Turn, turns: Mapping[Key, Turn], least: int) -> Turn | None:
    """The turn before, if it asks and may be shown: it is told with its answer."""
    before = turns.get((turn.session, turn.n - 1))
    if before is None or not before.asks:
        return None
    return before if TRUST_OF[Origin(before.origin)] >= least else None
