"""A folder of text files that a person can open while an agent works in it. POSIX: Linux, and macOS untested.

After the start no path is a string: the root is held by a descriptor, and every step below it refuses links. Beside the
root stands a folder of ours, `.NAME.memoranda`: writers take turns by a lock on it, and files on their way in or out
are there. So nothing of ours is ever inside the root but whole files, and a file comes and goes by one renaming.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeVar

from memoranda.errors import (
    FileExists,
    FileLinked,
    FileMissing,
    FilesUnavailable,
    FileUnfit,
    UsageError,
)
from memoranda.ports import Node, Shelf, Tx
from memoranda.trees import posix

T = TypeVar("T")
MOVED = "the folder of the files was moved, replaced or taken away; open it again"


class FolderTree:
    """The folder at `root` as a tree. Every file in it gets mode 0600. Made with mode 0700 when it is not there, unless
    `make` is false.

    busy_seconds: how long a change waits for another writer. Raises `UsageError` where the system has no descriptors
    of folders (Windows: use rows), `StoreError` when the place is not ours to use.
    """

    def __init__(
        self, root: str | os.PathLike[str], busy_seconds: float = 30.0, *, make: bool = True
    ) -> None:
        if not posix.WORKS:
            raise UsageError(
                "a folder of files needs a POSIX system; keep the files in the store instead"
            )
        place = Path(os.path.realpath(os.fspath(root)))
        self.root = str(place)
        self._gone: list[int] = []
        self._busy_seconds = busy_seconds
        with contextlib.ExitStack() as undo:
            self._root = posix.root_of(place, make=make)
            undo.callback(os.close, self._root)
            self._side = posix.side_of(place, self._root)
            undo.pop_all()
        self.writable = self._side >= 0 and all(map(posix.may_write, (self._side, self._root)))

    async def close(self) -> None:
        """Let go of the descriptors."""
        for held in (self._root, self._side, *self._gone):
            if held >= 0:
                os.close(held)
        self._root, self._side, self._gone = -1, -1, []

    # Reading

    async def node(self, path: str) -> Node | None:
        """What is at `path`; a link or a device is there, and not plain."""
        with self._plainly():
            return self._node(path)

    async def read(self, path: str, most: int) -> tuple[Node, str]:
        """The text of an ordinary file of one name, at most `most` bytes, UTF-8."""
        with self._plainly(), self._parent(path) as (folder, name):
            held = posix.open_file(folder, name)
            try:
                found = os.fstat(held)
                node = _node_of(path, found)
                if not node.plain or node.folder:
                    raise FileUnfit("it is not an ordinary file of one name")
                if found.st_size > most:
                    raise FileUnfit(f"it is larger than {most} bytes")
                data = posix.read_all(held, most)
            finally:
                os.close(held)
        try:
            return node, data.decode()
        except UnicodeDecodeError:
            raise FileUnfit("it is not UTF-8 text") from None

    async def walk(self, path: str, depth: int) -> list[Node]:
        """What is in a folder, by name, a folder before its content; links and devices are left out."""
        with self._plainly(), self._opened(path) as folder:
            return list(self._walk(folder, path, depth))

    async def names(self, path: str) -> list[str]:
        """The names in a folder."""
        try:
            with self._plainly(), self._opened(path) as folder:
                return os.listdir(folder)
        except FileMissing:
            return []

    async def twins(self, path: str) -> list[str]:
        """What differs from `path` only in the case of its last name."""
        above, _, name = path.rpartition("/")
        names, folded = await self.names(above), name.casefold()
        # All names at once: a folder may hold a thousand, and hardly ever a twin.
        if f"\0{folded}\0" not in "\0".join(("", *names, "")).casefold():
            return []
        found = [n for n in names if n.casefold() == folded and n != name]
        return [_below(above, n) for n in found]

    def _walk(self, folder: int, path: str, depth: int) -> Iterator[Node]:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
        for entry in entries:
            try:
                node = _node_of(_below(path, entry.name), entry.stat(follow_symlinks=False))
                entry.name.encode()
            except (OSError, UnicodeEncodeError):
                continue  # gone meanwhile, or a name that is no text
            if not node.plain:
                continue
            yield node
            if node.folder and depth > 1:
                with contextlib.suppress(OSError), posix.opened(entry.name, folder) as inner:
                    yield from self._walk(inner, node.path, depth - 1)

    # Changing

    async def change(self, body: Callable[[Shelf, Tx | None], Awaitable[T]]) -> T:
        """Run `body` under the lock."""
        if not self.writable:
            raise FilesUnavailable("the files are read-only here")
        held = self.locked(time.sleep)
        try:
            return await body(self, None)
        finally:
            os.close(held)

    def locked(self, sleep: Callable[[float], object]) -> int:
        """Take the lock; closing the descriptor that is returned gives it back."""
        begun = time.monotonic()
        while (held := self.try_lock()) is None:
            if time.monotonic() - begun > self._busy_seconds:
                raise FilesUnavailable("the files are busy with another writer; try again")
            sleep(0.002)
        return held

    def try_lock(self) -> int | None:
        """The lock, or None while somebody has it. Raises `FilesUnavailable` when the root is no longer in its place:
        what is written into a folder that was moved away would be looked for in vain."""
        with self._plainly():
            if posix.gone(self._side):
                self._make_side()
            held = posix.try_lock(self._side)
            if held is None:
                return None
            if posix.gone(held):
                os.close(held)
                return None  # taken away in this moment: the lock of those who come now is another
        if not posix.same(self.root, self._root):
            os.close(held)
            raise FilesUnavailable(MOVED)
        return held

    def _make_side(self) -> None:
        """Our folder beside the root was taken away: make it again."""
        held = posix.side_of(Path(self.root), self._root)
        if held < 0:
            raise FilesUnavailable("the files are read-only here")
        self._gone.append(
            self._side
        )  # who waits for a step may still hold it; closed with the tree
        self._side = held

    def _beside(self) -> int:
        """Our folder beside the root, under the lock. When it was taken away meanwhile, so was the lock."""
        if posix.gone(self._side):
            raise FilesUnavailable("the folder beside the files was taken away; try again")
        return self._side

    async def put(self, path: str, text: str, *, new: bool) -> Node:
        """Write a temporary file beside the root, sync it, and rename it into its place."""
        temporary = f"new-{secrets.token_hex(8)}"
        with self._plainly():
            side, moved = self._beside(), False
            try:
                posix.write_file(side, temporary, text.encode())
                with self._parent(path, make=True) as (folder, name):
                    if new:
                        posix.move_new(side, temporary, folder, name)
                    else:
                        os.rename(temporary, name, src_dir_fd=side, dst_dir_fd=folder)
                    moved = True
                    os.fsync(folder)
                    return _node_of(path, os.stat(name, dir_fd=folder, follow_symlinks=False))
            finally:
                if not moved:
                    with contextlib.suppress(OSError):
                        os.unlink(temporary, dir_fd=side)

    async def remove(self, path: str) -> None:
        """Rename it out of the root, which is done at once, and then take it apart."""
        aside = f"old-{secrets.token_hex(8)}"
        with self._plainly():
            side = self._beside()
            with self._parent(path) as (folder, name):
                os.rename(name, aside, src_dir_fd=folder, dst_dir_fd=side)
                os.fsync(folder)
            # It is gone from the root. What cannot be taken apart now is taken by the next sweep.
            with contextlib.suppress(OSError):
                posix.take_apart(side, aside)

    async def move(self, old: str, new: str) -> None:
        """Rename within the root, never onto something."""
        with self._plainly(), self._parent(old) as (source, name):
            os.stat(name, dir_fd=source, follow_symlinks=False)
            with self._parent(new, make=True) as (target, wanted):
                posix.move_new(source, name, target, wanted)
                os.fsync(target)
                os.fsync(source)

    async def sweep(self) -> int:
        """Take away what writers that were killed left beside the root. Returns how many."""
        if not self.writable:
            return 0
        held = self.locked(time.sleep)
        try:
            with self._plainly():
                side = self._beside()
                left = [name for name in os.listdir(side) if name.startswith(("new-", "old-"))]
                for name in left:
                    posix.take_apart(side, name)
                return len(left)
        finally:
            os.close(held)

    # The way to an entry

    def _node(self, path: str) -> Node | None:
        if not path:
            return _node_of("", os.fstat(self._root))
        try:
            with self._parent(path) as (folder, name):
                return _node_of(path, os.stat(name, dir_fd=folder, follow_symlinks=False))
        except (FileNotFoundError, NotADirectoryError):
            return None

    @contextlib.contextmanager
    def _opened(self, path: str) -> Iterator[int]:
        """The folder at `path`, by a way without links."""
        held = os.open(".", posix.FOLDER, dir_fd=self._root)
        try:
            for name in path.split("/") if path else ():
                inner = posix.enter(name, held)
                os.close(held)
                held = inner
            yield held
        finally:
            os.close(held)

    @contextlib.contextmanager
    def _parent(self, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
        """The folder that `path` lies in, and its last name. Folders made on the way go again when the rest fails."""
        *parts, name = path.split("/")
        held, made = os.open(".", posix.FOLDER, dir_fd=self._root), []
        went_well = False
        try:
            for part in parts:
                if make and posix.made(held, part):
                    made.append((os.dup(held), part))
                inner = posix.enter(part, held)
                os.close(held)
                held = inner
            yield held, name
            went_well = True
        finally:
            for above, part in reversed(made):
                if not went_well:
                    with contextlib.suppress(OSError):
                        os.rmdir(part, dir_fd=above)
                os.close(above)
            os.close(held)

    @contextlib.contextmanager
    def _plainly(self) -> Iterator[None]:
        """The system's errors as ours: they name a place of the machine, ours do not."""
        if self._root < 0:
            raise FilesUnavailable("the files were closed; open them again")
        try:
            yield
        except OSError as error:
            if posix.gone(self._root):
                raise FilesUnavailable(MOVED) from None
            raise translated(error) from None


