"""One SQLite connection and what both colours do with it, as plain functions.

WAL, `synchronous=FULL`, `secure_delete`; every write transaction is BEGIN IMMEDIATE. One connection, one lock: a store
may be shared by threads. Other processes wait their turn, fairly (see `patiently`).
"""

from __future__ import annotations

import math
import os
import random
import sqlite3
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from memoranda.errors import (
    Conflict,
    MemorandaError,
    NestedTransaction,
    StoreBusy,
    StoreClosed,
    StoreError,
    StoreMissing,
    UsageError,
)
from memoranda.ports import Row, Tx
from memoranda.step import step
from memoranda.stores.queries import Query, load
from memoranda.stores.sqlite import opening
from memoranda.stores.sqlite.faults import DRIVER_ERRORS, translated
from memoranda.stores.sqlite.files import identity

T = TypeVar("T")
NONE: Mapping[str, Any] = {}
_FORKED = "opened before a fork; open it again in this process"


class Engine:
    """An open store. `path`, `create` and `busy_seconds` as in `open_blocking`; `sleep` waits for other writers."""

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
        self.queries = load("sqlite")
        self.place, self.file = opening.locate(path)
        self._connection: sqlite3.Connection | None = self.patiently(
            lambda: opening.connect(self.file, create), "open"
        )
        self._known = identity(self.file)

    def rows(self, name: str, params: dict[str, Any]) -> list[Row]:
        """All rows of a reading query, outside a transaction."""
        # Every recall comes through here, so this is one function and not five small ones.
        query = self.queries.get(name)
        if query is None or query.writes or len(params) != len(query.params):
            raise self._misuse(name, params, reading=True)
        if self._pid != os.getpid():
            raise StoreClosed(f"{self.place}: {_FORKED}")
        with self._lock:
            connection = self._connection
            if self._inside or connection is None:
                raise self._refusal()
            try:
                return connection.execute(query.text, params).fetchall()
            except DRIVER_ERRORS as error:
                found = self.explained(error, name, params)
            if not isinstance(found, Conflict):
                raise found
            return self.patiently(lambda: self.execute(connection, name, params), name)

    def atomic(self, body: Callable[[Tx], Awaitable[T]]) -> T:
        """Run `body` in one write transaction, again after a `Conflict`, until the time is over."""
        with self.connection() as connection:
            # Into a file without a name SQLite writes as before, and all of it is gone with the last connection.
            if identity(self.file) != self._known:
                raise StoreMissing(
                    f"{self.place}: it was moved, deleted or replaced since it was opened; nothing was written; "
                    "put it back, or open the store again"
                )
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

    def interrupt(self) -> None:
        """Stop the statement that runs now; called from another thread."""
        connection = self._connection
        if connection is not None and self._pid == os.getpid():
            connection.interrupt()

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """The open connection, for this thread alone."""
        if self._pid != os.getpid():
            raise StoreClosed(f"{self.place}: {_FORKED}")
        with self._lock:
            if self._inside or self._connection is None:
                raise self._refusal()
            yield self._connection

    def patiently(self, attempt: Callable[[], T], doing: str, most: float = math.inf) -> T:
        """Call `attempt` until it raises no `Conflict`; `StoreBusy` after the waiting time, `most` seconds at most.

        SQLite's own back-off sleeps longer the longer one has waited, so that newcomers overtake and the oldest may
        starve. Here sleeps grow shorter with the time waited: the oldest asks most often.
        """
        start = time.monotonic()
        while True:
            try:
                return attempt()
            except Conflict:
                waited = time.monotonic() - start
            if waited >= min(self._busy_seconds, most):
                raise StoreBusy(
                    f"{self.place}: others held it for {waited:.1f} s ({doing}); nothing was written; "
                    "try again later or raise the waiting time"
                )
            self._sleep(_pause(waited))

    def query(self, name: str, params: Mapping[str, Any]) -> Query:
        """The named query; `UsageError` unless it takes as many parameters as `params` has."""
        query = self.queries.get(name)
        # As many, and the driver misses none: then they are the right ones. Comparing sets costs more.
        if query is None or len(params) != len(query.params):
            raise self._misuse(name, params, reading=False)
        return query

    def execute(
        self, connection: sqlite3.Connection, name: str, params: Mapping[str, Any] = NONE
    ) -> list[Row]:
        """All rows of one named statement; the driver's errors become ours."""
        try:
            return connection.execute(self.queries[name].text, params).fetchall()
        except DRIVER_ERRORS as error:
            raise self.explained(error, name, params) from None

    def explained(
        self, error: Exception, name: str, params: Mapping[str, Any] = NONE
    ) -> MemorandaError:
        """Our error for what the driver raised when it ran the query `name`."""
        if params.keys() != self.queries[name].params:
            return self._misuse(name, params, reading=False)
        return translated(error, self.place, name)

    def _attempt(self, connection: sqlite3.Connection, body: Callable[[Tx], Awaitable[T]]) -> T:
        tx = _Tx(self, connection)
        self._inside = True
        try:
            self.execute(connection, "begin")
            result = step(_awaited(body, tx))
            self.execute(connection, "commit")
            return result
        finally:
            # Whatever went wrong, KeyboardInterrupt too: no transaction outlives its body.
            tx.over = True
            self._inside = False
            self.end(connection)

    def end(self, connection: sqlite3.Connection) -> None:
        """Leave no transaction open, whatever went wrong in it."""
        # More than once: the interrupt of a cancelled call may hit the ROLLBACK itself.
        for _ in range(5):
            if connection.in_transaction:
                with suppress(*DRIVER_ERRORS):
                    connection.execute(self.queries["rollback"].text)

    def _refusal(self) -> StoreError:
        if self._connection is None:
            return StoreClosed(f"{self.place}: the store is closed; open it again")
        return NestedTransaction(f"{self.place}: inside atomic use the methods of tx")

    def _misuse(self, name: str, params: Mapping[str, Any], reading: bool) -> UsageError:
        query = self.queries.get(name)
        if query is None:
            return UsageError(f"no query is named {name!r}")
        if reading and query.writes:
            return UsageError(f"the query {name!r} writes; use it inside atomic")
        missing, spare = sorted(query.params - params.keys()), sorted(params.keys() - query.params)
        return UsageError(f"query {name!r}: missing parameters {missing}, spare parameters {spare}")


