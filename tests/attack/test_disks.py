"""Full and read-only disks, under the folder and under the store: a clean error, and the old content whole."""

from __future__ import annotations

import os
import stat
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

from memoranda.errors import StoreError
from memoranda.memory import Memory

KINDS = pytest.mark.parametrize("kind", ["rows", "folder"])
SUBJECT = "agent:attacked"


@contextmanager
def small_disk(place: Path, size: str = "1m"):
    place.mkdir()
    options = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(options, check=False, capture_output=True).returncode:
        pytest.skip("needs the right to mount")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def fill(disk: Path) -> None:
    with (disk / "filling").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"z" * 4096)
        except OSError:
            return


CHANGES = (
    {"command": "create", "path": "/memories/new", "file_text": "x" * 50_000},
    {"command": "create", "path": "/memories/p/q/new", "file_text": "x" * 50_000},
    {"command": "str_replace", "path": "/memories/a", "old_str": "HEAD", "new_str": "x" * 50_000},
    {"command": "insert", "path": "/memories/a", "insert_line": 0, "insert_text": "x" * 50_000},
)


def test_a_full_disk_keeps_the_old_content_whole(tmp_path):
    with Memory.open(tmp_path / "memory.db") as memory, small_disk(tmp_path / "disk") as disk:
        files = memory.files("agent:attacked", folder=disk / "memories")
        files.write("a", "HEAD\nrest\n")
        fill(disk)
        for call in CHANGES:
            text, error = files.handle(call)
            assert error
            assert "no room" in text
            assert str(disk) not in text
        assert [p.name for p in (disk / "memories").iterdir()] == ["a"]
        assert files.read("a").text == "HEAD\nrest\n"
        assert [v.verb for v in files.history("a")] == ["created"]
        (disk / "filling").unlink()
        assert not files.handle(CHANGES[0])[1]
        files.close()


def test_a_full_store_keeps_the_old_content_whole(tmp_path):
    with small_disk(tmp_path / "disk") as disk:
        for kind in ("rows", "folder"):
            folder = tmp_path / "memories" if kind == "folder" else None
            with Memory.open(disk / f"{kind}.db") as memory:
                files = memory.files("agent:attacked", folder=folder)
                files.write("a", "HEAD\nrest\n")
                fill(disk)
                for call in CHANGES:
                    text, error = files.handle(call)
                    assert error
                    assert str(disk) not in text
                    assert "internal" not in text
                assert files.paths() == ["/memories/a"]
                assert files.read("a").text == "HEAD\nrest\n"
                (disk / "filling").unlink()
                assert not files.handle(CHANGES[0])[1]
                files.close()


def test_a_read_only_disk_can_be_read(tmp_path):
    with Memory.open(tmp_path / "memory.db") as memory, small_disk(tmp_path / "disk") as disk:
        files = memory.files("agent:attacked", folder=disk / "memories")
        files.write("a", "HEAD\nrest\n")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        for again in (files, memory.files("agent:attacked", folder=disk / "memories")):
            for call in (*CHANGES, {"command": "delete", "path": "/memories/a"}):
                text, error = again.handle(call)
                assert error
                assert str(disk) not in text
                assert "internal" not in text
            assert "HEAD" in again.handle({"command": "view", "path": "/memories/a"})[0]
            again.close()


# The store takes nothing more, and then does again


def pragma(memory, text):
    memory.core.store._engine._connection.execute(text)


@contextmanager
def full(memory):
    """Not a page more, and none that is free."""
    connection = memory.core.store._engine._connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    pragma(memory, f"PRAGMA max_page_count = {pages}")
    yield
    pragma(memory, "PRAGMA max_page_count = 1000000")


@contextmanager
def read_only(memory):
    pragma(memory, "PRAGMA query_only = ON")
    yield
    pragma(memory, "PRAGMA query_only = OFF")


FAULTS = pytest.mark.parametrize("fault", [full, read_only])
SMALL = (
    {"command": "rename", "old_path": "/memories/a", "new_path": "/memories/b/c"},
    {"command": "delete", "path": "/memories/a"},
)


def seen(files):
    return {path: files.read(path).text for path in files.paths()}


