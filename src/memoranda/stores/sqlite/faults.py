"""Turn what the SQLite driver raises into our own errors. No message repeats a value or a row."""

from __future__ import annotations

import sqlite3

from memoranda.errors import (
    Conflict,
    CorruptStore,
    MemorandaError,
    StoreClosed,
    StoreError,
    StoreFull,
    UsageError,
)

# What `execute` can raise: the driver's errors, and two of Python's own about parameters (a lone surrogate, an integer
# of more than 64 bits).
DRIVER_ERRORS = (sqlite3.Error, sqlite3.Warning, UnicodeEncodeError, OverflowError)

_NO_ROOM = "make room or give the right to write, then repeat the call; nothing was written"
_BUSY = (Conflict, "another connection is in the way")
_NO_RIGHT = (StoreFull, f"the file or its folder may not be written; {_NO_ROOM}")
_KNOWN: dict[int, tuple[type[MemorandaError], str]] = {
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_PROTOCOL: _BUSY,
    sqlite3.SQLITE_FULL: (StoreFull, f"the disk is full or a quota is used up; {_NO_ROOM}"),
    sqlite3.SQLITE_READONLY: _NO_RIGHT,
    sqlite3.SQLITE_CANTOPEN: _NO_RIGHT,
    sqlite3.SQLITE_PERM: _NO_RIGHT,
    sqlite3.SQLITE_CORRUPT: (CorruptStore, "the file is damaged; restore it from a backup"),
    sqlite3.SQLITE_NOTADB: (CorruptStore, "the file is damaged; restore it from a backup"),
    sqlite3.SQLITE_TOOBIG: (UsageError, "a text is larger than the engine can hold"),
    sqlite3.SQLITE_INTERRUPT: (StoreError, "interrupted; nothing was written"),
}


def translated(error: Exception, place: str, doing: str) -> MemorandaError:
    """Our error for a driver's error at `place`; `doing` is the query's name or a few words."""
    where = f"{place}: {doing}"
    if isinstance(error, UnicodeEncodeError):
        return UsageError(f"{where}: a text holds a lone surrogate; replace it before storing")
    if isinstance(error, OverflowError):
        return UsageError(f"{where}: an integer has more than 64 bits")
    if isinstance(error, (sqlite3.ProgrammingError, sqlite3.InterfaceError)):
        if "closed" in str(error):
            return StoreClosed(f"{where}: the store is closed")
        return UsageError(f"{where}: a parameter is missing or of a type that cannot be stored")
    return _by_code(_code(error), error, where)


def _by_code(code: int, error: Exception, where: str) -> MemorandaError:
    if code in _KNOWN:
        kind, text = _KNOWN[code]
        return kind(f"{where}: {text}")
    if code == sqlite3.SQLITE_IOERR:
        return _io(error, where)
    if code == sqlite3.SQLITE_CONSTRAINT:
        # The engine's text names table and columns, never a value.
        return StoreError(f"{where}: {error}")
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    return StoreError(f"{where}: the engine refused it ({name})")


def _io(error: Exception, where: str) -> StoreError:
    # A write cut off by a size limit is a full disk under another name.
    name = str(getattr(error, "sqlite_errorname", "SQLITE_IOERR"))
    if name in ("SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE", "SQLITE_IOERR_TRUNCATE"):
        return StoreFull(f"{where}: the disk would not take the bytes ({name}); {_NO_ROOM}")
    return StoreError(f"{where}: the disk failed ({name}); look at the system's log")


def _code(error: Exception) -> int:
    # The low byte is the primary result code, the rest says more.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
