"""Questions to a person. A script is never asked: it says beforehand what it wants."""

from __future__ import annotations

import sys

from memoranda.cli.escape import visible
from memoranda.errors import UsageError


def somebody_there() -> bool:
    """Can a person see a question and answer it?"""
    return sys.stdin.isatty() and sys.stdout.isatty()


def answer(question: str) -> str:
    """One line from a person; the end of input is an empty answer."""
    try:
        return input(visible(question) + " ").strip()
    except EOFError:
        sys.stdout.write("\n")
        return ""


def agreed(question: str, *, yes: bool) -> bool:
    """Whether to go on. Without a terminal only `--yes` says so."""
    if yes:
        return True
    if not somebody_there():
        raise UsageError(
            "nothing was done: there is no terminal to ask on; --yes goes on without asking"
        )
    return answer(f"{question} [y/N]").lower() in ("y", "yes")
