"""One scoring function for what was said: which turns of the log answer a question. Pure.

Okapi BM25 (Robertson and Zaragoza, 2009) three times: over the turn, over the turn with its neighbours, and over the
whole conversation it stands in; as z-scores (less the mean of all turns, over their deviation), weighed and summed.
With an embedder, half of the text's part gives way to the cosine of the vectors, as a z-score too. Then some of the
neighbours' score, and what is known of a turn: who said it, whether it only asks, how long it is, and when it was.
Fusion by rank (k = 60) was measured worse than words alone.

A z-score ranks and says nothing of whether there is an answer at all. That is told by the evidence: the share of the
question's weight that a turn and its neighbours hold, or the cosine.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import pairwise

from memoranda.analysis import stemmed, terms
from memoranda.ranking import weights
from memoranda.ranking.question import Question
from memoranda.ranking.times import inside

Key = tuple[str, int]
# Of a term's weight as evidence that a turn answers, what it must hold itself; the rest the question before it may.
NEARER = 0.5
# A turn of fewer words says something only by these, and "I see." nothing; unless it answers a question.
FEWEST_WORDS = 4


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as it is ranked: its place in the log, who said it and when, and its words (`analysis.all_words`).

    asks: it ends with a question mark. timed: it says when something was. origin: of the message; the turn of an
    assistant is of origin `model`. step: of its run, by which facts cite it.
    """

    session: str
    n: int
    speaker: str
    origin: str
    at: int
    words: tuple[str, ...]
    asks: bool = False
    timed: bool = False
    run: str | None = None
    step: int | None = None

    @property
    def key(self) -> Key:
        """Its place in the log."""
        return self.session, self.n

    @property
    def terms(self) -> frozenset[str]:
        """The terms of what is said and of who says it."""
        return said_terms(self.words, self.speaker)


def said_terms(words: Iterable[str], speaker: str) -> frozenset[str]:
    """The terms of some words (`analysis.all_words`) and of who says them."""
    return frozenset([*map(stemmed, words), *terms(speaker)])


class TurnIndex:
    """The turns of a subject in the order they were said, session by session."""

    def __init__(self, turns: Iterable[Turn]) -> None:
        self.turns: tuple[Turn, ...] = ()
        self.session: list[int] = []
        self.postings: dict[str, list[tuple[int, int]]] = {}
        self._lengths: list[float] = []
        self._places: dict[str, int] = {}
        self._enter(tuple(turns))

    def _enter(self, fresh: Sequence[Turn]) -> None:
        for at, turn in enumerate(fresh, len(self.turns)):
            self.session.append(self._places.setdefault(turn.session, len(self._places)))
            self._lengths.append(float(len(turn.words)))
            for term, count in _held(turn).items():
                self.postings.setdefault(term, []).append((at, count))
        self.turns += tuple(fresh)
        self.beside = [a == b for a, b in pairwise(self.session)]
        self.own = _norms(self._lengths)
        self.window = _norms(smoothed(self._lengths, self.beside, 1.0))
        self.whole = _norms(_summed(self._lengths, self.session, len(self._places)))
        self.bonus = [_bonus(turn) for turn in self.turns]
        self.speakers = {
            speaker: frozenset(terms(speaker)) for speaker in {turn.speaker for turn in self.turns}
        }

    def __len__(self) -> int:
        return len(self.turns)

    def extended(self, fresh: Sequence[Turn]) -> TurnIndex:
        """An index with newer turns; only these are read where they go on the last session or begin one."""
        begun = {turn.session for turn in fresh} - {self.turns[-1].session} if self.turns else set()
        if not self.turns or begun & self._places.keys():
            return TurnIndex(sorted((*self.turns, *fresh), key=lambda turn: turn.key))
        longer = copy(self)
        longer.session, longer._lengths = list(self.session), list(self._lengths)
        longer.postings, longer._places = dict(self.postings), dict(self._places)
        for term in {term for turn in fresh for term in _held(turn)} & self.postings.keys():
            longer.postings[term] = list(self.postings[term])
        longer._enter(fresh)
        return longer


