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
    NestedTransaction,
    StoreBusy,
    StoreClosed,
    UsageError,
)
from memoranda.ports import Row, Tx
from memoranda.step import step
from memoranda.stores.queries import Query, load
from memoranda.stores.sqlite import opening
from memoranda.stores.sqlite.faults import DRIVER_ERRORS, translated

T = TypeVar("T")
NONE: Mapping[str, Any] = {}


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
        self.queries: Mapping[str, Query] = load("sqlite")
        self._begin, self._commit, self._rollback = (
            self.queries[name].text for name in ("begin", "commit", "rollback")
        )
        self.place, self.file = opening.locate(path)
        self._connection: sqlite3.Connection | None = self.patiently(
            lambda: opening.connect(self.file, create), "open"
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
                return self.execute(query.text, params, name)
            except Conflict:
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
                self._refuse()
            assert self._connection is not None
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

    def execute_named(self, name: str) -> list[Row]:
        """All rows of a named statement that takes no parameters."""
        return self.execute(self.queries[name].text, doing=name)

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
            self._end(connection)

    def _end(self, connection: sqlite3.Connection) -> None:
        # More than once: the interrupt of a cancelled call may hit the ROLLBACK itself.
        for _ in range(5):
            if connection.in_transaction:
                with suppress(*DRIVER_ERRORS):
                    connection.execute(self._rollback)

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
