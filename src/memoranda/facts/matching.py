"""The facts of a subject that a query means, uncapped: for who forgets or erases a thing and wants none of it back."""

from __future__ import annotations

from memoranda.core import Core
from memoranda.errors import UsageError
from memoranda.gate.clean import storable
from memoranda.gate.draft import names
from memoranda.ports import Row
from memoranda.ranking.facts import Candidate, FactIndex, score
from memoranda.ranking.question import read


def candidate(row: Row) -> Candidate:
    """What ranking knows of a row of the queries that name all columns and then the terms."""
    return Candidate(
        row[1],
        row[2],
        row[3],
        row[-1],
        row[8],
        row[15],
        row[16],
        row[18],
        row[17],
        row[22],
        row[12] or row[9] or "",
    )


def asked(query: object, subjects: object) -> tuple[str, ...]:
    """The subjects by the names they are kept under, each once. `UsageError` for a question that is no text."""
    if not isinstance(query, str):
        raise UsageError("the query must be a string")
    found = names("subjects", subjects)
    if not found:
        raise UsageError("recall needs at least one subject; it never looks at everybody's facts")
    return found


async def matching(core: Core, query: str, subject: str, *, everything: bool) -> list[str]:
    """The ids of all facts of a subject that the query means, best first: near-duplicates and little trusted ones
    too. With `everything` in whatever state."""
    [subject] = asked(query, [subject])
    name = "candidates_any" if everything else "live_facts"
    rows = await core.store.rows(name, tenant=core.tenant, subject=subject)
    now = core.clock.now()
    # In whatever state means past its time, too.
    at = 0 if everything else now
    found = score(read(storable(query), now), [FactIndex(map(candidate, rows))], now=at)
    least = core.settings.recall_floor
    return [one.candidate.id for one in found if one.score >= min(1.0, one.floor) * least]
