"""files: look at, edit and restore what models keep in files, and do their calls from a pipe."""

from __future__ import annotations

import json as formats
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memoranda.cli import ask, codes, place, show
from memoranda.cli.escape import visible_json
from memoranda.cli.group import group
from memoranda.cli.options import ME, Db, Json, Subject, Yes, readable
from memoranda.errors import FileMissing, FilesError, UsageError
from memoranda.types import Outcome

if TYPE_CHECKING:
    from memoranda.filing import Files

LONGEST_LINE = 10_000_000
Folder = Annotated[
    Path | None,
    typer.Option(
        "--folder",
        metavar="DIR",
        help="The folder that the files are in. Default: `files_folder` of the settings, else rows in the store.",
    ),
]
FilePath = Annotated[
    str,
    typer.Argument(
        metavar="PATH", help="/memories/notes/a.md, or notes/a.md for short.", callback=readable
    ),
]
Version = Annotated[int, typer.Argument(metavar="N", min=1, help="A version's number.")]


@contextmanager
def opened(
    db: str | None,
    subject: str,
    folder: Path | None,
    *,
    create: bool = False,
    there: bool = True,
) -> Iterator[Files]:
    """The files of a subject, at the chosen place. there: a folder must be there: a slip of the pen makes none."""
    if folder is not None and there and not create and not folder.is_dir():
        raise FileMissing(f"there is no folder {folder}")
    with place.memory(db, create=create) as memory:
        files = memory.files(subject, folder=folder)
        try:
            yield files
        finally:
            files.close()


def ls(
    path: Annotated[
        str, typer.Argument(metavar="[PATH]", help="Only at or below this path.", callback=readable)
    ] = "/memories",
    subject: Subject = ME,
    folder: Folder = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """List files, with sizes and marks."""
    with opened(db, subject, folder) as files:
        found = [_row(files, name) for name in files.paths(path)]
    if json:
        columns = ("path", "bytes", "sha256", "mark")
        show.as_json([{name: row[name] for name in columns} for row in found])
        return
    lines = [
        (f"/memories/{row['path']}", row["bytes"], row["n"], row["mark"] or None) for row in found
    ]
    show.table(("file", "bytes", "version", "mark"), lines, nothing="there are no files")


def _row(files: Files, path: str) -> dict[str, str | int | None]:
    """What is told of a file; one that cannot be read must not hide the others."""
    try:
        file = files.read(path)
    except FilesError:
        name = path.removeprefix("/memories/")
        return {"path": name, "bytes": None, "sha256": None, "n": None, "mark": "unreadable"}
    size = len(file.text.encode())
    return {"path": file.path, "bytes": size, "sha256": file.sha256, "n": file.n, "mark": file.mark}


def cat(
    path: FilePath, subject: Subject = ME, folder: Folder = None, db: Db = None, json: Json = False
) -> None:
    """Print a file: byte for byte into a pipe, with unseen characters spelt out on a terminal."""
    with opened(db, subject, folder) as files:
        file = files.read(path)
    if json:
        show.as_json(file)
    elif show.on_terminal():
        for line in file.text.removesuffix("\n").split("\n"):
            show.say(line)
    else:
        sys.stdout.buffer.write(file.text.encode())
        sys.stdout.buffer.flush()


def write(
    path: FilePath,
    text: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT", help="The whole text; default: standard input.", callback=readable
        ),
    ] = None,
    if_sha256: Annotated[
        str | None,
        typer.Option(
            "--if-hash",
            metavar="HEX",
            help='Only over the text with this sha256; "" only where no file is.',
        ),
    ] = None,
    subject: Subject = ME,
    folder: Folder = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Write a whole file."""
    if text is None:
        try:
            text = sys.stdin.buffer.read().decode()
        except UnicodeDecodeError:
            raise UsageError("standard input is not UTF-8; nothing was written") from None
    with opened(db, subject, folder, create=True) as files:
        finish(files.write(path, text, if_sha256=if_sha256), path, json=json)


def finish(outcome: Outcome, path: str, *, json: bool) -> None:
    """Say what became of a write."""
    if json:
        show.as_json({"path": path, "version": int(outcome.id or 0), "reasons": outcome.reasons})
        return
    how = "unchanged" if "unchanged" in outcome.reasons else f"version {outcome.id}"
    masked = [reason for reason in outcome.reasons if reason.startswith("masked:")]
    show.say(f"{path}: {how}" + (f" ({', '.join(masked)})" if masked else ""))


def edit(
    path: FilePath, subject: Subject = ME, folder: Folder = None, db: Db = None, json: Json = False
) -> None:
    """Edit a file in your editor (VISUAL, else EDITOR); refused when somebody else changed it meanwhile."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        raise UsageError("there is no editor: set VISUAL or EDITOR, or use files write")
    with opened(db, subject, folder) as files:
        file = files.read(path)
        with tempfile.TemporaryDirectory(prefix="memoranda-") as box:
            copy = Path(box) / file.path.rpartition("/")[2]
            copy.write_bytes(file.text.encode())
            try:
                done = subprocess.run([*shlex.split(editor), str(copy)], check=False)  # noqa: S603 - a person's own editor
            except (OSError, ValueError):
                raise UsageError("the editor cannot be started; nothing was written") from None
            if done.returncode:
                raise UsageError("the editor ended with a fault; nothing was written")
            try:
                text = copy.read_bytes().decode()
            except (OSError, UnicodeDecodeError):
                raise UsageError(
                    "what the editor left cannot be read as UTF-8; nothing was written"
                ) from None
        finish(files.write(path, text, if_sha256=file.sha256), path, json=json)


