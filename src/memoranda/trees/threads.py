"""A folder tree for event loops: the same tree, each step of it on a worker thread."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import copy_context
from functools import partial
from typing import Any, TypeVar

from memoranda.errors import FilesUnavailable
from memoranda.ports import Node, Shelf, Tx
from memoranda.step import step
from memoranda.trees.folder import FolderTree

T = TypeVar("T")
PAUSE = 0.002


async def open_threaded(
    root: str | os.PathLike[str], busy_seconds: float = 30.0, *, make: bool = True
) -> ThreadedFolderTree:
    """Open the folder at `root` on a worker thread. Parameters and errors as in `FolderTree`."""
    loop = asyncio.get_running_loop()
    opened = partial(FolderTree, root, busy_seconds, make=make)
    tree = await loop.run_in_executor(None, opened)
    return ThreadedFolderTree(tree, busy_seconds)


class ThreadedFolderTree:
    """A `FolderTree` that never blocks the loop. A cancelled call waits for its step to end before it raises, so that
    the lock is never given back while a thread still writes."""

    def __init__(self, tree: FolderTree, busy_seconds: float = 30.0) -> None:
        self._tree, self._busy_seconds = tree, busy_seconds
        self.root, self.writable = tree.root, tree.writable

    async def node(self, path: str) -> Node | None:
        """What is at `path`."""
        return await self._step(self._tree.node(path))

    async def read(self, path: str, most: int) -> tuple[Node, str]:
        """The text of a file."""
        return await self._step(self._tree.read(path, most))

    async def walk(self, path: str, depth: int) -> list[Node]:
        """What is in a folder."""
        return await self._step(self._tree.walk(path, depth))

    async def names(self, path: str) -> list[str]:
        """The names in a folder."""
        return await self._step(self._tree.names(path))

    async def twins(self, path: str) -> list[str]:
        """What differs from `path` only in the case of its last name."""
        return await self._step(self._tree.twins(path))

    async def put(self, path: str, text: str, *, new: bool) -> Node:
        """Write a file."""
        return await self._step(self._tree.put(path, text, new=new))

    async def remove(self, path: str) -> None:
        """Take an entry away."""
        await self._step(self._tree.remove(path))

    async def move(self, old: str, new: str) -> None:
        """Rename an entry."""
        await self._step(self._tree.move(old, new))

    async def sweep(self) -> int:
        """Take away what killed writers left."""
        return await self._step(self._tree.sweep())

    async def close(self) -> None:
        """Let go of the descriptors."""
        await self._step(self._tree.close())

    async def change(self, body: Callable[[Shelf, Tx | None], Awaitable[T]]) -> T:
        """Run `body` under the lock. Waiting for it holds no thread: those who wait must not stop the one who works."""
        if not self.writable:
            raise FilesUnavailable("the files are read-only here")
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while (held := self._tree.try_lock()) is None:
            if loop.time() - begun > self._busy_seconds:
                raise FilesUnavailable("the files are busy with another writer; try again")
            await asyncio.sleep(PAUSE)
        try:
            return await body(self, None)
        finally:
            os.close(held)

    async def _step(self, flow: Coroutine[Any, Any, T]) -> T:
        work = asyncio.get_running_loop().run_in_executor(None, copy_context().run, step, flow)
        cancelled: asyncio.CancelledError | None = None
        while not work.done():
            try:
                await asyncio.wait((work,))
            except asyncio.CancelledError as error:
                cancelled = error
        if cancelled is not None:
            work.exception()  # looked at, so that the loop does not complain about it
            raise cancelled
        return work.result()
