"""Pages of facts put end to end are the list: in order, each fact once, whatever is stored or changed meanwhile."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from memoranda.analysis import fold
from memoranda.memory import Memory
from memoranda.reviewer import Reviewer
from memoranda.testing import ManualClock, SequentialIds
from memoranda.types import Draft, Kind, Origin, from_micros

SUBJECTS = ("user:a", "user:ä", "project:x")
TEXTS = (
    "The user likes Tee number {}.",
    "The Straße with number {} is long.",
    "The user saw Köln {} times.",
    "There is a plain note with number {}.",
)
STATES = ("live", "pending", "superseded", "expired", "retired", "rejected", "all")
TAGS = ("red", "Grün")
WORDS = ("", "user", "TEE", "koln", "strasse", "note plain", "grun", "nothing")
MOVE = st.tuples(
    st.sampled_from(("add", "add", "add", "hold", "many", "correct", "retire", "reject", "wait")),
    st.integers(0, 10**6),
)
HISTORY = st.lists(MOVE, min_size=3, max_size=25)
FILTER = st.fixed_dictionaries(
    {},
    optional={
        "subject": st.sampled_from(SUBJECTS),
        "status": st.sampled_from(STATES),
        "kind": st.sampled_from(list(Kind)),
        "origin": st.sampled_from(["user", "external"]),
        "tag": st.sampled_from(TAGS),
        "words": st.sampled_from(WORDS),
    },
)


class World:
    """A store with a history that was drawn."""

    def __init__(self):
        self.clock = ManualClock()
        self.memory = Memory.open(":memory:", clock=self.clock, ids=SequentialIds())
        self.reviewer = Reviewer(self.memory.core, "ann")
        self.said = 0

    def draft(self, n, origin):
        self.said += 1
        return Draft(
            TEXTS[n % 4].format(self.said),
            SUBJECTS[n % 3],
            kind=Kind.EPISODE if n % 5 == 0 else Kind.FACT,
            origin=origin,
            tags=(TAGS[n % 2],) if n % 7 < 3 else (),
        )

    def move(self, verb, n):
        live = self.memory.facts()
        held = self.memory.facts(status="pending")
        if verb == "add":
            self.clock.advance(seconds=n % 3)
            self.memory.remember_many([self.draft(n, Origin.USER)])
        elif verb == "hold":
            self.memory.remember_many([self.draft(n, Origin.EXTERNAL)])
        elif verb == "many":
            self.memory.remember_many([self.draft(n + i, Origin.USER) for i in range(4)])
        elif verb == "wait":
            self.clock.advance(days=(1, 20, 400)[n % 3])
        elif verb == "correct" and live:
            self.memory.correct(live[n % len(live)].id, f"The user has corrected number {n}.")
        elif verb == "retire" and live:
            self.memory.retire(live[n % len(live)].id)
        elif verb == "reject" and held:
            self.reviewer.reject([held[n % len(held)].id])

    def expected(self, kind=None, origin=None, words="", **given):
        found = self.memory.facts(**given)
        return [
            fact
            for fact in found
            if kind in (None, fact.kind)
            and origin in (None, fact.origin)
            and all(
                any(
                    fold(word) in fold(text or "")
                    for text in (fact.fact, fact.subject, fact.attribute, fact.value, *fact.tags)
                )
                for word in words.split()
            )
        ]


def test_the_histories_have_facts_of_every_state():
    world = World()
    for n, verb in enumerate(["many"] * 4 + ["hold"] * 4 + ["reject", "wait", "correct", "retire"]):
        world.move(verb, 3 * n)
    world.move("wait", 2)
    world.move("add", 1)
    with world.memory as memory:
        assert all(memory.facts(status=status) for status in STATES if status != "pending")
        world.move("hold", 1)
        assert len(memory.facts(status="pending")) == 1


def forward(memory, size, between=lambda: None, **asked):
    """The pages from the newest on."""
    pages, after = [], None
    while True:
        page = memory.facts_page(after=after, size=size, **asked)
        assert page.before == after
        assert len(page.facts) <= size
        pages.append(page)
        if page.after is None:
            return pages
        assert len(page.facts) == size
        after = page.after
        between()


def backward(memory, last, size, **asked):
    """The pages in front of one, from it to the newest."""
    pages, before = [], last.before
    while before is not None:
        pages.append(memory.facts_page(before=before, size=size, **asked))
        assert pages[-1].after == before
        before = pages[-1].before
    return pages


def ids(facts):
    return [fact.id for fact in facts]


@given(HISTORY, FILTER, st.integers(1, 7))
def test_pages_put_end_to_end_are_the_list(history, asked, size):
    world = World()
    for move in history:
        world.move(*move)
    with world.memory as memory:
        pages = forward(memory, size, **asked)
        told = [fact for page in pages for fact in page.facts]
        assert told == world.expected(**asked)
        back = backward(memory, pages[-1], size, **asked)
        front = [fact for page in pages[:-1] for fact in page.facts]
        assert [fact for page in back for fact in reversed(page.facts)] == front[::-1]


@given(HISTORY, FILTER, st.integers(1, 4), st.lists(st.integers(0, 99), min_size=1, max_size=4))
def test_what_comes_in_between_neither_repeats_nor_hides_others(history, asked, size, news):
    world = World()
    for move in history:
        world.move(*move)
    with world.memory as memory:
        before = ids(world.expected(**asked))

        def between():
            memory.remember_many([world.draft(n, Origin.USER) for n in news])

        pages = forward(memory, size, between, **asked)
        told = [fact.id for page in pages for fact in page.facts]
        assert told == before
        back = backward(memory, pages[-1], size, **asked)
        seen = [fact.id for page in back for fact in reversed(page.facts)]
        now = ids(world.expected(**asked))
        assert seen == now[: len(seen)][::-1]
        assert len(seen) == len(now) - len(pages[-1].facts)


@given(HISTORY, HISTORY, FILTER, st.integers(1, 7))
def test_as_of_a_moment_is_what_the_list_was_then(history, later, asked, size):
    world = World()
    for move in history:
        world.move(*move)
    with world.memory as memory:
        then = world.expected(**asked)
        moment = from_micros(world.clock.now())
        world.clock.advance(seconds=1)
        for move in later:
            world.move(*move)
        pages = forward(memory, size, as_of=moment, **asked)
        assert [fact for page in pages for fact in page.facts] == then
        back = backward(memory, pages[-1], size, as_of=moment, **asked)
        front = [fact for page in pages[:-1] for fact in page.facts]
        assert [fact for page in back for fact in reversed(page.facts)] == front[::-1]
        early = moment - timedelta(days=9999)
        assert memory.facts_page(as_of=early, **asked).facts == ()
