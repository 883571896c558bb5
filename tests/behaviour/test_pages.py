"""Pages of long lists, receipts and replays, on both faces: what a person who looks at memory relies on."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from datetime import datetime

import pytest

from memoranda import said
from memoranda.errors import (
    BudgetTooSmall,
    UnknownOperation,
    UnknownReceipt,
    UnknownSession,
    UsageError,
)
from memoranda.settings import Settings
from memoranda.types import Origin

ME = "user:me"


def forged(*parts):
    return urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


ODD = (
    *("", "x", "%", "é", "a" * 3000, "====", forged(), forged("facts"), forged("facts", 1)),
    *(forged("facts", "1", "f"), forged("facts", 1, "f", 2), forged("facts", True, "f")),
    *(forged("facts", 2**63, "f"), forged("facts", 1.5, "f"), forged("facts", 1, "\ud800")),
    *(forged("subjects", "user:me"), forged({"facts": 1}), 7, b"x", ["facts"]),
    urlsafe_b64encode(b"[" * 1400).decode(),
)


@pytest.mark.parametrize("place", ODD, ids=lambda place: repr(place)[:30])
def test_what_is_no_place_in_the_list_is_refused(world, place):
    m = world.memory()
    for given in ({"after": place}, {"before": place}):
        with pytest.raises(UsageError, match="no place in a list of facts"):
            m.facts_page(**given)
    for page in (m.runs_page, m.sessions_page, m.operations_page, m.files_of):
        with pytest.raises(UsageError, match="no place in a list"):
            page(after=place)


@pytest.mark.parametrize("size", [0, -1, 201, 2**70, True, 1.0, "5", None])
def test_a_page_has_from_1_to_200_rows(world, size):
    m = world.memory()
    for page in (m.facts_page, m.subjects_page, m.runs_page, m.operations_page, m.sessions_page):
        with pytest.raises(UsageError, match="size must be a whole number from 1 to 200"):
            page(size=size)


@pytest.mark.parametrize(
    "given",
    [
        {"status": "odd"},
        {"status": ["live"]},
        {"kind": "odd"},
        {"origin": "odd"},
        {"tag": ""},
        {"tag": 5},
        {"subject": ""},
        {"words": None},
        {"words": "w" * 201},
        {"as_of": datetime(2026, 1, 1)},  # noqa: DTZ001
        {"after": forged("facts", 1, "f"), "before": forged("facts", 1, "f")},
    ],
    ids=str,
)
def test_what_is_asked_for_must_make_sense(world, given):
    with pytest.raises(UsageError):
        world.memory().facts_page(**given)


def test_no_page_shows_what_another_tenant_has(world):
    m, other = world.memory(), world.memory(tenant="other")
    other.remember("The user likes tea.", subject=ME, origin="user", run="r1")
    other.window(session="s1", subject=ME).build("Which tea do I like?")
    other.files(ME).write("/memories/a.md", "x")
    receipt = other.receipts()[0].id
    operation = other.operations()[0].id
    assert m.facts_page(status="all").facts == ()
    assert m.subjects_page().subjects == m.runs_page().runs == m.operations_page().operations == ()
    assert m.sessions_page().sessions == m.files_of().subjects == ()
    assert m.receipts() == m.receipts(session="s1") == []
    counts = m.counts()
    assert (counts.live, counts.pending, counts.subjects, counts.sessions) == (0, 0, 0, 0)
    for ask, fault in (
        (lambda: m.receipt(receipt), UnknownReceipt),
        (lambda: m.operation(operation), UnknownOperation),
        (lambda: m.log_page("s1"), UnknownSession),
        (lambda: m.steps("s1"), UnknownSession),
        (lambda: m.replay("s1"), UnknownSession),
    ):
        with pytest.raises(fault):
            ask()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("dres", True),
        ("DRESDEN works", True),
        ("müll", True),
        ("MULLER", True),
        ("strasse", True),
        ("user:me", True),
        ("blu", True),
        ("employer", True),
        ("dresden paris", False),
        ("me the", True),
        ("   ", True),
        ("%", False),
        ("_", False),
    ],
)
def test_words_are_found_anywhere_in_any_case_and_accent(world, words, found):
    m = world.memory()
    m.remember(
        "The user works for Müller in Dresden, Lange Straße 5.",
        subject=ME,
        attribute="employer",
        value="Müller",
        tags=["Blue"],
        origin="user",
    )
    assert bool(m.facts_page(words=words).facts) is found


def test_what_is_rare_is_looked_for_in_pieces(world, monkeypatch):
    monkeypatch.setattr("memoranda.facts.pages.LOOK", 10)
    m = world.memory()
    for n in range(40):
        text = "A rare bird was seen." if n == 12 else f"Number {n} was seen."
        m.remember(text, subject=ME, origin="user")
    page, pages = m.facts_page(words="rare", size=5), 1
    assert page.facts == ()
    while page.after and not page.facts:
        page, pages = m.facts_page(words="rare", size=5, after=page.after), pages + 1
    assert [fact.fact for fact in page.facts] == ["A rare bird was seen."]
    assert pages == 2
    last = page
    while last.after:
        last = m.facts_page(words="rare", size=5, after=last.after)
    seen = []
    while last.before:
        last = m.facts_page(words="rare", size=5, before=last.before)
        seen += last.facts
    assert len(seen) == (page.after is not None)
    assert page.after is not None


def test_subjects_come_by_name_with_their_live_facts(world):
    m = world.memory()
    for n in range(7):
        for k in range(n % 3 + 1):
            m.remember(f"Note {k} of {n}.", subject=f"user:{n}", origin="user")
    m.retire(m.facts(subject="user:5")[0].id)
    told, after = [], None
    while True:
        page = m.subjects_page(after=after, size=2)
        told += page.subjects
        after = page.after
        if after is None:
            break
    assert told == m.subjects()
    assert m.subjects_page(words="USER 5").subjects == (("user:5", 2),)


def test_a_run_to_roll_back_is_found_by_when_it_wrote(world):
    m = world.memory()
    for n, run in enumerate(["b", "a", "c", "a", "b", None, "d"]):
        world.clock.advance(seconds=1)
        m.remember(f"Note {n} is here.", subject=f"user:{n}", origin="user", run=run, step=n)
    m.rollback("b")
    told, after = [], None
    while True:
        page = m.runs_page(after=after, size=1)
        told += page.runs
        after = page.after
        if after is None:
            break
    assert [(run.run, run.facts, run.standing) for run in told] == [
        *(("d", 1, 1), ("b", 2, 0), ("a", 2, 2), ("c", 1, 1)),
    ]
    assert told[2].subjects == ("user:1", "user:3")
    assert (told[2].last - told[2].first).total_seconds() == 2


def test_operations_come_with_a_few_facts_and_one_with_all(world):
    m = world.memory()
    for n in range(25):
        m.remember(f"Note {n} is here.", subject=ME, origin="user", run="r", step=n)
    done = m.rollback("r")
    page = m.operations_page(size=1)
    (entry,) = page.operations
    assert (entry.operation.id, entry.count, len(entry.operation.facts)) == (done.id, 25, 20)
    assert len(m.operation(done.id).facts) == 25
    rest = m.operations_page(after=page.after, size=200)
    assert rest.after is None
    ids = [one.operation.id for one in (*page.operations, *rest.operations)]
    assert ids == [one.id for one in m.operations(limit=200)]


def test_counts_stop_at_what_is_asked(world):
    m = world.memory()
    for n in range(5):
        m.remember(f"Note {n} is here.", subject=f"user:{n}", origin="user")
        m.remember(f"Thing {n} is there.", subject=f"user:{n}")
    m.window(session="s", subject=ME).build("Hello.")
    counts = m.counts()
    assert (counts.live, counts.pending, counts.subjects, counts.sessions) == (5, 5, 5, 1)
    few = m.counts(most=3)
    assert (few.live, few.pending, few.subjects, few.sessions, few.most) == (3, 3, 3, 1, 3)
    world.clock.advance(days=15)
    assert m.counts().pending == 0


def test_a_receipt_says_what_was_chosen_and_for_which_message(world):
    m = world.memory()
    m.remember("The user lives in Oslo.", subject=ME, origin="user")
    m.remember("The user likes green tea.", subject=ME, origin="user")
    window = m.window(session="s1", subject=ME)
    window.build("Where do I live?")
    window.append(said("assistant", "In Oslo."))
    window.build("Which tea do I like?")
    entries = m.receipts(session="s1")
    assert [entry.message for entry in entries] == [3, 1]
    assert m.receipts() == entries
    assert m.receipts(limit=1) == entries[:1]
    found = m.receipt(entries[0].id)
    assert (found.entry, found.step) == (entries[0], 1)
    tea = next(item for item in found.chosen if item.fact and "tea" in item.fact.fact)
    assert tea.score > 0
    assert tea.reason is None
    assert len(found.chosen) == entries[0].chosen
    assert len(found.left_out) == entries[0].left_out
    page = m.log_page("s1")
    assert page.receipts == {1: entries[1].id, 3: entries[0].id}
    m.erase(tea.id)
    assert tea.id not in [item.id for item in m.receipt(entries[0].id).chosen]
    with pytest.raises(UnknownReceipt):
        m.receipt("rc_none")


def test_a_receipt_shows_the_turns_it_brought(world):
    m = world.memory()
    window = m.window(session="s1", subject=ME)
    window.build("I saw an ibex on the Piz Palü in 2019.")
    window.append(said("assistant", "Fine."))
    m.window(session="s2", subject=ME).build("When did I see the ibex?")
    (entry,) = m.receipts(session="s2")
    found = m.receipt(entry.id)
    turns = [item for item in found.chosen if item.id.startswith("turn:")]
    assert [(item.message.session, item.message.n) for item in turns] == [("s1", 1)]


def talk(m, session, turns, subject=ME):
    window = m.window(session=session, subject=subject)
    for n in range(turns):
        window.build(f"Question {n} of {session}?")
        window.append(said("assistant", f"Answer {n}. " * 30))


def test_sessions_come_by_their_last_message(world):
    m = world.memory()
    for n, session in enumerate(["one", "two", "three", "one"]):
        world.clock.advance(seconds=n + 1)
        talk(m, session, 1)
    told, after = [], None
    while True:
        page = m.sessions_page(after=after, size=1)
        told += page.sessions
        after = page.after
        if after is None:
            break
    assert [(one.session, one.messages) for one in told] == [("one", 4), ("three", 2), ("two", 2)]
    assert [(one.session, one.messages, one.last) for one in told] == m.sessions()
    assert (told[0].last - told[0].first).total_seconds() == 9
    assert [one.session for one in m.sessions_page(words="T").sessions] == ["three", "two"]


def test_a_log_is_read_from_either_end(world):
    m = world.memory()
    talk(m, "s1", 10)
    whole = m.log("s1")
    told, after = [], 0
    while after is not None:
        page = m.log_page("s1", after=after, size=3)
        assert page.session.messages == 20
        told += page.messages
        after = page.after
    assert told == whole
    back, before = [], 2**62
    while before is not None:
        page = m.log_page("s1", before=before, size=3)
        back = [*page.messages, *back]
        before = page.before
    assert back == whole
    middle = m.log_page("s1", after=5, size=3)
    again = m.log_page("s1", before=middle.before, size=5)
    assert [message.n for message in again.messages] == [1, 2, 3, 4, 5]
    assert m.log_page("s1", after=again.after, size=3).messages == middle.messages
    assert m.log_page("s1", after=99).messages == ()
    with pytest.raises(UsageError):
        m.log_page("s1", after=1, before=5)
    with pytest.raises(UnknownSession):
        m.log_page("none")


def test_steps_are_told_as_they_were_logged(world):
    m = world.memory()
    talk(m, "s1", 3)
    assert [(one.step, one.messages, one.first, one.last) for one in m.steps("s1")] == [
        *((0, 1, 1, 1), (1, 2, 2, 3), (2, 2, 4, 5), (3, 1, 6, 6)),
    ]


def test_the_list_of_sessions_follows_what_retention_takes(world):
    m = world.memory()
    for session in ("old", "both"):
        talk(m, session, 2)
    world.clock.advance(days=400)
    talk(m, "both", 1)
    kept = world.memory(settings=Settings(log_days=30))
    kept.maintain()
    (entry,) = kept.sessions_page().sessions
    assert (entry.session, entry.messages) == ("both", 2)
    assert entry.first == entry.last == kept.log("both")[0].at


def test_subjects_with_files_are_listed(world):
    m = world.memory()
    m.remember("The user likes tea.", subject="user:0", origin="user")
    for n in range(1, 4):
        for k in range(n):
            m.files(f"user:{n}").write(f"/memories/note_{k}.md", "text")
    first = m.files_of(size=2)
    rest = m.files_of(after=first.after, size=2)
    assert [(one.subject, one.files, one.bytes) for one in (*first.subjects, *rest.subjects)] == [
        *(("user:1", 1, 4), ("user:2", 2, 8), ("user:3", 3, 12)),
    ]
    assert rest.after is None


def test_a_session_is_replayed_and_a_request_of_it_is_exact(world):
    m = world.memory()
    talk(m, "s1", 30)
    found = m.replay("s1", budget=1000)
    assert [call.step for call in found.calls] == list(range(1, 31))
    assert any(call.compaction for call in found.calls)
    built = m.window_at("s1", 20, budget=1000)
    assert built.tokens == found.calls[19].sent <= 1000
    assert built.messages[-1].text == "Question 19 of s1?"
    assert m.replay("s1", subject="user:you").calls == ()
    assert len(m.replay("s1", subject=ME).calls) == 30
    with pytest.raises(UsageError, match="no step 31"):
        m.window_at("s1", 31)
    with pytest.raises(BudgetTooSmall):
        m.window_at("s1", 1, budget=1)


def test_a_replay_shows_what_was_recalled_and_nothing_that_was_erased_since(world):
    m = world.memory()
    built_by = m.remember("The kiln of the user was built by Brenner.", subject=ME, origin="user")
    m.window(session="s0", subject=ME).build("My glaze is called Nordlicht and comes from Kurt.")
    window = m.window(session="s1", subject=ME)
    asked = [window.build("Who built the kiln?"), window.append(said("assistant", "Brenner."))][0]
    window.build("What is the glaze of Kurt called?")
    window.append(said("assistant", "Nordlicht."))
    first, second = m.window_at("s1", 1), m.window_at("s1", 2)
    block = first.messages[0].parts[1]
    assert (block.facts, block.receipt) == ((built_by.id,), m.receipts(session="s1")[1].id)
    assert block.text.splitlines()[2] == asked.messages[-1].parts[1].text.splitlines()[2]
    assert "Nordlicht" in second.messages[-1].parts[1].text
    assert first.tokens == m.replay("s1").calls[0].sent
    m.erase(built_by.id)
    assert [len(message.parts) for message in m.window_at("s1", 1).messages] == [1]


def test_a_message_of_a_stranger_is_shown_as_theirs(world):
    m = world.memory()
    window = m.window(session="s1", subject=ME)
    window.build("Read the page.")
    window.append(said("user", "Outside.", origin=Origin.EXTERNAL))
    assert m.log_page("s1").messages[-1].origin is Origin.EXTERNAL
