"""How a statement stands to the rows of its key: what it would replace, and what was said later than it."""

from __future__ import annotations

from dataclasses import dataclass

from memoranda.facts.rows import Pen
from memoranda.facts.supersession import Keyed, Relation, related
from memoranda.types import Draft, Status, Trust


@dataclass(frozen=True, slots=True)
class Entry:
    """A draft on its way into a row, with all that is derived from it once."""

    item: Draft
    trust: Trust
    hold: bool
    reasons: tuple[str, ...]
    digest: str
    observed_at: int
    expires_at: int | None
    approved_by: str | None = None


async def same_key(ink: Pen, entry: Entry) -> dict[Relation, list[Keyed]]:
    """The live rows of the draft's attribute, grouped by how the draft stands to them."""
    item = entry.item
    if not item.attribute:
        return {}
    found = await ink.tx.rows(
        "same_key", tenant=ink.core.tenant, subject=item.subject, attribute=item.attribute
    )
    rows = [
        Keyed(*row)
        for row in found
        if (row[5] is None or row[5] > ink.now) and row[0] != item.replaces
    ]
    multi = ink.core.attributes.is_multi(item.attribute)
    return related(item, entry.trust, entry.observed_at, rows, multi=multi)


async def named(ink: Pen, entry: Entry) -> list[tuple[str, int]]:
    """The fact that a correction names, with its trust, if it is of the same subject and still live."""
    if not entry.item.replaces:
        return []
    found = await ink.tx.rows("standing", tenant=ink.core.tenant, id=entry.item.replaces)
    return [
        (entry.item.replaces, trust)
        for trust, status, subject in found
        if status == Status.LIVE and subject == entry.item.subject
    ]


async def late_by(ink: Pen, entry: Entry, keyed: dict[Relation, list[Keyed]]) -> str | None:
    """The row that was said later and had its place: a live one, or one that has ended since.

    "Lived in Oslo until she moved to Rome, and left Rome": a word from the time before Rome does not bring Oslo back.
    """
    if late := keyed.get(Relation.LATE):
        return late[0].id
    item = entry.item
    if not item.attribute or item.ends or not item.polarity or entry.observed_at >= ink.now:
        return None
    found = await ink.tx.rows(
        "overtaken",
        tenant=ink.core.tenant,
        subject=item.subject,
        attribute=item.attribute,
        said=entry.observed_at,
        now=ink.now,
    )
    rows = [Keyed(*row) for row in found if row[0] != item.replaces]
    multi = ink.core.attributes.is_multi(item.attribute)
    ended = related(item, entry.trust, entry.observed_at, rows, multi=multi).get(Relation.LATE)
    return ended[0].id if ended else None
