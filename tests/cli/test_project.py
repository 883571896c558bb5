"""memoranda project: from one session to the next, with checks that really run."""

import sys

import pytest


@pytest.fixture(params=["rows", "folder"])
def place(request, home):
    return ["--dir", str(home.folder / "work")] if request.param == "folder" else []


def test_a_project_from_its_beginning_to_its_close(home, place):
    made = home.run(
        "project",
        "init",
        "Ship it",
        "--item",
        "Parse",
        "--item",
        "Write",
        "--setup",
        "make",
        *place,
    )
    assert made.out == "Project: Ship it\n1. open: Parse\n2. open: Write\n"
    assert home.run("project", "init", "Again", *place).code == 1
    assert "Next: 1. Parse" in home.run("project", "open", *place).out
    check = f"{sys.executable} -c 'print(1)'"
    ticked = home.run("project", "tick", "1", "--run", check, *place)
    assert "1. done: Parse (check:" in ticked.out
    assert "2. in progress: Write" in ticked.out
    assert "2. claimed: Write" in home.run("project", "tick", "2", "--claim", "sent", *place).out
    assert (
        home.run("project", "close", "--finished", "Parse", "--remaining", "Write", *place).code
        == 0
    )
    assert "never closed" not in home.run("project", "open", *place).out
    if place:
        assert (home.folder / "work" / "memories" / "project.md").exists()


def test_a_check_that_fails_ticks_nothing(home, place):
    home.run("project", "init", "g", "--item", "a", *place)
    assert home.run("project", "tick", "1", "--run", "false", *place).code == 1
    assert home.run("project", "tick", "1", "--run", "no-such-command-here", *place).code == 2
    assert home.run("project", "tick", "1", *place).code == 2
    assert home.run("project", "tick", "2", "--step", "1", *place).code == 2
    assert "1. open: a" in home.run("project", "status", *place).out


def test_a_broken_project_is_reported(home, place):
    home.run("project", "init", "g", *place)
    folder = ["--folder", str(home.folder / "work" / "memories")] if place else []
    home.run(
        "files", "write", "project.md", "--text", "no title", "--subject", "agent:project", *folder
    )
    done = home.run("project", "log", "x", *place)
    assert done.code == 1
    assert "mend it" in done.err


def test_one_item_is_begun_and_no_other(home, place):
    home.run("project", "init", "g", "--item", "a", "--item", "b", *place)
    assert "2. in progress: b" in home.run("project", "begin", "2", *place).out
    done = home.run("project", "begin", "1", *place)
    assert done.out == "Project: g\n1. in progress: a\n2. open: b\n"
    assert home.run("project", "begin", "3", *place).code == 2


def test_a_slip_of_the_pen_makes_no_workspace(home):
    home.run("project", "init", "g")
    for call in (["open"], ["status"], ["log", "x"], ["begin", "1"], ["close"]):
        done = home.run("project", *call, "--dir", str(home.folder / "typo"))
        assert done.code == 1
        assert "project init" in done.err
    assert not (home.folder / "typo").exists()
