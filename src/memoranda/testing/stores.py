"""What every store must do. A new back end passes it with one fixture:

    class TestMine(StoreSuite):
        colour = "loop"                      # "blocking" when no method ever suspends

        @pytest.fixture
        def make(self, tmp_path):            # each call opens the same data once more
            return lambda: open_mine(tmp_path)

The suite uses the tables `subjects` and `memoranda_meta` alone, through the queries of `sql/common/spine.sql`.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import Any, ClassVar, Literal

import pytest

from memoranda.errors import (
    Conflict,
    NestedTransaction,
    StoreClosed,
    StoreError,
    UsageError,
    WouldSuspend,
)
from memoranda.ports import Store, Tx
from memoranda.step import step

Make = Callable[[], Awaitable[Store]]
Flow = Callable[[Any, Make], Coroutine[Any, Any, None]]

ODD_TEXTS = (
    "",
    " ",
    'it\'s "quoted" -- and; /* commented */ :name %s %(x)s ? \\',
    "line\nbreak\ttab\r",
    "😀 京东 العربية ไทย e\u0301 \u202eodd\ufeff",
    "Z" * 100_000,
)


def flow(test: Flow) -> Callable[[Any, Make], None]:
    """Make a test of a coroutine: run by one step or by an event loop, as the suite's colour says."""

    @functools.wraps(test)
    def run(self: StoreSuite, make: Make) -> None:
        self.run(test(self, make))

    return run


class Pause:
    """Something to await that is not the transaction."""

    def __await__(self) -> Generator[None, None, None]:
        yield


class Mishap(Exception):
    """What a body raises in these tests."""


