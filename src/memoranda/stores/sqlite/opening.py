"""Open, make and migrate a SQLite store. What is at the path and not ours is refused and left as it is.

A new store is built whole in a temporary file beside its place and then linked there, which fails when something is
there already: no other process ever sees half a store, and of several makers one wins.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import sqlite3
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from memoranda.errors import (
    CorruptStore,
    ForeignStore,
    NewerStore,
    StoreError,
    StoreFull,
    StoreMissing,
    UsageError,
)
from memoranda.stores.queries import Migration, load, migrations
from memoranda.stores.sqlite.faults import DRIVER_ERRORS, translated
from memoranda.stores.sqlite.files import companions, read_at, temporaries

MEMORY = ":memory:"
APPLICATION_ID = 0x4D656D6F  # 'Memo'; the first migration writes it
_MAGIC = b"SQLite format 3\0"
_STALE_SECONDS = 600
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EFBIG)


def locate(path: str | os.PathLike[str]) -> tuple[str, Path | None]:
    """The place as a person names it, and the file behind it with links followed (None: in memory)."""
    text: object = os.fspath(path)
    if not isinstance(text, str) or not text or "\0" in text:
        raise UsageError("the path of a store must be text, not empty, without NUL")
    if text == MEMORY:
        return MEMORY, None
    try:
        return str(Path(text).absolute()), Path(text).resolve()
    except (OSError, RuntimeError):
        raise StoreMissing(f"{text}: symbolic links that lead in a circle; name a file") from None


def connect(file: Path | None, create: bool) -> sqlite3.Connection:
    """A ready connection to the store in `file`, made or migrated if need be."""
    if file is None:
        return _ready(MEMORY, MEMORY)
    if not _exists(file):
        if not create:
            raise StoreMissing(f"{file}: no store is here; check the path, or allow to create one")
        _create(file)
    _check_start(file)
    # mode=rw: without it SQLite would make an empty file if ours vanished in this very moment.
    address = str(file).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return _ready(str(file), f"file:{address}?mode=rw")


def _ready(place: str, address: str) -> sqlite3.Connection:
    with contextlib.ExitStack() as undo:
        try:
            connection = sqlite3.connect(
                address,
                timeout=0,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=256,
                uri=address != MEMORY,
            )
            undo.callback(connection.close)
            _prepare(connection, place)
        except DRIVER_ERRORS as error:
            raise translated(error, place, "open") from None
        undo.pop_all()
    return connection


def _prepare(connection: sqlite3.Connection, place: str) -> None:
    queries = load("sqlite")
    for setting in ("set_synchronous", "set_secure_delete", "set_trusted_schema"):
        connection.execute(queries[setting].text)
    if place == MEMORY:
        migrate(connection, place)
        return
    if connection.execute(queries["application_id"].text).fetchone()[0] != APPLICATION_ID:
        raise ForeignStore(f"{place}: another program's database; name another file")
    if connection.execute(queries["journal_mode"].text).fetchone()[0] != "wal":
        connection.execute(queries["set_journal_mode"].text)
    migrate(connection, place)


def migrate(connection: sqlite3.Connection, place: str) -> None:
    """Bring the schema up to date, one transaction for each step; `NewerStore` if it is ahead of us."""
    steps = migrations("sqlite")
    version = _version(connection)
    while version < len(steps):
        _migrate_one(connection, steps)
        version = _version(connection)
    if version > len(steps):
        raise NewerStore(
            f"{place}: written by a newer Memoranda (schema {version}, this one knows {len(steps)}); "
            "upgrade Memoranda"
        )


def _migrate_one(connection: sqlite3.Connection, steps: tuple[Migration, ...]) -> None:
    queries = load("sqlite")
    connection.execute(queries["begin"].text)
    try:
        # Read again inside: another opener may have done this step while we waited.
        version = _version(connection)
        if version < len(steps):
            for statement in statements(steps[version].text):
                connection.execute(statement)
        connection.execute(queries["commit"].text)
    finally:
        if connection.in_transaction:
            connection.execute(queries["rollback"].text)


def statements(script: str) -> Iterator[str]:
    """The statements of a script, a trigger's body kept whole. (`executescript` would commit in between.)"""
    lines: list[str] = []
    for line in script.splitlines():
        lines.append(line)
        text = "\n".join(lines)
        if sqlite3.complete_statement(text):
            yield text
            lines = []
    if "\n".join(lines).strip():
        yield "\n".join(lines)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute(load("sqlite")["schema_version"].text).fetchone()[0])


