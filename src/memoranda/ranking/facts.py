"""One scoring function for facts, the same for every store: which facts answer a question, and which do not. Pure.

The words' part is the share of the question's weight that a fact covers: each term of the question weighs its inverse
document frequency among the candidates (Robertson and Sparck Jones' form, never negative), so a word that every fact
holds says little. A term that no candidate holds weighs against all of them: a question about something else stays
below the floor. A slip of the keyboard and another name of the same thing cover a term in part. A tag that is in the
question whole finds its fact however long the question is. With an embedder, meaning (the cosine of the vectors) is
fused with the words.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from memoranda.analysis import BAR, own_terms, terms
from memoranda.ranking import weights
from memoranda.ranking.concepts import mates
from memoranda.ranking.question import Question
from memoranda.ranking.times import inside
from memoranda.ranking.typos import Spelling

NO_TAGS = "[]"
NEVER = 1 << 63
# Written with a capital, and nobody's name.
COMMON = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december english german french spanish italian european american british user "
    "the they she her his how what when where who why this that".split()
)


class Candidate(NamedTuple):
    """What the ranking knows of a fact.

    stored: its terms as the row keeps them; tags: JSON. source: what it came from, of which only so many may be chosen.
    """

    id: str
    subject: str
    text: str
    stored: str
    tags: str
    trust: int
    confidence: float
    observed_at: int
    created_at: int
    expires_at: int | None = None
    source: str = ""

    @property
    def own(self) -> frozenset[str]:
        """The terms of its text, by which near-duplicates are told."""
        return own_terms(self.stored)


class FactIndex:
    """The facts of a subject by their terms and tags.

    counts: where these are only some of the subject's facts, how many of all hold each term, and under "" how many
    there are.
    """

    def __init__(
        self, candidates: Iterable[Candidate], counts: Mapping[str, int] | None = None
    ) -> None:
        self.candidates = tuple(candidates)
        self.counts = counts
        # What equal scores are ordered by, and when each fact's time is over.
        self.newest = [(one[7], one[8], one[0]) for one in self.candidates]
        self.ends = [NEVER if one[9] is None else one[9] for one in self.candidates]
        self.held: dict[str, list[int]] = {}
        # By one of the terms of a tag: where it stands, and all its terms.
        self.handles: dict[str, list[tuple[int, frozenset[str]]]] = {}
        held = self.held
        for at, one in enumerate(self.candidates):
            for term in one.stored.split():
                if term in held:
                    held[term].append(at)
                else:
                    held[term] = [at]
            if one.tags != NO_TAGS:
                self._enter_tags(at, json.loads(one.tags))
        held.pop(BAR, None)

    def _enter_tags(self, at: int, tags: Iterable[str]) -> None:
        for tag in tags:
            if handle := frozenset(terms(tag)):
                self.handles.setdefault(min(handle), []).append((at, handle))

    def __len__(self) -> int:
        return self.counts[""] if self.counts else len(self.candidates)

    def count(self, term: str, met: Mapping[str, float]) -> int:
        """How many facts hold a term, or what stands for it."""
        if self.counts and term in self.counts:
            return self.counts[term]
        if len(met) == 1:
            return sum(len(self.held[other]) for other in met)
        return len({at for other in met for at in self.held[other]})

    @cached_property
    def spelling(self) -> Spelling:
        """The words of these facts, for questions with slips."""
        return Spelling(self.held)


class Found(NamedTuple):
    """A fact with its score, the parts that made it, and what the floor for it is as a multiple of the one set."""

    candidate: Candidate
    score: float
    parts: Mapping[str, float]
    floor: float


def score(
    question: Question,
    indexes: Sequence[FactIndex],
    meaning: Mapping[str, float] | None = None,
    *,
    now: int,
    most: int | None = None,
) -> list[Found]:
    """The `most` facts (None: all) that have anything to do with the question, best first; newer first on equal score.

    `meaning`: the cosine of each fact's vector with the question's, by id; None without an embedder.
    """
    weighed = _weighed(question, indexes)
    ranked: list[tuple[float, tuple[int, int, str], int, int]] = []
    matched = []
    for number, (index, wide) in enumerate(zip(indexes, weighed.wide, strict=True)):
        words, tagged = _covered(index, weighed, wide), _tagged(index, wide)
        matched.append((words, tagged))
        plain = not (meaning or question.spans or tagged)
        newest, ends = index.newest, index.ends
        if plain:
            ranked += [
                (share, newest[at], number, at) for at, share in words.items() if ends[at] > now
            ]
            continue
        for at in range(len(index.candidates)) if meaning else words.keys() | tagged:
            if ends[at] > now:
                value = _value(index.candidates[at], at, words, tagged, meaning, question)
                ranked.append((value, newest[at], number, at))
    ranked.sort(reverse=True)
    wanted = () if question.general else question.words - COMMON
    names = tuple(f" {word.capitalize()}" for word in wanted if len(word) > 1 and word.isalpha())
    found = []
    for value, _, number, at in ranked[:most]:
        (words, tagged), one = matched[number], indexes[number].candidates[at]
        parts = _parts(one, words.get(at, 0.0), at in tagged, meaning, question)
        found.append(Found(one, round(value, 6), parts, _floor(question, one, parts, names)))
    return found


def _names(name: str, text: str) -> bool:
    """Whether a word stands in a text as a name: with a capital, and not because it is the first."""
    at = text.find(name)
    return at >= 0 and not text[at + len(name) : at + len(name) + 1].isalnum()


def _value(
    one: Candidate,
    at: int,
    words: Mapping[int, float],
    tagged: set[int],
    meaning: Mapping[str, float] | None,
    question: Question,
) -> float:
    near = meaning.get(one.id, 0.0) if meaning else None
    in_time = bool(question.spans) and inside(one.observed_at, question.spans)
    return fused(words.get(at, 0.0), near, at in tagged, in_time)


def _floor(
    question: Question, one: Candidate, parts: Mapping[str, float], names: Sequence[str]
) -> float:
    if one.tags != NO_TAGS and parts["words"] < weights.SURE:
        return weights.TAGGED
    if question.personal or any(_names(name, one.text) for name in names):
        return weights.PERSONAL
    return weights.WORLD if question.world else 1.0


@dataclass(frozen=True, slots=True)
class _Weighed:
    """The question's terms with their weights, what all of them weigh, and for each subject how a term is met there:
    a term of its facts and what that is worth."""

    weight: Mapping[str, float]
    whole: float
    wide: Sequence[Mapping[str, Mapping[str, float]]]


def _weighed(question: Question, indexes: Sequence[FactIndex]) -> _Weighed:
    total = weights.UNSEEN + sum(map(len, indexes))
    known = {term: any(term in index.held for index in indexes) for term in question.terms}
    wide = [{term: _met(term, index, known[term]) for term in question.terms} for index in indexes]
    weight = {}
    for term in question.terms:
        held = sum(index.count(term, met[term]) for index, met in zip(indexes, wide, strict=True))
        weight[term] = math.log(1 + (total - held + 0.5) / (held + 0.5))
    heaviest = math.log(1 + (total + 0.5) / 0.5)
    return _Weighed(weight, min(sum(weight.values()), weights.LONG_QUESTION * heaviest), wide)


def _met(term: str, index: FactIndex, known: bool) -> dict[str, float]:
    """The terms of the subject's facts that stand for a term of the question, with their worth."""
    met = {other: weights.CONCEPT for other in mates().get(term, ()) if other in index.held}
    if not known:
        near = index.spelling.near(term)
        met.update(
            {other: weights.TYPO if inside else weights.END for other, inside in near.items()}
        )
    if term in index.held:
        met[term] = 1.0
    return met


