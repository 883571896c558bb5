"""Random histories under a clock that stands still: what must hold after each of them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import combinations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from memoranda.attributes import is_multi
from memoranda.errors import MemorandaError
from memoranda.memory import Memory
from memoranda.reviewer import Reviewer
from memoranda.testing import ManualClock, SequentialIds
from memoranda.types import Draft, Fact, Kind, Origin, Outcome, Selection, Status, from_micros

SUBJECTS = ("user:a", "user:b")
ATTRIBUTES = ("home", "theme", "likes", None)
VALUES = ("oslo", "rome", "bonn", "jazz")
ORIGINS = (Origin.USER, Origin.OPERATOR, Origin.TOOL, Origin.EXTERNAL)
KINDS = (Kind.FACT, Kind.PLAN, Kind.EPISODE, Kind.PROCEDURE)
QUESTIONS = ("oslo", "rome jazz", "what about bonn?")
MARK = "qwyx"  # in every fact, and nowhere else


@st.composite
def drafts(draw: st.DrawFn, start: int = 0) -> Draft:
    """A statement; `observed_at` is some days before or after `start`."""
    value = draw(st.sampled_from(VALUES))
    polarity = draw(st.sampled_from((True, True, True, False)))
    word = draw(st.sampled_from(("holds", "notes"))) if polarity else "denies"
    days = draw(st.sampled_from((None, None, -3, -1, 2)))
    return Draft(
        f"The {MARK} {word} {value}.",
        draw(st.sampled_from(SUBJECTS)),
        kind=draw(st.sampled_from(KINDS)),
        attribute=draw(st.sampled_from(ATTRIBUTES)),
        value=value,
        polarity=polarity,
        ends=not polarity and draw(st.booleans()),
        origin=draw(st.sampled_from(ORIGINS)),
        run=draw(st.sampled_from((None, "r1", "r2"))),
        step=draw(st.sampled_from((None, 1, 2))),
        observed_at=None if days is None else start + days * 86_400_000_000,
    )


START = ManualClock().now()
VERBS = (
    *("remember",) * 6,
    *("approve", "edit", "reject", "correct", "retire", "rollback", "undo", "maintain"),
)
MOVES = st.tuples(
    st.sampled_from(VERBS), drafts(START), st.integers(0, 20), st.sampled_from((0.1, 1, 8, 40))
)


class History:
    """A memory and its reviewer over one store, and a clock that goes on before every move."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.m = Memory.open(":memory:", clock=self.clock, ids=SequentialIds())
        self.asha = Reviewer(replace(self.m.core, actor="reviewer:asha"), "asha")

    def __enter__(self) -> History:
        return self

    def __exit__(self, *_: object) -> None:
        self.m.close()

    def rows(self) -> dict[str, Fact]:
        return {fact.id: fact for fact in self.m.facts(status="all")}

    def move(self, verb: str, item: Draft, pick: int, days: float) -> None:
        """Make one move; what a caller may not do is refused by name and changes nothing."""
        self.clock.advance(days=days)
        ids = sorted(self.rows())
        target = ids[pick % len(ids)] if ids else "f_none"
        before = self.rows()
        try:
            self._move(verb, item, target)
        except MemorandaError:
            assert self.rows() == before

    def _move(self, verb: str, item: Draft, target: str) -> None:
        m, asha = self.m, self.asha
        done: dict[str, Any] = {
            "remember": lambda: m.remember_many([item]),
            "approve": lambda: asha.approve(target),
            "edit": lambda: asha.approve(target, text=f"The {MARK} edits {item.value}."),
            "reject": lambda: asha.reject([target]),
            "correct": lambda: m.correct(target, f"The {MARK} mends {item.value}."),
            "retire": lambda: m.retire(target, why="asked for"),
            "rollback": lambda: m.rollback(item.run or "r1"),
            "undo": lambda: m.undo(),
            "maintain": lambda: m.maintain(),
            "erase": lambda: m.erase(target),
        }
        done[verb]()

    def answers(self, at: datetime | None = None) -> list[list[Fact]]:
        """What is recalled; everywhere the state that a fact had at the time."""
        return [
            list(self.m.recall(q, subjects=[s], as_of=at).facts)
            for q in QUESTIONS
            for s in SUBJECTS
        ]


@given(st.lists(MOVES, max_size=14))
def test_as_of_is_what_was_answered_then(moves: list[Any]) -> None:
    with History() as h:
        seen = []
        for move in moves:
            h.move(*move)
            seen.append((from_micros(h.clock.now()), h.answers()))
        h.clock.advance(days=1)
        for at, answers in seen:
            assert h.answers(at) == answers


