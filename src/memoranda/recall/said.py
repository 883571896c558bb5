"""What stands in a window of what was recalled: whether it may still stand there, and the fact or turn itself."""

from __future__ import annotations

from collections.abc import Sequence

from memoranda.core import Core
from memoranda.facts.rows import fact_of
from memoranda.ranking.turns import Key
from memoranda.recall.loading import numbers, turns_at
from memoranda.recall.picking import TURN
from memoranda.recall.taken import brings_back, question_of, taken_back
from memoranda.sessions.turns import texts_of
from memoranda.types import TRUST_OF, Fact, Origin, RecalledTurn, Status, from_micros


async def holds(core: Core, shown: str, subjects: Sequence[str], now: int) -> bool:
    """Whether a fact that is shown is still to be believed, or a turn still to be recalled."""
    if shown.startswith(TURN):
        return await holds_turn(core, shown, subjects)
    rows = await core.store.rows("state", tenant=core.tenant, id=shown)
    return bool(rows) and rows[0][0] == Status.LIVE and (rows[0][1] is None or rows[0][1] > now)


async def shown_again(core: Core, shown: str) -> Fact | RecalledTurn | None:
    """The fact or turn of this name; None when it is gone."""
    if shown.startswith(TURN):
        return await turn_said(core, shown)
    rows = await core.store.rows("fact", tenant=core.tenant, id=shown)
    return fact_of(rows[0]) if rows else None


def key_of(shown: str) -> Key:
    """The place in the log of a turn, of its name in a block."""
    session, _, n = shown.removeprefix(TURN).rpartition("#")
    return session, int(n) if n.isdigit() else 0


async def holds_turn(core: Core, shown: str, subjects: Sequence[str]) -> bool:
    """Whether a turn is still there, and no fact was taken back that it would bring again."""
    for subject in subjects:
        found = {turn.key: turn for turn in await turns_at(core, subject, [key_of(shown)])}
        if (turn := found.get(key_of(shown))) is not None:
            gone = await taken_back(core, subjects, await numbers(core, subjects), [turn])
            return not brings_back(gone, turn, question_of(turn, found, core.settings.min_trust))
    return False


async def turn_said(core: Core, shown: str) -> RecalledTurn | None:
    """The turn as it is shown again, shortened to the setting; None when its message is gone."""
    key = key_of(shown)
    rows = await core.store.rows("message", tenant=core.tenant, session=key[0], n=key[1])
    found = await texts_of(core, [key])
    if not rows or key not in found:
        return None
    origin, at, (speaker, text) = rows[0][5], rows[0][7], found[key]
    return RecalledTurn(
        id=shown,
        session=key[0],
        n=key[1],
        speaker=speaker or origin,
        origin=origin,
        at=from_micros(at),
        text=text[: core.settings.recall_turn_characters],
        before="",
        trust=TRUST_OF[Origin(origin)],
        score=0.0,
    )
