"""Read the bytes of files that SQLite may have open in this process, without breaking its locks.

POSIX drops all of a process's locks on a file as soon as the process closes any descriptor of that file. To open,
read and close a database behind SQLite's back would let other processes delete a log that is in use. So where the
process already has a descriptor of the file, that one is read; only otherwise the file is opened.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
from pathlib import Path

# The ending of a store that is being made: whose it is, and a random part.
_TEMPORARY = re.compile(r"\.new-(\d+)-[0-9a-f]{16}(-wal|-shm|-journal)?")
_DESCRIPTORS = Path("/dev/fd")

# Two threads that look and then open must not cross.
_GUARD = threading.RLock()


def companions(file: Path) -> tuple[Path, Path, Path]:
    """The files that SQLite keeps beside a database: log, index of the log, roll-back journal."""
    wal, index, journal = (file.with_name(file.name + end) for end in ("-wal", "-shm", "-journal"))
    return wal, index, journal


def temporaries(file: Path) -> dict[Path, int]:
    """What makers of the store at `file` have left beside it or are building now, each with its process id."""
    found = {}
    for place in sorted(file.parent.iterdir()):
        if place.name.startswith(file.name):
            match = _TEMPORARY.fullmatch(place.name, len(file.name))
            if match:
                found[place] = int(match[1])
    return found


def identity(file: Path | None) -> tuple[int, int] | None:
    """Which file stands at this place now; None where there is none, and for a store in memory."""
    if file is None:
        return None
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def read_at(file: Path, size: int, place: int) -> bytes:
    """At most `size` bytes of `file` from the byte `place` on; empty at its end. Raises `OSError`."""
    with _GUARD:
        while (held := _held(file.stat())) is not None:
            read = os.pread(held, size, place)
            # Another connection may have closed it meanwhile, and another file have got its number.
            if _held(file.stat()) == held:
                return read
        # Never wait for the other end of a pipe that took the file's place.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        descriptor = os.open(file, flags)
        try:
            os.lseek(descriptor, place, os.SEEK_SET)
            return os.read(descriptor, size)
        finally:
            os.close(descriptor)


def _held(known: os.stat_result) -> int | None:
    if not _DESCRIPTORS.is_dir():
        return None  # as on Windows, where locks do not work this way
    for name in os.listdir(_DESCRIPTORS):
        with contextlib.suppress(OSError, ValueError):
            have = os.fstat(int(name))
            if (have.st_dev, have.st_ino) == (known.st_dev, known.st_ino):
                return int(name)
    return None