def mv(
    old: FilePath,
    new: Annotated[
        str,
        typer.Argument(
            metavar="NEW", help="Where it goes; nothing may be there.", callback=readable
        ),
    ],
    subject: Subject = ME,
    folder: Folder = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Move or rename a file or a directory."""
    with opened(db, subject, folder) as files:
        files.move(old, new)
    show.as_json({"old": old, "new": new}) if json else show.say(f"{old} is now {new}")


def rm(
    path: FilePath,
    yes: Yes = False,
    subject: Subject = ME,
    folder: Folder = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Delete a file, or a directory with all it holds; files restore brings a file back."""
    with opened(db, subject, folder) as files:
        gone = files.paths(path)
        if not json:
            for name in gone:
                show.say(name)
        if not ask.agreed(f"Delete {len(gone)} files?", yes=yes):
            raise typer.Exit(codes.NOT_DONE)
        files.remove(path)
    show.as_json({"deleted": gone}) if json else show.say(f"deleted {len(gone)}")


def history(
    path: FilePath, subject: Subject = ME, folder: Folder = None, db: Db = None, json: Json = False
) -> None:
    """List the versions of a file, newest first; also of one that is gone."""
    with opened(db, subject, folder, there=False) as files:
        found = files.history(path)
    if json:
        show.as_json(found)
        return
    rows = [
        (v.n, v.at, v.verb, v.actor, v.run, v.step, v.size, v.mark or None, v.source) for v in found
    ]
    headings = ("version", "when", "what", "who", "run", "step", "bytes", "mark", "other path")
    show.table(headings, rows, nothing="there are none")


def diff(
    path: FilePath,
    old: Annotated[
        int | None, typer.Option("--from", min=1, metavar="N", help="Default: the one before.")
    ] = None,
    new: Annotated[
        int | None, typer.Option("--to", min=1, metavar="N", help="Default: as it stands.")
    ] = None,
    subject: Subject = ME,
    folder: Folder = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Compare two versions of a file."""
    with opened(db, subject, folder, there=False) as files:
        found = files.diff(path, old, new)
    if json:
        show.as_json({"path": path, "diff": found})
    else:
        for line in found.splitlines():
            show.say(line)


def restore(
    path: FilePath,
    n: Version,
    subject: Subject = ME,
    folder: Folder = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Write the text of an earlier version again, as a new version."""
    with opened(db, subject, folder, there=False) as files:
        finish(files.restore(path, n), path, json=json)


def handle(
    sdk: Annotated[
        bool, typer.Option("--sdk", help="Answer in the words of the Anthropic SDK.")
    ] = False,
    subject: Subject = ME,
    folder: Folder = None,
    db: Db = None,
) -> None:
    """Do a model's calls: a JSON object a line on standard input, {"text", "is_error"} a line on standard output."""
    with place.memory(db, create=True) as memory:
        files = memory.files(subject, folder=folder, sdk=sdk)
        for line in iter(lambda: sys.stdin.buffer.readline(LONGEST_LINE), b""):
            if line.strip():
                text, is_error = files.handle(call_of(line))
                answer = formats.dumps({"text": text, "is_error": is_error}, ensure_ascii=False)
                sys.stdout.write(visible_json(answer) + "\n")
                sys.stdout.flush()
        files.close()


def call_of(line: bytes) -> object:
    """The call on a line; None, which no handler takes, when it is no JSON."""
    try:
        return formats.loads(line)
    except (ValueError, RecursionError):
        return None


COMMANDS: dict[str, Callable[..., None]] = {
    "ls": ls,
    "cat": cat,
    "write": write,
    "edit": edit,
    "mv": mv,
    "rm": rm,
    "history": history,
    "diff": diff,
    "restore": restore,
    "handle": handle,
}


def build(person: bool) -> typer.Typer:
    """The commands under `memoranda files`."""
    return group("files", "Look at, edit and restore what models keep in files.", COMMANDS, person)
