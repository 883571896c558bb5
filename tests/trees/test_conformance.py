"""Every tree passes one suite."""

import pytest

from memoranda.stores.sqlite import memory_store, open_blocking
from memoranda.stores.sqlite.threads import open_threaded
from memoranda.testing import TreeSuite
from memoranda.trees import posix
from memoranda.trees.folder import FolderTree
from memoranda.trees.table import TableTree
from memoranda.trees.threads import open_threaded as open_threaded_folder


class TestFolder(TreeSuite):
    @pytest.fixture
    def make(self, tmp_path):
        async def opened():
            return FolderTree(tmp_path / "memories")

        return opened


class TestFolderWithoutRenameat2(TestFolder):
    @pytest.fixture(autouse=True)
    def plain(self, monkeypatch):
        monkeypatch.setattr(posix, "_RENAME", False)


class TestThreadedFolder(TreeSuite):
    colour = "loop"

    @pytest.fixture
    def make(self, tmp_path):
        return lambda: open_threaded_folder(tmp_path / "memories")


class TestTable(TreeSuite):
    @pytest.fixture
    def make(self):
        store = memory_store()

        async def opened():
            return TableTree(store, "default", "user:me")

        return opened


class TestTableOnDisk(TreeSuite):
    @pytest.fixture
    def make(self, tmp_path):
        async def opened():
            return TableTree(open_blocking(tmp_path / "memory.db"), "default", "user:me")

        return opened


class TestThreadedTable(TreeSuite):
    colour = "loop"

    @pytest.fixture
    def make(self, tmp_path):
        async def opened():
            store = await open_threaded(tmp_path / "memory.db")
            return TableTree(store, "default", "user:me")

        return opened
