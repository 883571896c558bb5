"""What a call of the memory tool costs in CPU, beside the Anthropic SDK's local tool, measured in turn in one run.

Each benchmark puts `ratio` (to the SDK, or of 1,000 files to 10) into its extra info. Goals: view <= 1.5, writes <= 5,
although ours screen, sync and keep versions; one file's view and writes among 1,000 files within 2 of those among 10.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memoranda.memory import Memory

ROUNDS = 200
NOTE = "".join(f"- {n}: Acme Corp prefers email follow-ups\n" for n in range(12))
# A progress log as an agent keeps it: paths, numbers, times, names and plain words.
LOG = "".join(
    f"- [{'x' if n % 3 else ' '}] 2026-11-{n + 1:02} {9 + n % 8}:{n * 7 % 60:02} step {n}: "
    + ("ran tests in src/app/mod_{0}.py, {1} passed, {2} failed; see run {3:x}",
       "asked Dana at Acme Corp about invoice {1}; she answers next week",
       "the cache in build/{0} was stale: removed it, and the import went from {1} to {2} ms")[n % 3].format(
        n, n * 37 % 200, n % 5, n * 2654435761 % 2**32)
    + "\n"
    for n in range(22)
)[:2048]  # fmt: skip
Handle = Callable[[dict[str, Any]], object]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "memory.db") as memory:
        yield memory


def opened(memory: Memory, box: Path, kind: str) -> Handle:
    files = memory.files(f"bench:{kind}", folder=box / "memories" if kind == "folder" else None)

    def handle(call: dict[str, Any]) -> object:
        text, error = files.handle(call)
        assert not error, text
        return text

    return handle


def sdk(box: Path) -> Handle:
    tools = pytest.importorskip("anthropic.tools.memory")
    return tools.BetaLocalFilesystemMemoryTool(base_path=str(box / "sdk")).call


def call_of(command: str, n: int) -> dict[str, Any]:
    """The n-th call of one kind; in order create, view, str_replace, insert, rename, delete they all work."""
    path = f"/memories/note-{n}.md"
    return {
        "create": {"path": path, "file_text": NOTE},
        "view": {"path": path},
        "str_replace": {"path": path, "old_str": "- 3: Acme", "new_str": "- 3: ACME"},
        "insert": {"path": path, "insert_line": 2, "insert_text": "a line more"},
        "rename": {"old_path": path, "new_path": f"/memories/moved-{n}.md"},
        "delete": {"path": f"/memories/moved-{n}.md"},
    }[command] | {"command": command}


COMMANDS = ("create", "view", "str_replace", "insert", "rename", "delete")


def cpu(handle: Handle, call: dict[str, Any]) -> float:
    start = time.process_time()
    handle(call)
    return time.process_time() - start


@pytest.mark.parametrize("kind", ["rows", "folder"])
def bench_against_the_sdk(benchmark: Any, memory: Memory, tmp_path: Path, kind: str) -> None:
    ours, theirs = opened(memory, tmp_path, kind), sdk(tmp_path)
    for command in COMMANDS:
        pairs = [
            (cpu(ours, call), cpu(theirs, call))
            for call in (call_of(command, n) for n in range(ROUNDS))
        ]
        mine, other = (statistics.mean(times) for times in zip(*pairs, strict=True))
        benchmark.extra_info[f"{command} ratio"] = round(mine / other, 2)
        benchmark.extra_info[f"{command} us"] = round(mine * 1e6)
    ours(call_of("create", 0))
    benchmark(lambda: ours(call_of("view", 0)))


@pytest.mark.parametrize("kind", ["rows", "folder"])
def bench_2_kb_against_the_sdk(benchmark: Any, memory: Memory, tmp_path: Path, kind: str) -> None:
    ours, theirs = opened(memory, tmp_path, kind), sdk(tmp_path)
    assert len(LOG) == 2048
    for command in COMMANDS[:4]:
        pairs = []
        for n in range(ROUNDS):
            call = call_of(command, n)
            change = {
                "create": {"file_text": LOG},
                "str_replace": {"old_str": "step 3:", "new_str": "(3)"},
            }
            call |= change.get(command, {})
            pairs.append((cpu(ours, call), cpu(theirs, call)))
        mine, other = (statistics.mean(times) for times in zip(*pairs, strict=True))
        benchmark.extra_info[f"{command} ratio"] = round(mine / other, 2)
        benchmark.extra_info[f"{command} us"] = round(mine * 1e6)
    benchmark(lambda: ours(call_of("view", 0)))


@pytest.mark.parametrize("kind", ["rows", "folder"])
def bench_among_many_files(benchmark: Any, memory: Memory, tmp_path: Path, kind: str) -> None:
    few, many = (opened(memory, tmp_path / str(n), f"{kind}{n}") for n in (10, 1000))
    if kind == "folder":
        few, many = (opened_at(memory, tmp_path / f"f{n}", f"bench:{n}") for n in (10, 1000))
    for handle, count in ((few, 10), (many, 978)):
        for n in range(count):
            handle({"command": "create", "path": f"/memories/other-{n}", "file_text": "x\n"})
    for command in COMMANDS:
        pairs = []
        for n in range(20):
            call = call_of(command, n)
            pairs.append((cpu(many, call), cpu(few, call)))
        mine, other = (statistics.median(times) for times in zip(*pairs, strict=True))
        benchmark.extra_info[f"{command} ratio"] = round(mine / other, 2)
    many(call_of("create", 0))
    benchmark(lambda: many(call_of("view", 0)))


def opened_at(memory: Memory, folder: Path, subject: str) -> Handle:
    files = memory.files(subject, folder=folder)

    def handle(call: dict[str, Any]) -> object:
        text, error = files.handle(call)
        assert not error, text
        return text

    return handle
