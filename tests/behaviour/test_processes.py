"""From process to process: remembered in one, recalled in the next, also after a kill; many at once lose nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

from memoranda.memory import Memory

SCRIPT = Path(__file__).with_name("processes.py")
WORKERS = 8


def start(*args: object) -> subprocess.Popen[str]:
    command = [sys.executable, str(SCRIPT), *map(str, args)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_facts_are_there_after_a_kill_right_after_the_call(tmp_path):
    path = tmp_path / "memory.db"
    for n in range(3):
        child = start("killed", path)
        fact, errors = child.communicate(timeout=60)
        assert (child.returncode, errors) == (-9, "")
        with Memory.open(path) as memory:
            got = memory.recall("kayak", subjects=["user:me"])
            assert len(got.facts) == 1
            if n == 0:
                assert got.facts[0].id == fact
            assert len(memory.log("s")) == n + 1


@pytest.mark.slow
def test_eight_processes_lose_nothing(tmp_path):
    path, each = tmp_path / "memory.db", 500
    children = [start("many", path, worker, each) for worker in range(WORKERS)]
    results = [child.communicate(timeout=540) for child in children]
    assert [child.returncode for child in children] == [0] * WORKERS, results
    assert all(errors == "" for _, errors in results)
    with Memory.open(path) as memory:
        stored = {fact.fact for fact in memory.facts()}
        assert stored == {
            f"Worker {w} stored box {n}." for w in range(WORKERS) for n in range(each)
        }
        assert sum(count for _, count in memory.subjects()) == WORKERS * each
        assert memory.health().ok
