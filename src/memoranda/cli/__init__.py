"""The command `memoranda`. This module needs the standard library alone, so that it can say what is missing."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoranda.errors import MemorandaError

INTERRUPTED = 130  # as in `codes`, which takes a while to load
PARTS = ("typer", "rich", "platformdirs")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with `arguments` (default: those of the process) and return its exit code."""
    try:
        open_streams()
        code = run(arguments)
    except KeyboardInterrupt:
        # All that takes time, the loading too, happens inside: Ctrl-C at any moment of it is no traceback.
        code = INTERRUPTED
    if code == INTERRUPTED and sys.stderr.isatty():
        complain("\n")  # so that the shell's prompt stands on a line of its own
    return code


def open_streams() -> None:
    """Put nothing in the place of standard streams that the caller closed, so that each can be used as ever."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nothing = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 (as long as the process)
            setattr(sys, name, nothing)


def run(arguments: Sequence[str] | None) -> int:
    """Run one command and turn every error into a sentence and an exit code.

    A person's mistake ends in a sentence, and so does ours: the log gets the type of an unforeseen error and
    the line it came from, never its text, which may hold what somebody asked to have erased.
    """
    import logging

    from memoranda.cli import codes
    from memoranda.errors import MemorandaError, MissingExtra, place_of

    log = logging.getLogger("memoranda.cli")
    try:
        from memoranda.cli import app
    except ModuleNotFoundError as missing:
        if missing.name not in PARTS:
            raise
        return tell(MissingExtra("cli", "the command memoranda"))
    try:
        return app.run(list(sys.argv[1:] if arguments is None else arguments))
    except MemorandaError as error:
        return tell(error)
    except BrokenPipeError:
        return codes.PIPE
    except Exception as error:
        place = place_of(error.__traceback__)
        log.error("unforeseen %s at %s", type(error).__name__, place)
        complain(
            "This is a mistake in Memoranda, not yours. What was written before it is kept; `memoranda doctor`\n"
            "looks at the store. Please report the command and the line above (CONTRIBUTING.md says where).\n"
        )
        return codes.BUG


def tell(error: MemorandaError) -> int:
    """Say what happened and what to do, in one line, and return the exit code of it."""
    from memoranda.cli import codes
    from memoranda.cli.escape import visible

    complain(f"memoranda: {visible(str(error))}\n")
    return codes.code_of(error)


def complain(text: str) -> None:
    """Write to standard error; when nobody can read that either, the exit code has to do."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        pass
