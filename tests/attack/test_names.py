"""Names under attack: secrets put together by folders and renamings, encoded ways up, twins, folders without end."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import FileRefused, FilesFull, PathRefused
from memoranda.files.paths import parts_of
from memoranda.gate.files import in_name
from memoranda.gate.screen.rules import BuiltIn
from memoranda.memory import Memory
from memoranda.settings import Settings

SUBJECT = "agent:attacked"
KEY = "sk-ant-api03-" + "aB3" * 20
SLASHED = "aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXbMPLtKEY"


@pytest.fixture(params=["rows", "folder"])
def opened(request, tmp_path):
    memory = Memory.open(":memory:", settings=Settings(file_count=12))
    files = memory.files(SUBJECT, folder=tmp_path / "m" if request.param == "folder" else None)
    yield files
    files.close()
    memory.close()


def do(files, command, **given):
    return files.handle({"command": command, **given})


def empty_folder(files, name):
    files.write(f"{name}/x", "")
    files.remove(f"{name}/x")


@pytest.mark.parametrize("name", [KEY, SLASHED, "password is/hunter2Secret9x", f"a/{KEY}/b"])
def test_no_way_of_making_a_name_makes_one_that_holds_a_secret(opened, name):
    empty_folder(opened, "empty")
    opened.write("full/of/a", "x")
    opened.write("file", "x")
    before = do(opened, "view", path="/memories")
    for old in ("empty", "full", "full/of", "file"):
        text, error = do(
            opened, "rename", old_path=f"/memories/{old}", new_path=f"/memories/{name}"
        )
        assert error, old
        assert "name would hold a secret" in text
        assert KEY not in text
    assert do(opened, "create", path=f"/memories/{name}", file_text="")[1]
    assert do(opened, "create", path=f"/memories/{name}/x", file_text="")[1]
    with pytest.raises(FileRefused):
        opened.write(name, "x")
    with pytest.raises(FileRefused):
        opened.move("empty", name)
    assert do(opened, "view", path="/memories") == before


def test_what_a_renaming_of_a_folder_puts_together_is_looked_at_too(opened):
    empty_folder(opened, "sub/hunter2Secret9x")
    opened.write("full/hunter2Secret9x", "")
    for old in ("sub", "full"):
        onto = "/memories/password is"
        text, error = do(opened, "rename", old_path=f"/memories/{old}", new_path=onto)
        assert error
        assert "name would hold a secret" in text


def test_names_as_people_give_them_pass():
    for path in (
        "notes/2026-11-30/meeting-with-acme.md",
        "projects/alpha/src/components/Button/index.test.tsx.md",
        "clients/Müller & Söhne/offer (2nd draft).md",
        "50% done/100%.md",
        "keys/where they are kept.md",
    ):
        assert in_name(path, (BuiltIn(),)) == []
        parts_of(f"/memories/{path}")


ENCODED = ("%2e%2e", "%2E.", "a%2fb", "%5C", "%00", "%252e%252e%252f", "x%25252Fy", "..%c0%af")


@pytest.mark.parametrize("name", ENCODED)
def test_an_encoded_way_up_is_no_name(opened, name):
    for command in ("view", "delete"):
        text, error = do(opened, command, path=f"/memories/{name}/x")
        assert error
        assert "does not exist" not in text
    assert do(opened, "create", path=f"/memories/{name}", file_text="")[1]


@given(st.text(max_size=6), st.integers(0, 3), st.sampled_from(["2e", "2F", "5c", "00", "2E"]))
def test_no_name_decodes_to_a_way_up_however_often(around, times, code):
    with pytest.raises(PathRefused):
        parts_of(f"/memories/{around}%{'25' * times}{code}{around}")


@given(st.text(min_size=1, max_size=8))
def test_no_two_names_that_are_accepted_differ_only_in_case_or_composition(name):
    forms = {unicodedata.normalize(form, name) for form in ("NFC", "NFD", "NFKC", "NFKD")}
    accepted = []
    for form in forms:
        try:
            accepted.append(parts_of(f"/memories/{form}"))
        except PathRefused:
            continue
    assert len(accepted) <= 1


def test_twins_are_refused_whichever_way_they_come(opened):
    opened.write("Straße/a", "x")
    opened.write("b", "x")
    for name in ("STRASSE", "strasse/x", "straße/a", "Straße/A"):
        assert do(opened, "create", path=f"/memories/{name}", file_text="")[1], name
        assert do(opened, "rename", old_path="/memories/b", new_path=f"/memories/{name}")[1], name
    assert not do(opened, "rename", old_path="/memories/b", new_path="/memories/B")[1]
    assert opened.paths() == ["/memories/B", "/memories/Straße/a"]


def test_folders_without_files_have_an_end_too(opened):
    for n in range(12):
        empty_folder(opened, f"e{n}")
    for path in ("more/x", "e1/deeper/x"):
        text, error = do(opened, "create", path=f"/memories/{path}", file_text="")
        assert error
        assert "directories" in text
        assert do(opened, "view", path="/memories/more")[1]
        with pytest.raises(FilesFull):
            opened.write(path, "")
    opened.write("here", "x")
    text, error = do(opened, "rename", old_path="/memories/here", new_path="/memories/more/x")
    assert error, text
    assert not do(opened, "create", path="/memories/e3/x", file_text="")[1]
    assert not do(opened, "rename", old_path="/memories/here", new_path="/memories/e4/here")[1]
    assert not do(opened, "delete", path="/memories/e1")[1]
    assert not do(opened, "create", path="/memories/more/x", file_text="")[1]
