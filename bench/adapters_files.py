"""The files of a subject as the attack instrument takes them: `handle(dict) -> (text, is_error)` over a real folder.

files_folder(box): the folder tree itself. files_table(box): rows in the store. The instrument plants and reads real files,
so for rows the folder is only their picture: what it planted is taken in before a call, and what changed is put out after
it. The store lies outside the box, whose every byte the instrument watches; it is opened anew in each forked process.
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
from memoranda.filing import Files
from memoranda.memory import Memory
from memoranda.settings import Settings
from memoranda.trees.folder import FolderTree
from memoranda.step import step

Handle = Callable[[Any], tuple[str, bool]]
# The instrument edits files of half a megabyte; the caps are tried with twenty.
SETTINGS = Settings(file_bytes=1_048_576, file_versions=3)
SUBJECT = "agent:attacked"


def _state(box: Path) -> Path:
    """A folder outside the box, away again when the process that made it ends."""
    above = box.parent.parent if os.path.ismount(box.parent) else box.parent
    state = Path(tempfile.mkdtemp(prefix=f"state-{box.name}-", dir=above))
    owner = os.getpid()
    atexit.register(lambda: os.getpid() == owner and shutil.rmtree(state, ignore_errors=True))
    return state


class PerProcess:
    """Memory and files, opened once in each process: neither may be carried across a fork."""

    def __init__(self, state: Path, folder: Path | None) -> None:
        self.state, self.folder = state, folder
        self.opened: dict[int, Files] = {}

    def files(self) -> Files:
        pid = os.getpid()
        if pid not in self.opened:
            memory = Memory.open(self.state / "memory.db", settings=SETTINGS)
            self.opened = {pid: memory.files(SUBJECT, folder=self.folder)}
        return self.opened[pid]


def files_folder(box: Path) -> tuple[Handle, Path]:
    """The folder tree under attack."""
    root = box / "base" / "memories"
    FolderTree(root)  # makes what stands beside the root before the instrument looks
    own = PerProcess(_state(box), root)
    return lambda command: own.files().handle(command), root


class Picture:
    """A folder that shows rows. `manifest` holds what it last showed."""

    def __init__(self, state: Path, root: Path) -> None:
        self.state, self.root = state, root
        self.manifest = state / "manifest.json"

    @contextmanager
    def alone(self) -> Iterator[dict[str, str]]:
        with (self.state / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            shown = json.loads(self.manifest.read_text()) if self.manifest.exists() else {}
            yield shown
            temporary = self.state / secrets.token_hex(8)
            temporary.write_text(json.dumps(shown))
            temporary.rename(self.manifest)

    def take_in(self, files: Files, tree: FolderTree) -> None:
        """What the instrument planted becomes rows: plain text files only, for rows know nothing else."""
        with self.alone() as shown:
            for node in step(tree.walk("", 200)):
                if node.folder or shown.get(node.path, "").startswith(node.stamp):
                    continue
                try:
                    now, text = step(tree.read(node.path, SETTINGS.file_bytes))
                    files.write(node.path, text)
                except FilesError:
                    continue
                shown[node.path] = f"{now.stamp} {hashlib.sha256(text.encode()).hexdigest()}"

    def put_out(self, files: Files, tree: FolderTree) -> None:
        """What the rows hold now is shown; what they no longer hold goes."""
        with self.alone() as shown:
            there = {path.removeprefix("/memories/") for path in files.paths()}
            for path in [path for path in shown if path not in there]:
                del shown[path]
                with_suppressed(lambda path=path: step(tree.remove(path)))
                self._prune(tree, path)
            for path in sorted(there):
                text = files.read(path).text
                digest = hashlib.sha256(text.encode()).hexdigest()
                if shown.get(path, " ").split(" ")[1] == digest:
                    continue
                node = with_suppressed(
                    lambda path=path, text=text: step(tree.put(path, text, new=False))
                )
                shown[path] = f"{node.stamp if node else ''} {digest}"

    def _prune(self, tree: FolderTree, path: str) -> None:
        """A folder whose last shown file went goes with it, unless something else is in it."""
        above = path.rpartition("/")[0]
        if above and not step(tree.names(above)):
            with_suppressed(lambda: step(tree.remove(above)))
            self._prune(tree, above)


def with_suppressed(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except FilesError:
        return None


def files_table(box: Path) -> tuple[Handle, Path]:
    """Rows under attack, seen through a folder."""
    root = box / "base" / "memories"
    tree = FolderTree(root)
    state = _state(box)
    own, picture = PerProcess(state, None), Picture(state, root)

    def handle(command: Any) -> tuple[str, bool]:
        files = own.files()
        picture.take_in(files, tree)
        answer = files.handle(command)
        if not answer[1]:
            picture.put_out(files, tree)
        return answer

    return handle, root