def _held(turn: Turn) -> Counter[str]:
    """How often each term stands in a turn, its speaker's name too."""
    held = Counter(map(stemmed, turn.words))
    held.update(terms(turn.speaker))
    return held


def _norms(lengths: Sequence[float]) -> list[float]:
    """What BM25 adds to a count for the length of each text."""
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    return [weights.K1 * (1 - weights.B + weights.B * one / (mean or 1.0)) for one in lengths]


def _bonus(turn: Turn) -> float:
    """What is known of a turn whatever is asked: it only asks something, or it is of a word or two."""
    length = min(1.0, math.log(1 + len(turn.words)) / math.log(1 + weights.LONG_ENOUGH))
    return weights.LENGTH * length - weights.ASKS * turn.asks


@dataclass(frozen=True, slots=True)
class Said:
    """A turn with its score: `fused` ranks, `evidence` (0 to 1) says whether it answers at all."""

    turn: Turn
    fused: float
    evidence: float
    parts: Mapping[str, float]


def score(
    question: Question,
    index: TurnIndex,
    meaning: Mapping[Key, float] | None = None,
    *,
    most: int = 100,
    without: str | None = None,
) -> list[Said]:
    """The `most` turns that have most to do with the question, best first; newer first on equal score.

    `meaning`: the cosine of each turn's vector with the question's; None without an embedder. `without`: a session
    whose turns are left out; they are weighed with, and take nobody's place.
    """
    if not index.turns or not question.terms:
        return []
    matched = _matched(question, index)
    if meaning is None and not any(matched.share):
        return []
    text = _text(index, matched, meaning)
    by_speaker, by_time = _by_speaker(question, index), _by_time(question, index)
    fused = [
        round(sum(values), 6) for values in zip(text, by_speaker, by_time, index.bonus, strict=True)
    ]
    turns = index.turns
    best = sorted(
        (at for at in range(len(turns)) if turns[at].session != without),
        key=lambda at: (-fused[at], -turns[at].at, turns[at].session, -turns[at].n),
    )
    return [
        Said(
            turns[at],
            fused[at],
            _evidence(index, at, matched, meaning),
            {
                "text": round(text[at], 6),
                "speaker": by_speaker[at],
                "time": by_time[at],
                "turn": round(index.bonus[at], 6),
            },
        )
        for at in best[:most]
    ]


def _text(index: TurnIndex, matched: _Matched, meaning: Mapping[Key, float] | None) -> list[float]:
    """What a turn says, beside what its neighbours and its conversation do."""
    parts = [(weights.OWN, matched.own), (weights.WINDOW, matched.window)]
    if meaning is not None:
        half = weights.MEANING
        cosines = z_scores([meaning.get(turn.key, 0.0) for turn in index.turns])
        parts = [((1 - half) * weight, values) for weight, values in parts]
        parts.append((half, cosines))
    parts.append((weights.SESSION, [matched.whole[place] for place in index.session]))
    summed = [0.0] * len(index)
    for weight, values in parts:
        summed = [one + weight * value for one, value in zip(summed, values, strict=True)]
    return smoothed(summed, index.beside, weights.NEIGHBOUR)


def _evidence(
    index: TurnIndex, at: int, matched: _Matched, meaning: Mapping[Key, float] | None
) -> float:
    turn = index.turns[at]
    # What stands beside a turn makes it an answer only where it was asked.
    answers = at > 0 and index.beside[at - 1] and index.turns[at - 1].asks
    share = matched.share[at] if answers else matched.mine[at]
    says = share and len(turn.words) > 1 and not turn.asks
    if not (says or answers or len(turn.words) >= FEWEST_WORDS):
        return 0.0
    if meaning is None:
        return round(share, 6)
    both = (max(0.0, meaning.get(turn.key, 0.0)) + weights.WORDS * share) / weights.WHOLE
    return round(min(1.0, max(share, both)), 6)


