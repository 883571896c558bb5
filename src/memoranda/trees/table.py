"""Rows in the store as a tree: paths are only keys, so links, races and torn writes are no questions here."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from typing import TypeVar

from memoranda.errors import FileExists, FileMissing, FileUnfit
from memoranda.ports import Node, Row, Shelf, Store, Tx

T = TypeVar("T")
FOLDER_SIZE = 4096


class _Rows:
    """Reading, from the store or inside a transaction of it."""

    def __init__(self, source: Store | Tx, tenant: str, subject: str) -> None:
        self._source, self._tenant, self._subject = source, tenant, subject

    async def _rows(self, name: str, **params: object) -> list[Row]:
        return await self._source.rows(name, tenant=self._tenant, subject=self._subject, **params)

    async def node(self, path: str) -> Node | None:
        """What is at `path`; the root is always there."""
        if not path:
            return Node("", True, FOLDER_SIZE)
        found = await self._rows("tree_node", path=path)
        return _node(found[0]) if found else None

    async def read(self, path: str, most: int) -> tuple[Node, str]:
        """The text of a file."""
        found = await self._rows("tree_text", path=path)
        if not found:
            raise FileMissing("there is nothing at this path")
        node = _node(found[0][:4])
        if node.folder:
            raise FileUnfit("it is not an ordinary file of one name")
        if node.size > most:
            raise FileUnfit(f"it is larger than {most} bytes")
        return node, found[0][4]

    async def walk(self, path: str, depth: int) -> list[Node]:
        """What is in a folder, by name, a folder before its content."""
        here = await self.node(path)
        if here is None or not here.folder:
            raise FileMissing("there is nothing at this path")
        return await self._walk(path, depth)

    async def _walk(self, path: str, depth: int) -> list[Node]:
        found: list[Node] = []
        for row in await self._rows("tree_children", parent=path):
            node = _node(row)
            found.append(node)
            if node.folder and depth > 1:
                found += await self._walk(node.path, depth - 1)
        return found

    async def names(self, path: str) -> list[str]:
        """The names in a folder."""
        return [row[0].rpartition("/")[2] for row in await self._rows("tree_children", parent=path)]

    async def twins(self, path: str) -> list[str]:
        """What differs from `path` only in the case of its last name."""
        rows = await self._rows("tree_twins", parent=_parent(path), folded=_folded(path))
        return [row[0] for row in rows if row[0] != path]


class TableTree(_Rows):
    """The files of one subject as rows. `change` is one transaction of the store."""

    root = ""
    writable = True

    def __init__(self, store: Store, tenant: str, subject: str) -> None:
        super().__init__(store, tenant, subject)
        self._store = store

    async def change(self, body: Callable[[Shelf, Tx | None], Awaitable[T]]) -> T:
        """Run `body` in a transaction that is the only one to change these files."""

        async def whole(tx: Tx) -> T:
            # The first statement of a write: on every engine it makes the writers of these files take turns.
            await tx.rows("bump_subject", tenant=self._tenant, subject=f"files of {self._subject}")
            return await body(_Writer(tx, self._tenant, self._subject), tx)

        return await self._store.atomic(whole)

    async def put(self, path: str, text: str, *, new: bool) -> Node:
        """One file in a transaction of its own."""

        async def body(shelf: Shelf, _: Tx | None) -> Node:
            return await shelf.put(path, text, new=new)

        return await self.change(body)

    async def remove(self, path: str) -> None:
        """One removal in a transaction of its own."""

        async def body(shelf: Shelf, _: Tx | None) -> None:
            await shelf.remove(path)

        await self.change(body)

    async def move(self, old: str, new: str) -> None:
        """One renaming in a transaction of its own."""

        async def body(shelf: Shelf, _: Tx | None) -> None:
            await shelf.move(old, new)

        await self.change(body)

    async def sweep(self) -> int:
        """A transaction leaves nothing behind."""
        return 0

    async def close(self) -> None:
        """Nothing is held open: the store is its owner's."""


class _Writer(_Rows):
    """Reading and writing inside one transaction."""

    def __init__(self, tx: Tx, tenant: str, subject: str) -> None:
        super().__init__(tx, tenant, subject)
        self._tx = tx

    async def put(self, path: str, text: str, *, new: bool) -> Node:
        """The row of a file, and those of the folders on the way."""
        there = await self.node(path)
        if there is not None and (new or there.folder):
            raise FileExists("something is at this path already")
        if there is None:
            await self._make_way(path)
        data = text.encode()
        stamp = hashlib.sha256(data).hexdigest()
        await self._put(path, folder=0, size=len(data), stamp=stamp, body=text)
        return Node(path, False, len(data), stamp)

    async def remove(self, path: str) -> None:
        """The row and all below it."""
        for row in await self._under(path):
            await self._run("delete_tree_row", path=row[0])

    async def move(self, old: str, new: str) -> None:
        """The row and all below it, under another path."""
        moved = await self._under(old)
        if await self.node(new) is not None:
            raise FileExists("something is at this path already")
        if new.startswith(f"{old}/"):
            raise FileUnfit("it cannot be moved or named so")
        await self._make_way(new)
        for path, parent in moved:
            above = _parent(new) if path == old else new + parent[len(old) :]
            await self._run("move_tree_row", path=path, **_place(new + path[len(old) :], above))

    async def _under(self, path: str) -> list[Row]:
        found = await self._rows("tree_under", path=path, below=f"{path}/", beyond=f"{path}0")
        if not found:
            raise FileMissing("there is nothing at this path")
        return found

    async def _make_way(self, path: str) -> None:
        missing = []
        while path := _parent(path):
            node = await self.node(path)
            if node is not None and not node.folder:
                raise FileMissing("there is nothing at this path")
            if node is not None:
                break
            missing.append(path)
        for folder in reversed(missing):
            await self._put(folder, folder=1, size=FOLDER_SIZE, stamp="", body=None)

    async def _put(self, path: str, **columns: object) -> None:
        await self._run(
            "put_tree_row", path=path, parent=_parent(path), folded=_folded(path), **columns
        )

    async def _run(self, name: str, **params: object) -> None:
        await self._tx.run(name, tenant=self._tenant, subject=self._subject, **params)


def _parent(path: str) -> str:
    return path.rpartition("/")[0]


def _folded(path: str) -> str:
    return path.rpartition("/")[2].casefold()


def _place(path: str, parent: str) -> dict[str, str]:
    return {"new": path, "parent": parent, "folded": _folded(path)}


def _node(row: Row) -> Node:
    path, folder, size, stamp = row
    return Node(path, bool(folder), size, stamp)
