"""Upkeep: each job, alone and again; an erasure that a reader had blocked; the operation log."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from memoranda.errors import UndoConflict, UnknownFact
from memoranda.facts import maintain
from memoranda.memory import Memory
from memoranda.messages import said
from memoranda.settings import Settings
from memoranda.types import Kind, Origin, Selection, Status

ME = "user:me"
SCRIPT = Path(__file__).with_name("processes.py")


def say(m, text, **named):
    out = m.remember(text, **{"subject": ME, "origin": "user", **named})
    assert out.id, out
    return out.id


def done(m):
    return {job: number for job, number in m.maintain().items() if number}


def episodes(m, clock, *, count=3, **named):
    found = []
    for n in range(count):
        given = {"kind": "episode", "quote": f"today I went to lake {n}", "run": "r", **named}
        found.append(say(m, f"The user went to lake {n}.", **given))
        clock.advance(hours=5)
    return found


def test_a_week_of_episodes_gets_one_summary_that_cites_them(m, clock):
    taken = episodes(m, clock)
    clock.advance(days=20)
    assert done(m) == {}
    clock.advance(days=8)
    assert done(m) == {"episodes": 1}
    assert done(m) == {}
    (summary,) = [f for f in m.facts() if f.tags == ("summary",)]
    assert set(summary.derived_from) == set(taken)
    assert (summary.kind, summary.origin, summary.trust.name) == (Kind.EPISODE, Origin.USER, "USER")
    assert summary.fact == (
        "The user had 3 episodes on 2026-01-01: "
        "The user went to lake 0; The user went to lake 1; The user went to lake 2."
    )
    assert summary.quote == "\n".join(f"today I went to lake {n}" for n in range(3))
    # It outlives what it was made from, and is not summarised again.
    clock.advance(days=60)
    assert [f.id for f in m.recall("lake", subjects=[ME]).facts] == [summary.id]
    assert done(m) == {}


def test_a_summary_goes_with_what_it_was_made_from(m, clock):
    episodes(m, clock)
    clock.advance(days=30)
    m.maintain()
    (summary,) = [f for f in m.facts() if f.tags]
    done = m.rollback("r")
    assert summary.id in done.facts
    m.undo()
    assert m.show(summary.id) == summary
    assert summary.id in m.erase(Selection(run="r")).ids


def test_what_is_summarised_and_what_is_not(world, clock):
    m = world.memory(settings=Settings(episode_days=5))
    long = [say(m, f"The user {'walked ' * 30}to lake {n}.", kind="episode") for n in range(4)]
    say(m, "The page saw a fox.", kind="episode", origin="external")
    say(m, "The tool ran once.", kind="episode", origin="tool")
    m.retire(say(m, "The user fell.", kind="episode"))
    clock.advance(days=14)
    assert done(m)["episodes"] == 1
    (summary,) = [f for f in m.facts() if f.tags]
    assert set(summary.derived_from) == set(long)
    assert len(summary.fact) <= 300
    assert world.memory(settings=Settings(episode_days=0)).maintain()["episodes"] == 0


def test_a_persons_undo_does_not_meet_the_upkeep(m, clock):
    episodes(m, clock)
    mine = say(m, "The user has a dog.")
    clock.advance(days=30)
    m.maintain()
    assert m.undo().facts == (mine,)


def test_the_trace_is_kept_for_good_unless_a_setting_says_else(world, m, clock):
    old = say(m, "The user keeps a zirconium kayak.", run="r", step=1)
    m.retire(old)
    clock.advance(days=800)
    assert done(m) == {}
    assert m.show(old).status is Status.RETIRED
    source = say(m, "The user has a long oar.", durable_reason="law")
    child = say(m, "The user rows.", derived_from=[source], durable_reason="law")
    m.retire(Selection(ids=(say(m, "The user is gone."),)))
    sold = say(m, "The user lives in Oslo.", attribute="home", value="Oslo")
    kept = say(m, "The user lives in Rome.", attribute="home", value="Rome")
    other = world.memory(settings=Settings(trace_days=30))
    assert done(other) == {"trace": 1}
    with pytest.raises(UnknownFact):
        m.show(old)
    assert b"zirconium" not in world.bytes()
    clock.advance(days=31)
    assert done(other) == {"trace": 2}
    assert {f.id for f in m.facts(status="all")} == {source, child, kept}
    assert sold not in {f.id for f in m.why(kept).chain}
    purge = m.operations()[0]
    assert (purge.verb, purge.actor) == ("purge", "maintenance")
    with pytest.raises(UndoConflict):
        m.undo(purge.id)


def test_what_something_living_was_derived_from_stays(world, clock):
    m = world.memory(settings=Settings(trace_days=30))
    source = say(m, "The user rents an oar.", kind="activity")
    child = say(m, "The user rows.", derived_from=[source], durable_reason="law")
    clock.advance(days=100)
    assert done(m) == {}
    m.retire(child)
    clock.advance(days=31)
    assert done(m) == {"trace": 2}
    assert source != child
    assert m.facts(status="all") == []


def test_terms_of_an_older_analyser_are_made_anew(world, m, monkeypatch):
    fact = say(m, "The user owns a kayak.", tags=["boat"])
    with sqlite3.connect(world.path) as connection:
        connection.execute("update agent_facts set terms = 'nothing |'")
    connection.close()
    assert done(m) == {}
    monkeypatch.setattr(maintain, "TERMS_VERSION", 3)
    monkeypatch.setattr("memoranda.facts.health.TERMS_VERSION", 3)
    assert not m.recall("kayak", subjects=[ME])
    assert any("older version" in finding for finding in m.health().findings)
    assert done(m) == {"terms": 1}
    assert [f.id for f in m.recall("kayak boat", subjects=[ME]).facts] == [fact]
    assert done(m) == {}
    assert m.operations()[0].verb == "reanalyse"
    assert m.health().findings == ()


def test_retention_of_the_log_is_an_operation(world, clock):
    m = world.memory(settings=Settings(log_days=7))
    m.window(session="s", subject=ME).build("Hello there.")
    clock.advance(days=8)
    before = len(m.operations())
    assert done(m) == {"log-retention": 1}
    assert (m.operations()[0].verb, len(m.operations())) == ("trim", before + 1)
    assert done(m) == {}
    assert m.log("s") == []


def test_an_erasure_that_a_reader_blocked_is_finished_by_the_upkeep(world, m):
    fact = say(m, "The user keeps a zirconium kayak.")
    reader = sqlite3.connect(world.path)
    reader.execute("begin")
    reader.execute("select count(*) from agent_facts").fetchall()
    report = m.erase(fact)
    assert report.blocked_by_reader
    assert any("was reading" in finding for finding in m.health().findings)
    assert done(m) == {}
    reader.close()
    assert b"zirconium" in world.bytes()
    assert done(m) == {"bytes": 1}
    assert b"zirconium" not in world.bytes()
    assert m.health().findings == ()
    assert done(m) == {}


def test_two_processes_at_once_do_each_thing_once(tmp_path):
    path = tmp_path / "memory.db"
    with Memory.open(path) as memory:
        subprocess.run([sys.executable, SCRIPT, "aged", path], check=True)
        children = [
            subprocess.Popen(
                [sys.executable, SCRIPT, "upkeep", path], stdout=subprocess.PIPE, text=True
            )
            for _ in range(2)
        ]
        counts = [child.communicate(timeout=120)[0].split() for child in children]
        assert [child.returncode for child in children] == [0, 0]
        total = [sum(map(int, column)) for column in zip(*counts, strict=True)]
        assert total == [20, 5, 30]
        verbs = [o.verb for o in memory.operations(limit=1000) if o.actor == "maintenance"]
        assert sorted(set(verbs)) == ["lapse", "purge", "remember"]
        assert verbs.count("remember") == 5


# The operation log


def test_every_write_leaves_exactly_one_operation(m, asha, clock):
    def after(verb, call, *, why=None, actor="integrator"):
        known = {o.id for o in m.operations(limit=500)}
        result = call()
        new = [o for o in m.operations(limit=500) if o.id not in known]
        assert [o.verb for o in new] == ([verb] if verb else []), (verb, new)
        assert all((o.actor, o.why) == (actor, why) for o in new)
        assert all("zirconium" not in repr(o) for o in new)
        return result

    text = "The user keeps a zirconium kayak."
    fact = after("remember", lambda: say(m, text, run="r", step=1))
    after(None, lambda: say(m, text, run="r", step=1))
    after(None, lambda: say(m, text))
    clock.advance(days=1)
    after("confirm", lambda: say(m, text))
    out = after("correct", lambda: m.correct(fact, "The user keeps a zirconium boat."))
    after("undo", lambda: m.undo(out.operation))
    after("retire", lambda: m.retire(fact, why="sold"), why="sold")
    after("undo", lambda: m.undo())
    why = "roll-back of run r"
    after("rollback", lambda: m.rollback("r"), why=why)
    held = after("remember", lambda: m.remember(text, subject="user:b").id, why="external-origin")
    after(None, lambda: m.remember(text, subject="user:b"))
    asha_is = {"actor": "reviewer:asha"}
    after("approve", lambda: asha.approve(held), **asha_is)
    first = m.remember("The zirconium is hard.", subject="user:b").id
    second = m.remember("It is hard.", subject="user:b").id
    after("reject", lambda: asha.reject([first], why="no"), why="no", **asha_is)
    edit = "User b has hard zirconium."
    after("approve", lambda: asha.approve(second, text=edit), **asha_is)
    more = [m.remember(f"The zirconium {n} is hard.", subject="user:b").id for n in range(3)]
    after("approve", lambda: asha.approve_all(more[:2]), **asha_is)
    after("reject", lambda: asha.reject_all(origin="external"), **asha_is)
    after("erase", lambda: m.erase(Selection(subject="user:b")))
    after(None, lambda: m.erase(Selection(subject="user:nobody")))
    # The log has its own order and times; to append to it is no change of state.
    window = m.window(session="s", subject=ME)
    after(None, lambda: window.build("Good morning."))
    after(None, lambda: window.append(said("assistant", "Hello.")))
    after(None, m.maintain)
    m.remember(text, subject="user:c")
    clock.advance(days=15)
    lapse = {"why": "waited too long", "actor": "maintenance"}
    after("lapse", m.maintain, **lapse)
