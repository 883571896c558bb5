"""memoranda files: what a person does with files from the command line, and a pipe of a model's calls."""

import json

import pytest


@pytest.fixture(params=["rows", "folder"])
def place(request, home):
    return ["--folder", str(home.folder / "notes")] if request.param == "folder" else []


def test_a_file_is_written_listed_shown_changed_and_brought_back(home, place):
    done = home.run("files", "write", "a/plan.md", *place, stdin=b"one\r\ntwo\n")
    assert (done.code, done.out) == (0, "a/plan.md: version 1\n")
    assert home.run("files", "cat", "a/plan.md", *place).out == "one\r\ntwo\n"
    assert home.run("files", "write", "a/plan.md", "--text", "three", *place).code == 0
    assert home.run("files", "ls", *place).out == "/memories/a/plan.md\t5\t2\t-\n"
    assert "+three" in home.run("files", "diff", "a/plan.md", *place).out
    assert home.run("files", "mv", "a/plan.md", "plan.md", *place).code == 0
    listed = json.loads(home.run("files", "history", "plan.md", "--json", *place).out)
    assert [(v["verb"], v["source"], v["actor"]) for v in listed] == [
        ("renamed", "a/plan.md", "command:asha")
    ]
    assert home.run("files", "rm", "plan.md", *place).code == 2
    assert home.run("files", "rm", "plan.md", "--yes", *place).code == 0
    assert home.run("files", "restore", "plan.md", "1", *place).code == 0
    assert home.run("files", "cat", "plan.md", *place).out == "three"


def test_a_write_can_ask_that_nothing_happened_meanwhile(home, place):
    assert home.run("files", "write", "a", "--text", "x", "--if-hash", "", *place).code == 0
    done = home.run("files", "write", "a", "--text", "y", "--if-hash", "00", *place)
    assert done.code == 1
    assert "read it again" in done.err


@pytest.mark.parametrize(
    ("path", "code"), [("../x", 2), ("none", 1), ("/memories/a/../b", 2)], ids=str
)
def test_what_is_wrong_with_a_path_is_said(home, place, path, code):
    home.run("files", "write", "a", "--text", "x", *place)
    assert home.run("files", "cat", path, *place).code == code


def test_a_secret_is_refused(home, place):
    key = "sk-ant-api03-" + "aB3" * 20
    done = home.run("files", "write", "a", "--text", key, *place)
    assert done.code == 1
    assert key not in done.err + done.out


def test_an_editor_changes_a_file_unless_somebody_else_did(home, place):
    home.run("files", "write", "a", "--text", "one\n", *place)
    assert home.run("files", "edit", "a", *place, VISUAL="sed -i s/one/two/").code == 0
    assert home.run("files", "cat", "a", *place).out == "two\n"
    assert home.run("files", "edit", "a", *place, VISUAL="false").code == 2
    assert home.run("files", "edit", "a", *place, VISUAL="", EDITOR="").code == 2


def test_a_models_calls_come_and_go_as_lines(home, place):
    calls = [
        {"command": "create", "path": "/memories/a", "file_text": "x\u2028\n"},
        {"command": "view", "path": "/memories/a"},
        {"command": "view", "path": "/memories/../a"},
    ]
    lines = "".join(json.dumps(call) + "\n" for call in calls) + "no json\n\n"
    done = home.run("files", "handle", *place, stdin=lines.encode())
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 0
    assert [answer["is_error"] for answer in answers] == [False, False, True, True]
    assert answers[0]["text"] == "File created successfully at: /memories/a"
    sdk = home.run("files", "handle", "--sdk", *place, stdin=json.dumps(calls[0]).encode())
    assert json.loads(sdk.out)["text"] == "File /memories/a already exists"


def test_a_slip_of_the_pen_makes_no_folder(home):
    home.run("files", "write", "a", "--text", "x")
    folder = home.folder / "typo"
    for call in (["ls"], ["cat", "a"], ["edit", "a"], ["mv", "a", "b"], ["rm", "a", "--yes"]):
        done = home.run("files", *call, "--folder", str(folder), VISUAL="true")
        assert done.code == 1, call
        assert "there is no folder" in done.err
        assert not folder.exists()


def test_an_editor_that_cannot_be_started_is_said(home, place):
    home.run("files", "write", "a", "--text", "one\n", *place)
    for editor in ("no-such-editor-here", "'"):
        done = home.run("files", "edit", "a", *place, VISUAL=editor)
        assert (done.code, done.out) == (2, "")
        assert "editor" in done.err


def test_a_file_that_cannot_be_read_hides_no_other(home):
    place = ["--folder", str(home.folder / "notes")]
    home.run("files", "write", "a", "--text", "x", *place)
    (home.folder / "notes" / "picture").write_bytes(b"\xff\xfe\x00")
    done = home.run("files", "ls", *place)
    assert done.out == "/memories/a\t1\t1\t-\n/memories/picture\t-\t-\tunreadable\n"
    rows = json.loads(home.run("files", "ls", "--json", *place).out)
    assert [row["mark"] for row in rows] == ["", "unreadable"]


def test_what_lies_elsewhere_and_what_lies_below_a_file_is_said(home, place):
    home.run("files", "write", "a", "--text", "x", *place)
    assert "must start with /memories" in home.run("files", "cat", "/etc/passwd", *place).err
    done = home.run("files", "write", "a/b", "--text", "x", *place)
    assert done.code == 1
    assert "is not a directory" in done.err
