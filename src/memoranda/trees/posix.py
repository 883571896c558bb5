"""What a folder tree asks of a POSIX system, by descriptors alone: open, write, rename, lock, take apart."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memoranda.errors import FileUnfit, StoreError, StoreMissing

WORKS = os.name == "posix" and os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
FOLDER = (
    os.O_RDONLY
    | getattr(os, "O_DIRECTORY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
# Never wait for the other end of a pipe, never follow a link.
FILE = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
MAKE = (
    os.O_WRONLY
    | os.O_CREAT
    | os.O_EXCL
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
LINK = (errno.ELOOP, errno.EMLINK)
NO_REPLACE = 1
CHUNK = 1 << 20


def root_of(place: Path, *, make: bool = True) -> int:
    """A descriptor of the root, made for its owner alone when it is not there and `make` is true."""
    try:
        if make:
            _make_way(place)
        return os.open(place, FOLDER)
    except OSError as error:
        kind = StoreMissing if error.errno == errno.ENOENT and not make else StoreError
        raise kind(f"{place}: cannot be used as a folder of files ({error.strerror})") from None


def _make_way(place: Path) -> None:
    """The folder and those above it that are missing, each for its owner alone whatever the umask: a folder above that
    others can write is a root that others can exchange."""
    if place.is_dir():
        return
    _make_way(place.parent)
    with contextlib.suppress(FileExistsError):
        place.mkdir(mode=0o700)
        place.chmod(0o700)


def side_of(place: Path, root: int) -> int:
    """A descriptor of our own folder beside the root; -1 when none can be made there: then nothing is written."""
    side = place.with_name(f".{place.name}.memoranda")
    try:
        with contextlib.suppress(FileExistsError):
            side.mkdir(mode=0o700)
            side.chmod(0o700)
        held = os.open(side, FOLDER)
    except OSError as error:
        if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
            return -1
        raise StoreError(f"{side}: cannot be used ({error.strerror}); move it away") from None
    found = os.fstat(held)
    if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o022:
        os.close(held)
        raise StoreError(f"{side}: belongs to somebody else, or others may write it; move it away")
    if found.st_dev != os.fstat(root).st_dev:
        os.close(held)
        raise StoreError(f"{place}: is a file system of its own; name a folder inside it")
    return held


@contextlib.contextmanager
def opened(name: str, folder: int) -> Iterator[int]:
    """A folder by its name in another, no link."""
    held = enter(name, folder)
    try:
        yield held
    finally:
        os.close(held)


def enter(name: str, folder: int) -> int:
    """A descriptor of a folder by its name in another. A link is said to be one: Linux calls it no folder."""
    try:
        return os.open(name, FOLDER, dir_fd=folder)
    except NotADirectoryError as error:
        if is_link(folder, name):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None
        raise error from None


def open_file(folder: int, name: str) -> int:
    """A descriptor for reading. A link, a socket or a device that refuses is no ordinary file."""
    return os.open(name, FILE, dir_fd=folder)


def read_all(held: int, most: int) -> bytes:
    """Everything, unless it is more than `most` bytes: a file may grow while it is read."""
    pieces, size = [], 0
    while piece := os.read(held, CHUNK):
        pieces.append(piece)
        size += len(piece)
        if size > most:
            raise FileUnfit(f"it is larger than {most} bytes")
    return b"".join(pieces)


def write_file(folder: int, name: str, data: bytes) -> None:
    """A new file of mode 0600 whatever the umask, whole and on disk."""
    held = os.open(name, MAKE, 0o600, dir_fd=folder)
    try:
        os.fchmod(held, 0o600)
        view = memoryview(data)
        while view:
            view = view[os.write(held, view) :]
        sync(held)
    finally:
        os.close(held)


def sync(held: int) -> None:
    """To the disk itself; on macOS fsync alone stops at the drive's cache."""
    if sys.platform == "darwin":
        import fcntl

        fcntl.fcntl(held, fcntl.F_FULLFSYNC)
    else:
        os.fsync(held)


