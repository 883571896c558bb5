"""What was read and prepared for ranking, kept in memory: bounded, the least lately used goes first.

Whoever takes something from here asks first whether it is still right: each thing carries the change number it was
made at.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any


class Shelves:
    """Things by name, each with its size in rows; together at most `most` rows."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()

    def get(self, name: Hashable) -> Any:
        """The thing of this name, or None."""
        try:
            self._held.move_to_end(name)
            return self._held[name][0]
        except KeyError:  # never there, or another thread just let it go
            return None

    def put(self, name: Hashable, thing: Any, size: int) -> None:
        """Keep a thing, and let go of others if there are too many rows. One that is too large alone is not kept."""
        self._held.pop(name, None)
        if size <= self._most:
            self._held[name] = thing, size
        while self.rows > self._most:
            self._held.popitem(last=False)

    @property
    def rows(self) -> int:
        """The size of all that is held."""
        return sum(size for _, size in self._held.values())

    def clear(self) -> None:
        """Let go of everything."""
        self._held.clear()
