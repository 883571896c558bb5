"""The SQLite store without an event loop: `async def` that never suspends."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from memoranda.ports import Row, Scrubbed, Tx
from memoranda.stores.sqlite import care
from memoranda.stores.sqlite.engine import Engine

T = TypeVar("T")


def open_blocking(
    path: str | os.PathLike[str], create: bool = True, busy_seconds: float = 30.0
) -> SqliteStore:
    """Open the store at `path`, making it if there is none and `create` is true; ":memory:" keeps nothing.

    `busy_seconds` is how long a call waits for other writers before `StoreBusy`. Raises `StoreMissing`,
    `ForeignStore`, `CorruptStore`, `NewerStore`, `StoreFull` or `StoreError`; what is at `path` is then unchanged.
    """
    return SqliteStore(Engine(path, create, busy_seconds))


def memory_store() -> SqliteStore:
    """A store that lives in this process alone: the fake, and a real store too."""
    return open_blocking(":memory:")


class SqliteStore:
    """The blocking store. All methods finish in one step; see `memoranda.ports.Store` for what they promise."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @property
    def place(self) -> str:
        """The file's path, or ":memory:"."""
        return self._engine.place

    async def rows(self, name: str, /, **params: Any) -> list[Row]:
        """Run the named query outside a transaction and return all its rows."""
        return self._engine.rows(name, params)

    async def atomic(self, body: Callable[[Tx], Awaitable[T]]) -> T:
        """Run `body(tx)` in one write transaction; any exception rolls it back. May run `body` more than once."""
        return self._engine.atomic(body)

    async def scrub(self, needles: Sequence[str]) -> Scrubbed:
        """Make deleted text unreadable in the store's files and count what is left of `needles` there."""
        return care.scrub(self._engine, needles)

    async def measure(self) -> dict[str, int]:
        """Bytes of the store's files, and of the free pages inside the database."""
        return care.measure(self._engine)

    async def check(self) -> list[str]:
        """What SQLite's integrity check finds wrong, at most 20 findings; reads the whole store."""
        return care.check(self._engine)

    async def close(self) -> None:
        """Close the connection; calling it twice is harmless."""
        self._engine.close()
