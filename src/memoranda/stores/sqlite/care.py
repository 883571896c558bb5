"""Upkeep of a SQLite store: make deleted text unreadable and prove it, measure, check."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from memoranda.errors import (
    Conflict,
    CorruptStore,
    StoreBusy,
    StoreError,
    UsageError,
)
from memoranda.ports import Scrubbed
from memoranda.stores.sqlite.engine import Engine
from memoranda.stores.sqlite.files import companions, read_at, temporaries
from memoranda.stores.sqlite.opening import MEMORY
from memoranda.wordings import spellings

_CHUNK = 1 << 20
_CHECKS = ("check_facts_index", "check_turns_index")
_MERGING = (
    "begin",
    "drop_gone_facts",
    "drop_gone_turns",
    "clear_gone",
    "merge_facts_index",
    "merge_turns_index",
    "commit",
)
# A reader that is gone sooner than this does not keep old pages in the log.
_PATIENCE_SECONDS = 2.0


def scrub(engine: Engine, needles: Sequence[str]) -> Scrubbed:
    """Empty the write-ahead log, search the bytes of every file, and rebuild the database if copies are left.

    Deleted rows were overwritten as they were deleted (`secure_delete`); the log still holds them until it is cut off,
    which an open reader prevents; without needles that is all. A copy that remains lies in a page which some other
    program freed without overwriting, or in a row that is still there: rebuilding removes the first kind. ASCII
    letters match in any case.
    """
    forms = needle_forms(needles)
    with engine.connection() as connection:
        _merge_indexes(engine, connection)
        blocked = not _cleared(engine, connection)
        if not forms:
            return Scrubbed(0, blocked)
        hits, searched = _search(engine, connection, forms)
        if hits and not blocked:
            blocked = not _rebuilt(engine, connection)
            hits, searched = _search(engine, connection, forms)
    return Scrubbed(hits, blocked, searched)


def _merge_indexes(engine: Engine, connection: sqlite3.Connection) -> None:
    """Take what is gone out of the indexes of words, and with it the words that they keep until they are merged."""

    def attempt() -> None:
        if not engine.execute(connection, "gone_count")[0][0]:
            return
        try:
            for name in _MERGING:
                engine.execute(connection, name)
        finally:
            engine.end(connection)

    engine.patiently(attempt, "scrub")


def measure(engine: Engine) -> dict[str, int]:
    """Bytes: `database`, `wal`, and `free` (inside the database, to be used again)."""
    with engine.connection() as connection:
        size, count, free = (
            int(engine.execute(connection, name)[0][0])
            for name in ("page_size", "page_count", "free_pages")
        )
    database, wal = size * count, 0
    if engine.file is not None:
        log = companions(engine.file)[0]
        database, wal = engine.file.stat().st_size, log.stat().st_size if log.exists() else 0
    return {"database": database, "wal": wal, "free": size * free}


def check(engine: Engine) -> list[str]:
    """The findings of SQLite's check of pages and indexes, and of the indexes of words; empty when all is well."""
    with engine.connection() as connection:
        try:
            found = engine.patiently(lambda: engine.execute(connection, "integrity"), "check")
        except CorruptStore as error:
            return [str(error)]
        words = [name for name in _CHECKS if not _sound(engine, connection, name)]
    said = [f"the index of words is damaged ({name.removeprefix('check_')})" for name in words]
    return [text for (text,) in found if text != "ok"] + said


def _sound(engine: Engine, connection: sqlite3.Connection, name: str) -> bool:
    """Whether an index of words agrees with itself: the engine's own check does not look there."""
    try:
        engine.patiently(lambda: engine.execute(connection, name), "check")
    except CorruptStore:
        return False
    return True


def needle_forms(needles: Sequence[str]) -> list[bytes]:
    """The byte strings to look for: each needle in all its spellings, ASCII folded."""
    if not all(needle.strip() for needle in needles):
        raise UsageError("nothing to search for: a needle is empty")
    return spellings(needles)


def count_in(chunks: Iterable[bytes], forms: Sequence[bytes]) -> int:
    """How often any of `forms` occurs in the joined `chunks`, ASCII letters in any case; borders are no obstacle."""
    keep = max(map(len, forms), default=1) - 1
    hits, tail = 0, b""
    for chunk in chunks:
        block = tail + chunk.lower()
        # What lies wholly in the tail was counted with the chunk before.
        hits += sum(block.count(form, max(0, len(tail) - len(form) + 1)) for form in forms)
        tail = block[len(block) - keep :] if keep < len(block) else block
    return hits


def _search(
    engine: Engine, connection: sqlite3.Connection, forms: Sequence[bytes]
) -> tuple[int, tuple[str, ...]]:
    if engine.file is None:
        return count_in(_memory(connection), forms), (MEMORY,)
    hits, searched = 0, []
    for file in (engine.file, *companions(engine.file), *temporaries(engine.file)):
        try:
            hits += count_in(_chunks(file), forms)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise StoreError(f"{file}: cannot be searched ({error.strerror})") from None
        searched.append(str(file))
    return hits, tuple(searched)


def _chunks(file: Path) -> Iterator[bytes]:
    place = 0
    while chunk := read_at(file, _CHUNK, place):
        yield chunk
        place += len(chunk)


def _memory(connection: sqlite3.Connection) -> Iterator[bytes]:
    if hasattr(connection, "serialize"):
        yield connection.serialize()
    else:  # a build without it: the living rows at least
        yield from (line.encode() for line in connection.iterdump())


def _cleared(engine: Engine, connection: sqlite3.Connection) -> bool:
    def attempt() -> None:
        # The first column says whether someone was in the way.
        if engine.execute(connection, "checkpoint")[0][0]:
            raise Conflict(f"{engine.place}: a reader is in the way")

    return _in_time(engine, attempt)


def _rebuilt(engine: Engine, connection: sqlite3.Connection) -> bool:
    done = _in_time(engine, lambda: engine.execute(connection, "vacuum"))
    return done and _cleared(engine, connection)


def _in_time(engine: Engine, attempt: Callable[[], object]) -> bool:
    try:
        engine.patiently(attempt, "scrub", _PATIENCE_SECONDS)
    except StoreBusy:
        return False
    return True
