"""A statement without a key beside the newest facts of its subject: does it say anything new, does it contradict one?

Likeness confirms only where the new words add nothing to the old ones, and it never supersedes: what looks like a
contradiction becomes a proposal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from memoranda.analysis import BAR, likeness, terms, words
from memoranda.core import Core
from memoranda.facts.rows import Pen
from memoranda.gate.quotes import DENIALS, NUMBERS
from memoranda.ranking.weights import NEAR_DUPLICATE
from memoranda.types import Draft, Origin

MOST_COMPARED = 64
LEAST_SHARED = 2
LONGEST_VALUE = 6
# What a denial leaves among the terms of a sentence, in whatever form it stands.
DENYING = frozenset(
    terms(
        "no not never none nor neither without cannot don't doesn't didn't won't can't couldn't isn't aren't wasn't "
        "weren't hasn't haven't hadn't wouldn't shouldn't stop stopped quit hardly doubt longer do does did"
    )
)


@dataclass(frozen=True, slots=True)
class Near:
    """A live row of the subject (the columns of the query `newest`)."""

    id: str
    fact: str
    attribute: str | None
    value: str | None
    polarity: int
    trust: int
    terms: str

    @property
    def own(self) -> list[str]:
        """The terms of its text, in order."""
        return self.terms.partition(BAR)[0].split()


def nothing_new(item: Draft, rows: Sequence[Near]) -> Near | None:
    """The row that says all that the statement says, in nearly the same words."""
    new = terms(item.text)
    return next((row for row in rows if _may(new, row) and _within(item, new, row)), None)


def _may(new: Iterable[str], row: Near) -> bool:
    """Whether a row can hold all these terms: a look that costs less than taking it apart, for most hold few."""
    return all(term in row.terms for term in new)


def _within(item: Draft, new: Sequence[str], row: Near) -> bool:
    old = row.own
    if not (set(new) <= set(old) and likeness(new, old) >= NEAR_DUPLICATE):
        return False
    in_order = [term for term in old if term in set(new)] == list(new)
    return in_order and item.polarity == bool(row.polarity) and _same_signs(item.text, row.fact)


def _same_signs(one: str, other: str) -> bool:
    """Whether two texts deny as often, and hold the same numbers."""
    denials = len(DENIALS.findall(one)) == len(DENIALS.findall(other))
    return denials and NUMBERS.findall(one) == NUMBERS.findall(other)


def contradicted(item: Draft, rows: Sequence[Near], multi: Callable[[str], bool]) -> Near | None:
    """The newest row that the statement seems to contradict. `multi`: whether an attribute holds several values."""
    new = set(terms(item.text)) - DENYING
    for row in rows:
        if _may(new, row) and _denied(item, new, row):
            return row
        if row.attribute and _other_value(item, row) and not multi(row.attribute):
            return row
    return None


def _denied(item: Draft, new: set[str], row: Near) -> bool:
    """The same words, once with a denial and once without."""
    if len(new) < LEAST_SHARED or set(row.own) - DENYING != new:
        return False
    return (len(DENIALS.findall(item.text)) + len(DENIALS.findall(row.fact))) % 2 == 1


def _other_value(item: Draft, row: Near) -> bool:
    """The sentence of a fact with a key, word for word, with another value in the value's place."""
    if not (row.value and row.polarity):
        return False
    before, found, after = row.fact.casefold().partition(row.value.casefold())
    text = item.text.casefold().rstrip(" .!")
    after = after.rstrip(" .!")
    if not found or len(before.split()) < LEAST_SHARED:
        return False
    if not (text.startswith(before) and text.endswith(after)):
        return False
    value = set(words(text[len(before) : len(text) - len(after) or None]))
    old = set(words(row.value))
    return 0 < len(value) <= LONGEST_VALUE and not (value <= old or old <= value)


async def newest(ink: Pen, subject: str) -> list[Near]:
    """The facts of a subject that a statement without a key is compared with."""
    rows = await ink.tx.rows(
        "newest", tenant=ink.core.tenant, subject=subject, now=ink.now, most=MOST_COMPARED
    )
    return [Near(*row) for row in rows]


def suspected(core: Core, item: Draft, rows: Sequence[Near]) -> Near | None:
    """The fact that an unkeyed statement seems to contradict. What a person files themselves is not second-guessed."""
    if item.origin is Origin.OPERATOR:
        return None
    return contradicted(item, rows, core.attributes.is_multi)
