"""What people and killed writers do to a folder behind our back: noticed, kept as a version, screened, marked."""

from __future__ import annotations

import os

import pytest

from memoranda.errors import FilesError
from memoranda.files import ledger
from memoranda.reviewer import Reviewer

KEY = "sk-ant-api03-" + "aB3" * 20
MARK = "[memoranda: changed by other means than this tool"


def view(files, path):
    text, error = files.handle({"command": "view", "path": f"/memories/{path}"})
    assert not error, text
    return text


def test_an_edit_by_a_person_is_noticed_at_the_next_look(folder):
    files = folder.open()
    files.write("a", "one\n")
    (folder.root / "a").write_text("two\n")
    assert view(files, "a").startswith(MARK)
    newest, _ = files.history("a")
    assert (newest.verb, newest.actor, newest.mark) == ("outside", "outside", "outside")
    assert files.diff("a", 1, 2).endswith("-one\n+two\n")
    view(files, "a")
    assert len(files.history("a")) == 2


def test_an_edit_by_a_person_is_noticed_before_ours_goes_on_top(folder):
    files = folder.open()
    files.write("a", "one\n")
    (folder.root / "a").write_text("two\n")
    files.handle(
        {"command": "str_replace", "path": "/memories/a", "old_str": "two", "new_str": "three"}
    )
    assert [v.verb for v in files.history("a")] == ["modified", "outside", "created"]
    assert files.read("a").mark == "outside"
    files.restore("a", 2)
    assert (folder.root / "a").read_text() == "two\n"


def test_what_happened_while_nobody_was_here_is_noticed_at_open(folder):
    files = folder.open()
    files.write("edited", "one")
    files.write("removed", "one")
    files.write("same", "one")
    files.close()
    (folder.root / "edited").write_text("two")
    (folder.root / "removed").unlink()
    (folder.root / "new").write_text("three")
    os.utime(folder.root / "same", ns=(1, 1))
    files = folder.open()
    assert [v.verb for v in files.history("edited")] == ["outside", "created"]
    assert [(v.verb, v.actor) for v in files.history("removed")] == [
        ("deleted", "outside"),
        ("created", "integrator"),
    ]
    assert [v.verb for v in files.history("new")] == ["outside"]
    assert [v.verb for v in files.history("same")] == ["created"]
    files.close()
    files = folder.open()
    assert len(files.history("edited")) == 2
    assert len(files.history("removed")) == 2


def test_a_secret_that_somebody_wrote_is_neither_kept_nor_shown(folder):
    files = folder.open()
    files.write("a", "one\n")
    (folder.root / "a").write_text(f"key: {KEY}\nrest\n")
    text = view(files, "a")
    assert KEY not in text
    assert "rest" in text
    assert "with a secret that is not shown" in text
    assert KEY not in files.read("a").text
    assert KEY not in files.diff("a", 1, 2)
    folder.close()
    assert KEY.encode() not in b"".join(p.read_bytes() for p in folder.box.glob("memory.db*"))
    folder.opened.clear()


def test_a_file_with_a_secret_of_somebody_else_is_only_written_without_it(folder):
    files = folder.open()
    (folder.root / "a").write_text(f"key: {KEY}\nrest\n")
    call = {"command": "insert", "path": "/memories/a", "insert_line": 0, "insert_text": "x"}
    text, error = files.handle(call)
    assert error
    assert "secret" in text
    assert KEY not in text
    assert (folder.root / "a").read_text() == f"key: {KEY}\nrest\n"
    files.write("a", "clean")
    assert files.read("a").mark == ""


def test_only_a_person_takes_the_mark_away_and_only_from_what_was_read(folder):
    files = folder.open()
    (folder.root / "a").write_text("from outside\n")
    seen = files.read("a")
    with Reviewer.open(folder.box / "memory.db", name="asha") as reviewer:
        assert not reviewer.approve_file(
            "agent:test", "a", sha256=ledger.sha256_of("other"), folder=folder.root
        )
        assert reviewer.approve_file("agent:test", "a", sha256=seen.sha256, folder=folder.root)
    assert not view(files, "a").startswith("[")
    (folder.root / "a").write_text("again\n")
    assert view(files, "a").startswith(MARK)


