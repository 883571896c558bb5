"""Several subjects in one window: what is said of the project goes to the project, and both are recalled."""

import pytest

from memoranda.agent import Agent
from memoranda.errors import UsageError
from memoranda.memory import Memory
from memoranda.messages import said
from memoranda.models import ScriptedModel
from memoranda.types import Selection

ME, BOAT = "user:me", "project:boat~abcdefgh"


def of(m, subject):
    return [fact.fact for fact in m.facts(subject=subject)]


def test_observe_gives_each_its_own(m):
    words = [said("user", "I live in Oslo."), said("user", "The build of boat needs Java 21.")]
    outs = m.observe(words, subject=ME, subjects=[BOAT], run="r")
    assert [out.ok for out in outs] == [True, True]
    assert of(m, ME) == ["The user lives in Oslo."]
    assert of(m, BOAT) == ["The boat project's build needs Java 21."]
    again = m.observe(words, subject=ME, subjects=[BOAT], run="r")
    assert [out.id for out in again] == [out.id for out in outs]
    with pytest.raises(UsageError):
        m.observe(words, subject=ME, subjects=BOAT)


def test_without_a_project_everything_is_the_persons(m):
    m.observe([said("user", "The build needs Java 21.")], subject=ME)
    assert of(m, ME) == ["The build needs Java 21."]


def test_a_window_learns_and_recalls_for_both(m):
    window = m.window(session="s", subject=ME, subjects=[BOAT])
    window.build("This project uses pnpm, and our repo is deployed on Fridays. I live in Oslo.")
    window.append(said("assistant", "Noted."))
    assert of(m, ME) == ["The user lives in Oslo."]
    assert sorted(of(m, BOAT)) == [
        "The boat project uses pnpm.",
        "The boat repo is deployed on Fridays.",
    ]
    later = m.window(session="t", subject=ME, subjects=[BOAT])
    text = later.state.standing.text
    assert "Oslo" in text
    assert "pnpm" in text
    later.build("When is the repo deployed?")
    assert [fact.subject for fact in later.recalled.facts] == [BOAT]


def test_a_new_value_replaces_the_projects_and_not_the_persons(m):
    mine = m.remember(
        "The user uses npm.", subject=ME, origin="user", attribute="package_manager", value="npm"
    )
    m.observe([said("user", "This project uses npm.")], subject=ME, subjects=[BOAT])
    (out,) = m.observe([said("user", "This project uses pnpm now.")], subject=ME, subjects=[BOAT])
    assert len(out.replaced) == 1
    assert of(m, BOAT) == ["The boat project uses pnpm."]
    assert m.show(mine.id).status == "live"


def test_erasing_a_projects_fact_cleans_the_log_in_which_the_person_said_it(m, world):
    window = m.window(session="s", subject=ME, subjects=[BOAT])
    window.build("This project uses zebrapack.")
    window.append(said("assistant", "Noted."))
    (fact,) = m.facts(subject=BOAT)
    m.erase(Selection(ids=(fact.id,)))
    assert b"zebrapack" not in world.bytes()


def test_an_agent_knows_the_project(tmp_path):
    with Memory.open(tmp_path / "memory.db") as memory:
        model = ScriptedModel(["Noted.", "pnpm."])
        agent = Agent(model, memory, subjects=[BOAT], session="s")
        agent.run_sync("This project uses pnpm. I live in Oslo.")
        assert of(memory, BOAT) == ["The boat project uses pnpm."]
        assert of(memory, ME) == ["The user lives in Oslo."]
        Agent(model, memory, subjects=[BOAT], session="t").run_sync("Hello.")
        assert "pnpm" in repr(model.requests[1])
