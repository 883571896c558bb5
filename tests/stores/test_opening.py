"""What is at the path and not ours is refused, named, and left as it is."""

import errno
import os
import sqlite3
import threading
import time
from pathlib import Path

import pytest

from memoranda.errors import (
    CorruptStore,
    ForeignStore,
    NewerStore,
    StoreBusy,
    StoreClosed,
    StoreError,
    StoreFull,
    StoreMissing,
    UsageError,
)
from memoranda.step import step
from memoranda.stores.queries import load
from memoranda.stores.sqlite import memory_store, open_blocking, opening
from memoranda.testing.stores import put
from tests.stores import processes


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.db"


def made(path, notes=1):
    store = open_blocking(path)
    for number in range(notes):
        step(put(store, f"k{number}", "v" * 200))
    step(store.close())
    return path


def bare(path, *statements):
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def refused(path, error, match="memory"):
    before = path.read_bytes()
    with pytest.raises(error, match=match) as caught:
        open_blocking(path)
    assert path.read_bytes() == before
    assert str(path) in str(caught.value)


def test_the_version_recorded_is_the_number_of_migrations(path):
    made(path)
    with sqlite3.connect(path) as connection:
        [(version,)] = connection.execute("PRAGMA user_version")
        [(application,)] = connection.execute("PRAGMA application_id")
    connection.close()
    assert version == len(opening.migrations("sqlite"))
    assert application == opening.APPLICATION_ID


def test_every_connection_is_durable_and_overwrites_what_it_deletes(path):
    made(path)
    connection = opening.connect(path, create=False)
    settings = {
        name: connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "secure_delete", "busy_timeout")
    }
    connection.close()
    assert settings == {
        "journal_mode": "wal",
        "synchronous": 2,
        "secure_delete": 1,
        "busy_timeout": 0,
    }


def test_the_tables_are_known_by_a_query():
    store = memory_store()
    names = [name for (name,) in step(store.rows("table_names"))]
    step(store.close())
    assert names == sorted(names)
    assert {"agent_facts", "subjects", "session_log", "memoranda_meta"} <= set(names)
    assert not any(name.startswith("sqlite_") for name in names)


def test_no_store_and_no_leave_to_make_one(path):
    with pytest.raises(StoreMissing):
        open_blocking(path, create=False)
    assert list(path.parent.iterdir()) == []


def test_no_folder(path):
    with pytest.raises(StoreMissing, match="folder"):
        open_blocking(path.parent / "none" / "memory.db")


@pytest.mark.parametrize("odd", ["", "a\0b", b"bytes.db"], ids=["empty", "nul", "bytes"])
def test_paths_that_are_none(odd):
    with pytest.raises(UsageError):
        open_blocking(odd)


def test_an_empty_file(path):
    path.touch()
    refused(path, ForeignStore, "empty file")


@pytest.mark.parametrize(
    "content",
    [b"my shopping list", b"\0" * 4096, b"SQLite format 3", b"x" * 5000],
    ids=["text", "zeros", "almost", "long"],
)
def test_a_file_of_another_kind(path, content):
    path.write_bytes(content)
    refused(path, ForeignStore)


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_the_database_of_another_program(path, mode):
    bare(path, f"PRAGMA journal_mode={mode}", "CREATE TABLE cookies (name)")
    refused(path, ForeignStore, "another program")
    assert list(path.parent.iterdir()) == [path]


def test_a_folder_a_pipe_and_a_device(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path, tmp_path / "pipe", Path("/dev/null")):
        with pytest.raises(ForeignStore, match="not an ordinary file"):
            open_blocking(place)


def test_a_newer_schema(path):
    made(path)
    bare(path, "PRAGMA user_version = 99")
    refused(path, NewerStore, "schema 99")


@pytest.mark.parametrize("size", [16, 50, 99, 100, 1000, 4096, 8192, 5 * 4096 + 17])
def test_a_file_that_was_cut_off(path, size):
    os.truncate(made(path, notes=20), size)
    refused(path, CorruptStore)


