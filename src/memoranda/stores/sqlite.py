"""SQLite behind the store port, without an event loop: `async def` that never suspends.

WAL, `synchronous=FULL`, `secure_delete`; every write transaction is BEGIN IMMEDIATE. One connection, one lock: a store
may be shared by threads. Other processes wait their turn in `atomic`, fairly (see `_wait`).
"""

from __future__ import annotations

import os
import random
import sqlite3
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from memoranda.errors import (
    Conflict,
    NestedTransaction,
    StoreBusy,
    StoreClosed,
    UsageError,
)
from memoranda.ports import Row, Tx
from memoranda.step import step
from memoranda.stores import sqlite_open
from memoranda.stores.queries import Query, load
from memoranda.stores.sqlite_faults import DRIVER_ERRORS, translated

T = TypeVar("T")
NONE: Mapping[str, Any] = {}


def open_blocking(
    path: str | os.PathLike[str], create: bool = True, busy_seconds: float = 30.0
) -> SqliteStore:
    """Open the store at `path`, making it if there is none and `create` is true; ":memory:" keeps nothing.

    `busy_seconds` is how long a call waits for other writers before `StoreBusy`. Raises `StoreMissing`,
    `ForeignStore`, `CorruptStore`, `NewerStore`, `StoreFull` or `StoreError`; whatever is at `path` is then unchanged.
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
        """Run `body(tx)` in one write transaction; it commits when `body` returns and rolls back on any exception."""
        return self._engine.atomic(body)

    async def close(self) -> None:
        """Close the connection; calling it twice is harmless."""
        self._engine.close()


class Engine:
    """One connection and what both colours do with it, as plain functions. Made by the `open_*` functions."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        create: bool = True,
        busy_seconds: float = 30.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._lock = threading.RLock()
        self._pid = os.getpid()
        self._busy_seconds = busy_seconds
        self._sleep = sleep
        self._inside = False
        self.queries: Mapping[str, Query] = load("sqlite")
        self._begin, self._commit, self._rollback = (
            self.queries[name].text for name in ("begin", "commit", "rollback")
        )
        self.place, self.file = sqlite_open.locate(path)
        self._connection: sqlite3.Connection | None = self.patiently(
            lambda: sqlite_open.connect(self.file, create), "open"
        )

    def rows(self, name: str, params: dict[str, Any]) -> list[Row]:
        """All rows of a reading query, outside a transaction."""
        query = self.query(name, params)
        if query.writes:
            raise UsageError(f"the query {name!r} writes; use it inside atomic")
        if self._pid != os.getpid():
            raise StoreClosed(f"{self.place}: {_FORKED}")
        with self._lock:
            if self._inside or self._connection is None:
                self._refuse()
            assert self._connection is not None
            try:
                return self._connection.execute(query.text, params).fetchall()
            except DRIVER_ERRORS:
                # Rare: found again, named and, if others are in the way, waited for.
                return self.patiently(lambda: self.execute(query.text, params, name), name)

    def atomic(self, body: Callable[[Tx], Awaitable[T]]) -> T:
        """Run `body` in one write transaction, again after a `Conflict`, until the waiting time is over."""
        with self.connection() as connection:
            return self.patiently(lambda: self._attempt(connection, body), "atomic")

    def close(self) -> None:
        """Close the connection. In a forked child it is only let go: its files belong to the parent."""
        if self._pid != os.getpid():
            return
        with self._lock:
            if self._inside:
                raise NestedTransaction(f"{self.place}: close inside atomic")
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """The open connection, for this thread alone."""
        if self._pid != os.getpid():
            raise StoreClosed(f"{self.place}: {_FORKED}")
        with self._lock:
            if self._inside or self._connection is None:
                self._refuse()
            assert self._connection is not None
            yield self._connection

    def patiently(self, attempt: Callable[[], T], doing: str) -> T:
        """Call `attempt` until it raises no `Conflict`; `StoreBusy` after the waiting time.

        SQLite's own back-off sleeps longer the longer one has waited, so that newcomers overtake and the oldest may
        starve. Here sleeps grow shorter with the time waited: the oldest asks most often.
        """
        start = time.monotonic()
        while True:
            try:
                return attempt()
            except Conflict:
                waited = time.monotonic() - start
            if waited >= self._busy_seconds:
                raise StoreBusy(
                    f"{self.place}: others held it for {waited:.1f} s ({doing}); nothing was written; "
                    "try again later or raise the waiting time"
                )
            self._sleep(_pause(waited))

    def query(self, name: str, params: Mapping[str, Any]) -> Query:
        """The named query; `UsageError` unless `params` are exactly its parameters."""
        query = self.queries.get(name)
        if query is None:
            raise UsageError(f"no query is named {name!r}")
        if params.keys() != query.params:
            missing, spare = (
                sorted(query.params - params.keys()),
                sorted(params.keys() - query.params),
            )
            raise UsageError(
                f"query {name!r}: missing parameters {missing}, spare parameters {spare}"
            )
        return query

    def execute(self, text: str, params: Mapping[str, Any] = NONE, doing: str = "") -> list[Row]:
        """All rows of one statement on the open connection; the driver's errors become ours."""
        assert self._connection is not None
        try:
            return self._connection.execute(text, params).fetchall()
        except DRIVER_ERRORS as error:
            raise translated(error, self.place, doing or text) from None

    def _attempt(self, connection: sqlite3.Connection, body: Callable[[Tx], Awaitable[T]]) -> T:
        tx = _Tx(self, connection)
        self._inside = True
        try:
            self.execute(self._begin)
            result = step(_awaited(body, tx))
            self.execute(self._commit)
            return result
        finally:
            # Whatever went wrong, KeyboardInterrupt too: no transaction outlives its body.
            tx.over = True
            self._inside = False
            if connection.in_transaction:
                self.execute(self._rollback)

    def _refuse(self) -> None:
        if self._connection is None:
            raise StoreClosed(f"{self.place}: the store is closed; open it again")
        raise NestedTransaction(f"{self.place}: inside atomic use the methods of tx")