class StoreSuite:
    """The behaviour of `memoranda.ports.Store`. Give a `make` fixture, a `colour`, and whether data is shared."""

    colour: ClassVar[Literal["blocking", "loop"]] = "blocking"
    shared: ClassVar[bool] = True
    """Whether two stores from one `make` see the same data; false for a store in memory."""

    @pytest.fixture
    def make(self) -> Make:
        """A function that opens the store under test; each call opens the same data once more."""
        raise NotImplementedError("a store suite needs a fixture named 'make'")

    def run(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run one test to its end."""
        if self.colour == "blocking":
            step(coroutine)
        else:
            import asyncio

            asyncio.run(coroutine)

    @flow
    async def test_what_atomic_wrote_is_read(self, make: Make) -> None:
        store = await make()
        assert await put(store, "a", "1") == 1
        assert await store.rows("meta", key="a") == [("1",)]
        assert await store.rows("meta", key="b") == []
        await store.close()

    @flow
    async def test_atomic_returns_what_its_body_returns(self, make: Make) -> None:
        store = await make()

        async def body(tx: Tx) -> tuple[list[Any], int]:
            await tx.run("set_meta", key="a", value="1")
            return await tx.rows("meta", key="a"), await tx.run("delete_meta", key="none")

        assert await store.atomic(body) == ([("1",)], 0)
        await store.close()

    @flow
    async def test_run_many_writes_every_set(self, make: Make) -> None:
        store = await make()

        async def body(tx: Tx) -> None:
            await tx.run_many("set_meta", [{"key": f"k{i:02}", "value": "v"} for i in range(50)])
            await tx.run_many("set_meta", [])

        await store.atomic(body)
        assert len(await store.rows("list_meta")) == 50
        await store.close()

    @flow
    async def test_the_first_bump_is_one_and_each_subject_counts_alone(self, make: Make) -> None:
        store = await make()
        assert [await bump(store, s) for s in ("a", "a", "b", "a")] == [1, 2, 1, 3]
        assert await store.rows("change_number", tenant="t", subject="a") == [(3,)]
        assert await store.rows("change_number", tenant="other", subject="a") == []
        await store.close()

    @flow
    async def test_an_error_in_the_body_takes_everything_back(self, make: Make) -> None:
        store = await make()
        for error in (Mishap, KeyboardInterrupt, GeneratorExit, TypeError, OverflowError):

            async def body(tx: Tx, error: type[BaseException] = error) -> None:
                await tx.run("set_meta", key="a", value="1")
                raise error("on purpose")

            with pytest.raises(error, match="on purpose"):
                await store.atomic(body)
            assert await store.rows("list_meta") == []
        assert await put(store, "a", "2") == 1
        await store.close()

    @flow
    async def test_a_broken_constraint_takes_everything_back(self, make: Make) -> None:
        store = await make()
        await put(store, "a", "1")

        async def body(tx: Tx) -> None:
            await tx.run("set_meta", key="b", value="secret words")
            await tx.run("add_meta", key="a", value="secret words")

        with pytest.raises(StoreError) as caught:
            await store.atomic(body)
        assert "secret" not in str(caught.value)
        assert await store.rows("list_meta") == [("a", "1")]
        await store.close()

    @flow
    async def test_a_conflict_runs_the_body_again_from_a_clean_slate(self, make: Make) -> None:
        store = await make()
        runs = 0

        async def body(tx: Tx) -> int:
            nonlocal runs
            runs += 1
            await tx.run("add_meta", key="a", value="1")
            if runs < 3:
                raise Conflict("on purpose")
            return runs

        assert await store.atomic(body) == 3
        assert await store.rows("list_meta") == [("a", "1")]
        await store.close()

    @flow
    async def test_no_transaction_inside_another(self, make: Make) -> None:
        store = await make()

        async def inner(tx: Tx) -> None:
            await tx.run("set_meta", key="inner", value="1")

        async def nests(tx: Tx) -> None:
            await tx.run("set_meta", key="outer", value="1")
            await store.atomic(inner)

        async def reads(tx: Tx) -> None:
            await store.rows("list_meta")

        async def closes(tx: Tx) -> None:
            await store.close()

        for body in (nests, reads, closes):
            with pytest.raises(NestedTransaction):
                await store.atomic(body)
        assert await store.rows("list_meta") == []
        await store.close()

    @flow
    async def test_a_body_that_waits_for_something_else_is_refused(self, make: Make) -> None:
        store = await make()

        async def body(tx: Tx) -> None:
            await tx.run("set_meta", key="a", value="1")
            await Pause()

        with pytest.raises(WouldSuspend):
            await store.atomic(body)
        assert await store.rows("list_meta") == []
        await store.close()

    @flow
    async def test_a_transaction_is_of_no_use_after_its_body(self, make: Make) -> None:
        store = await make()
        kept: list[Tx] = []

        async def body(tx: Tx) -> None:
            kept.append(tx)

        await store.atomic(body)
        with pytest.raises(UsageError):
            await kept[0].run("set_meta", key="a", value="1")
        with pytest.raises(UsageError):
            await kept[0].run_many("set_meta", [{"key": "a", "value": "1"}])
        assert await store.rows("list_meta") == []
        await store.close()

    @flow
    async def test_missing_spare_and_wrong_parameters_are_refused(self, make: Make) -> None:
        store = await make()
        for params in ({}, {"key": "a", "other": 1}, {"other": 1}, {"key": ["a list"]}):
            with pytest.raises(UsageError):
                await store.rows("meta", **params)

        async def spare(tx: Tx) -> None:
            await tx.run("set_meta", key="a", value="1", other=1)

        async def missing(tx: Tx) -> None:
            await tx.rows("meta", other="a")

        async def many(tx: Tx) -> None:
            await tx.run_many("set_meta", [{"key": "a", "value": "1"}, {"key": "b", "other": "1"}])

        for body in (spare, missing, many):
            with pytest.raises(UsageError):
                await store.atomic(body)
        assert await store.rows("list_meta") == []
        await store.close()

    @flow
    async def test_unknown_names_and_writes_outside_atomic_are_refused(self, make: Make) -> None:
        store = await make()
        with pytest.raises(UsageError, match="no_such_query"):
            await store.rows("no_such_query")
        with pytest.raises(UsageError, match="atomic"):
            await store.rows("set_meta", key="a", value="1")
        assert await store.rows("list_meta") == []
        await store.close()

    @flow
    async def test_odd_text_comes_back_as_it_went_in(self, make: Make) -> None:
        store = await make()
        for number, text in enumerate(ODD_TEXTS):
            await put(store, f"k{number}", text)
            assert await store.rows("meta", key=f"k{number}") == [(text,)]
        await store.close()

    @flow
    async def test_what_cannot_be_stored_is_a_usage_error_without_the_text(
        self, make: Make
    ) -> None:
        store = await make()
        for value in ("secret \ud800", 2**70, object()):
            with pytest.raises(UsageError) as caught:
                await put(store, "a", value)
            assert "secret" not in str(caught.value)
            with pytest.raises(UsageError):
                await store.rows("meta", key=value)
        assert await store.rows("list_meta") == []
        await store.close()

    @flow
    async def test_a_second_store_sees_what_the_first_committed(self, make: Make) -> None:
        if not self.shared:
            pytest.skip("this store's data is its own")
        first, second = await make(), await make()
        await put(first, "a", "1")
        assert await second.rows("meta", key="a") == [("1",)]
        await put(second, "a", "2")
        assert await first.rows("meta", key="a") == [("2",)]
        assert [await bump(s, "x") for s in (first, second, first)] == [1, 2, 3]
        await first.close()
        assert await second.rows("meta", key="a") == [("2",)]
        await second.close()

    @flow
    async def test_data_outlives_the_store_object(self, make: Make) -> None:
        if not self.shared:
            pytest.skip("this store's data is its own")
        store = await make()
        await put(store, "a", "1")
        await store.close()
        store = await make()
        assert await store.rows("meta", key="a") == [("1",)]
        await store.close()

    @flow
    async def test_closing_twice_is_harmless_and_use_after_it_is_an_error(self, make: Make) -> None:
        store = await make()
        await store.close()
        await store.close()
        with pytest.raises(StoreClosed):
            await store.rows("list_meta")
        with pytest.raises(StoreClosed):
            await put(store, "a", "1")
        with pytest.raises(StoreClosed):
            await store.check()
        assert store.place

    @flow
    async def test_scrub_counts_what_is_there_and_finds_nothing_of_what_is_gone(
        self, make: Make
    ) -> None:
        store = await make()
        await put(store, "a", 'Grüße von "Maja"')
        await put(store, "b", "harmless")
        assert (await store.scrub(['grüße von "maja"'])).hits > 0

        async def body(tx: Tx) -> None:
            await tx.run("delete_meta", key="a")

        await store.atomic(body)
        report = await store.scrub(['Grüße von "Maja"'])
        assert (report.hits, report.blocked_by_reader) == (0, False)
        assert report.searched
        assert await store.rows("list_meta") == [("b", "harmless")]
        with pytest.raises(UsageError):
            await store.scrub([" "])
        await store.close()

    @flow
    async def test_a_healthy_store_has_sizes_and_no_findings(self, make: Make) -> None:
        store = await make()
        await put(store, "a", "1")
        assert await store.check() == []
        sizes = await store.measure()
        assert sizes
        assert all(size >= 0 for size in sizes.values())
        await store.close()


async def put(store: Store, key: str, value: Any) -> int:
    """Write one note; the number of rows changed."""

    async def body(tx: Tx) -> int:
        return await tx.run("set_meta", key=key, value=value)

    return await store.atomic(body)


async def bump(store: Store, subject: str) -> int:
    """Bump a subject's change number and return it."""

    async def body(tx: Tx) -> int:
        [[number]] = await tx.rows("bump_subject", tenant="t", subject=subject)
        return int(number)

    return await store.atomic(body)