def _by_speaker(question: Question, index: TurnIndex) -> list[float]:
    """The turns of the one speaker who is named; else, of a question about the asker, what a user said."""
    asked = set(question.terms)
    named = {speaker for speaker, held in index.speakers.items() if held & asked}
    if len(named) == 1:
        return [weights.SPEAKER * (turn.speaker in named) for turn in index.turns]
    if not question.personal:
        return [0.0] * len(index)
    return [weights.ASKER * (turn.origin in ("user", "operator")) for turn in index.turns]


def names_speaker(question: Question, index: TurnIndex) -> bool:
    """Whether a question names somebody who spoke."""
    return any(held & set(question.terms) for held in index.speakers.values())


def _by_time(question: Question, index: TurnIndex) -> list[float]:
    if question.spans:
        return [weights.TURN_IN_TIME * inside(turn.at, question.spans) for turn in index.turns]
    return [weights.TELLS_TIME * (question.when and turn.timed) for turn in index.turns]


# Matching


@dataclass(frozen=True, slots=True)
class _Matched:
    """Of each turn the z-score of itself and of its window, of each conversation its own; and the share of the
    question's weight that a turn's window holds, half of it by the turn itself; and what the turn alone holds."""

    own: list[float]
    window: list[float]
    whole: list[float]
    share: list[float]
    mine: list[float]


def _matched(question: Question, index: TurnIndex) -> _Matched:
    count = len(index)
    own, window = [0.0] * count, [0.0] * count
    share, mine = [0.0] * count, [0.0] * count
    whole = [0.0] * len(index.whole)
    total = 0.0
    for term in question.terms:
        held = index.postings.get(term, [])
        total += (weight := _idf(count, len(held)))
        around = _around(held, index)
        spread: dict[int, int] = defaultdict(int)
        for at, times in held:
            share[at] += NEARER * weight
            mine[at] += weight
            spread[index.session[at]] += times
        for at in around:
            share[at] += (1 - NEARER) * weight
        _add(own, held, index.own, weight)
        _add(window, around.items(), index.window, _idf(count, len(around)))
        _add(whole, spread.items(), index.whole, _idf(len(whole), len(spread)))
    share = [min(1.0, value / (total or 1.0)) for value in share]
    mine = [min(1.0, value / (total or 1.0)) for value in mine]
    return _Matched(z_scores(own), z_scores(window), z_scores(whole), share, mine)


def _idf(total: int, held: int) -> float:
    return math.log(1 + (total - held + 0.5) / (held + 0.5))


def _around(held: Iterable[tuple[int, int]], index: TurnIndex) -> dict[int, int]:
    """How often a term stands in each turn or beside it."""
    found: dict[int, int] = defaultdict(int)
    beside = index.beside
    for at, times in held:
        found[at] += times
        if at and beside[at - 1]:
            found[at - 1] += times
        if at < len(beside) and beside[at]:
            found[at + 1] += times
    return found


def _add(
    scores: list[float], held: Iterable[tuple[int, int]], norms: Sequence[float], idf: float
) -> None:
    """Add what a term gives each text that holds it, by BM25."""
    top = idf * (weights.K1 + 1)
    for at, times in held:
        scores[at] += top * times / (times + norms[at])


def _summed(values: Sequence[float], places: Sequence[int], count: int) -> list[float]:
    found = [0.0] * count
    for value, place in zip(values, places, strict=True):
        found[place] += value
    return found


def smoothed(values: Sequence[float], beside: Sequence[bool], share: float) -> list[float]:
    """Each value with a share of those beside it in the same conversation."""
    found = list(values)
    for at, together in enumerate(beside):
        if together:
            found[at] += share * values[at + 1]
            found[at + 1] += share * values[at]
    return found


def z_scores(values: Sequence[float]) -> list[float]:
    """Each value less the mean, over the standard deviation; zeros where all are equal."""
    mean = sum(values) / len(values)
    deviation = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
    if deviation <= 1e-9 * max(1.0, abs(mean)):
        return [0.0] * len(values)
    return [(value - mean) / deviation for value in values]
