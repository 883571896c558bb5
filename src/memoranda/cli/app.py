"""All commands in one table. Each loads what it needs when it is used, so that --help is quick."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import Annotated

import typer
from typer.main import get_command

from memoranda.cli import (
    chat,
    doctor,
    export,
    facts,
    files,
    ingest,
    lists,
    mcp,
    never,
    project,
    reembed,
    review,
    serve,
    show,
    standing,
    taking_back,
    upkeep,
    window,
)

COMMANDS: dict[str, Callable[..., None]] = {
    "chat": chat.chat,
    "ingest": ingest.ingest,
    "remember": facts.remember,
    "recall": facts.recall,
    "facts": facts.facts,
    "show": facts.show_fact,
    "why": facts.why,
    "blast": facts.blast,
    "correct": facts.correct,
    "standing": standing.standing,
    "pin": standing.pin,
    "unpin": standing.unpin,
    "forget": taking_back.forget,
    "rollback": taking_back.rollback,
    "erase": taking_back.erase,
    "undo": taking_back.undo,
    "review": review.review,
    "never": never.never,
    "rescan": never.rescan,
    "reembed": reembed.reembed,
    "subjects": lists.subjects,
    "sessions": lists.sessions,
    "operations": lists.operations,
    "export": export.export,
    "maintain": upkeep.maintain,
    "window": window.window,
    "serve": serve.serve,
    "doctor": doctor.doctor,
    "mcp": mcp.mcp,
}


def build() -> typer.Typer:
    """The command line. Panels and colours are for terminals; elsewhere help and errors are plain text."""
    person = sys.stdout.isatty() and sys.stderr.isatty()
    made = typer.Typer(
        name="memoranda",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich" if person else None,
    )
    made.callback()(memoranda)
    for name, command in COMMANDS.items():
        made.command(name)(command)
    made.add_typer(files.build(person))
    made.add_typer(project.build(person))
    return made


def tell_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        from memoranda.system import installed_version

        show.say(f"memoranda {installed_version() or '(not installed)'}")
        raise typer.Exit


def memoranda(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", is_eager=True, callback=tell_version),
    ] = False,
) -> None:
    """Agent memory that a person can read, trace, correct and take back."""


def run(arguments: list[str]) -> int:
    """Run one command line and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets its escape, not an error.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        # The command itself and not Typer's wrapper of it, which would hook in tracebacks of its own.
        get_command(build())(arguments, prog_name="memoranda")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0