def translated(error: OSError) -> Exception:
    """Our error for what the system said."""
    number = error.errno
    if number in (errno.ENOENT, errno.ENOTDIR):
        return FileMissing("there is nothing at this path")
    if number in (errno.EEXIST, errno.ENOTEMPTY, errno.EISDIR):
        return FileExists("something is at this path already")
    if number in posix.LINK:
        return FileLinked("a link stands in the way, and links are not followed")
    if number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return FilesUnavailable("there is no room left where the files are kept")
    if number in (errno.EROFS, errno.EACCES, errno.EPERM):
        return FilesUnavailable("the files may not be changed or read here")
    if number in (errno.EINVAL, errno.EXDEV, errno.ENAMETOOLONG):
        return FileUnfit("it cannot be moved or named so")
    if number == errno.ENXIO:
        return FileUnfit("it is not an ordinary file of one name")
    return FilesUnavailable("the place where the files are kept does not answer as it should")


def _below(path: str, name: str) -> str:
    return f"{path}/{name}" if path else name


def _node_of(path: str, found: os.stat_result) -> Node:
    folder = stat.S_ISDIR(found.st_mode)
    ordinary = stat.S_ISREG(found.st_mode) and found.st_nlink == 1
    stamp = (
        "" if folder else f"{found.st_ino}:{found.st_mtime_ns}:{found.st_ctime_ns}:{found.st_size}"
    )
    return Node(path, folder, found.st_size, stamp, folder or ordinary)
