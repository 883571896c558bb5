"""Writers and attackers as processes of their own. Run as `python processes.py WHAT BOX KIND ...`."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

from memoranda.memory import Memory
from memoranda.settings import Settings

SETTINGS = Settings(file_bytes=1_048_576, file_versions=3)
BIG = 200_000


def opened(box: Path, kind: str):
    memory = Memory.open(box / "memory.db", settings=SETTINGS)
    return memory.files("agent:attacked", folder=box / "memories" if kind == "folder" else None)


def edits(box: Path, kind: str, name: str, count: str) -> None:
    """Append lines to one file by insert and by str_replace in turn; print how many were acknowledged."""
    files, acknowledged = opened(box, kind), 0
    for n in range(int(count)):
        if n % 2:
            call = {"command": "insert", "insert_line": 1, "insert_text": f"{name}-{n}"}
        else:
            call = {
                "command": "str_replace",
                "old_str": "start\n",
                "new_str": f"start\n{name}-{n}\n",
            }
        _, error = files.handle({**call, "path": "/memories/log"})
        acknowledged += not error
    print(acknowledged)


def rewrites(box: Path, kind: str) -> None:
    """Replace a big file by another, without end: to be killed."""
    files = opened(box, kind)
    print("ready", flush=True)
    old = files.read("big").text[0]
    while True:
        new = "B" if old == "A" else "A"
        call = {
            "command": "str_replace",
            "path": "/memories/big",
            "old_str": old * BIG,
            "new_str": new * BIG,
        }
        text, error = files.handle(call)
        if error:
            sys.exit(text)
        old = new


def swaps(one: str, other: str) -> None:
    """Exchange two names without end: a folder and a link, as fast as the system can."""
    exchange = ctypes.CDLL(None).renameat2
    print("ready", flush=True)
    while True:
        exchange(-100, os.fsencode(one), -100, os.fsencode(other), 2)


if __name__ == "__main__":
    what, *given = sys.argv[1:]
    if what == "swaps":
        swaps(*given)
    box, *rest = given
    {"edits": edits, "rewrites": rewrites}[what](Path(box), *rest)
