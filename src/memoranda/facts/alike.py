"""A statement without a key beside the newest facts of its subject: does it say anything new, does it contradict one?

Likeness confirms only where the new words add nothing to the old ones, and it never supersedes: what looks like a
contradiction becomes a proposal. Pure rules over narrow rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memoranda.analysis import BAR, likeness, terms, words
from memoranda.facts.rank import NEAR_DUPLICATE
from memoranda.gate.quotes import DENIALS, NUMBERS
from memoranda.types import Draft

MOST_COMPARED = 64
LEAST_SHARED = 2
LONGEST_VALUE = 6
DENYING = frozenset(
    term for word in "no not never none nor neither without".split() for term in terms(word)
)
DOING = frozenset(terms("do does did"))


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


def nothing_new(item: Draft, rows: Sequence[Near]) -> Near | None:
    """The row that says all that the statement says, in nearly the same words."""
    new = terms(item.text)
    return next((row for row in rows if _within(item, new, row)), None)


def _within(item: Draft, new: Sequence[str], row: Near) -> bool:
    old = row.terms.partition(BAR)[0].split()
    if likeness(new, old) < NEAR_DUPLICATE or not set(new) <= set(old):
        return False
    in_order = [term for term in old if term in set(new)] == list(new)
    return in_order and item.polarity == bool(row.polarity) and _same_signs(item.text, row.fact)


def _same_signs(one: str, other: str) -> bool:
    """Whether two texts deny as often, and hold the same numbers."""
    denials = len(DENIALS.findall(one)) == len(DENIALS.findall(other))
    return denials and NUMBERS.findall(one) == NUMBERS.findall(other)


def contradicted(item: Draft, rows: Sequence[Near], single: Sequence[bool]) -> Near | None:
    """The newest row that the statement seems to contradict. `single`: of each row, whether its key holds one value."""
    for row, alone in zip(rows, single, strict=True):
        if _denied(item, row) or (alone and _other_value(item, row)):
            return row
    return None


def _denied(item: Draft, row: Near) -> bool:
    """The same words, once with a denial and once without."""
    apart = DENYING | DOING
    one = set(terms(DENIALS.sub(" ", item.text))) - apart
    other = set(terms(DENIALS.sub(" ", row.fact))) - apart
    odd = (len(DENIALS.findall(item.text)) + len(DENIALS.findall(row.fact))) % 2 == 1
    return odd and one == other and len(one) > LEAST_SHARED


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
