"""project: the file that says what the goal is, what is done and what is next, from one session to the next."""

from __future__ import annotations

import hashlib
import shlex
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memoranda.cli import codes, place, show
from memoranda.cli.group import group
from memoranda.cli.options import Db, Json, Subject, readable
from memoranda.errors import FileMissing, UsageError
from memoranda.files.project import Project, check_proof

if TYPE_CHECKING:
    from memoranda.filing import Files

OURS = "agent:project"
Dir = Annotated[
    Path | None,
    typer.Option(
        "--dir",
        metavar="DIR",
        help="The workspace: the project is in its folder `memories`. Default: rows in the store.",
    ),
]


@contextmanager
def opened(
    db: str | None, subject: str, folder: Path | None, *, create: bool = False
) -> Iterator[Files]:
    """The files that the project is in."""
    if folder is not None and not create and not (folder / "memories").is_dir():
        raise FileMissing("there is no project.md here; make one with project init")
    with place.memory(db, create=create) as memory:
        files = memory.files(subject, folder=None if folder is None else folder / "memories")
        try:
            yield files
        finally:
            files.close()


def init(
    goal: Annotated[
        str, typer.Argument(help="What it is all for, in one line.", callback=readable)
    ],
    item: Annotated[
        list[str] | None,
        typer.Option("--item", metavar="TEXT", help="A line of the checklist; may be given again."),
    ] = None,
    setup: Annotated[
        str, typer.Option(metavar="CMD", help="How to set things up.", callback=readable)
    ] = "",
    folder: Dir = None,
    subject: Subject = OURS,
    db: Db = None,
    json: Json = False,
) -> None:
    """Make a project."""
    with opened(db, subject, folder, create=True) as files:
        tell(files.project_init(goal, items=item or (), setup=setup), json=json)


def tell(found: Project, *, json: bool) -> None:
    """A project as it stands."""
    if json:
        show.as_json(found)
        return
    names = {" ": "open", ">": "in progress", "x": "done", "?": "claimed"}
    show.say(f"Project: {found.goal}")
    for n, item in enumerate(found.items, 1):
        show.say(
            f"{n}. {names[item.state]}: {item.text}" + (f" ({item.proof})" if item.proof else "")
        )


def open_(
    tokens: Annotated[int, typer.Option(min=50, help="At most this many.")] = 600,
    folder: Dir = None,
    subject: Subject = OURS,
    db: Db = None,
    json: Json = False,
) -> None:
    """Say what a session reads first, and note that one was opened."""
    with opened(db, subject, folder) as files:
        told = files.project_open(tokens=tokens)
    if json:
        show.as_json({"text": told})
    else:
        for line in told.splitlines():
            show.say(line)


def log(
    text: Annotated[str, typer.Argument(help="One line.", callback=readable)],
    folder: Dir = None,
    subject: Subject = OURS,
    db: Db = None,
    json: Json = False,
) -> None:
    """Write a line into the project's log."""
    with opened(db, subject, folder) as files:
        found = files.project_log(text)
    show.as_json(found) if json else show.say(found.log[-1])


def begin(
    item: Annotated[int, typer.Argument(metavar="ITEM", min=1, help="The item's number.")],
    folder: Dir = None,
    subject: Subject = OURS,
    db: Db = None,
    json: Json = False,
) -> None:
    """Say which item is in progress: this one, and no other."""
    with opened(db, subject, folder) as files:
        tell(files.project_begin(item), json=json)


def tick(
    item: Annotated[int, typer.Argument(metavar="ITEM", min=1, help="The item's number.")],
    run: Annotated[
        str | None,
        typer.Option("--run", metavar="CMD", help="A check; it must end with 0. No shell is used."),
    ] = None,
    step: Annotated[
        int | None, typer.Option("--step", metavar="N", min=1, help="The step that did it.")
    ] = None,
    claim: Annotated[
        str | None, typer.Option("--claim", metavar="TEXT", help="Words alone; shown as a claim.")
    ] = None,
    folder: Dir = None,
    subject: Subject = OURS,
    db: Db = None,
    json: Json = False,
) -> None:
    """Tick an item by a check that runs now, by a step, or as a claim."""
    if sum(given is not None for given in (run, step, claim)) != 1:
        raise UsageError("one of --run, --step and --claim says how the item was done")
    proof = f"step: {step}" if step is not None else f"claimed: {claim}"
    with opened(db, subject, folder) as files:
        files.project_status()  # before a check runs for nothing
        if run is not None:
            proof = proved(run)
        tell(files.project_tick(item, proof), json=json)


def proved(command: str) -> str:
    """Run a check and say how it ended; a failed one ticks nothing."""
    status, proof = checked(command)
    if status:
        show.warn(f"the check ended with {status}; nothing was ticked")
        raise typer.Exit(codes.NOT_DONE)
    return proof


def checked(command: str) -> tuple[int, str]:
    """Run a check without a shell and without input: how it ended, and the proof that it ran."""
    try:
        done = subprocess.run(  # noqa: S603 - a person's own command
            shlex.split(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    except (OSError, ValueError, IndexError):
        raise UsageError("the check cannot be run; nothing was ticked") from None
    digest = hashlib.sha256(done.stdout).hexdigest()
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
    return done.returncode, check_proof(command, done.returncode, digest, when)


def close(
    finished: Annotated[
        str, typer.Option(metavar="TEXT", help="What was finished.", callback=readable)
    ] = "",
    remaining: Annotated[
        str, typer.Option(metavar="TEXT", help="What remains.", callback=readable)
    ] = "",
    folder: Dir = None,
    subject: Subject = OURS,
    db: Db = None,
    json: Json = False,
) -> None:
    """End a session: what was finished, what remains."""
    with opened(db, subject, folder) as files:
        tell(files.project_close(finished=finished, remaining=remaining), json=json)


def status(folder: Dir = None, subject: Subject = OURS, db: Db = None, json: Json = False) -> None:
    """Show a project as it stands."""
    with opened(db, subject, folder) as files:
        tell(files.project_status(), json=json)


COMMANDS: dict[str, Callable[..., None]] = {
    "init": init,
    "open": open_,
    "log": log,
    "begin": begin,
    "tick": tick,
    "close": close,
    "status": status,
}


def build(person: bool) -> typer.Typer:
    """The commands under `memoranda project`."""
    return group(
        "project",
        "Keep a goal, a checklist and a log from one session to the next.",
        COMMANDS,
        person,
    )