def _exists(file: Path) -> bool:
    try:
        mode = file.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise StoreError(f"{file}: cannot be looked at ({error.strerror})") from None
    if not stat.S_ISREG(mode):
        raise ForeignStore(f"{file}: not an ordinary file; name another place")
    return True


def _check_start(file: Path) -> None:
    try:
        start = read_at(file, 100, 0)
    except PermissionError:
        raise StoreError(f"{file}: may not be read; give the right to read and write it") from None
    except OSError as error:
        raise StoreError(f"{file}: cannot be read ({error.strerror})") from None
    if not start:
        raise ForeignStore(
            f"{file}: an empty file; Memoranda does not fill files that it did not make: "
            "remove it, or name another place"
        )
    if not start.startswith(_MAGIC):
        raise ForeignStore(
            f"{file}: not a Memoranda store; it was left as it is; name another place"
        )
    if len(start) < 100:
        raise CorruptStore(f"{file}: cut off; restore it from a backup")
    if int.from_bytes(start[68:72], "big") != APPLICATION_ID:
        raise ForeignStore(
            f"{file}: another program's database; it was left as it is; name another place"
        )


def _create(file: Path) -> None:
    if not file.parent.is_dir():
        raise StoreMissing(f"{file}: the folder {file.parent} does not exist; make it first")
    try:
        _sweep(file)
        temp = file.with_name(f"{file.name}.new-{os.getpid()}-{secrets.token_hex(8)}")
        try:
            _build(temp)
            _publish(temp, file)
        finally:
            for place in (temp, *companions(temp)):
                place.unlink(missing_ok=True)
        _sync_folder(file.parent)
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise StoreFull(
                f"{file}: cannot be made here ({error.strerror}); make room, or name a place that "
                "may be written"
            ) from None
        raise StoreError(f"{file}: cannot be made here ({error.strerror})") from None


def _build(temp: Path) -> None:
    os.close(os.open(temp, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    connection = sqlite3.connect(temp, timeout=0, isolation_level=None)
    try:
        connection.execute(load("sqlite")["set_synchronous"].text)
        migrate(connection, str(temp))
        connection.execute(load("sqlite")["set_journal_mode"].text)
    except DRIVER_ERRORS as error:
        raise translated(error, str(temp), "make a store") from None
    finally:
        connection.close()


def _publish(temp: Path, file: Path) -> None:
    for left in companions(file):
        # SQLite would replay a log of an earlier file of this name into ours. If the file is here by now, another
        # maker has won and the log is its own.
        if left.exists() and not file.exists():
            raise ForeignStore(f"{left}: left over from an earlier store; move it away first")
    try:
        file.hardlink_to(temp)
    except FileExistsError:
        return  # another maker was first: theirs is opened
    except OSError as error:
        if error.errno not in (
            errno.EPERM,
            errno.ENOTSUP,
            errno.EOPNOTSUPP,
            errno.ENOSYS,
            errno.EMLINK,
        ):
            raise
        _publish_by_name(temp, file)


def _publish_by_name(temp: Path, file: Path) -> None:
    # For file systems without hard links: rename replaces what is there, so the makers take turns.
    import fcntl

    folder = os.open(file.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if not file.exists():
            temp.rename(file)
    finally:
        os.close(folder)


def _sweep(file: Path) -> None:
    for place, pid in temporaries(file).items():
        with contextlib.suppress(OSError):
            if not _alive(pid) or time.time() - place.stat().st_mtime > _STALE_SECONDS:
                place.unlink()


def _alive(pid: int) -> bool:
    if os.name != "posix":
        return True  # there, signal 0 would end the process
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