@given(st.lists(MOVES, max_size=14), st.integers(0, 20))
def test_as_of_knows_all_but_what_was_erased(moves: list[Any], pick: int) -> None:
    with History() as h:
        seen = []
        for move in moves:
            h.move(*move)
            seen.append((from_micros(h.clock.now()), candidates(h)))
        before = h.rows()
        h.move("erase", moves[0][1] if moves else Draft("", ""), pick, 1)
        erased = before.keys() - h.rows().keys()
        for at, then in seen:
            assert candidates(h, at) == then - erased
        left = {(f.subject, f.fact) for f in h.rows().values()}
        assert not left & {(before[one].subject, before[one].fact) for one in erased}


def candidates(h: History, at: datetime | None = None) -> set[str]:
    found = set()
    for subject in SUBJECTS:
        for value in VALUES:
            got = h.m.recall(value, subjects=[subject], as_of=at, k=500, tokens=10**6)
            receipt = got.receipt
            found |= {one.id for one in (*receipt.chosen, *receipt.left_out)}
    return found


@given(st.lists(MOVES, max_size=12), MOVES)
def test_undo_restores_exactly(moves: list[Any], last: Any) -> None:
    with History() as h:
        for move in moves:
            h.move(*move)
        before = h.rows()
        done = {o.id for o in h.m.operations(limit=1000)}
        h.move(*last)
        new = [o for o in h.m.operations(limit=1000) if o.id not in done and o.facts]
        if not new or new[0].verb == "lapse":
            return
        h.m.undo(new[0].id)
        after = h.rows()
        assert {i: after[i] for i in before} == before
        assert all(after[i].status is Status.RETIRED for i in after.keys() - before.keys())


@given(st.lists(MOVES, max_size=20))
def test_an_attribute_of_one_value_has_at_most_one(moves: list[Any]) -> None:
    with History() as h:
        for move in moves:
            h.move(*move)
            live = [f for f in h.m.facts() if f.attribute and f.polarity and f.value]
            for one, other in combinations(live, 2):
                if (one.subject, one.attribute) == (other.subject, other.attribute):
                    assert is_multi(one.attribute or "") or one.value == other.value


@given(st.lists(MOVES, max_size=14))
def test_nothing_but_live_facts_is_recalled_and_the_log_holds_no_text(moves: list[Any]) -> None:
    with History() as h:
        for move in moves:
            h.move(*move)
            for facts in h.answers():
                for fact in facts:
                    assert fact.status is Status.LIVE
                    assert fact.origin is not Origin.EXTERNAL or fact.approved_by
                    assert fact.kind is not Kind.PROCEDURE or fact.approved_by
                    assert fact.expires_at is None or fact.expires_at > from_micros(h.clock.now())
        assert MARK not in repr(h.m.operations(limit=1000))
        endless = [f for f in h.rows().values() if f.expires_at is None and not f.durable_reason]
        assert endless == []


@given(st.lists(drafts(START), max_size=12))
def test_bulk_is_a_loop_of_singles(items: list[Draft]) -> None:
    with History() as one, History() as many:
        singles = [one.m.remember_many([item])[0] for item in items]
        bulk = many.m.remember_many(items)
        assert seen(one, singles) == seen(many, bulk)


def seen(h: History, outcomes: list[Outcome]) -> tuple[Any, ...]:
    """Outcomes and rows with ids as numbers in order of appearance."""
    place = {fact: n for n, fact in enumerate(sorted(h.rows()))}
    place[None] = -1  # type: ignore[index]
    rows = [
        (place[f.id], f.fact, f.status, place[f.superseded_by], f.expires_at)  # type: ignore[index]
        for f in h.rows().values()
    ]
    said = [
        (o.status, place[o.id], o.reasons, [place[r] for r in o.replaced])  # type: ignore[index]
        for o in outcomes
    ]
    return rows, said, [o.verb for o in h.m.operations(limit=1000)]


@given(st.lists(MOVES, max_size=10), st.sampled_from(SUBJECTS))
def test_erasing_a_subject_leaves_the_other_alone(moves: list[Any], subject: str) -> None:
    with History() as h:
        for move in moves:
            h.move(*move)
        before = h.rows()
        with suppress(MemorandaError):
            h.m.erase(Selection(subject=subject))
        assert h.rows() == {i: f for i, f in before.items() if f.subject != subject}
