"""Turn what the SQLite driver raises into our own errors. No message repeats a value or a row."""

from __future__ import annotations

import sqlite3

from memoranda.errors import (
    Conflict,
    CorruptStore,
    ForeignStore,
    MemorandaError,
    StoreClosed,
    StoreError,
    StoreFull,
    UsageError,
)

# What `execute` can raise: the driver's errors, and two of Python's own about parameters (a lone surrogate, an integer
# of more than 64 bits).
DRIVER_ERRORS = (sqlite3.Error, sqlite3.Warning, UnicodeEncodeError, OverflowError)

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_FULL_HINT = "make room or give the right to write, then repeat the call; nothing was written"


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


def _by_code(code: int, error: BaseException, where: str) -> MemorandaError:
    match code:
        case _ if code in _BUSY:
            return Conflict(f"{where}: another connection is in the way")
        case sqlite3.SQLITE_FULL:
            return StoreFull(f"{where}: the disk is full or a quota is used up; {_FULL_HINT}")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return StoreFull(f"{where}: the file or its folder may not be written; {_FULL_HINT}")
        case sqlite3.SQLITE_CORRUPT:
            return CorruptStore(f"{where}: the file is damaged; restore it from a backup")
        case sqlite3.SQLITE_NOTADB:
            return ForeignStore(f"{where}: not a database; name another file")
        case sqlite3.SQLITE_IOERR:
            return _io(error, where)
        case sqlite3.SQLITE_CONSTRAINT:
            # The engine's text names table and columns, never a value.
            return StoreError(f"{where}: {error}")
        case sqlite3.SQLITE_TOOBIG:
            return UsageError(f"{where}: a text is larger than the engine can hold")
        case sqlite3.SQLITE_INTERRUPT:
            return StoreError(f"{where}: interrupted; nothing was written")
        case _:
            name = getattr(error, "sqlite_errorname", type(error).__name__)
            return StoreError(f"{where}: the engine refused it ({name})")


def _io(error: BaseException, where: str) -> StoreError:
    # A write cut off by a size limit is a full disk under another name.
    name = str(getattr(error, "sqlite_errorname", "SQLITE_IOERR"))
    if name in ("SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE", "SQLITE_IOERR_TRUNCATE"):
        return StoreFull(f"{where}: the disk would not take the bytes ({name}); {_FULL_HINT}")
    return StoreError(f"{where}: the disk failed ({name}); look at the system's log")


def _code(error: BaseException) -> int:
    # The low byte is the primary result code, the rest says more.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
