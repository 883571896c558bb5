"""ingest: conversations from files. Every file is read to its end before the first word is remembered."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memoranda.cli import place, show
from memoranda.cli.options import ME, Db, Json, Subject, readable
from memoranda.errors import UsageError
from memoranda.types import Origin, Outcome, Verdict, from_micros

if TYPE_CHECKING:
    from memoranda.memory import Memory
    from memoranda.readers import Conversation


class Format(StrEnum):
    """What a file holds."""

    AUTO = "auto"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    TEXT = "text"
    MEMORY_SERVER = "memory-server"


@dataclass
class Report:
    """What became of one file."""

    file: str
    run: str
    conversations: int = 0
    messages: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, found: Conversation, outcomes: list[Outcome]) -> None:
        """Count one conversation, or one more piece of a long one."""
        self.conversations += not found.continues
        self.messages += len(found.messages)
        for outcome in outcomes:
            status = outcome.status.value
            self.counts[status] += 1
            self.reasons.setdefault(status, Counter()).update(outcome.reasons)

    def as_row(self) -> dict[str, object]:
        """The report as JSON has it: every verdict is there, also when it is 0."""
        verdicts = {verdict.value: self.counts[verdict.value] for verdict in Verdict}
        head = {
            "file": self.file,
            "run": self.run,
            "conversations": self.conversations,
            "messages": self.messages,
        }
        return {
            **head,
            **verdicts,
            "reasons": {name: dict(found) for name, found in self.reasons.items() if found},
        }


def ingest(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="JSON, JSONL or text.")],
    subject: Subject = ME,
    form: Annotated[Format, typer.Option("--format", help="What the files hold.")] = Format.AUTO,
    run: Annotated[
        str | None,
        typer.Option(
            metavar="RUN",
            help="The run they belong to; default: named after the file's content.",
            callback=readable,
        ),
    ] = None,
    origin: Annotated[
        Origin | None,
        typer.Option(
            help="memory-server: whose words they are; decides trust. Default: external, and all is held."
        ),
    ] = None,
    skip_faulty: Annotated[
        bool,
        typer.Option(
            "--skip-faulty", help="memory-server: pass over lines that cannot be read, each named."
        ),
    ] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Remember what a person says in conversations, one file after the other."""
    from memoranda.gate.draft import name
    from memoranda.readers import read_conversations, shape_of

    run = None if run is None else name("run", run)
    limit = place.settings().ingest_bytes
    if form is Format.MEMORY_SERVER:
        from memoranda.cli.graph import ingest_graphs

        ingest_graphs(
            files, subject, origin or Origin.EXTERNAL, run, skip=skip_faulty, db=db, json=json
        )
        return
    if origin is not None or skip_faulty:
        raise UsageError("--origin and --skip-faulty go with --format memory-server alone")
    kind = shape_of(form.value)
    # Each call reads its file to the end: a fault in any of them ends the command here, with nothing written.
    sources = [(file, read_conversations(file, kind, limit)) for file in files]
    with place.memory(db, create=True) as memory:
        reports = [observe(memory, file, source, subject, run) for file, source in sources]
    if json:
        show.as_json([report.as_row() for report in reports])
    else:
        for report in reports:
            tell(report)


def observe(
    memory: Memory, file: Path, source: Iterator[Conversation], subject: str, run: str | None
) -> Report:
    """Take one file through the gate, with progress for a person."""
    report = Report(str(file), run or run_of(file))
    with progress(file.name) as tick:
        for found in source:
            times = [None if time is None else from_micros(time) for time in found.times]
            # Steps count on through the file: two conversations must not share one.
            outcomes = memory.observe(
                found.messages,
                subject=subject,
                run=report.run,
                times=times,
                first_step=report.messages,
            )
            report.add(found, outcomes)
            tick()
    return report


def run_of(file: Path) -> str:
    """A run named after what the file holds, so that the same file twice is the same run, and one fact each."""
    with file.open("rb") as stream:
        return f"ingest-{hashlib.file_digest(stream, 'sha256').hexdigest()[:16]}"


@contextmanager
def progress(what: str) -> Iterator[Callable[[], None]]:
    """A count on a terminal, nothing elsewhere."""
    if not show.on_terminal():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}: {task.completed} conversations"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda: bar.advance(task)


def tell(report: Report) -> None:
    """The counts of a file, and why what was not accepted was not."""
    counts = ", ".join(f"{report.counts[verdict.value]} {verdict.value}" for verdict in Verdict)
    show.say(
        f"{report.file}: {show.number(report.conversations, 'conversation')}, "
        f"{show.number(report.messages, 'message')}: {counts}"
    )
    for status, found in report.reasons.items():
        for reason, number in found.most_common():
            show.say(f"  {status} {number}: {reason}")
    if report.counts[Verdict.HELD.value]:
        show.say("  what is held waits for a person: memoranda review")
    if report.counts.total():
        show.say(f"  take it back with: memoranda forget --run {report.run}")
