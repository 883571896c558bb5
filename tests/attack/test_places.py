"""The folder's surroundings under attack: what stands above, beside and in place of the root, and links on the way."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat

import pytest

from memoranda.errors import FilesUnavailable, StoreError
from memoranda.memory import Memory
from memoranda.step import step

SUBJECT = "agent:attacked"
CALLS = (
    {"command": "create", "path": "/memories/new", "file_text": "x"},
    {"command": "str_replace", "path": "/memories/a", "old_str": "one", "new_str": "two"},
    {"command": "insert", "path": "/memories/a", "insert_line": 0, "insert_text": "x"},
    {"command": "rename", "old_path": "/memories/a", "new_path": "/memories/b"},
    {"command": "delete", "path": "/memories/a"},
)


@pytest.fixture
def memory():
    with Memory.open(":memory:") as memory:
        yield memory


@pytest.fixture
def root(tmp_path):
    return tmp_path / "memories"


@pytest.fixture
def files(memory, root):
    files = memory.files(SUBJECT, folder=root)
    files.write("a", "one\n")
    yield files
    files.close()


def shapes(top):
    return {
        (str(p.relative_to(top)), p.is_symlink(), p.read_text() if p.is_file() else "")
        for p in top.rglob("*")
    }


@pytest.mark.parametrize("umask", [0, 0o077, 0o777])
def test_folders_made_above_the_root_are_for_their_owner_alone(memory, tmp_path, umask):
    before = os.umask(umask)
    try:
        files = memory.files(SUBJECT, folder=tmp_path / "p" / "q" / "memories")
        files.write("deep/er/a", "x")
    finally:
        os.umask(before)
    for place in (tmp_path / "p", *(tmp_path / "p").rglob("*")):
        mode = stat.S_IMODE(place.stat().st_mode)
        assert mode == (0o600 if place.is_file() else 0o700), place


def test_nothing_stands_beside_the_root_while_nobody_works(files, root):
    files.handle(CALLS[0])
    files.handle(CALLS[4])
    assert list(root.with_name(".memories.memoranda").iterdir()) == []


def test_our_folder_beside_the_root_may_be_taken_away_at_any_time(files, memory, root):
    side = root.with_name(".memories.memoranda")
    for call in (*CALLS[:4], {"command": "delete", "path": "/memories/b"}):
        shutil.rmtree(side, ignore_errors=True)
        other = memory.files(SUBJECT, folder=root)  # makes it again, and both must have one lock
        held = other.desk.tree.try_lock()
        assert files.desk.tree.try_lock() is None
        os.close(held)
        shutil.rmtree(side)
        text, error = files.handle(call)
        assert not error, text
        other.close()
    assert stat.S_IMODE(side.stat().st_mode) == 0o700


def test_who_loses_the_lock_with_its_folder_overwrites_nobody(files, memory, root):
    side = root.with_name(".memories.memoranda")
    other = memory.files(SUBJECT, folder=root)

    async def body(now, _) -> None:
        _, text = await now.read("a", 100)
        shutil.rmtree(side)
        assert not other.handle({**CALLS[2], "insert_text": "theirs"})[1]
        await now.put("a", f"{text}mine\n", new=False)

    with pytest.raises(FilesUnavailable, match="try again"):
        step(files.desk.tree.change(body))
    assert files.read("a").text == "theirs\none\n"
    files.write("a", "mine\n")
    assert other.read("a").text == "mine\n"
    other.close()


def test_who_can_only_read_the_root_cannot_stop_its_writers(files, root):
    root.chmod(0o755)
    held = os.open(root, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    try:
        assert not files.handle(CALLS[0])[1]
    finally:
        os.close(held)


def test_a_link_in_place_of_our_folder_beside_the_root_is_not_followed(files, root, tmp_path):
    side, outside = root.with_name(".memories.memoranda"), tmp_path / "outside"
    outside.mkdir(mode=0o700)
    shutil.rmtree(side)
    side.symlink_to(outside)
    text, error = files.handle(CALLS[0])
    assert error
    assert str(tmp_path) not in text
    assert list(outside.iterdir()) == []


def in_place(root, what):
    """Take the root away, and put something else in its place."""
    root.rename(root.with_name("away"))
    outside = root.with_name("outside")
    outside.mkdir()
    (outside / "a").write_text("CANARY one\n")
    if what == "link":
        root.symlink_to(outside)
    elif what == "folder":
        root.mkdir()
    elif what == "file":
        root.write_text("CANARY")


@pytest.mark.parametrize("what", ["link", "folder", "file", "nothing"])
def test_a_root_that_was_moved_away_is_not_written(files, root, tmp_path, what):
    in_place(root, what)
    before = shapes(tmp_path)
    for call in CALLS:
        text, error = files.handle(call)
        assert error
        assert "moved" in text
        assert str(tmp_path) not in text
        assert "CANARY" not in files.handle({"command": "view", "path": "/memories/a"})[0]
    with pytest.raises(FilesUnavailable):
        files.write("a", "three\n")
    assert shapes(tmp_path) == before


def test_a_root_that_is_gone_is_said_to_be_gone(files, root):
    shutil.rmtree(root)
    for call in CALLS:
        text, error = files.handle(call)
        assert error
        assert "taken away" in text
    assert not root.exists()


def test_a_root_that_is_no_folder_is_refused_at_open(memory, root):
    root.write_text("x")
    with pytest.raises(StoreError):
        memory.files(SUBJECT, folder=root)
    assert root.read_text() == "x"


@pytest.mark.parametrize("sdk", [False, True])
@pytest.mark.parametrize("there", [True, False])
def test_a_link_on_the_way_is_said_to_be_one(memory, root, tmp_path, sdk, there):
    files = memory.files(SUBJECT, folder=root, sdk=sdk)
    files.write("a", "one\n")
    outside = tmp_path / "outside"
    if there:
        outside.mkdir()
        (outside / "a").write_text("CANARY one\n")
    (root / "way").symlink_to(outside)
    before = shapes(tmp_path)
    for call in CALLS:
        onto = {
            k: v.replace("/memories/", "/memories/way/") if "path" in k else v
            for k, v in call.items()
        }
        text, error = files.handle(onto)
        assert error
        assert ("is a symlink" if sdk else "is a link") in text
        assert "CANARY" not in text
    text, error = files.handle({"command": "view", "path": "/memories/way/a/"})
    assert error
    assert "/memories/way/a " in text
    assert shapes(tmp_path) == before


@pytest.mark.parametrize(
    "path", ["/memories/.", "/memories/./", "/memories/sub/..", "/memories//."]
)
@pytest.mark.parametrize(("sdk", "lead"), [(True, ""), (False, "Error: ")])
def test_the_root_under_another_spelling_is_still_the_root(memory, root, path, sdk, lead):
    files = memory.files(SUBJECT, folder=root, sdk=sdk)
    text, error = files.handle({"command": "delete", "path": path})
    assert (text, error) == (f"{lead}Cannot delete the /memories directory itself", True)
    text, error = files.handle({"command": "rename", "old_path": path, "new_path": "/memories/b"})
    assert (text, error) == (f"{lead}Cannot rename the /memories directory itself", True)


@pytest.mark.parametrize(("sdk", "lead"), [(True, ""), (False, "Error: ")])
def test_only_what_would_escape_is_said_to_escape(memory, root, sdk, lead):
    files = memory.files(SUBJECT, folder=root, sdk=sdk)
    for path in ("/memories/../etc/passwd", "/memories/a/../../x", "/memories/.."):
        text, error = files.handle({"command": "view", "path": path})
        assert (text, error) == (f"{lead}Path {path} would escape /memories directory", True)
    text, error = files.handle({"command": "view", "path": "/memories/a/../b"})
    assert error
    assert "escape" not in text
