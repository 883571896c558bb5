"""Files: the blocking face of one subject's files. Every method steps one flow; `aio.py` is made from this file."""

from __future__ import annotations

from memoranda.files import commands, opening
from memoranda.files.desk import Desk
from memoranda.step import step as _step
from memoranda.types import FileText, FileVersion, Outcome


class Files:
    """One subject's files: what a model reaches through `handle`, and a program by the other methods.

    A path is `/memories/notes/a.md`, or `notes/a.md` for short. Methods other than `handle` raise `FilesError`s.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def handle(self, command: object) -> tuple[str, bool]:
        """Do one command of the memory tool, a dictionary; returns the answer and whether it is an error.

        Never raises. After an error nothing has changed.
        """
        return _step(commands.handle(self.desk, command))

    def paths(self, path: str = "/memories") -> list[str]:
        """The paths of all files at or below `path`."""
        return _step(opening.listed(self.desk, path))

    def read(self, path: str) -> FileText:
        """A file as it stands, with its sha256. Raises `FileMissing`, `FileUnfit`."""
        return _step(opening.read(self.desk, path))

    def write(self, path: str, text: str, *, if_sha256: str | None = None) -> Outcome:
        """Write a whole file. With `if_sha256` only over the text with this sha256 ("": only where no file is).

        Raises `FileChanged` when it is another, `FileRefused` when the gate says no, `FilesFull` at a cap.
        """
        return _step(opening.write(self.desk, path, text, if_sha256=if_sha256))

    def remove(self, path: str) -> None:
        """Take away a file, or a folder with all it holds; `restore` brings a file back. Raises `FileMissing`."""
        _step(opening.remove(self.desk, path))

    def history(self, path: str) -> list[FileVersion]:
        """The versions of a file, newest first: what, who, when, sha256. Also of one that is gone."""
        return _step(opening.history(self.desk, path))

    def diff(self, path: str, old: int | None = None, new: int | None = None) -> str:
        """A unified diff of two versions; without `new` of the file as it stands, without `old` of the one before."""
        return _step(opening.diff(self.desk, path, old, new))

    def restore(self, path: str, n: int) -> Outcome:
        """Write the text of version `n` again, as a new version. Raises `FileMissing` when no text is kept of it."""
        return _step(opening.restore(self.desk, path, n))

    def rules(self) -> list[FileText]:
        """The rule files (`file_rules`) that may be read at session start: as a person approved them."""
        return _step(opening.rules(self.desk))

    def close(self) -> None:
        """Let go of the folder. Calling it twice is harmless."""
        _step(self.desk.tree.close())