@KINDS
@FAULTS
def test_a_store_that_takes_nothing_more_keeps_every_file_whole(tmp_path, kind, fault):
    root = tmp_path / "memories" if kind == "folder" else None
    with Memory.open(tmp_path / "memory.db") as memory:
        files = memory.files(SUBJECT, folder=root)
        files.write("a", "HEAD\nrest\n")
        files.write("deep/d", "x" * 9000)
        before, history = seen(files), files.history("a")
        with fault(memory):
            for call in (*CHANGES, *(SMALL if fault is read_only else ())):
                text, error = files.handle(call)
                assert error, call
                assert str(tmp_path) not in text
                assert "internal" not in text
                assert "not available" in text
            with pytest.raises(StoreError):
                files.write("a", "y" * 50_000)
            assert "HEAD" in files.handle({"command": "view", "path": "/memories/a"})[0]
            assert (seen(files), files.history("a")) == (before, history)
        assert (seen(files), files.history("a")) == (before, history)
        for call in (*CHANGES[:2], *SMALL[:1]):
            text, error = files.handle(call)
            assert not error, text
        if root is not None:
            assert list((tmp_path / ".memories.memoranda").iterdir()) == []


@FAULTS
def test_what_a_person_edits_meanwhile_can_still_be_read_and_is_marked(tmp_path, fault):
    root = tmp_path / "memories"
    with Memory.open(tmp_path / "memory.db") as memory:
        files = memory.files(SUBJECT, folder=root)
        files.write("a", "one\n")
        with fault(memory):
            (root / "a").write_text("two\n" * 5000)
            text, error = files.handle(
                {"command": "view", "path": "/memories/a", "view_range": [1, 2]}
            )
            assert not error
            assert text.startswith("[memoranda: changed by other means")
        files.read("a")
        assert [v.verb for v in files.history("a")] == ["outside", "created"]


def test_a_store_on_a_read_only_disk_is_refused_whole_at_open(tmp_path):
    with small_disk(tmp_path / "disk", "2m") as disk:
        with Memory.open(disk / "memory.db") as memory:
            memory.files(SUBJECT).write("a", "HEAD\nrest\n")
        before = (disk / "memory.db").read_bytes()
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        with pytest.raises(StoreError):
            Memory.open(disk / "memory.db")
        assert (disk / "memory.db").read_bytes() == before
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
        with Memory.open(disk / "memory.db") as memory:
            assert memory.files(SUBJECT).read("a").text == "HEAD\nrest\n"


@pytest.mark.unprivileged
def test_a_folder_without_the_right_to_write_can_be_read(tmp_path):
    root = tmp_path / "base" / "memories"
    with Memory.open(tmp_path / "memory.db") as memory:
        memory.files(SUBJECT, folder=root).write("a", "HEAD\nrest\n")
        for place in (root, root.parent, root.with_name(".memories.memoranda")):
            mode = stat.S_IMODE(place.stat().st_mode)
            place.chmod(0o500)
            try:
                files = memory.files(SUBJECT, folder=root)
                for call in (*CHANGES, *SMALL) if place != root.parent else ():
                    text, error = files.handle(call)
                    assert error
                    assert str(tmp_path) not in text
                assert "HEAD" in files.handle({"command": "view", "path": "/memories/a"})[0]
                assert [p.name for p in root.iterdir()] == ["a"]
                files.close()
            finally:
                place.chmod(mode)


@pytest.mark.unprivileged
def test_a_store_without_the_right_to_write_can_be_read(tmp_path):
    with Memory.open(tmp_path / "memory.db") as memory:
        memory.files(SUBJECT).write("a", "HEAD\nrest\n")
    before = (tmp_path / "memory.db").read_bytes()
    (tmp_path / "memory.db").chmod(0o400)
    with Memory.open(tmp_path / "memory.db") as memory:
        files = memory.files(SUBJECT)
        for call in (*CHANGES, *SMALL):
            text, error = files.handle(call)
            assert error
            assert str(tmp_path) not in text
            assert "internal" not in text
        assert "HEAD" in files.handle({"command": "view", "path": "/memories/a"})[0]
    assert (tmp_path / "memory.db").read_bytes() == before
