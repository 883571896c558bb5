"""What one acknowledged write costs beside the least it could cost, and one read beside bare sqlite3.

Writes: a raw append of 4 KiB and fdatasync against one `atomic` that bumps a change number and inserts a row.
Reads: `rows` against `execute(...).fetchall()` of the same statement on a bare connection. Both pairs are
alternated in one run, so that the ratios can be trusted on a busy machine.

    python bench/store_floor.py [--folder DIR] [--count 2000]
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time

from memoranda.ports import Tx
from memoranda.step import step
from memoranda.stores.queries import load
from memoranda.stores.sqlite import SqliteStore, open_blocking

PAGE = b"x" * 4096


def alternate(
    first: Callable[[], object],
    second: Callable[[], object],
    count: int,
    clock: Callable[[], float],
) -> tuple[list[float], list[float]]:
    """Seconds of each call of `first` and `second`, taken in turns."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(count):
        for work, out in zip((first, second), times, strict=True):
            start = clock()
            work()
            out.append(clock() - start)
    return times


def writes(store: SqliteStore, folder: str, count: int) -> None:
    """Print the ratio of an `atomic` to a raw append."""
    log = os.open(Path(folder) / "raw.log", os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    number = 0

    async def body(tx: Tx) -> None:
        await tx.rows("bump_subject", tenant="t", subject="user:1")
        await tx.run(
            "add_meta", key=f"note {number}", value="A sentence of about eighty characters. " * 2
        )

    def raw() -> None:
        os.write(log, PAGE)
        os.fdatasync(log)

    def ours() -> None:
        nonlocal number
        number += 1
        step(store.atomic(body))

    report("atomic / raw append + fdatasync", *alternate(raw, ours, count, perf_counter))
    os.close(log)


def reads(store: SqliteStore, file: str, count: int) -> None:
    """Print the ratio of `rows` to a bare connection, for one row and for many, in processor time."""
    bare = sqlite3.connect(file, isolation_level=None)
    queries = load("sqlite")
    for label, name, params in (
        ("rows, 1 row / bare sqlite3", "meta", {"key": "note 7"}),
        ("rows, 100 rows / bare sqlite3", "first_meta", {"most": 100}),
    ):
        text = queries[name].text

        def plain(text: str = text, params: dict[str, object] = params) -> object:
            return bare.execute(text, params).fetchall()

        def ours(name: str = name, params: dict[str, object] = params) -> object:
            return step(store.rows(name, **params))

        report(label, *alternate(plain, ours, count, process_time))
    bare.close()


def report(label: str, reference: list[float], ours: list[float]) -> None:
    """Print means, medians and the ratio of the means."""
    mean, base = statistics.mean(ours) * 1e6, statistics.mean(reference) * 1e6
    median, base50 = statistics.median(ours) * 1e6, statistics.median(reference) * 1e6
    print(
        f"{label}: mean {mean:.1f} / {base:.1f} us = {mean / base:.2f}; "
        f"median {median:.1f} / {base50:.1f} us = {median / base50:.2f}"
    )


def main() -> None:
    """Run both comparisons in a temporary folder."""
    parser = argparse.ArgumentParser(description="The store's floor")
    parser.add_argument(
        "--folder", default=None, help="where to write (default: the temporary folder)"
    )
    parser.add_argument("--count", type=int, default=2000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        file = str(Path(folder) / "memory.db")
        store = open_blocking(file)
        writes(store, folder, given.count)
        reads(store, file, given.count)
        step(store.close())


if __name__ == "__main__":
    main()
