"""The tree under attack: links swapped while we work, many writers, killed writers.

`make soak` takes the great sizes, `make test` a tenth, `make check` next to nothing; the environment may say otherwise.
"""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from memoranda.aio import AsyncMemory
from memoranda.memory import Memory
from tests.attack import processes

SIZES = {"fast": (2_000, 10, 4), "soak": (1_000_000, 1_000, 300)}
SIZE = SIZES.get(os.environ.get("HYPOTHESIS_PROFILE", ""), (100_000, 100, 30))
SWAP_CALLS, EDITS, KILLS = (
    int(os.environ.get(name, size))
    for name, size in zip(
        ("MEMORANDA_SWAP_CALLS", "MEMORANDA_EDITS", "MEMORANDA_KILLS"), SIZE, strict=True
    )
)
WRITERS, NAMES = 8, 20
CANARY = "CANARY-OUTSIDE-THE-ROOT"
KINDS = pytest.mark.parametrize("kind", ["rows", "folder"])


def start(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, str(Path(processes.__file__)), *map(str, arguments)]
    place = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=place)


@contextmanager
def running(*arguments: object):
    process = start(*arguments)
    try:
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


class Box:
    """A root, something outside it that must never be seen or changed, and the two that are swapped."""

    def __init__(self, place: Path) -> None:
        self.place, self.root, self.outside = place, place / "memories", place / "outside"
        (self.outside / "deep").mkdir(parents=True)
        (self.outside / "note").write_text(f"{CANARY} secret\n")
        (self.outside / "deep" / "inner").write_text(f"{CANARY}\n")
        (self.root / "d" / "deep").mkdir(parents=True)
        (self.root / "d" / "note").write_text("plain secret inside\n")
        (self.root / "d" / "deep" / "inner").write_text("plain\n")
        (self.root / "swap").symlink_to(self.outside)

    def unharmed(self) -> bool:
        found = {str(p.relative_to(self.outside)) for p in self.outside.rglob("*")}
        texts = (self.outside / "note").read_text(), (self.outside / "deep" / "inner").read_text()
        return found == {"note", "deep", "deep/inner"} and texts == (
            f"{CANARY} secret\n",
            f"{CANARY}\n",
        )


def calls(n: int):
    """All six commands through the folder that is swapped; what must fail half of the time, must fail cleanly.

    Few names, over and over: what a swap leaves behind would else fill the tree, and then nothing is made any more.
    """
    d, n = "/memories/d", n % NAMES
    yield {"command": "view", "path": f"{d}/note"}
    yield {"command": "create", "path": f"{d}/n{n}", "file_text": "x"}
    yield {"command": "str_replace", "path": f"{d}/note", "old_str": "secret", "new_str": "secret "}
    yield {"command": "str_replace", "path": f"{d}/note", "old_str": "secret ", "new_str": "secret"}
    yield {"command": "insert", "path": f"{d}/new/deep{n}", "insert_line": 0, "insert_text": "x"}
    yield {"command": "create", "path": f"{d}/new/deep{n}", "file_text": "x"}
    yield {"command": "rename", "old_path": f"{d}/n{n}", "new_path": f"{d}/m{n}"}
    yield {"command": "rename", "old_path": f"{d}/deep/inner", "new_path": f"{d}/deep/outer"}
    yield {"command": "rename", "old_path": f"{d}/deep/outer", "new_path": f"{d}/deep/inner"}
    yield {"command": "view", "path": d}
    yield {"command": "view", "path": "/memories"}
    yield {"command": "delete", "path": f"{d}/m{n}"}
    yield {"command": "delete", "path": f"{d}/new"}


def harmless(call, text: str) -> None:
    assert CANARY not in text, call
    assert "internal error" not in text, call


def test_a_link_swapped_while_we_work_leads_nowhere(tmp_path):
    box, done, worked = Box(tmp_path), 0, 0
    with Memory.open(":memory:") as memory:
        files = memory.files("agent:attacked", folder=box.root)
        with running("swaps", box.root / "d", box.root / "swap"):
            for n in range(SWAP_CALLS // 13 // 2):
                for call in calls(n):
                    text, error = files.handle(call)
                    harmless(call, text)
                    done += 1
                    worked += not error
        assert box.unharmed()
        files.close()
    assert 0 < worked < done


def test_a_link_swapped_while_we_await_leads_nowhere(tmp_path):
    box = Box(tmp_path)

    async def work() -> None:
        async with await AsyncMemory.open(":memory:") as memory:
            files = await memory.files("agent:attacked", folder=box.root)
            # Each call goes through a thread, and the tree below is the same.
            for n in range(SWAP_CALLS // 13 // 10):
                for call in calls(n):
                    text, _ = await files.handle(call)
                    harmless(call, text)
            await files.close()

    with running("swaps", box.root / "d", box.root / "swap"):
        asyncio.run(work())
    assert box.unharmed()


def test_a_folder_that_is_deleted_while_its_inside_is_swapped_takes_nothing_else_along(tmp_path):
    box = Box(tmp_path)
    with Memory.open(":memory:") as memory:
        files = memory.files("agent:attacked", folder=box.root)
        for n in range(max(SWAP_CALLS // 2000, 5)):
            victim = box.root / f"v{n}"
            (victim / "deep").mkdir(parents=True)
            for k in range(20):
                (victim / "deep" / f"f{k}").write_text("")
            with running("swaps", victim / "deep", box.root / "swap"):
                files.handle({"command": "delete", "path": f"/memories/v{n}"})
            assert box.unharmed()
            if not (box.root / "swap").is_symlink():
                (box.root / "swap").rename(box.place / f"away{n}")
                (box.root / "swap").symlink_to(box.outside)
        files.close()


@KINDS
def test_no_acknowledged_edit_is_lost_among_eight_processes(tmp_path, kind):
    files = processes.opened(tmp_path, kind)
    files.write("log", "start\n")
    writers = [start("edits", tmp_path, kind, f"p{n}", EDITS) for n in range(WRITERS)]
    acknowledged = [int(writer.communicate()[0]) for writer in writers]
    assert acknowledged == [EDITS] * WRITERS
    lines = files.read("log").text.splitlines()
    wanted = {f"p{p}-{n}" for p in range(WRITERS) for n in range(EDITS)}
    assert len(lines) == 1 + len(wanted)
    assert set(lines[1:]) == wanted
    assert files.read("log").mark == ""
    assert files.history("log")[0].n == 1 + len(wanted)


@KINDS
def test_a_killed_writer_tears_nothing_and_leaves_nothing(tmp_path, kind):
    files = processes.opened(tmp_path, kind)
    files.write("big", "A" * processes.BIG)
    files.close()
    whole = {letter * processes.BIG for letter in "AB"}
    for _ in range(KILLS):
        with running("rewrites", tmp_path, kind):
            time.sleep(random.random() * 0.05)
        if kind == "folder":
            assert (tmp_path / "memories" / "big").read_text() in whole
            assert [p.name for p in (tmp_path / "memories").iterdir()] == ["big"]
        files = processes.opened(tmp_path, kind)
        assert files.read("big").text in whole
        assert files.read("big").mark == ""
        assert {v.actor for v in files.history("big")} == {"integrator"}
        if kind == "folder":
            assert [p.name for p in (tmp_path / ".memories.memoranda").iterdir()] == []
        files.close()
