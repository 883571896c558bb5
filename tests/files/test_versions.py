"""Who wrote what and when; compare, restore, compare-and-set; retention; what an erasure reaches."""

from __future__ import annotations

import hashlib

import pytest

from memoranda.errors import FileChanged, FileMissing, FilesError, PathRefused, UsageError
from memoranda.types import Verdict
from tests.files.conftest import SUBJECT


def test_every_write_says_who_what_and_when(place):
    files = place.open(run="r1", step=3)
    files.handle({"command": "create", "path": "/memories/a", "file_text": "one\n"})
    place.clock.advance(hours=1)
    files.handle(
        {"command": "insert", "path": "/memories/a", "insert_line": 1, "insert_text": "two"}
    )
    newest, oldest = files.history("a")
    assert (oldest.verb, newest.verb) == ("created", "modified")
    assert (newest.actor, newest.run, newest.step) == ("integrator", "r1", 3)
    assert (newest.at - oldest.at).total_seconds() == 3600
    assert newest.sha256 == hashlib.sha256(b"one\ntwo\n").hexdigest()
    assert newest.size == 8


def test_versions_can_be_compared_and_restored(files):
    files.write("a", "one\n")
    files.write("a", "two\n")
    assert (
        files.diff("a")
        == "--- /memories/a (version 1)\n+++ /memories/a (now)\n@@ -1 +1 @@\n-one\n+two\n"
    )
    assert files.restore("a", 1).status is Verdict.ACCEPTED
    assert files.read("a").text == "one\n"
    assert [v.verb for v in files.history("a")] == ["restored", "modified", "created"]
    with pytest.raises(FileMissing):
        files.restore("a", 9)
    assert "-one" not in files.diff("a", 1, 1)


def test_a_deleted_file_comes_back(files):
    files.write("d/a", "one")
    files.handle({"command": "delete", "path": "/memories/d"})
    assert [v.verb for v in files.history("d/a")] == ["deleted", "created"]
    files.restore("d/a", 1)
    assert files.read("d/a").text == "one"
    with pytest.raises(FileMissing):
        files.restore("d/a", 2)


def test_a_renaming_is_known_at_both_paths(files):
    files.write("d/a", "one")
    files.handle({"command": "rename", "old_path": "/memories/d", "new_path": "/memories/e"})
    assert [(v.verb, v.source) for v in files.history("d/a")] == [
        ("renamed", "e/a"),
        ("created", None),
    ]
    assert [(v.verb, v.source) for v in files.history("e/a")] == [("renamed", "d/a")]
    assert files.read("e/a").n == 1


def test_a_write_may_ask_that_nothing_happened_meanwhile(files):
    first = files.write("a", "one", if_sha256="")
    assert first.ok
    with pytest.raises(FileChanged):
        files.write("a", "two", if_sha256="")
    seen = files.read("a").sha256
    files.write("a", "three")
    with pytest.raises(FileChanged):
        files.write("a", "four", if_sha256=seen)
    assert files.read("a").text == "three"
    assert files.write("a", "five", if_sha256=files.read("a").sha256).ok


def test_writing_the_same_again_is_no_version(files):
    files.write("a", "one")
    again = files.write("a", "one")
    assert (again.status, again.reasons) == (Verdict.CONFIRMED, ("unchanged",))
    assert len(files.history("a")) == 1


def test_only_so_many_versions_are_kept(place):
    files = place.open(place.memory(file_versions=3))
    for n in range(7):
        files.write("a", f"{n}")
    assert [v.n for v in files.history("a")] == [7, 6, 5]


def test_versions_of_what_is_gone_are_kept_for_a_while(place):
    memory = place.memory(file_deleted_days=10)
    files = place.open(memory)
    files.write("a", "one")
    files.write("b", "stays")
    files.remove("a")
    place.clock.advance(days=9)
    memory.maintain()
    assert files.history("a")
    place.clock.advance(days=2)
    memory.maintain()
    with pytest.raises(FileMissing):
        files.history("a")
    assert files.history("b")


