"""One scoring function for every store: which candidates answer a question, and which do not. Pure.

The score is the share of the question's weight that a fact covers: each term of the question weighs its inverse
document frequency among the candidates (Robertson and Sparck Jones' form, never negative), so a word that every
fact holds says little. A term that no candidate holds weighs against all of them: a question about something else
stays below the floor.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from memoranda.analysis import all_terms, likeness, own_terms
from memoranda.ports import Row
from memoranda.types import LeftOut, Scored, Trust

NEAR_DUPLICATE = 0.85
# A question counts as at most so many unknown words long: a rambling one must not hide what it names.
LONG_QUESTION = 3.0
# In a small store every word looks common: so many facts without the question's words are thought in.
UNSEEN = 10
MOST_LEFT_OUT = 50


@dataclass(frozen=True, slots=True)
class Candidate:
    """What recall knows of a row before it is chosen (the columns of the query `candidates`).

    terms: all it is found by. own: those of its text, by which near-duplicates are told.
    """

    id: str
    terms: frozenset[str]
    own: frozenset[str]
    trust: int
    confidence: float
    observed_at: int
    created_at: int
    tags: str


@dataclass(frozen=True, slots=True)
class Limits:
    """The floors and caps of one recall (see `Settings`)."""

    k: int
    tokens: int
    floor: float
    min_trust: int
    min_confidence: float
    below_user: int


def candidate(row: Row) -> Candidate:
    """A candidate from its row."""
    return Candidate(row[0], all_terms(row[1]), own_terms(row[1]), *row[2:])


def weights(question: Sequence[str], candidates: Sequence[Candidate]) -> dict[str, float]:
    """The weight of each term of the question: log(1 + (N - n + 0.5) / (n + 0.5)) for n of N candidates."""
    held = Counter(term for row in candidates for term in row.terms.intersection(question))
    total = len(candidates) + UNSEEN
    return {
        term: math.log(1 + (total - held[term] + 0.5) / (held[term] + 0.5)) for term in question
    }


def _heaviest(total: int) -> float:
    """The weight of a term that none of `total` candidates holds."""
    return math.log(1 + (total + 0.5) / 0.5)


def score(question: Sequence[str], candidates: Sequence[Candidate]) -> list[Scored]:
    """Every candidate that shares a term with the question, best first; newer first on equal score."""
    weight = weights(question, candidates)
    whole = min(sum(weight.values()), LONG_QUESTION * _heaviest(len(candidates) + UNSEEN))
    asked = frozenset(question)
    found = []
    for row in candidates:
        if shared := row.terms & asked:
            share = min(1.0, sum(weight[term] for term in shared) / whole)
            found.append((round(share, 6), row.observed_at, row.created_at, row.id))
    found.sort(reverse=True)
    return [Scored(fact_id, share, {"words": share}) for share, _, _, fact_id in found]


class Picker:
    """Takes scored candidates one by one, best first, and says of each why it is left out, or takes it.

    The token budget is asked with the fact's own text, which only the few that get this far are read for.
    """

    def __init__(self, rows: dict[str, Candidate], limits: Limits) -> None:
        self.rows = rows
        self.limits = limits
        self.chosen: list[Scored] = []
        self.left_out: list[LeftOut] = []
        self.tokens = 0
        self.below_user = 0
        self.eligible: dict[int, list[Candidate]] = {}

    def ranked(self, question: Sequence[str]) -> list[Scored]:
        """The candidates that share a term with the question, best first."""
        found = score(question, list(self.rows.values())) if question else []
        for one in found:
            row = self.rows[one.id]
            if one.score >= self.limits.floor and row.confidence >= self.limits.min_confidence:
                self.eligible.setdefault(row.trust, []).append(row)
        return found

    def refuses(self, found: Scored) -> bool:
        """Whether a rule that needs no text leaves this candidate out; the reason is kept for the receipt."""
        reason = self._reason(self.rows[found.id], found.score)
        if reason:
            self.leave(found, reason)
        return bool(reason)

    def _reason(self, row: Candidate, share: float) -> str:
        limits = self.limits
        if share < limits.floor:
            return "below-floor"
        if row.trust < limits.min_trust:
            return "low-trust"
        if row.confidence < limits.min_confidence:
            return "low-confidence"
        if len(self.chosen) >= limits.k:
            return "over-cap"
        if row.trust < Trust.USER and self.below_user >= limits.below_user:
            return "low-trust-share"
        if self._doubled(row):
            return "near-duplicate"
        return ""

    def _doubled(self, row: Candidate) -> bool:
        """Whether a chosen fact says the same, or one of higher trust does that can still be chosen."""
        higher = (
            other for trust in self.eligible if trust > row.trust for other in self.eligible[trust]
        )
        rivals = chain((self.rows[other.id] for other in self.chosen), higher)
        return any(likeness(row.own, other.own) >= NEAR_DUPLICATE for other in rivals)

    def take(self, found: Scored, tokens: int) -> bool:
        """Choose the candidate if its tokens fit."""
        if self.tokens + tokens > self.limits.tokens:
            self.leave(found, "over-budget")
            return False
        self.chosen.append(found)
        self.tokens += tokens
        self.below_user += self.rows[found.id].trust < Trust.USER
        return True

    def leave(self, found: Scored, reason: str) -> None:
        """Note a candidate as left out; the receipt keeps the best few."""
        if len(self.left_out) < MOST_LEFT_OUT:
            self.left_out.append(LeftOut(found.id, reason, found.score))