def test_damage_in_the_schema_shows_at_once(path):
    made(path)
    with path.open("r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 3000)
    refused(path, CorruptStore)


def test_damage_further_in_is_a_typed_error_and_found_by_the_check(path):
    made(path, notes=300)
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        for page in range(size // 4096 - 8, size // 4096):
            file.seek(page * 4096)
            file.write(b"\xa5" * 4096)
    store = open_blocking(path)
    assert step(store.check())
    with pytest.raises(CorruptStore):
        step(store.rows("list_meta"))
    step(store.close())


def test_the_log_of_an_earlier_store_is_not_taken_into_a_new_one(path):
    for left in ("-wal", "-journal"):
        leftover = path.with_name(path.name + left)
        leftover.write_bytes(b"old")
        with pytest.raises(ForeignStore, match="left over"):
            open_blocking(path)
        assert list(path.parent.iterdir()) == [leftover]
        leftover.unlink()


def test_the_file_is_for_its_owner_alone(path):
    old = os.umask(0)
    try:
        store = open_blocking(path)
        step(put(store, "a", "1"))
        modes = {place.name: place.stat().st_mode & 0o777 for place in path.parent.iterdir()}
        step(store.close())
    finally:
        os.umask(old)
    assert modes == {"memory.db": 0o600, "memory.db-wal": 0o600, "memory.db-shm": 0o600}


def test_links_and_odd_names_lead_to_one_store(tmp_path):
    real = tmp_path / "a folder?x=1#%41" / "möry\udcff.db"
    real.parent.mkdir()
    link = tmp_path / "link.db"
    link.symlink_to(real)
    first = open_blocking(link)  # the link dangles: the store is made where it leads
    second = open_blocking(str(real), create=False)
    step(put(first, "a", "1"))
    assert step(second.rows("meta", key="a")) == [("1",)]
    assert first.place == str(link)
    step(first.close())
    step(second.close())
    assert sorted(tmp_path.iterdir()) == sorted([real.parent, link])
    assert list(real.parent.iterdir()) == [real]


def test_links_in_a_circle(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(StoreError):
        open_blocking(tmp_path / "a")


def test_a_relative_path_keeps_its_meaning_when_the_folder_changes(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    store = open_blocking("memory.db")
    monkeypatch.chdir("/")
    step(put(store, "a", "1"))
    assert step(store.scrub(["zzz"])).searched[0] == str(path)
    step(store.close())


def test_without_hard_links_the_store_is_renamed_into_place(path, monkeypatch):
    def none(self, target):
        raise OSError(errno.EPERM, "no hard links here")

    monkeypatch.setattr(Path, "hardlink_to", none)
    made(path)
    assert list(path.parent.iterdir()) == [path]
    path.unlink()
    # The loser of a race: the winner's store appears before the rename.
    build = opening._build

    def slow(temp):
        build(temp)
        monkeypatch.setattr(opening, "_build", build)
        made(path, notes=3)

    monkeypatch.setattr(opening, "_build", slow)
    store = open_blocking(path)
    assert len(step(store.rows("list_meta"))) == 3
    step(store.close())


def test_the_loser_of_a_race_opens_the_winner_s_store(path, monkeypatch):
    build = opening._build

    def slow(temp):
        build(temp)
        monkeypatch.setattr(opening, "_build", build)
        made(path, notes=3)

    monkeypatch.setattr(opening, "_build", slow)
    store = open_blocking(path)
    assert len(step(store.rows("list_meta"))) == 3
    step(store.close())
    assert list(path.parent.iterdir()) == [path]


def test_what_dead_makers_left_is_swept_and_a_living_maker_s_is_not(path):
    dead = path.with_name("memory.db.new-4194999-0123456789abcdef-wal")
    ours = path.with_name(f"memory.db.new-{os.getpid()}-0123456789abcdef")
    old = path.with_name(f"memory.db.new-{os.getpid()}-fedcba9876543210")
    other = path.with_name("memory.db.new-notes")
    for place in (dead, ours, old, other):
        place.touch()
    os.utime(old, (1, 1))
    made(path)
    assert sorted(path.parent.iterdir()) == sorted([path, ours, other])


def test_a_second_opener_does_not_break_the_locks_of_the_first(path):
    """POSIX drops a process's locks when any descriptor of the file is closed; then others delete our log."""
    first = open_blocking(path)
    step(put(first, "a", "1"))
    step(open_blocking(path).close())
    step(first.scrub(["zzz"]))
    step(put(first, "b", "2"))
    assert locks(path) >= 1
    step(first.close())
    assert locks(path) == 0


def locks(path):
    inodes = {str(place.stat().st_ino) for place in path.parent.iterdir()}
    return sum(
        f"{os.getpid()}" == line.split()[4] and line.split()[5].split(":")[2] in inodes
        for line in Path("/proc/locks").read_text().splitlines()
        if "->" not in line
    )


def test_a_migration_done_by_another_in_the_last_moment_is_not_done_again(path, monkeypatch):
    made(path)
    plain, left = sqlite3.connect, [1]

    class Late(sqlite3.Connection):
        def execute(self, text, *given):
            if text == "BEGIN IMMEDIATE" and left:
                left.clear()
                step(processes.open_next(path).close())
            return super().execute(text, *given)

    monkeypatch.setattr(opening, "migrations", opening.migrations)  # put back at the end
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: plain(*a, **{"factory": Late} | k))
    store = processes.open_next(path)
    assert not left
    assert step(store.check()) == []
    step(store.close())


def test_waiting_for_others_ends_in_store_busy(path):
    made(path)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    store = open_blocking(path, busy_seconds=0.2)
    begin = time.monotonic()
    with pytest.raises(StoreBusy, match="try again"):
        step(put(store, "a", "1"))
    assert 0.2 <= time.monotonic() - begin < 4
    assert len(step(store.rows("list_meta"))) == 1  # readers do not wait for a writer
    holder.execute("ROLLBACK")
    holder.close()
    step(put(store, "a", "1"))
    step(store.close())


def test_a_writer_waits_for_the_one_before_it(path):
    made(path)
    holder = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.3, lambda: holder.execute("COMMIT"))
    release.start()
    store = open_blocking(path)
    step(put(store, "a", "1"))
    release.join()
    holder.close()
    step(store.close())


def test_a_transaction_has_the_write_lock_from_its_beginning(path):
    first, second = open_blocking(path), open_blocking(path, busy_seconds=0.05)

    async def body(tx):
        await tx.rows("list_meta")
        with pytest.raises(StoreBusy):
            await put(second, "a", "1")

    step(first.atomic(body))
    step(first.close())
    step(second.close())


def test_a_child_after_a_fork_must_open_its_own(path):
    store = open_blocking(path)
    step(put(store, "a", "1"))
    child = os.fork()
    if child == 0:
        code = 1
        try:
            for use in (lambda: store.rows("list_meta"), lambda: put(store, "b", "2")):
                with pytest.raises(StoreClosed, match="fork"):
                    step(use())
            step(store.close())
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    step(put(store, "c", "3"))
    assert len(step(store.rows("list_meta"))) == 2
    step(store.close())


def test_one_store_is_shared_by_threads(path):
    store = open_blocking(path)
    failures = []

    def work(name):
        try:
            for number in range(50):
                step(put(store, f"{name}/{number}", "v"))
                step(store.rows("meta", key=f"{name}/{number}"))
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(step(store.rows("list_meta"))) == 200
    step(store.close())


@pytest.mark.unprivileged
def test_a_folder_that_may_not_be_written(path):
    path.parent.chmod(0o500)
    try:
        with pytest.raises(StoreFull, match="written"):
            open_blocking(path)
    finally:
        path.parent.chmod(0o700)


@pytest.mark.unprivileged
def test_a_store_in_a_folder_that_may_not_be_written(path):
    made(path)
    path.parent.chmod(0o500)
    try:
        with pytest.raises(StoreFull, match="written"):
            open_blocking(path)
    finally:
        path.parent.chmod(0o700)


@pytest.mark.unprivileged
def test_a_file_that_may_not_be_read(path):
    made(path).chmod(0)
    with pytest.raises(StoreError, match="may not be read"):
        open_blocking(path)


@pytest.mark.unprivileged
def test_a_file_that_may_not_be_written(path):
    made(path).chmod(0o400)
    store = open_blocking(path)
    with pytest.raises(StoreFull, match="written"):
        step(put(store, "a", "1"))
    step(store.close())


@pytest.mark.unprivileged
def test_a_folder_that_may_not_be_entered(path):
    made(path)
    path.parent.chmod(0)
    try:
        with pytest.raises(StoreError):
            open_blocking(path)
    finally:
        path.parent.chmod(0o700)


def test_the_engine_s_queries_take_no_parameters():
    assert all(not load("sqlite")[name].params for name in ("begin", "commit", "checkpoint"))


@pytest.mark.parametrize("what", ["deleted", "moved", "replaced"])
def test_what_is_written_after_the_file_is_gone_is_not_acknowledged(path, what):
    store = open_blocking(made(path))
    if what == "replaced":
        other = made(path.with_name("other.db"))
        os.replace(other, path)
    elif what == "moved":
        path.rename(path.with_name("moved.db"))
    else:
        path.unlink()
    with pytest.raises(StoreMissing, match="nothing was written"):
        step(put(store, "late", "v"))
    step(store.close())


def test_a_file_that_comes_back_is_written_again(path):
    store = open_blocking(made(path))
    path.rename(path.with_name("moved.db"))
    with pytest.raises(StoreMissing):
        step(put(store, "late", "v"))
    path.with_name("moved.db").rename(path)
    step(put(store, "late", "v"))
    step(store.close())
