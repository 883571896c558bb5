"""What others put into the folder, and what they do to it in the very moment: odd entries, growing files, races."""

from __future__ import annotations

import os
import re
import socket
import stat
import subprocess
import sys
import threading

import pytest

from memoranda.memory import Memory
from memoranda.settings import Settings

SUBJECT = "agent:attacked"
KINDS = pytest.mark.parametrize("kind", ["rows", "folder"])


@pytest.fixture
def root(tmp_path):
    return tmp_path / "memories"


@pytest.fixture
def files(root):
    with Memory.open(":memory:") as memory:
        files = memory.files(SUBJECT, folder=root)
        files.write("p/a", "one\n")
        yield files
        files.close()


def do(files, command, **given):
    text, error = files.handle({"command": command, **given})
    assert "internal" not in text
    assert "CANARY" not in text
    return text, error


def hard_link(place):
    outside = place.parent.parent.parent / "outside"
    outside.write_text("CANARY\n")
    os.link(outside, place)


def a_socket(place):
    with socket.socket(socket.AF_UNIX) as made:
        here = os.getcwd()
        os.chdir(place.parent)  # the name of a socket is short
        try:
            made.bind(place.name)
        finally:
            os.chdir(here)


def device(place):
    try:
        os.mknod(place, 0o600 | stat.S_IFCHR, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("needs the right to make devices")


def sparse(place):
    with place.open("wb") as file:
        file.truncate(10**12)


ODD = {
    "hard": hard_link,
    "fifo": os.mkfifo,
    "sock": a_socket,
    "zero": device,
    "link": lambda place: place.symlink_to("/etc"),
    "linkfile": lambda place: place.symlink_to("/etc/hostname"),
    "loop": lambda place: place.symlink_to(place.name),
    "sparse": sparse,
    "bytes": lambda place: place.write_bytes(b"\xff\xfe\x00"),
}


@pytest.mark.parametrize("name", ODD)
def test_no_odd_entry_is_read_or_written_and_all_can_be_moved_and_deleted(files, root, name):
    ODD[name](root / "p" / name)
    outside = os.lstat(root / "p" / name)
    there = f"/memories/p/{name}"
    for command, given in (
        ("view", {}),
        ("str_replace", {"old_str": "C", "new_str": "x"}),
        ("insert", {"insert_line": 0, "insert_text": "x"}),
        ("create", {"file_text": "x"}),
    ):
        assert do(files, command, path=there, **given)[1], command
    assert do(files, "create", path=f"{there}/x", file_text="x")[1]
    assert do(files, "rename", old_path="/memories/p/a", new_path=there)[1]
    listed = do(files, "view", path="/memories/p")[0]
    assert (there in listed) == (name in ("sparse", "bytes"))
    now = os.lstat(root / "p" / name)
    assert (now.st_mode, now.st_size, now.st_ino) == (
        outside.st_mode,
        outside.st_size,
        outside.st_ino,
    )
    assert not do(files, "rename", old_path=there, new_path="/memories/q")[1]
    assert not do(files, "rename", old_path="/memories/q", new_path=there)[1]
    assert not do(files, "delete", path="/memories/p")[1]
    assert list(root.iterdir()) == []
    assert list(root.with_name(".memories.memoranda").iterdir()) == []
    if name == "hard":
        assert (root.parent / "outside").read_text() == "CANARY\n"


def test_names_that_no_command_could_give_are_not_shown_and_are_in_nobodys_way(files, root):
    for name in (
        "a\nb",
        "bidi\u202e",
        "e\u0301",
        "\x01",
        "con",
        ".hidden",
        "x" * 200,
        "tail ",
        "A",
    ):
        (root / "p" / name).write_text("planted\n")
    os.close(os.open(os.fsencode(root / "p") + b"/\xff\xfe", os.O_CREAT | os.O_WRONLY))
    (root / "p" / "node_modules").mkdir()
    (root / "p" / "node_modules" / "x").write_text("planted\n")
    text, error = do(files, "view", path="/memories/p")
    assert not error
    assert [line.partition("\t")[2] for line in text.splitlines()[1:]] == [
        "/memories/p",
        "/memories/p/A",
        "/memories/p/a",
    ]
    assert not do(files, "rename", old_path="/memories/p", new_path="/memories/q")[1]
    assert not do(files, "delete", path="/memories/q")[1]
    assert list(root.iterdir()) == []


def test_a_file_that_grows_while_it_is_read_ends_at_the_cap(files, root):
    stop = threading.Event()

    def grow() -> None:
        with (root / "grows").open("a") as file:
            while not stop.is_set():
                file.write("y" * 1000)
                file.flush()

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        while do(files, "view", path="/memories/grows")[0].find("larger than") < 0:
            pass
    finally:
        stop.set()
        writer.join()
    (root / "grows").unlink()
    assert do(files, "view", path="/memories/grows")[1]


WHOLE = re.compile(r"     1\tone(?: \d+)*\n(?:     2\tx\n     3|     2)\ttwo\n     [34]\t")


@KINDS
def test_whoever_deletes_moves_and_makes_meanwhile_every_answer_is_whole(tmp_path, kind):
    root = tmp_path / "memories" if kind == "folder" else None
    begun, stop = threading.Event(), threading.Event()

    def churn() -> None:
        with Memory.open(tmp_path / "memory.db") as memory:
            files = memory.files(SUBJECT, folder=root)
            while not stop.is_set():
                do(files, "create", path="/memories/d/f", file_text="one\ntwo\n")
                begun.set()
                do(files, "rename", old_path="/memories/d", new_path="/memories/e")
                do(files, "delete", path="/memories/e")
            files.close()

    with Memory.open(tmp_path / "memory.db") as memory:
        files = memory.files(SUBJECT, folder=root)
        other = threading.Thread(target=churn)
        other.start()
        try:
            assert begun.wait(
                60
            )  # on a busy machine all rounds would be over before the first file is made
            for n in range(60):
                text, error = do(files, "view", path="/memories/d/f")
                assert error or WHOLE.fullmatch(text.partition("\n")[2]), text
                do(files, "str_replace", path="/memories/d/f", old_str="one", new_str=f"one {n}")
                do(files, "insert", path="/memories/e/f", insert_line=1, insert_text="x")
                do(files, "view", path="/memories")
                files.paths()
        finally:
            stop.set()
            other.join()
        assert {v.actor for v in files.history("d/f")} == {"integrator"}
        files.close()


HOLDER = """
import sys
from memoranda.trees.folder import FolderTree
held = FolderTree(sys.argv[1]).try_lock()
print("ready" if held is not None else "busy", flush=True)
sys.stdin.read()
"""


def test_a_lock_dies_with_whoever_held_it(files, root):
    command = [sys.executable, "-c", HOLDER, str(root)]
    place = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=place
    ) as holder:
        assert holder.stdout.readline() == "ready\n"
        assert files.desk.tree.try_lock() is None
        holder.kill()
    assert not do(files, "create", path="/memories/new", file_text="x")[1]


