"""Projects: a file that a person or a model may edit; what only words say is claimed; nobody's work is overwritten."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import FileExists, FileMissing, FileUnfit, UsageError
from memoranda.files import project
from memoranda.files.project import Item, Project

LINE = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=20)
ITEMS = st.builds(Item, LINE, st.sampled_from(" >?x"), st.builds("check: {}".format, LINE)).map(
    lambda item: Item(item.text, item.state, item.proof if item.state == "x" else "")
)


@given(st.builds(Project, LINE, LINE, st.lists(ITEMS).map(tuple), st.lists(LINE).map(tuple)))
def test_what_is_written_is_read_back(made):
    assert project.parse(project.render(made)) == made


@given(st.text(max_size=300))
def test_any_text_is_read_or_reported(text):
    try:
        found = project.parse(text)
    except FileUnfit:
        return
    assert project.parse(project.render(found)) == project.parse(
        project.render(project.parse(project.render(found)))
    )


def test_it_is_forgiving_to_read():
    found = project.parse(
        "#Project : Ship it\n\n* setup: `make setup`\nSome words of mine.\n## TODO\n* [X] write (step: 3)\n+ [] test\n"
        "- [~] 3) docs\n### Progress:\n- began\n"
    )
    assert (found.goal, found.setup, found.log) == ("Ship it", "make setup", ("began",))
    assert [(i.text, i.state) for i in found.items] == [
        ("write", "x"),
        ("test", " "),
        ("docs", ">"),
    ]
    assert "Some words of mine." in project.render(found)


def test_a_project_lives_through_sessions(place):
    files = place.open(run="r1")
    files.project_init("Ship the importer", items=["Parse", "Write"], setup="make setup")
    with pytest.raises(FileExists):
        files.project_init("Another")
    first = files.project_open()
    assert "Next: 1. Parse" in first
    assert "never closed" not in first
    files.project_begin(1)
    files.project_tick(1, "check: `true` exit 0, output 0123, now")
    assert "never closed" in files.project_open()
    found = files.project_close(finished="Parse", remaining="Write")
    assert [item.state for item in found.items] == ["x", ">"]
    assert "never closed" not in files.project_open()
    assert "Done: 1 of 2" in files.project_open()
    assert "(run r1)" in files.read("project.md").text


def test_one_item_is_in_progress_at_a_time(place):
    files = place.open()
    files.project_init("g", items=["a", "b", "c"])
    files.project_begin(1)
    assert [i.state for i in files.project_begin(3).items] == [" ", " ", ">"]
    with pytest.raises(UsageError):
        files.project_begin(4)
    with pytest.raises(UsageError):
        files.project_tick(9, "step: 1")


def test_words_alone_are_shown_as_claimed_also_in_the_form_of_a_proof(place):
    files = place.open()
    files.project_init("g", items=["a", "b", "c"])
    assert files.project_tick(1, "claimed: I did it").items[0].state == "?"
    forged = "- [x] 2. b (check: `make test` exit 0, output 012345678901, 2026-01-01 00:00)"
    files.handle(
        {
            "command": "str_replace",
            "path": "/memories/project.md",
            "old_str": "- [>] 2. b",
            "new_str": forged,
        }
    )
    files.handle(
        {
            "command": "str_replace",
            "path": "/memories/project.md",
            "old_str": "- [ ] 3. c",
            "new_str": "- [x] 3. c",
        }
    )
    found = files.project_status()
    assert [i.state for i in found.items] == ["?", "?", "?"]
    assert "2. claimed: b" in files.project_open()
    assert files.project_tick(2, "step: 7").items[1].state == "x"


def test_a_broken_file_is_reported_and_not_overwritten(place):
    files = place.open()
    with pytest.raises(FileMissing):
        files.project_status()
    files.write("project.md", "no title\n")
    for work in (files.project_status, files.project_open, lambda: files.project_log("x")):
        with pytest.raises(FileUnfit):
            work()
    assert files.read("project.md").text == "no title\n"


def test_what_a_session_reads_first_fits_its_budget(place):
    files = place.open()
    files.project_init("g", items=[f"item number {n}" for n in range(200)])
    for n in range(30):
        files.project_log(f"line {n}")
    told = files.project_open(tokens=200)
    assert len(told) < 200 * 8
    assert told.startswith("Project: g")
