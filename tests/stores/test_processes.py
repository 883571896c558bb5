"""Several processes on one file: none loses a write, none starves, and killing one breaks nothing."""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memoranda.step import step
from memoranda.stores.queries import migrations as load_migrations
from memoranda.stores.sqlite import open_blocking

SCRIPT = Path(__file__).with_name("processes.py")

NOW = len(load_migrations("sqlite"))


def start(*words):
    return subprocess.Popen(
        [sys.executable, str(SCRIPT), *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process, seconds=240):
    out, err = process.communicate(timeout=seconds)
    assert (process.returncode, err) == (0, "")
    return out


def notes(path):
    store = open_blocking(path, create=False)
    found = {key for key, _ in step(store.rows("list_meta"))}
    assert step(store.check()) == []
    step(store.close())
    return found


@pytest.mark.slow
def test_eight_processes_lose_no_write_and_none_starves(tmp_path, record_property):
    path, writers, each = tmp_path / "memory.db", 8, 500
    begin = time.time() + 2
    running = [start("write", path, begin, name, each) for name in range(writers)]
    waits = [float(finish(process)) for process in running]
    took = time.time() - begin
    assert notes(path) == {f"{name}/{number}" for name in range(writers) for number in range(each)}
    store = open_blocking(path)
    assert step(store.rows("change_number", tenant="t", subject="s")) == [(writers * each,)]
    step(store.close())
    record_property("longest_wait_seconds", max(waits))
    print(f"{writers * each} writes in {took:.1f} s; longest wait of each {sorted(waits)}")
    # No timing: only that nobody stood in the queue until everybody else had gone home, which is what
    # SQLite's own back-off does to the oldest.
    assert max(waits) < max(2.0, took * 0.8)


@pytest.mark.slow
@pytest.mark.parametrize("round_", range(20))
def test_what_was_acknowledged_survives_kill(tmp_path, round_):
    path = tmp_path / "memory.db"
    running = [start("acknowledge", path, name) for name in range(2)]
    time.sleep(random.uniform(0.15, 0.5))
    for process in running:
        process.send_signal(signal.SIGKILL)
    acknowledged = set()
    for name, process in enumerate(running):
        lines = process.stdout.read().split("\n")[:-1]
        acknowledged |= {f"{name}/{number}" for number in lines}
        process.communicate()
    if acknowledged or path.exists():
        assert acknowledged <= notes(path)


def test_eight_makers_make_one_store(tmp_path):
    path = tmp_path / "memory.db"
    begin = time.time() + 1
    running = [start("make", path, begin) for _ in range(8)]
    for process in running:
        finish(process)
    assert len(notes(path)) == 8
    assert [p.name for p in tmp_path.iterdir()] == ["memory.db"]


@pytest.mark.slow
def test_a_maker_killed_anywhere_leaves_a_whole_store_or_none(tmp_path):
    path, died, statements = tmp_path / "memory.db", True, 0
    while died:
        process = start("dying_open", path, statements)
        died = process.wait() == -signal.SIGKILL
        process.communicate()
        if path.exists():
            with sqlite3.connect(path) as bare:
                assert bare.execute("PRAGMA user_version").fetchone()[0] in (NOW, NOW + 1)
            bare.close()
            path.unlink()
        statements += 1
    assert statements > 20
    # What the dead have left does not stay.
    step(open_blocking(path).close())
    assert [p.name for p in tmp_path.iterdir()] == ["memory.db"]


@pytest.mark.slow
def test_a_migration_killed_after_any_statement_is_old_or_new(tmp_path):
    path = tmp_path / "memory.db"
    step(open_blocking(path).close())
    seen, statements, done = set(), 0, False
    while not done:
        process = start("dying_open", path, statements)
        done = process.wait() == 0
        process.communicate()
        seen.add(state(path))
        statements += 1
    assert seen == {(NOW, False, False), (NOW + 1, True, True)}
    assert statements > 12


def test_of_several_openers_one_migrates(tmp_path):
    path = tmp_path / "memory.db"
    step(open_blocking(path).close())
    begin = time.time() + 1
    for process in [start("upgrade", path, begin) for _ in range(6)]:
        finish(process)
    assert state(path) == (NOW + 1, True, True)


def state(path):
    bare = sqlite3.connect(path)
    names = {name for (name,) in bare.execute("SELECT name FROM sqlite_schema")}
    columns = {row[1] for row in bare.execute("PRAGMA table_info(subjects)")}
    version = bare.execute("PRAGMA user_version").fetchone()[0]
    bare.close()
    return version, {"next_one", "next_trigger"} <= names, "colour" in columns