def test_what_is_unused_is_announced_a_week_before_it_goes(place):
    memory = place.memory(file_unused_days=30)
    files = place.open(memory)
    files.write("old", "x")
    files.write("viewed", "x")
    place.clock.advance(days=31)
    files.handle({"command": "view", "path": "/memories/viewed"})
    memory.maintain()
    assert [(f.path, f.due is not None) for f in memory.unused_files()] == [("old", True)]
    assert files.paths() == ["/memories/old", "/memories/viewed"]
    place.clock.advance(days=6)
    memory.maintain()
    assert "/memories/old" in files.paths()
    place.clock.advance(days=2)
    memory.maintain()
    assert files.paths() == ["/memories/viewed"]
    files.restore("old", 1)


def test_what_is_used_again_stays(place):
    memory = place.memory(file_unused_days=30)
    files = place.open(memory)
    files.write("old", "x")
    place.clock.advance(days=31)
    memory.maintain()
    files.handle({"command": "view", "path": "/memories/old"})
    place.clock.advance(days=8)
    memory.maintain()
    assert files.paths() == ["/memories/old"]


def test_nothing_goes_by_itself_without_a_setting(place):
    memory = place.memory()
    files = place.open(memory)
    files.write("old", "x")
    place.clock.advance(days=3650)
    memory.maintain()
    assert files.paths() == ["/memories/old"]
    assert [f.path for f in memory.unused_files(days=30)] == ["old"]


def test_an_erased_fact_is_gone_from_versions_and_rows(place):
    memory = place.memory()
    files = place.open(memory)
    fact = "Ada Lovelace prefers tea with milk."
    files.write("a", f"Notes.\n{fact}\n")
    files.write("a", "Notes.\n")
    files.write("b", fact)
    out = memory.remember(fact, subject="agent:test", origin="user")
    memory.erase(out.id)
    assert files.diff("a", 1, 1) == ""
    files.restore("a", 1)
    assert files.read("a").text == "Notes.\n[erased]\n"
    if place.kind == "rows":
        assert files.read("b").text == "[erased]"
        assert files.read("b").mark == ""


def test_the_python_face_takes_the_same_paths_and_raises(files):
    files.write("/memories/a/b", "x")
    assert files.read("a/b").text == "x"
    for path in ("../x", "a//b", "a/b/../c"):
        with pytest.raises(PathRefused):
            files.read(path)
    with pytest.raises(UsageError):
        files.write("/memories", "x")
    with pytest.raises(FilesError):
        files.write("a", "x")
    with pytest.raises(FileMissing):
        files.read("none")
    for folder in ("a", "", "/memories"):
        with pytest.raises(FilesError):
            files.read(folder)


def test_what_is_gone_and_can_come_back_is_listed(files):
    for path in ("a", "d/b", "d/c"):
        files.write(path, "text")
    assert files.gone() == []
    files.remove("d")
    files.move("a", "z")
    assert files.gone() == ["/memories/a", "/memories/d/b", "/memories/d/c"]
    files.restore("d/b", 1)
    assert files.gone() == ["/memories/a", "/memories/d/c"]


def test_an_edit_keeps_the_mark_and_is_refused_over_another_text(place):
    files = place.open(external=True)
    files.write("a", "from a page")
    own = place.open()
    read = own.read("a")
    own.rewrite(read, "from a page, mended")
    assert (own.read("a").text, own.read("a").mark) == ("from a page, mended", "external")
    with pytest.raises(FileChanged):
        own.rewrite(read, "late")


def test_who_approved_a_text_is_told_until_it_changes(place):
    from memoranda.reviewer import Reviewer

    files = place.open()
    files.write("a", "text")
    folder = place.root if place.kind == "folder" else None
    with Reviewer.open(place.box / "memory.db", name="asha") as reviewer:
        read = files.read("a")
        assert reviewer.approve_file(SUBJECT, "a", sha256=read.sha256, folder=folder)
    assert files.read("a").approved_by == "asha"
    files.write("a", "other")
    assert files.read("a").approved_by is None
