"""What every tree must do. A new one passes it with one fixture:

class TestMine(TreeSuite):
    colour = "loop"                      # "blocking" when no method ever suspends

    @pytest.fixture
    def make(self, tmp_path):            # each call opens the same files once more
        return lambda: open_mine(tmp_path)
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ClassVar, Literal

import pytest

from memoranda.errors import FileExists, FileMissing, FilesError, FileUnfit
from memoranda.ports import Shelf, Tree, Tx
from memoranda.step import step

Make = Callable[[], Awaitable[Tree]]
Flow = Callable[[Any, Make], Coroutine[Any, Any, None]]
MOST = 1_000_000
ODD_TEXTS = (
    "",
    "\n",
    "no newline",
    "crlf\r\nand\rcr\n",
    "\ufeff😀 e\u0301\u202e\u2028\n",
    "x" * 99_999,
)


def flow(test: Flow) -> Callable[[Any, Make], None]:
    """Make a test of a coroutine: run by one step or by an event loop, as the suite's colour says."""

    @functools.wraps(test)
    def run(self: TreeSuite, make: Make) -> None:
        self.run(test(self, make))

    return run


class TreeSuite:
    """The behaviour of `memoranda.ports.Tree`. Give a `make` fixture and a `colour`."""

    colour: ClassVar[Literal["blocking", "loop"]] = "blocking"

    @pytest.fixture
    def make(self) -> Make:
        """A function that opens the tree under test; each call opens the same files once more."""
        raise NotImplementedError("a tree suite needs a fixture named 'make'")

    def run(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run one test to its end."""
        if self.colour == "blocking":
            step(coroutine)
        else:
            import asyncio

            asyncio.run(coroutine)

    @flow
    async def test_an_empty_tree_has_a_root_and_nothing_else(self, make: Make) -> None:
        tree = await make()
        root = await tree.node("")
        assert root is not None
        assert root.folder
        assert await tree.walk("", 9) == []
        assert await tree.names("") == []
        assert await tree.node("a") is None
        with pytest.raises(FileMissing):
            await tree.read("a", MOST)

    @flow
    async def test_every_text_comes_back_byte_for_byte(self, make: Make) -> None:
        tree = await make()
        for n, text in enumerate(ODD_TEXTS):
            node = await put(tree, f"f{n}", text)
            found, back = await tree.read(f"f{n}", MOST)
            assert back == text
            assert found == node
            assert found.size == len(text.encode())
            assert not found.folder

    @flow
    async def test_another_who_opens_it_sees_the_same(self, make: Make) -> None:
        one, two = await make(), await make()
        await put(one, "a/b", "text")
        assert (await two.read("a/b", MOST))[1] == "text"
        assert [n.path for n in await two.walk("", 9)] == ["a", "a/b"]

    @flow
    async def test_a_stamp_differs_when_the_text_may(self, make: Make) -> None:
        tree = await make()
        before = await put(tree, "a", "one")
        assert await tree.node("a") == before
        after = await put(tree, "a", "two", new=False)
        assert after.stamp != before.stamp

    @flow
    async def test_new_means_new(self, make: Make) -> None:
        tree = await make()
        await put(tree, "a", "one")
        await put(tree, "d/x", "one")
        for path in ("a", "d"):
            with pytest.raises(FileExists):
                await put(tree, path, "two")
        with pytest.raises(FileExists):
            await put(tree, "d", "two", new=False)
        assert (await tree.read("a", MOST))[1] == "one"

    @flow
    async def test_nothing_lies_below_a_file(self, make: Make) -> None:
        tree = await make()
        await put(tree, "a", "one")
        with pytest.raises(FilesError):
            await put(tree, "a/b", "two")
        assert await tree.node("a/b") is None
        assert [n.path for n in await tree.walk("", 9)] == ["a"]

    @flow
    async def test_folders_are_listed_by_name_and_to_a_depth(self, make: Make) -> None:
        tree = await make()
        for path in ("b/y/z/deep", "b/x", "a", "c"):
            await put(tree, path, "")
        assert [n.path for n in await tree.walk("", 2)] == ["a", "b", "b/x", "b/y", "c"]
        assert [n.path for n in await tree.walk("b", 9)] == ["b/x", "b/y", "b/y/z", "b/y/z/deep"]
        assert sorted(await tree.names("b")) == ["x", "y"]
        with pytest.raises(FilesError):
            await tree.walk("none", 2)

    @flow
    async def test_twins_differ_only_in_case(self, make: Make) -> None:
        tree = await make()
        for path in ("a/Straße", "a/b", "c"):
            await put(tree, path, "")
        assert await tree.twins("a/STRASSE") == ["a/Straße"]
        assert await tree.twins("a/b") == []
        assert await tree.twins("none/b") == []
        await change(tree, lambda shelf: shelf.move("c", "a/D"))
        assert await tree.twins("a/d") == ["a/D"]

    @flow
    async def test_a_folder_stays_when_its_last_file_goes(self, make: Make) -> None:
        tree = await make()
        await put(tree, "d/a", "")
        await change(tree, lambda shelf: shelf.remove("d/a"))
        found = await tree.node("d")
        assert found is not None
        assert found.folder

    @flow
    async def test_a_folder_goes_with_all_it_holds(self, make: Make) -> None:
        tree = await make()
        for path in ("d/a", "d/e/f", "other", "dd"):
            await put(tree, path, "")
        await change(tree, lambda shelf: shelf.remove("d"))
        assert [n.path for n in await tree.walk("", 9)] == ["dd", "other"]
        with pytest.raises(FileMissing):
            await change(tree, lambda shelf: shelf.remove("d"))

    @flow
    async def test_what_moves_keeps_its_content(self, make: Make) -> None:
        tree = await make()
        await put(tree, "d/a", "one")
        await put(tree, "d/e/f", "two")
        await change(tree, lambda shelf: shelf.move("d", "n/m"))
        assert (await tree.read("n/m/e/f", MOST))[1] == "two"
        assert [n.path for n in await tree.walk("", 9)] == ["n", "n/m", "n/m/a", "n/m/e", "n/m/e/f"]

    @flow
    async def test_nothing_moves_onto_something(self, make: Make) -> None:
        tree = await make()
        await put(tree, "a", "one")
        await put(tree, "b", "two")
        await put(tree, "d/x", "")
        for old, new, kind in (
            ("a", "b", FileExists),
            ("a", "d", FileExists),
            ("d", "b", FileExists),
            ("none", "new", FileMissing),
            ("d", "d/x/y", FilesError),
            ("d", "d/y", FileUnfit),
            ("a", "b/c", FilesError),
            ("none", "p/q/r", FileMissing),
        ):
            with pytest.raises(kind):
                await change(tree, lambda shelf, old=old, new=new: shelf.move(old, new))  # type: ignore[misc]
        assert [n.path for n in await tree.walk("", 9)] == ["a", "b", "d", "d/x"]
        assert (await tree.read("b", MOST))[1] == "two"

    @flow
    async def test_what_is_too_large_is_not_read(self, make: Make) -> None:
        tree = await make()
        await put(tree, "a", "12345")
        assert (await tree.read("a", 5))[1] == "12345"
        with pytest.raises(FileUnfit):
            await tree.read("a", 4)
        await put(tree, "d/x", "")
        with pytest.raises(FileUnfit):
            await tree.read("d", MOST)

    @flow
    async def test_a_change_sees_what_it_wrote_and_its_error_comes_out(self, make: Make) -> None:
        tree = await make()

        async def body(shelf: Shelf, _: Tx | None) -> str:
            await shelf.put("a", "one", new=True)
            return (await shelf.read("a", MOST))[1]

        assert await tree.change(body) == "one"

        async def broken(shelf: Shelf, _: Tx | None) -> None:
            raise FileUnfit("no")

        with pytest.raises(FileUnfit):
            await tree.change(broken)
        await put(tree, "b", "the lock is free again")

    @flow
    async def test_closing_twice_is_harmless(self, make: Make) -> None:
        tree = await make()
        await tree.close()
        await tree.close()


async def put(tree: Tree, path: str, text: str, *, new: bool = True) -> Any:
    """Write one file."""
    return await change(tree, lambda shelf: shelf.put(path, text, new=new))


async def change(tree: Tree, work: Callable[[Shelf], Awaitable[Any]]) -> Any:
    """Do one thing under the tree's lock."""

    async def body(shelf: Shelf, _: Tx | None) -> Any:
        return await work(shelf)

    return await tree.change(body)
