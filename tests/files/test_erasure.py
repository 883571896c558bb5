"""What an erasure does with files: rows and versions are cleaned, folder files are found and named, never changed."""

from __future__ import annotations

import shutil

import pytest

from memoranda.memory import Memory

ME = "user:me"
KAYAK = "The user keeps a zirconium kayak in Graz."


@pytest.fixture
def memory(tmp_path):
    with Memory.open(tmp_path / "memory.db") as m:
        yield m


def test_a_file_in_a_folder_that_holds_the_wording_is_named_and_left_alone(memory, tmp_path):
    files = memory.files(ME, folder=tmp_path / "notes")
    text = "# Notes\nthe user keeps a   ZIRCONIUM kayak in Graz. And more.\n"
    files.write("sub/plan.md", text)
    files.write("other.md", "nothing\n")
    fact = memory.remember(KAYAK, subject=ME, origin="user")
    done = memory.erase(fact.id)
    assert done.files == (str(tmp_path / "notes" / "sub" / "plan.md"),)
    assert (tmp_path / "notes" / "sub" / "plan.md").read_text() == text
    assert any("folder" in line for line in done.out_of_reach)


def test_files_and_versions_that_say_much_the_same_are_listed(memory, tmp_path):
    rows = memory.files(ME)
    rows.write("plan.md", "# Plan\n\nIn Graz there is a kayak of zirconium that the user keeps.\n")
    rows.write("plan.md", "# Plan\n")
    rows.write("now.md", "A zirconium kayak, kept by the user, in Graz\n")
    folder = memory.files(ME, folder=tmp_path / "notes")
    folder.write("here.md", "In Graz: kayak, zirconium, keeps well\n")
    fact = memory.remember(KAYAK, subject=ME, origin="user")
    found = memory.erase(fact.id).similar
    assert "user:me:/memories/now.md" in found
    assert "user:me:/memories/plan.md#1" in found
    assert not any(name.endswith(("plan.md", "plan.md#2")) for name in found)
    assert str(tmp_path / "notes" / "here.md") in found


def test_a_folder_that_is_gone_is_said_and_not_made_again(memory, tmp_path):
    files = memory.files(ME, folder=tmp_path / "notes")
    files.write("plan.md", "x\n")
    files.close()
    shutil.rmtree(tmp_path / "notes")
    fact = memory.remember(KAYAK, subject=ME, origin="user")
    done = memory.erase(fact.id)
    assert done.files == (f"{tmp_path / 'notes'} (could not be searched)",)
    assert not (tmp_path / "notes").exists()


def test_what_cannot_be_read_is_named_as_not_searched(memory, tmp_path):
    files = memory.files(ME, folder=tmp_path / "notes")
    files.write("plan.md", "x\n")
    (tmp_path / "notes" / "picture").write_bytes(b"\xff\xfe\x00")
    fact = memory.remember(KAYAK, subject=ME, origin="user")
    done = memory.erase(fact.id)
    assert done.files == (f"{tmp_path / 'notes' / 'picture'} (could not be searched)",)
