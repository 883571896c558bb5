"""Read the bytes of files that SQLite may have open in this process, without breaking its locks.

POSIX drops all of a process's locks on a file as soon as the process closes any descriptor of that file. To open, read
and close a database behind SQLite's back would let other processes delete a log that is in use. So where the
process already has a descriptor of the file, that one is read; only otherwise the file is opened.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import threading
from collections.abc import Iterator

# The ending of a store that is being made: whose it is, and a random part.
TEMPORARY = re.compile(r"\.new-(\d+)-[0-9a-f]{16}(-wal|-shm|-journal)?")

# Two threads that look and then open must not cross.
_GUARD = threading.RLock()


def companions(file: str) -> tuple[str, str, str]:
    """The files that SQLite keeps beside a database."""
    return f"{file}-wal", f"{file}-shm", f"{file}-journal"


def temporaries(file: str) -> list[str]:
    """What makers of the store at `file` have left beside it, and what they are building now."""
    folder, name = os.path.split(file)
    return [
        os.path.join(folder, entry)
        for entry in sorted(os.listdir(folder))
        if entry.startswith(name) and TEMPORARY.fullmatch(entry, len(name))
    ]


def read_start(file: str, size: int) -> bytes:
    """The first `size` bytes of `file`, fewer if it is shorter."""
    with descriptor_of(file) as descriptor:
        return os.pread(descriptor, size, 0)


@contextlib.contextmanager
def descriptor_of(file: str) -> Iterator[int]:
    """A descriptor for `os.pread`: the process's own if it has one, else one that is closed at the end."""
    with _GUARD:
        known = os.stat(file)
        held = _held(known)
        # Never wait for the other end of a pipe that took the file's place.
        descriptor = (
            os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)) if held is None else held
        )
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError(0, "not an ordinary file")
            yield descriptor
        finally:
            if held is None:
                os.close(descriptor)


def _held(known: os.stat_result) -> int | None:
    try:
        names = os.listdir("/dev/fd")
    except OSError:
        return None  # no such listing, as on Windows, where locks do not work this way
    for name in names:
        with contextlib.suppress(OSError, ValueError):
            have = os.fstat(int(name))
            if (have.st_dev, have.st_ino) == (known.st_dev, known.st_ino):
                return int(name)
    return None