def made(folder: int, name: str) -> bool:
    """Make a folder for its owner alone; False when something is there."""
    try:
        os.mkdir(name, 0o700, dir_fd=folder)
    except FileExistsError:
        return False
    # The umask may have taken bits away; the descriptor is of what was just made or of no link.
    with opened(name, folder) as inner:
        os.fchmod(inner, 0o700)
    os.fsync(folder)
    return True


def move_new(source: int, old: str, target: int, new: str) -> None:
    """Rename, only where nothing is. Raises `FileExistsError`."""
    rename = _renameat2()
    if rename is not None:
        if rename(source, os.fsencode(old), target, os.fsencode(new), NO_REPLACE) == 0:
            return
        number = ctypes.get_errno()
        if number not in (errno.ENOSYS, errno.EINVAL):
            raise OSError(number, os.strerror(number))
    _move_new_by_link(source, old, target, new)


def _move_new_by_link(source: int, old: str, target: int, new: str) -> None:
    # Where no such call is: a file by a second name that must be new. A folder cannot have one, so it is looked first;
    # writers of this tree hold the lock, and rename itself refuses a folder that is not empty.
    if stat.S_ISREG(os.stat(old, dir_fd=source, follow_symlinks=False).st_mode):
        os.link(old, new, src_dir_fd=source, dst_dir_fd=target, follow_symlinks=False)
        os.unlink(old, dir_fd=source)
        return
    with contextlib.suppress(FileNotFoundError):
        os.stat(new, dir_fd=target, follow_symlinks=False)
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
    os.rename(old, new, src_dir_fd=source, dst_dir_fd=target)


def _renameat2() -> Any:
    global _RENAME
    if _RENAME is None:
        try:
            _RENAME = ctypes.CDLL(None, use_errno=True).renameat2
            _RENAME.argtypes = [
                ctypes.c_int,
                ctypes.c_char_p,
                ctypes.c_int,
                ctypes.c_char_p,
                ctypes.c_uint,
            ]
        except (OSError, AttributeError):
            _RENAME = False
    return _RENAME or None


_RENAME: Any = None


def try_lock(folder: int) -> int | None:
    """A descriptor that holds the lock on a folder, or None while another has it. There is no file of the lock that
    could be left behind, taken away, or be another one for somebody else."""
    import fcntl

    with contextlib.ExitStack() as undo:
        held = os.open(".", FOLDER, dir_fd=folder)
        undo.callback(os.close, held)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return None
        undo.pop_all()
    return held


def same(place: str, held: int) -> bool:
    """Whether the folder that is held still stands at `place`."""
    try:
        now = os.stat(place, follow_symlinks=False)
    except OSError:
        return False
    mine = os.fstat(held)
    return (now.st_dev, now.st_ino) == (mine.st_dev, mine.st_ino)


def gone(held: int) -> bool:
    """Whether the folder that is held was taken away."""
    return os.fstat(held).st_nlink == 0


def may_write(folder: int) -> bool:
    """Whether entries of a folder can be made, as far as modes and a read-only disk say."""
    return os.access(".", os.W_OK | os.X_OK, dir_fd=folder)


def is_link(folder: int, name: str) -> bool:
    """Whether a name in a folder is a link."""
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False


def take_apart(folder: int, name: str) -> None:
    """Remove an entry of our own folder with all it holds. Inner folders are first moved up beside it: however deep it
    is, no more than two descriptors are open, and no link is followed."""
    waiting = [name]
    while waiting:
        one = waiting.pop()
        try:
            os.unlink(one, dir_fd=folder)
            continue
        except FileNotFoundError:
            continue
        except OSError as error:
            if error.errno not in (errno.EISDIR, errno.EPERM):
                raise
        os.chmod(one, 0o700, dir_fd=folder)  # a folder, in a folder that is ours alone
        with opened(one, folder) as inner:
            for entry in os.listdir(inner):
                up = f"old-{secrets.token_hex(8)}"
                os.rename(entry, up, src_dir_fd=inner, dst_dir_fd=folder)
                waiting.append(up)
        os.rmdir(one, dir_fd=folder)
