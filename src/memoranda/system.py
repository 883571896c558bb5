"""The machine's clock, its source of identifiers (the ports `Clock` and `Ids`), and what is installed on it."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from memoranda.ports import Clock

_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS = tuple(high + low for high in _DIGITS for low in _DIGITS)
_SHIFTS = range(120, -1, -10)
_RANDOM_BITS = 80


def installed_version() -> str | None:
    """The version of the installed package; None in a checkout that was not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("memoranda")
    except PackageNotFoundError:
        return None


class SystemClock:
    """The machine's wall clock."""

    def now(self) -> int:
        """Microseconds since 1970, UTC."""
        return time.time_ns() // 1000


class SystemIds:
    """Identifiers of a prefix and 26 characters of lower-case base 32: milliseconds, then 80 random bits.

    Within a process they rise strictly, also when the clock steps back. After a fork the child starts from new
    random bits, so that parent and child never make the same one. May be used from several threads.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._restart()

    def new(self, prefix: str) -> str:
        """A new identifier that begins with `prefix` and sorts after all that this object made before."""
        return prefix + _base32(self._next())

    def _restart(self) -> None:
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self._last = 0

    def _next(self) -> int:
        if self._pid != os.getpid():
            # A fork: a new lock too, since a thread that is not here may have held the old one.
            self._restart()
        least = self._clock.now() // 1000 << _RANDOM_BITS
        with self._lock:
            if least > self._last:
                self._last = least | int.from_bytes(os.urandom(_RANDOM_BITS // 8), "big")
            else:
                self._last += 1
            return self._last


def _base32(number: int) -> str:
    return "".join([_PAIRS[number >> shift & 1023] for shift in _SHIFTS])


class FolderPlan:
    """Plan files of a folder, read anew each time. A name that leads out of it, or to no text, is not there."""

    def __init__(self, folder: str | os.PathLike[str], most_bytes: int = 1_000_000) -> None:
        self.folder, self.most_bytes = Path(folder).resolve(), most_bytes

    async def read(self, name: str) -> str | None:
        """The text of the file as it is now."""
        path = (self.folder / name).resolve()
        if not path.is_relative_to(self.folder) or not path.is_file():
            return None
        try:
            with path.open("rb") as stream:
                return stream.read(self.most_bytes).decode("utf-8", "replace")
        except OSError:
            return None