def _covered(
    index: FactIndex, weighed: _Weighed, wide: Mapping[str, Mapping[str, float]]
) -> dict[int, float]:
    """By place, the share of the question's weight that a fact covers."""
    covered: dict[int, float] = defaultdict(float)
    for term, met in wide.items():
        if len(met) == 1:
            [(other, worth)] = met.items()
            weight = weighed.weight[term] * worth
            for at in index.held[other]:
                covered[at] += weight
            continue
        best: dict[int, float] = {}
        for other, worth in sorted(met.items(), key=lambda pair: pair[1]):
            best.update(dict.fromkeys(index.held[other], worth))
        for at, worth in best.items():
            covered[at] += weighed.weight[term] * worth
    whole = weighed.whole or 1.0
    shares = {at: value / whole for at, value in covered.items()}
    # Of a long question a fact may hold more than is asked for.
    if whole < sum(weighed.weight.values()):
        return {at: min(1.0, share) for at, share in shares.items()}
    return shares


def _tagged(index: FactIndex, wide: Mapping[str, Mapping[str, float]]) -> set[int]:
    """The places of facts one of whose tags is in the question whole, slips forgiven."""
    said = {
        other for met in wide.values() for other, worth in met.items() if worth != weights.CONCEPT
    }
    handles = index.handles
    return {at for term in said & handles.keys() for at, handle in handles[term] if handle <= said}


def _parts(
    one: Candidate,
    words: float,
    tagged: bool,
    meaning: Mapping[str, float] | None,
    question: Question,
) -> dict[str, float]:
    parts = {"words": round(words, 6)}
    if tagged:
        parts["tag"] = 1.0
    if meaning is not None:
        parts["meaning"] = round(max(0.0, meaning.get(one.id, 0.0)), 6)
    if question.spans and inside(one.observed_at, question.spans):
        parts["time"] = weights.IN_TIME
    return parts


def fused(words: float, meaning: float | None, tagged: bool, in_time: bool) -> float:
    """One score of the parts, 0 to 1."""
    if tagged:
        # Two facts with such a tag are told apart by what else of the question they hold.
        return round(0.9 + 0.1 * words, 6)
    share = words
    if meaning is not None:
        share = (max(0.0, meaning) + weights.WORDS * words) / weights.WHOLE
    if in_time:
        share *= 1 + weights.IN_TIME
    return round(min(1.0, share), 6)
