"""Cancelling a call on the threaded store: whole or not at all, and nobody else notices."""

import asyncio
import random
import time
from contextlib import suppress

import pytest

from memoranda.errors import StoreBusy, StoreClosed, StoreError
from memoranda.step import step
from memoranda.stores import queries
from memoranda.stores.sqlite import open_blocking, threads
from memoranda.stores.sqlite.threads import open_threaded
from memoranda.testing.stores import put

SLOW = queries.parse(
    """-- name: slow
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :most)
    SELECT count(*) FROM n;""",
    "this test",
)[0]


async def opened(path):
    store = await open_threaded(path)
    store._engine.queries = {**store._engine.queries, "slow": SLOW}
    return store


async def cancelled(task, after):
    await asyncio.sleep(after)
    task.cancel()
    start = time.monotonic()
    with pytest.raises(asyncio.CancelledError):
        await task
    return time.monotonic() - start


def test_a_long_statement_stops_when_its_caller_is_cancelled(tmp_path):
    async def main():
        store = await opened(tmp_path / "memory.db")
        read = asyncio.create_task(store.rows("slow", most=10**9))
        assert await cancelled(read, 0.1) < 2

        async def body(tx):
            await tx.run("set_meta", key="a", value="1")
            await tx.rows("slow", most=10**9)

        write = asyncio.create_task(store.atomic(body))
        assert await cancelled(write, 0.1) < 2
        assert await store.rows("list_meta") == []
        assert await put(store, "b", "2") == 1
        await store.close()

    asyncio.run(main())


def test_a_caller_that_waits_for_another_process_can_be_cancelled(tmp_path):
    async def main():
        store = await opened(tmp_path / "memory.db")
        other = open_blocking(tmp_path / "memory.db")
        holder = other._engine._connection
        holder.execute("BEGIN IMMEDIATE")
        assert await cancelled(asyncio.create_task(put(store, "a", "1")), 0.1) < 2
        holder.execute("ROLLBACK")
        assert await store.rows("list_meta") == []
        await put(store, "a", "1")
        step(other.close())
        await store.close()

    asyncio.run(main())


def test_a_call_still_in_the_queue_is_never_run(tmp_path):
    async def main():
        store = await opened(tmp_path / "memory.db")
        first = asyncio.create_task(store.rows("slow", most=3_000_000))
        second = asyncio.create_task(put(store, "a", "1"))
        assert await cancelled(second, 0.05) < 0.5
        assert await first == [(3_000_000,)]
        assert await store.rows("list_meta") == []
        await store.close()

    asyncio.run(main())


def test_a_job_that_is_over_stops_no_other(tmp_path):
    async def main():
        store = await opened(tmp_path / "memory.db")
        read = asyncio.create_task(store.rows("slow", most=3_000_000))
        for _ in range(10):
            await asyncio.sleep(0.01)
            store._worker._halt(threads._Job())  # what a late cancel of an earlier call comes to
        assert await read == [(3_000_000,)]
        await store.close()

    asyncio.run(main())


def test_many_cancelled_writers_beside_innocent_ones(tmp_path):
    async def main():
        store = await opened(tmp_path / "memory.db")
        chance = random.Random(1)
        acknowledged, innocent = set(), []

        async def pair(name):
            async def body(tx):
                await tx.run("add_meta", key=f"{name}/1", value="v")
                await tx.rows("slow", most=chance.randrange(1, 20_000))
                await tx.run("add_meta", key=f"{name}/2", value="v")

            await store.atomic(body)
            acknowledged.add(name)

        async def bystander():
            for number in range(200):
                await put(store, f"innocent/{number}", "v")
                await asyncio.sleep(0)
            innocent.append(True)

        aside = asyncio.create_task(bystander())
        for name in range(300):
            task = asyncio.create_task(pair(name))
            await asyncio.sleep(chance.random() * 0.004)
            task.cancel()
            if name % 5 == 0:
                await asyncio.sleep(0)
                task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await aside
        found = {key for key, _ in await store.rows("list_meta")}
        whole = {name for name in range(300) if {f"{name}/1", f"{name}/2"} <= found}
        torn = {name for name in range(300) if f"{name}/1" in found} ^ whole
        assert torn == set()
        assert acknowledged <= whole
        assert innocent == [True]
        assert len(found) == 200 + 2 * len(whole)
        assert len(whole) < 300  # some were stopped, or this shows nothing
        await store.close()

    asyncio.run(main())


def test_cancelled_while_opening_leaves_nothing_open(tmp_path):
    async def main():
        for delay in (0, 0.0005, 0.001, 0.002, 0.005):
            task = asyncio.create_task(open_threaded(tmp_path / "memory.db"))
            await asyncio.sleep(delay)
            task.cancel()
            with suppress(asyncio.CancelledError):
                await (await task).close()
        store = await open_threaded(tmp_path / "memory.db")
        await store.close()

    asyncio.run(main())
    assert [place.name for place in tmp_path.iterdir()] == ["memory.db"]


def test_opening_fails_in_both_colours_alike(tmp_path):
    (tmp_path / "text").write_text("my shopping list")
    messages = []
    for way in (lambda p: asyncio.run(open_threaded(p)), open_blocking):
        with pytest.raises(StoreError) as caught:
            way(tmp_path / "text")
        messages.append((type(caught.value), str(caught.value)))
    assert messages[0] == messages[1]


def test_the_caller_s_context_reaches_the_body(tmp_path):
    from contextvars import ContextVar

    who = ContextVar("who", default="nobody")

    async def main():
        store = await open_threaded(tmp_path / "memory.db")
        who.set("asha")

        async def body(tx):
            return who.get()

        assert await store.atomic(body) == "asha"
        await store.close()

    asyncio.run(main())


def test_calls_while_it_closes_are_served_or_refused(tmp_path):
    async def main():
        store = await opened(tmp_path / "memory.db")
        results = await asyncio.gather(
            *(put(store, f"k{n}", "v") for n in range(5)),
            store.close(),
            store.close(),
            *(store.rows("list_meta") for _ in range(5)),
            return_exceptions=True,
        )
        assert results[:7] == [1] * 5 + [None] * 2
        assert all(isinstance(r, StoreClosed) for r in results[7:])

    asyncio.run(main())


def test_waiting_ends_in_store_busy(tmp_path):
    async def main():
        store = await open_threaded(tmp_path / "memory.db", busy_seconds=0.1)
        other = open_blocking(tmp_path / "memory.db")
        other._engine._connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy):
            await put(store, "a", "1")
        step(other.close())
        await store.close()

    asyncio.run(main())


def test_a_rollback_that_is_interrupted_is_tried_again(tmp_path):
    store = open_blocking(tmp_path / "memory.db")
    engine = store._engine

    class Stubborn:
        def __init__(self, connection):
            self.connection, self.left = connection, 2

        def __getattr__(self, name):
            return getattr(self.connection, name)

        def execute(self, text, *given):
            if text == "ROLLBACK" and self.left:
                self.left -= 1
                import sqlite3

                raise sqlite3.OperationalError("interrupted")
            return self.connection.execute(text, *given)

    engine._connection = Stubborn(engine._connection)

    async def body(tx):
        await tx.run("set_meta", key="a", value="1")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        step(store.atomic(body))
    assert step(put(store, "b", "2")) == 1
    step(store.close())


def test_only_the_threaded_store_loads_asyncio():
    import subprocess
    import sys

    code = (
        "import sys; from memoranda.stores.sqlite import memory_store; memory_store();"
        "sys.exit('asyncio' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
    assert "asyncio" in vars(threads)
