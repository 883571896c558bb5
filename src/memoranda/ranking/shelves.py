"""What was read and prepared for ranking, kept in memory: bounded, the least lately used goes first.

Whoever takes something from here asks first whether it is still right: each thing carries the change number it was
made at.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from contextlib import AbstractContextManager, nullcontext
from typing import Any


class Shelves:
    """Things by name, each with its size in rows; together at most `most` rows.

    lock: what threads that share it take turns by; whoever puts the parts of a face together gives it.
    """

    def __init__(self, most: int, lock: AbstractContextManager[object] | None = None) -> None:
        self._most = most
        self._held: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = nullcontext() if lock is None else lock
        self.rows = 0
        """The size of all that is held."""

    def get(self, name: Hashable) -> Any:
        """The thing of this name, or None."""
        with self._lock:
            if name not in self._held:
                return None
            self._held.move_to_end(name)
            return self._held[name][0]

    def put(self, name: Hashable, thing: Any, size: int) -> None:
        """Keep a thing, and let go of others if there are too many rows. One that is too large alone is not kept.

        Nothing counts for less than a row: whoever asks about many who have nothing must not fill the memory.
        """
        size = max(1, size)
        with self._lock:
            self._let_go(name)
            if size <= self._most:
                self._held[name] = thing, size
                self.rows += size
            while self.rows > self._most:
                self._let_go(next(iter(self._held)))

    def _let_go(self, name: Hashable) -> None:
        _, size = self._held.pop(name, (None, 0))
        self.rows -= size
