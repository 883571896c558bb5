"""Every store behind the port passes one suite."""

import pytest

from memoranda.stores.sqlite import memory_store, open_blocking
from memoranda.stores.sqlite.threads import open_threaded
from memoranda.testing import StoreSuite


class TestSqlite(StoreSuite):
    @pytest.fixture
    def make(self, tmp_path):
        async def opened():
            return open_blocking(tmp_path / "memory.db")

        return opened


class TestMemory(StoreSuite):
    shared = False

    @pytest.fixture
    def make(self):
        async def opened():
            return memory_store()

        return opened


class TestThreadedSqlite(StoreSuite):
    colour = "loop"

    @pytest.fixture
    def make(self, tmp_path):
        return lambda: open_threaded(tmp_path / "memory.db")


class TestThreadedMemory(StoreSuite):
    colour = "loop"
    shared = False

    @pytest.fixture
    def make(self):
        return lambda: open_threaded(":memory:")
