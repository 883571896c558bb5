"""Which of the ranked facts and turns are chosen, and why the others are not. Pure.

One ranking of both. A fact stands above a turn of equal score; a turn says nothing that a chosen fact says already. Of
several subjects none may fill the block while another has something to say, nor may one source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from memoranda.analysis import likeness, stemmed
from memoranda.ranking import weights
from memoranda.ranking.facts import Candidate, Found
from memoranda.ranking.turns import Said
from memoranda.ranking.weights import NEAR_DUPLICATE
from memoranda.sessions.turns import item_of
from memoranda.types import TRUST_OF, LeftOut, Origin, Trust

MOST_LEFT_OUT = 50
# Two statements must share so many terms at least to be about the same thing.
FEWEST_SHARED = 2
# A turn with so much of its own words in a fact adds nothing to it.
SAYS_NO_MORE = 0.7
TURN = "turn:"


@dataclass(frozen=True, slots=True)
class Limits:
    """The floors and caps of one recall (see `Settings`). turns: most turns among the `k`. per_subject: most facts and
    turns of one subject while others have some left; per_source: most of one run, page or document."""

    k: int
    turns: int
    tokens: int
    floor: float
    min_trust: int
    min_confidence: float
    below_user: int
    per_subject: int
    per_source: int


class Entry(NamedTuple):
    """A fact or a turn in the one ranking.

    floor: the least score it must have. source: what it came from, "" for the person's own words, of which there may be
    any number. parts: what made the score. fact or said: which of the two it is.
    """

    id: str
    subject: str
    score: float
    floor: float
    trust: int
    confidence: float
    source: str
    parts: Mapping[str, float]
    fact: Candidate | None = None
    said: Said | None = None

    def terms(self) -> frozenset[str]:
        """The terms of what it says."""
        if self.fact is not None:
            return self.fact.own
        return frozenset(map(stemmed, self.said.turn.words)) if self.said else frozenset()


def of_fact(found: Found, floor: float) -> Entry:
    """A ranked fact as an entry; `floor` is the one that is set."""
    one = found.candidate
    # A tag is asked for by its whole name: no floor is above that.
    least = min(found.floor * floor, 0.9) if floor else 0.0
    return Entry(
        one.id,
        one.subject,
        found.score,
        least,
        one.trust,
        one.confidence,
        "" if one.trust >= Trust.USER else one.source,
        found.parts,
        one,
    )


def of_turns(ranked: Sequence[Said], subject: str, floor: float) -> list[Entry]:
    """Ranked turns as entries, in their order: none counts for more than one that ranks above it.

    What a model said is below the usual floor of trust: it is there for who asks for it with `min_trust=0`.
    """
    entries, least = [], 1.0
    for said in ranked:
        if said.evidence >= floor:
            least = min(least, said.evidence)
        score = min(least, said.evidence)
        turn = said.turn
        name = f"{TURN}{item_of(turn.key)}"
        entries.append(
            Entry(
                name,
                subject,
                score,
                floor,
                TRUST_OF[Origin(turn.origin)],
                1.0,
                "",
                {**said.parts, "evidence": said.evidence},
                said=said,
            )
        )
    return entries


class Picker:
    """Takes entries one by one, best first, and says of each why it is left out, or takes it.

    The token budget is asked with the text itself, which only the few that get this far are read for.
    """

    def __init__(
        self, entries: Iterable[Entry], limits: Limits, shown: frozenset[str] = frozenset()
    ) -> None:
        self.limits = limits
        # The sort keeps what is equal in the order it comes in: facts first, newer before older.
        self.ranked = sorted(entries, key=lambda entry: -entry.score)
        self.best = self.ranked[0].score if self.ranked else 0.0
        self.chosen: list[Entry] = []
        self.left_out: list[LeftOut] = []
        self.waiting: list[Entry] = []
        # What stands in the window already is as good as chosen: nothing else need say it.
        self._shown = [entry for entry in self.ranked if entry.id in shown]
        self._again = False
        self.tokens = 0
        self._of_subject: Counter[str] = Counter()
        self._of_source: Counter[str] = Counter()
        self._terms: dict[str, frozenset[str]] = {}
        self._costs: dict[str, int] = {}
        self._eligible: dict[int, list[Entry]] = {}
        for entry in self.ranked:
            if entry.score >= entry.floor and entry.confidence >= limits.min_confidence:
                self._eligible.setdefault(entry.trust, []).append(entry)

    def __iter__(self) -> Iterator[Entry]:
        """All entries, best first; then those that had to give way to another subject, if there is room left."""
        yield from self.ranked
        self._again = True
        yield from self.waiting

    def refuses(self, entry: Entry) -> bool:
        """Whether a rule that needs no text leaves this entry out; the reason is kept for the receipt."""
        reason = self._reason(entry)
        if not reason and not self._again and self._crowds(entry):
            self.waiting.append(entry)
            return True
        if reason:
            self.leave(entry, reason)
        return bool(reason)

    def _reason(self, entry: Entry) -> str:
        limits = self.limits
        if entry in self._shown:
            return "in-window"
        if entry.score < entry.floor or not (entry.score or entry.said):
            return "below-floor"
        if limits.floor and entry.score < weights.FAR_BEHIND * self.best:
            return "far-behind"
        if entry.trust < limits.min_trust:
            return "low-trust"
        if entry.confidence < limits.min_confidence:
            return "low-confidence"
        if len(self.chosen) >= limits.k:
            return "over-cap"
        if entry.said and sum(one.said is not None for one in self.chosen) >= limits.turns:
            return "over-turns"
        if entry.trust < Trust.USER and self.below_user >= limits.below_user:
            return "low-trust-share"
        if entry.source and self._of_source[entry.source] >= limits.per_source:
            return "same-source"
        return "near-duplicate" if self._doubled(entry) else ""

    @property
    def below_user(self) -> int:
        """How many of the chosen are trusted less than the user."""
        return sum(entry.trust < Trust.USER for entry in self.chosen)

    @property
    def lowest(self) -> Trust | None:
        """The least trust among the chosen."""
        return min((Trust(entry.trust) for entry in self.chosen), default=None)

    def _crowds(self, entry: Entry) -> bool:
        return self._of_subject[entry.subject] >= self.limits.per_subject

    def _doubled(self, entry: Entry) -> bool:
        """Whether a chosen one says the same, or one of higher trust does that can still be chosen."""
        higher = (
            one for trust, some in self._eligible.items() if trust > entry.trust for one in some
        )
        known = chain(self.chosen, self._shown, higher)
        return any(self._same(entry, one) for one in known if one is not entry)

    def _same(self, entry: Entry, other: Entry) -> bool:
        """Two facts are told by their likeness. A turn says the same as a fact whose words it mostly holds, or that
        holds most of its own; a fact is never left out for a turn, but takes its place (`take`)."""
        if entry.said is None and other.said is not None:
            return False
        mine, others = self._terms_of(entry), self._terms_of(other)
        if entry.said is None or other.said is not None:
            return likeness(mine, others) >= NEAR_DUPLICATE
        both = len(others & mine)
        return both >= max(
            FEWEST_SHARED, min(NEAR_DUPLICATE * len(others), SAYS_NO_MORE * len(mine))
        )

    def _terms_of(self, entry: Entry) -> frozenset[str]:
        if entry.id not in self._terms:
            self._terms[entry.id] = entry.terms()
        return self._terms[entry.id]

    def take(self, entry: Entry, tokens: int) -> bool:
        """Choose the entry if its tokens fit."""
        if self.tokens + tokens > self.limits.tokens:
            self.leave(entry, "over-budget")
            return False
        self._costs[entry.id] = tokens
        self.chosen.append(entry)
        self.tokens += tokens
        if entry.fact is not None:
            for turn in [one for one in self.chosen if one.said and self._same(one, entry)]:
                self._give_up(turn)
        self._of_subject[entry.subject] += 1
        self._of_source[entry.source] += 1
        return True

    def _give_up(self, turn: Entry) -> None:
        """A turn that was chosen gives way to the fact that says as much."""
        self.chosen.remove(turn)
        self.tokens -= self._costs[turn.id]
        self._of_subject[turn.subject] -= 1
        self._of_source[turn.source] -= 1
        self.leave(turn, "near-duplicate")

    def settle(self) -> None:
        """Let the newer of two chosen facts that say much the same stand before the older: it may have replaced it."""
        placed: list[Entry] = []
        for entry in self.chosen:
            older = (n for n, other in enumerate(placed) if self._renews(entry, other))
            placed.insert(next(older, len(placed)), entry)
        self.chosen = placed

    def _renews(self, entry: Entry, other: Entry) -> bool:
        if entry.fact is None or other.fact is None or entry.subject != other.subject:
            return False
        if entry.fact.observed_at <= other.fact.observed_at or entry.trust < other.trust:
            return False
        mine, others = self._terms_of(entry), self._terms_of(other)
        return len(mine & others) >= FEWEST_SHARED and likeness(mine, others) >= weights.RENEWS

    def leave(self, entry: Entry, reason: str) -> None:
        """Note an entry as left out; the receipt keeps the best few."""
        if len(self.left_out) < MOST_LEFT_OUT:
            self.left_out.append(LeftOut(entry.id, reason, entry.score, entry.parts))
