"""Random derivation graphs: a cohort takes every descendant and nothing else, and undo restores exactly.

`MEMORANDA_CASES` says how many graphs (100 unless set; the promise was measured on 1,000).
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field

import pytest

from memoranda.memory import Memory
from memoranda.testing import ManualClock, SequentialIds
from memoranda.types import Fact, Origin, Selection, Status, Verdict

CASES = int(os.environ.get("MEMORANDA_CASES", "100"))
CLOSABLE = (Status.LIVE, Status.PENDING)
TOWNS = ("Oslo", "Rome", "Bonn")


@dataclass
class Graph:
    """A store with random facts, and what the test itself knows of who came from whom."""

    seed: int
    m: Memory = field(init=False)
    parents: dict[str, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.clock = ManualClock()
        self.m = Memory.open(":memory:", clock=self.clock, ids=SequentialIds())
        for n in range(self.chance.randint(5, 40)):
            self.clock.advance(seconds=60)
            self.add(n)

    def add(self, n: int) -> None:
        pick = self.chance.choice
        known = sorted(self.parents)
        sources = self.chance.sample(known, min(len(known), pick((0, 0, 1, 1, 2, 3))))
        keyed = pick((True, False, False))
        town = pick(TOWNS)
        text = f"Person {n} lives in {town}." if keyed else f"Thing {n} is known."
        out = self.m.remember(
            text,
            subject=pick(("user:a", "user:b")),
            attribute="home" if keyed else None,
            value=town if keyed else None,
            origin=pick((Origin.USER, Origin.OPERATOR, Origin.TOOL, Origin.EXTERNAL)),
            run=pick(("r1", "r2", "r3", None)),
            step=n,
            tags=[pick(("x", "y"))],
            source_ref=pick(("session:s", "https://a.example/", None)),
            derived_from=sources,
        )
        if out.id and out.status in (Verdict.ACCEPTED, Verdict.HELD) and out.id not in self.parents:
            self.parents[out.id] = set(sources)

    def rows(self) -> dict[str, Fact]:
        return {fact.id: fact for fact in self.m.facts(status="all")}

    def descendants(self, roots: set[str]) -> set[str]:
        """By asking of every fact whether a root is among its ancestors: another way than the code's."""
        return {one for one in self.parents if self.ancestors(one) & roots}

    def ancestors(self, one: str) -> set[str]:
        found = {one}
        while more := set().union(*(self.parents[f] for f in found)) - found:
            found |= more
        return found


def cohort(graph: Graph) -> tuple[Selection, set[str]]:
    """A random selection, and by our own count the facts that it names."""
    rows = graph.rows().values()
    run = graph.chance.choice(("r1", "r2", "r3"))
    low = graph.chance.randint(0, 20)
    some = graph.chance.choice(sorted(graph.parents))
    moment = graph.rows()[some].created_at
    choices = [
        (Selection(run=run), {f.id for f in rows if f.source_run == run}),
        (
            Selection(run=run, steps=(low, low + 9)),
            {f.id for f in rows if f.source_run == run and low <= (f.source_step or 0) <= low + 9},
        ),
        (Selection(source="session:s"), {f.id for f in rows if f.source_ref == "session:s"}),
        (Selection(origin="external"), {f.id for f in rows if f.origin == "external"}),
        (Selection(tag="x", subject="user:a"), {f.id for f in rows if f.tags == ("x",) and f.subject == "user:a"}),
        (Selection(since=moment), {f.id for f in rows if f.created_at >= moment}),
        (Selection(until=moment, kind="fact"), {f.id for f in rows if f.created_at < moment and f.kind == "fact"}),
        (Selection(attribute="city"), {f.id for f in rows if f.attribute == "home"}),
        (Selection(ids=(some,)), {some}),
    ]  # fmt: skip
    return graph.chance.choice(choices)


@pytest.mark.parametrize("seed", range(CASES))
def test_a_cohort_takes_every_descendant_and_nothing_else(seed: int) -> None:
    graph = Graph(seed)
    chosen, roots = cohort(graph)
    before = graph.rows()
    due = {one for one in graph.descendants(roots) if before[one].status in CLOSABLE}
    assert {fact.id for fact in graph.m.select(chosen)} == due
    if not due:
        return
    done = graph.m.retire(chosen, why="a test")
    assert set(done.facts) == due
    after = graph.rows()
    assert {one for one in after if after[one] != before[one]} == due
    assert all(after[one].status is Status.RETIRED for one in due)
    graph.m.undo(done.id)
    assert graph.rows() == before
    assert {fact.id for fact in graph.m.select(chosen)} == due


@pytest.mark.parametrize("seed", range(CASES))
def test_a_rollback_takes_every_descendant_and_nothing_else(seed: int) -> None:
    graph = Graph(seed)
    run = graph.chance.choice(("r1", "r2", "r3"))
    before = graph.rows()
    written = graph.descendants({f.id for f in before.values() if f.source_run == run})
    due = {one for one in written if before[one].status in (*CLOSABLE, Status.SUPERSEDED)}
    if not due:
        return
    done = graph.m.rollback(run)
    after = graph.rows()
    assert all(after[one].status is Status.RETIRED for one in due)
    for one in after.keys() - due:
        if after[one] != before[one]:
            # Nothing else but what a fact of the run had replaced, which holds again.
            assert (before[one].status, after[one].status) == (Status.SUPERSEDED, Status.LIVE)
            assert replaced_by(before, one) & due
    for subject in ("user:a", "user:b"):
        homes = [f for f in after.values() if f.status is Status.LIVE and f.attribute == "home"]
        assert len({f.value for f in homes if f.subject == subject}) <= 1
    graph.m.undo(done.id)
    assert graph.rows() == before


def replaced_by(rows: dict[str, Fact], one: str) -> set[str]:
    """What a fact was replaced by, and what that was replaced by."""
    found: set[str] = set()
    while (later := rows[one].superseded_by) and later not in found:
        found.add(later)
        one = later
    return found