def test_links_devices_and_files_of_several_names_are_never_read(folder):
    files = folder.open()
    outside = folder.box / "outside"
    outside.write_text("CANARY")
    (folder.root / "link").symlink_to(outside)
    os.link(outside, folder.root / "twin")
    os.mkfifo(folder.root / "pipe")
    (folder.root / "bytes").write_bytes(b"\xff\xfe")
    with (folder.root / "sparse").open("wb") as file:
        file.truncate(1 << 31)
    for name in ("link", "twin", "pipe", "bytes", "sparse"):
        for call in (
            {"command": "view"},
            {"command": "insert", "insert_line": 0, "insert_text": "x"},
            {"command": "str_replace", "old_str": "C", "new_str": "x"},
        ):
            text, error = files.handle({**call, "path": f"/memories/{name}"})
            assert error, (name, call)
            assert "CANARY" not in text
            assert "internal" not in text
    assert outside.read_text() == "CANARY"
    listed = view(files, "")
    assert "link" not in listed
    files.close()
    folder.open()


def test_nothing_is_open_to_others_whatever_the_umask(folder):
    for mask in (0, 0o077, 0o777):
        old = os.umask(mask)
        try:
            files = folder.open()
            text, error = files.handle(
                {"command": "create", "path": f"/memories/m{mask}/n/a", "file_text": "x"}
            )
            assert not error, text
            files.write(f"m{mask}/n/a", "y")
        finally:
            os.umask(old)
    for path in (
        folder.root,
        *folder.root.rglob("*"),
        folder.root.with_name(".memories.memoranda"),
    ):
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path


def crash_after(monkeypatch, folder, files, point):
    """Stop a write at a point, as a kill would: nothing after it runs, not even the undoing."""

    class Killed(BaseException):
        pass

    async def killed(*_args, **_named):
        raise Killed

    from memoranda.files import desk

    if point == "before the rename":
        target = files.desk.tree if folder.colour == "blocking" else files.inner.desk.tree
        monkeypatch.setattr(target, "put", killed)
    else:
        monkeypatch.setattr(desk.ledger, "finish", killed)
    monkeypatch.setattr(desk.Change, "_undone", lambda *_: _nothing())
    with pytest.raises(Killed):
        files.write("a", "two")
    monkeypatch.undo()


async def _nothing():
    return None


def test_a_write_that_was_killed_before_the_rename_never_happened(folder, monkeypatch):
    files = folder.open(run="r1")
    files.write("a", "one")
    crash_after(monkeypatch, folder, files, "before the rename")
    files.close()
    files = folder.open()
    assert files.read("a").text == "one"
    assert [v.verb for v in files.history("a")] == ["created"]


def test_a_write_that_was_killed_after_the_rename_keeps_its_author(folder, monkeypatch):
    files = folder.open(run="r1")
    files.write("a", "one")
    crash_after(monkeypatch, folder, files, "after the rename")
    files.close()
    files = folder.open()
    assert files.read("a").text == "two"
    newest = files.history("a")[0]
    assert (newest.verb, newest.run, newest.mark) == ("modified", "r1", "")


def test_the_next_look_too_finishes_what_a_killed_writer_began(folder, monkeypatch):
    files = folder.open(run="r1")
    files.write("a", "one")
    crash_after(monkeypatch, folder, files, "after the rename")
    assert not view(files, "a").startswith("[")
    assert [v.run for v in files.history("a")] == ["r1", "r1"]


def test_what_killed_writers_left_beside_the_root_is_swept_at_open(folder):
    files = folder.open()
    side = folder.root.with_name(".memories.memoranda")
    (side / "new-0123").write_text("half")
    (side / "old-4567" / "deep" / "er").mkdir(parents=True)
    (side / "old-4567" / "deep" / "f").write_text("x")
    files.close()
    folder.open()
    assert [p.name for p in side.iterdir()] == []


def test_a_side_folder_that_others_can_write_is_refused(folder):
    from memoranda.errors import StoreError

    side = folder.root.with_name(".memories.memoranda")
    side.mkdir()
    side.chmod(0o777)
    with pytest.raises(StoreError):
        folder.open()


def test_two_who_use_one_folder_see_each_others_writes_as_ours(folder):
    one, two = folder.open(run="r1"), folder.open(run="r2")
    one.write("a", "one\n")
    two.handle({"command": "insert", "path": "/memories/a", "insert_line": 1, "insert_text": "two"})
    assert not view(one, "a").startswith("[")
    assert [v.run for v in one.history("a")] == ["r2", "r1"]


def test_after_close_there_are_words_and_no_descriptors(folder):
    files = folder.open()
    files.close()
    text, error = files.handle({"command": "view", "path": "/memories"})
    assert error
    assert "closed" in text
    with pytest.raises(FilesError):
        files.write("a", "x")
