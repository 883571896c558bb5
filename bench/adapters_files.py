"""The files of a subject as the attack instrument takes them: `handle(dict) -> (text, is_error)` over a real folder.

files_folder(box): the folder tree itself. files_table(box): rows in the store. The instrument plants and reads real
files, so for rows the folder is only their picture: what it planted is taken in before a call, and what changed is put
out after it. The store lies outside the box, whose every byte the instrument watches; each process opens its own.
files_folder_sdk(box): the folder in the words of the Anthropic SDK, for suites that compare them to the letter.
"""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memoranda.errors import FilesError
from memoranda.files.paths import is_name
from memoranda.filing import Files
from memoranda.memory import Memory
from memoranda.ports import Node
from memoranda.settings import Settings
from memoranda.step import step
from memoranda.trees.folder import FolderTree

Handle = Callable[[Any], tuple[str, bool]]
# The instrument edits files of half a megabyte; the caps are tried with twenty.
SETTINGS = Settings(file_bytes=1_048_576, file_versions=3)
# The SDK's own suite views a file of a million lines.
SDK_SETTINGS = Settings(file_bytes=8_388_608, file_versions=3)
SUBJECT = "agent:attacked"
FOLDER, ODD, UNREADABLE = "folder", "odd", "x" * (SETTINGS.file_bytes + 1)


def _state(box: Path) -> Path:
    """A folder outside the box, away again when the process that made it ends."""
    above = box.parent.parent if os.path.ismount(box.parent) else box.parent
    state = Path(tempfile.mkdtemp(prefix=f"state-{box.name}-", dir=above))
    owner = os.getpid()
    atexit.register(lambda: os.getpid() == owner and shutil.rmtree(state, ignore_errors=True))
    return state


class PerProcess:
    """Memory and files, opened once in each process: neither may be carried across a fork."""

    def __init__(self, state: Path, folder: Path | None, *, sdk: bool = False) -> None:
        self.state, self.folder, self.sdk = state, folder, sdk
        self.opened: dict[int, Files] = {}

    def files(self) -> Files:
        pid = os.getpid()
        if pid not in self.opened:
            settings = SDK_SETTINGS if self.sdk else SETTINGS
            memory = Memory.open(self.state / "memory.db", settings=settings)
            self.opened = {pid: memory.files(SUBJECT, folder=self.folder, sdk=self.sdk)}
        return self.opened[pid]


def files_folder(box: Path) -> tuple[Handle, Path]:
    """The folder tree under attack."""
    return _folder(box)


def files_folder_sdk(box: Path) -> tuple[Handle, Path]:
    """The same in the words of the SDK."""
    return _folder(box, sdk=True)


def _folder(box: Path, *, sdk: bool = False) -> tuple[Handle, Path]:
    root = box / "base" / "memories"
    FolderTree(root)  # makes what stands beside the root before the instrument looks
    own = PerProcess(_state(box), root, sdk=sdk)
    return lambda command: own.files().handle(command), root


class Picture:
    """A folder that shows rows. `manifest` holds what it last showed of each path: a stamp and a sha256.

    What is planted and is no plain text file (a link, a pipe, bytes) becomes a row that is over the cap: something is
    there, and it cannot be read.
    """

    def __init__(self, state: Path, root: Path) -> None:
        self.state, self.root = state, root
        self.manifest = state / "manifest.json"
        self.tree = FolderTree(root)

    @contextmanager
    def alone(self) -> Iterator[dict[str, str]]:
        with (self.state / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            shown = json.loads(self.manifest.read_text()) if self.manifest.exists() else {}
            yield shown
            temporary = self.state / secrets.token_hex(8)
            temporary.write_text(json.dumps(shown))
            temporary.rename(self.manifest)

    def planted(self, folder: str = "", depth: int = 1) -> Iterator[Node]:
        for name in sorted(attempt(lambda: step(self.tree.names(folder))) or ()):
            path = f"{folder}/{name}" if folder else name
            node = attempt(lambda path=path: step(self.tree.node(path))) if is_name(name) else None
            if node is not None:
                yield node
                if node.folder and depth < SETTINGS.file_depth:
                    yield from self.planted(path, depth + 1)

    def take_in(self, files: Files) -> None:
        """What the instrument planted becomes rows."""
        with self.alone() as shown:
            for node in self.planted():
                if node.path in shown and shown[node.path].split(" ")[0] == node.stamp:
                    continue
                shown[node.path] = f"{node.stamp} {self._taken(files, node)}"

    def _taken(self, files: Files, node: Node) -> str:
        if node.folder:
            # A folder stays when its last file goes.
            attempt(lambda: files.write(f"{node.path}/x", ""))
            attempt(lambda: files.remove(f"{node.path}/x"))
            return FOLDER
        read = attempt(lambda: step(self.tree.read(node.path, SETTINGS.file_bytes)))
        if read is None:
            attempt(lambda: step(files.desk.tree.put(node.path, UNREADABLE, new=True)))
            return ODD
        attempt(lambda: files.write(node.path, read[1]))
        return hashlib.sha256(read[1].encode()).hexdigest()

    def put_out(self, files: Files) -> None:
        """What the rows hold now is shown; what they no longer hold goes."""
        with self.alone() as shown:
            there = {
                node.path: node for node in step(files.desk.tree.walk("", SETTINGS.file_depth))
            }
            for path in sorted(shown.keys() - there.keys()):
                del shown[path]
                attempt(lambda path=path: step(self.tree.remove(path)))
            for path, node in there.items():
                if node.folder:
                    attempt(lambda path=path: (self.root / path).mkdir(0o700))
                    shown.setdefault(path, f" {FOLDER}")
                elif shown.get(path, " ").split(" ")[1] not in (node.stamp, ODD):
                    self._show(files, path, shown)

    def _show(self, files: Files, path: str, shown: dict[str, str]) -> None:
        file = attempt(lambda: files.read(path))
        if file is not None:
            node = attempt(lambda: step(self.tree.put(path, file.text, new=False)))
            shown[path] = f"{node.stamp if node else ''} {file.sha256}"


def attempt(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except (FilesError, FileExistsError):
        return None


def files_table(box: Path) -> tuple[Handle, Path]:
    """Rows under attack, seen through a folder."""
    root = box / "base" / "memories"
    state = _state(box)
    own, picture = PerProcess(state, None), Picture(state, root)

    def handle(command: Any) -> tuple[str, bool]:
        files = own.files()
        picture.take_in(files)
        answer = files.handle(command)
        if not answer[1]:
            picture.put_out(files)
        return answer

    return handle, root
