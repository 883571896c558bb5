"""Files: the blocking face of one subject's files. Every method steps one flow; `aio.py` is made from this file."""

from __future__ import annotations

from collections.abc import Sequence

from memoranda.files import commands, opening, projects
from memoranda.files.desk import Desk
from memoranda.files.project import Project
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

    def gone(self) -> list[str]:
        """The paths of files that are gone and have versions: `restore` brings one back."""
        return _step(opening.gone(self.desk))

    def read(self, path: str) -> FileText:
        """A file as it stands, with its sha256. Raises `FileMissing`, `FileUnfit`."""
        return _step(opening.read(self.desk, path))

    def write(self, path: str, text: str, *, if_sha256: str | None = None) -> Outcome:
        """Write a whole file. With `if_sha256` only over the text with this sha256 ("": only where no file is).

        Raises `FileChanged` when it is another, `FileRefused` when the gate says no, `FilesFull` at a cap.
        """
        return _step(opening.write(self.desk, path, text, if_sha256=if_sha256))

    def rewrite(self, file: FileText, text: str) -> Outcome:
        """Write an edit of a file over what was read of it. What marks it stays: part of its text is what it was.

        Raises as `write` does.
        """
        return _step(opening.rewrite(self.desk, file, text))

    def remove(self, path: str) -> None:
        """Take away a file, or a folder with all it holds; `restore` brings a file back. Raises `FileMissing`."""
        _step(opening.remove(self.desk, path))

    def move(self, old: str, new: str) -> None:
        """Give a file or a folder another path. Raises `FileMissing`, `FileExists`."""
        _step(opening.move(self.desk, old, new))

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

    # A project: progress log, checklist, set-up and plan in `project.md`

    def project_init(self, goal: str, *, items: Sequence[str] = (), setup: str = "") -> Project:
        """Make the project's file. Raises `FileExists` when there is one."""
        return _step(projects.init(self.desk, goal, items, setup))

    def project_status(self) -> Project:
        """The project as its file says. Raises `FileMissing`, and `FileUnfit` when the file cannot be read as one."""
        return _step(projects.status(self.desk))

    def project_open(self, *, tokens: int = 600) -> str:
        """What a session reads first: state, next item, last lines of the log, and whether the last never closed."""
        return _step(projects.open_session(self.desk, tokens=tokens))

    def project_log(self, text: str) -> Project:
        """One line more in the log."""
        return _step(projects.log(self.desk, text))

    def project_begin(self, n: int) -> Project:
        """Item `n` is in progress, and no other."""
        return _step(projects.begin(self.desk, n))

    def project_tick(self, n: int, proof: str) -> Project:
        """Item `n` is done by a check that ran (`check: ...`) or a step (`step: ...`); `claimed: ...` only claims."""
        return _step(projects.tick(self.desk, n, proof))

    def project_close(self, *, finished: str = "", remaining: str = "") -> Project:
        """The end of a session: what was finished, what remains."""
        return _step(projects.close(self.desk, finished=finished, remaining=remaining))

    def close(self) -> None:
        """Let go of the folder. Calling it twice is harmless."""
        _step(self.desk.tree.close())
