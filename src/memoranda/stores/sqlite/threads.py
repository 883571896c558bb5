"""The SQLite store for event loops: the same engine on one worker thread.

A read is one job, and so is a whole `atomic`: the body is stepped on the worker thread, where no other task can slip
between BEGIN and COMMIT. A cancelled call stops its own statement and waits for the job's end before it raises.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from contextvars import copy_context
from typing import Any, TypeVar

from memoranda.errors import NestedTransaction, StoreClosed, StoreError
from memoranda.ports import Row, Scrubbed, Tx
from memoranda.stores.sqlite import care
from memoranda.stores.sqlite.engine import Engine

T = TypeVar("T")


async def open_threaded(
    path: str | os.PathLike[str], create: bool = True, busy_seconds: float = 30.0
) -> ThreadedSqliteStore:
    """Open the store at `path` on a thread of its own. Parameters and errors as in `open_blocking`."""
    worker = _Worker()
    with ExitStack() as undo:
        undo.callback(worker.stop)

        def work() -> Engine:
            engine = Engine(path, create, busy_seconds, worker.sleep)
            undo.callback(engine.close)  # if the caller is cancelled in the moment of success
            return engine

        engine = await worker.do(work)
        worker.interrupt = engine.interrupt
        undo.pop_all()
    return ThreadedSqliteStore(engine, worker)


class ThreadedSqliteStore:
    """The store for event loops. A cancelled `atomic` may still have committed; a repeat must be harmless."""

    def __init__(self, engine: Engine, worker: _Worker) -> None:
        self._engine = engine
        self._worker = worker

    @property
    def place(self) -> str:
        """The file's path, or ":memory:"."""
        return self._engine.place

    async def rows(self, name: str, /, **params: Any) -> list[Row]:
        """Run the named query outside a transaction and return all its rows."""
        return await self._do(lambda: self._engine.rows(name, params))

    async def atomic(self, body: Callable[[Tx], Awaitable[T]]) -> T:
        """Run `body(tx)` in one write transaction, on the worker thread; any exception rolls it back."""
        return await self._do(lambda: self._engine.atomic(body))

    async def scrub(self, needles: Sequence[str]) -> Scrubbed:
        """Make deleted text unreadable in the store's files and count what is left of `needles` there."""
        return await self._do(lambda: care.scrub(self._engine, needles))

    async def measure(self) -> dict[str, int]:
        """Bytes of the store's files, and of the free pages inside the database."""
        return await self._do(lambda: care.measure(self._engine))

    async def check(self) -> list[str]:
        """What SQLite's integrity check finds wrong, at most 20 findings; reads the whole store."""
        return await self._do(lambda: care.check(self._engine))

    async def close(self) -> None:
        """Close the connection after the calls that are under way; calling it twice is harmless."""
        if self._worker.lives:
            await self._do(self._engine.close)
            self._worker.stop()

    async def _do(self, work: Callable[[], T]) -> T:
        if self._worker.is_here():
            raise NestedTransaction(f"{self.place}: inside atomic use the methods of tx")
        if not self._worker.lives:
            raise StoreClosed(f"{self.place}: closed, or opened before a fork; open it again")
        return await self._worker.do(work)


class _Job:
    """A piece of work under way; `halted` once its caller was cancelled."""

    __slots__ = ("halted",)

    def __init__(self) -> None:
        self.halted = False


class _Worker:
    """One thread that does jobs in order."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="memoranda-store")
        self._pid = os.getpid()
        self._stopped = False
        self._guard = threading.Lock()
        self._current: _Job | None = None
        self._thread = 0
        self.interrupt: Callable[[], None] = lambda: None

    @property
    def lives(self) -> bool:
        """Whether jobs can be given to it: not stopped, and not left behind by a fork."""
        return not self._stopped and self._pid == os.getpid()

    def is_here(self) -> bool:
        """Whether the caller runs on the worker thread, inside a job."""
        return threading.get_ident() == self._thread

    async def do(self, work: Callable[[], T]) -> T:
        """The result of `work()`, done on the thread in the caller's context."""
        job = _Job()
        future: Future[T] = self._pool.submit(copy_context().run, self._run, job, work)
        waiter = asyncio.wrap_future(future)
        try:
            # Unlike `await waiter`, a cancelled wait leaves the waiter alone.
            await asyncio.wait((waiter,))
        except asyncio.CancelledError:
            if not future.cancel():
                self._halt(job)
                await _end_of(waiter)
            raise
        return waiter.result()

    def stop(self) -> None:
        """Take no more jobs."""
        self._stopped = True
        self._pool.shutdown(wait=False)

    def sleep(self, seconds: float) -> None:
        """Wait for other writers, unless the caller has been cancelled."""
        time.sleep(seconds)
        self._raise_if_halted(self._current)

    def _run(self, job: _Job, work: Callable[[], T]) -> T:
        with self._guard:
            self._raise_if_halted(job)
            self._current = job
            self._thread = threading.get_ident()
        try:
            return work()
        finally:
            with self._guard:
                self._current = None

    def _halt(self, job: _Job) -> None:
        with self._guard:
            job.halted = True
            # The guard proves that the statement to stop is still this job's and no innocent one's.
            if self._current is job:
                self.interrupt()

    @staticmethod
    def _raise_if_halted(job: _Job | None) -> None:
        if job is not None and job.halted:
            raise StoreError("interrupted; nothing was written")


async def _end_of(waiter: asyncio.Future[T]) -> None:
    while not waiter.done():
        try:
            await asyncio.wait((waiter,))
        except asyncio.CancelledError:
            continue  # cancelled twice: the first one is raised when the job is over
    if not waiter.cancelled():
        waiter.exception()  # looked at, so that the loop does not complain about it