@KINDS
def test_the_thousand_and_first_file_and_the_ninth_level_are_refused(tmp_path, kind):
    root = tmp_path / "memories" if kind == "folder" else None
    with Memory.open(":memory:", settings=Settings(file_count=100)) as memory:
        files = memory.files(SUBJECT, folder=root)
        for n in range(100):
            assert not do(files, "create", path=f"/memories/d/{n}", file_text="")[1]
        text, error = do(files, "create", path="/memories/one-more", file_text="")
        assert error
        assert "delete" in text
        assert "/memories/d/0" in text
        assert do(files, "create", path="/memories/" + "/".join("d" * 9), file_text="")[1]
        assert do(
            files, "rename", old_path="/memories/d", new_path="/memories/" + "/".join("e" * 8)
        )[1]
        assert not do(files, "delete", path="/memories/d/0")[1]
        assert not do(files, "create", path="/memories/one-more", file_text="")[1]
        files.close()


KEY = "sk-ant-api03-" + "aB3" * 20
HALF = len(KEY) // 2
BROKEN = f"{KEY[:12]}\n{KEY[12:HALF]}"


@KINDS
@pytest.mark.parametrize("mode", ["refuse", "mask"])
@pytest.mark.parametrize("filler", [0, 3000])
def test_a_secret_that_comes_at_a_seam_is_found(tmp_path, kind, mode, filler):
    root = tmp_path / "memories" if kind == "folder" else None
    text = "".join(f"line {n} says nothing\n" for n in range(filler))
    with Memory.open(":memory:", settings=Settings(file_secrets=mode)) as memory:
        files = memory.files(SUBJECT, folder=root)
        for name, begun, call in (
            ("end", f"{text}{KEY[:12]}", {"old_str": KEY[:12], "new_str": KEY}),
            ("start", f"{KEY[12:]}\n{text}", {"old_str": KEY[12:], "new_str": KEY}),
            ("lines", f"{text}my password is\n", {"insert_text": "hunter2Secret9x"}),
            (
                "joined",
                f"{text}{KEY[:12]}\n{KEY[12:]}\n",
                {"old_str": BROKEN, "new_str": KEY[:HALF]},
            ),
        ):
            files.write(name, begun)
            command = "str_replace" if "old_str" in call else "insert"
            line = {} if "old_str" in call else {"insert_line": filler + 1}
            answer, error = do(files, command, **call, **line, path=f"/memories/{name}")
            assert error == (mode == "refuse"), (name, answer)
            kept = files.read(name).text
            assert KEY not in kept, name
            assert "hunter2Secret9x" not in kept
        files.close()