class _Tx:
    """The transaction of one attempt; of no use after it."""

    __slots__ = ("_connection", "_engine", "over")

    def __init__(self, engine: Engine, connection: sqlite3.Connection) -> None:
        self._engine = engine
        self._connection = connection
        self.over = False

    async def rows(self, name: str, /, **params: Any) -> list[Row]:
        # All rows at once: a statement that is still open would keep COMMIT from working.
        return self._execute(name, params)[0]

    async def run(self, name: str, /, **params: Any) -> int:
        return self._execute(name, params)[1]

    async def run_many(self, name: str, params: Sequence[dict[str, Any]], /) -> None:
        self._check_open()
        try:
            for text in {self._engine.query(name, each).text for each in params}:
                self._connection.executemany(text, params)
        except DRIVER_ERRORS as error:
            raise self._engine.explained(error, name, params[0]) from None

    def _execute(self, name: str, params: dict[str, Any]) -> tuple[list[Row], int]:
        self._check_open()
        query = self._engine.query(name, params)
        try:
            cursor = self._connection.execute(query.text, params)
            # The count of a RETURNING statement is 0 until its rows are fetched.
            return cursor.fetchall(), cursor.rowcount
        except DRIVER_ERRORS as error:
            raise self._engine.explained(error, name, params) from None

    def _check_open(self) -> None:
        if self.over:
            raise UsageError("this transaction is over; use tx only inside the body of atomic")


async def _awaited(body: Callable[[Tx], Awaitable[T]], tx: Tx) -> T:
    return await body(tx)


def _pause(waited: float) -> float:
    # Chance keeps those who began together from meeting again and again; no secret hangs on it.
    return random.uniform(0.5, 1.5) * 0.002 / (1 + 8 * waited)