_FORKED = "opened before a fork; open it again in this process"


class _Tx:
    """The transaction of one attempt; of no use after it."""

    __slots__ = ("_connection", "_engine", "over")

    def __init__(self, engine: Engine, connection: sqlite3.Connection) -> None:
        self._engine = engine
        self._connection = connection
        self.over = False

    async def rows(self, name: str, /, **params: Any) -> list[Row]:
        # All rows are fetched at once: a statement that is still open would keep COMMIT from working.
        return self._execute(name, params)[0]

    async def run(self, name: str, /, **params: Any) -> int:
        return self._execute(name, params)[1]

    async def run_many(self, name: str, params: Sequence[dict[str, Any]], /) -> None:
        self._check_open()
        texts = {self._engine.query(name, each).text for each in params}
        try:
            for text in texts:
                self._connection.executemany(text, params)
        except DRIVER_ERRORS as error:
            raise translated(error, self._engine.place, name) from None

    def _execute(self, name: str, params: dict[str, Any]) -> tuple[list[Row], int]:
        self._check_open()
        query = self._engine.query(name, params)
        try:
            cursor = self._connection.execute(query.text, params)
            # The count of a RETURNING statement is 0 until its rows are fetched.
            return cursor.fetchall(), cursor.rowcount
        except DRIVER_ERRORS as error:
            raise translated(error, self._engine.place, name) from None

    def _check_open(self) -> None:
        if self.over:
            raise UsageError("this transaction is over; use tx only inside the body of atomic")


async def _awaited(body: Callable[[Tx], Awaitable[T]], tx: Tx) -> T:
    return await body(tx)


def _pause(waited: float) -> float:
    return random.uniform(0.5, 1.5) * 0.002 / (1 + 8 * waited)
