"""Which live rows of an attribute a new statement replaces. Pure rules over narrow rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from memoranda.analysis import own_terms, same_form, terms, words
from memoranda.types import Draft, Trust


class Relation(StrEnum):
    """How a new statement stands to a live one of the same attribute."""

    SAME = "same"
    KEEPS = "keeps"
    REPLACES = "replaces"
    LATE = "late"
    WEAKER = "weaker"


@dataclass(frozen=True, slots=True)
class Keyed:
    """A live row with the draft's attribute (the columns of the query `same_key`)."""

    id: str
    value: str | None
    polarity: int
    trust: int
    observed_at: int
    expires_at: int | None
    fact: str
    terms: str
    confirmed_at: int | None = None

    @property
    def last_said(self) -> int:
        """When it was last said: a fact that was confirmed since is as new as its last word."""
        return max(self.observed_at, self.confirmed_at or 0)


def relation(item: Draft, trust: Trust, observed_at: int, row: Keyed, *, multi: bool) -> Relation:
    """Same value said again, both kept, replaced, too late to win, or too weak to win."""
    touches = _touches(item, row, multi=multi)
    if touches is not Relation.REPLACES:
        return touches
    if observed_at < row.last_said:
        return Relation.LATE
    return Relation.WEAKER if trust < row.trust else Relation.REPLACES


def _touches(item: Draft, row: Keyed, *, multi: bool) -> Relation:
    """What the values say, before time and trust are asked."""
    same = _value(item.value, item.text) == _value(row.value, row.fact)
    if item.ends:
        closes = not item.value or same or _refines(item.value, row.value)
        return Relation.REPLACES if closes else Relation.KEEPS
    if item.polarity != bool(row.polarity):
        return Relation.REPLACES if same or not (item.value and row.value) else Relation.KEEPS
    if same:
        return Relation.SAME if set(terms(item.text)) <= own_terms(row.terms) else Relation.KEEPS
    if multi or not item.polarity or _refines(item.value, row.value):
        return Relation.KEEPS
    return Relation.REPLACES


def _value(value: str | None, text: str) -> str:
    """What two statements of one attribute are compared by: the value, or the whole sentence without one."""
    return same_form(value if value is not None else text)


def _refines(new: str | None, old: str | None) -> bool:
    """Whether one value only says the other more closely ("jazz", "modern jazz"): then both hold."""
    first, second = set(words(new or "")), set(words(old or ""))
    return bool(first and second) and (first < second or second < first)


def related(
    item: Draft, trust: Trust, observed_at: int, rows: Sequence[Keyed], *, multi: bool
) -> dict[Relation, list[Keyed]]:
    """The rows grouped by how the new statement stands to them."""
    groups: dict[Relation, list[Keyed]] = {}
    for row in rows:
        groups.setdefault(relation(item, trust, observed_at, row, multi=multi), []).append(row)
    return groups
