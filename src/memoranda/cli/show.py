"""Output. On a terminal tables and colour; anywhere else plain lines with tabs, which stay the same for scripts."""

from __future__ import annotations

import codecs
import dataclasses
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from shutil import get_terminal_size
from typing import Any

from memoranda.cli import complain
from memoranda.cli.codes import INPUT, PIPE
from memoranda.cli.escape import visible, visible_json
from memoranda.moments import local
from memoranda.types import Fact, Outcome, Status

Row = Sequence[object]
NARROW = 80


def on_terminal() -> bool:
    """Does a person see the output?"""
    return sys.stdout.isatty()


def say(text: str = "") -> None:
    """One line to standard output, seen at once. Unseen characters in it are spelt out."""
    _write(visible(text) + "\n")


def warn(text: str) -> None:
    """One line to standard error, so that it never mixes with what a script reads."""
    complain(f"memoranda: {visible(text)}\n")


def as_json(value: object) -> None:
    """A JSON document of plain data, dataclasses, times and enums. Where the output is not UTF-8, it is ASCII:
    the escapes of a terminal that lacks a character are not those of JSON."""
    narrow = codecs.lookup(sys.stdout.encoding or "ascii").name != "utf-8"
    _write(visible_json(json.dumps(plain(value), ensure_ascii=narrow, indent=2)) + "\n")


def table(headings: Sequence[str], rows: Iterable[Row], *, nothing: str) -> None:
    """Rows under headings on a terminal, tab-separated lines elsewhere; `nothing` goes to a person alone."""
    lines = [[cell(value) for value in row] for row in rows]
    if not lines:
        warn(nothing)
    elif on_terminal() and get_terminal_size().columns < NARROW:
        # An id alone takes 28 columns: in a table the texts would stand letter under letter.
        for line in lines:
            _write("  ".join(line[:-1]) + "\n" + f"    {line[-1]}\n")
    elif on_terminal():
        _rich_table(headings, lines)
    else:
        for line in lines:
            _write("\t".join(line) + "\n")


def pairs(rows: Iterable[tuple[str, object]]) -> None:
    """Names and values, one pair a line."""
    for name, value in rows:
        say(f"{name}: {cell(value)}")


def plain(value: object) -> Any:
    """`value` as JSON knows it."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def cell(value: object) -> str:
    """A value as a person reads it, on one line."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return local(value).isoformat(sep=" ", timespec="minutes")
    if isinstance(value, list | tuple):
        return visible(" ".join(str(item) for item in value)) or "-"
    return visible(str(value))


def number(count: int, what: str) -> str:
    """ "1 fact", "2 facts"."""
    return f"{count} {what}" + ("" if count == 1 else "s")


def state(fact: Fact) -> str:
    """The status as a person means it: what is live and over is expired."""
    return (
        "expired"
        if fact.status is Status.LIVE and fact.expired(datetime.now(UTC))
        else fact.status.value
    )


def facts(found: Sequence[Fact], *, nothing: str) -> None:
    """One fact a line: id, state, subject, where it came from, text."""
    rows = [
        (
            f.id,
            f"{state(f)}, pinned" if f.pinned_by else state(f),
            f.subject,
            f.origin.value,
            f.fact,
        )
        for f in found
    ]
    table(("id", "state", "subject", "from", "fact"), rows, nothing=nothing)


def outcome(result: Outcome, *, text: str | None = None) -> None:
    """What the gate did, in one line: verdict, id, reasons, what it replaced."""
    parts = [result.status.value]
    parts += [result.id] if result.id else []
    parts += [f"({', '.join(result.reasons)})"] if result.reasons else []
    said = text or result.fact
    line = " ".join(parts) + (f": {said}" if said else "")
    say(line + (f" [replaces {' '.join(result.replaced)}]" if result.replaced else ""))


def _rich_table(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # Text(...) and not a string: a remembered "[red]" is two brackets and a word, not an order.
    drawn = Table(box=SIMPLE_HEAD, pad_edge=False)
    for n, heading in enumerate(headings):
        drawn.add_column(heading, overflow="fold", no_wrap=n == 0)
    for line in lines:
        drawn.add_row(*(Text(text) for text in line))
    Console(highlight=False, emoji=False).print(drawn)


def unwritten(file: object, fault: OSError) -> SystemExit:
    """What ends the command when a file that it was told to write cannot be written; says so first."""
    warn(f"{file} cannot be written ({fault.strerror}); name a place that you may write to")
    return SystemExit(INPUT)


def _write(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as fault:
        # What is still buffered would fail again at exit, with a message: send it nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(fault, BrokenPipeError):
            raise SystemExit(PIPE) from None
        warn(f"the output cannot be written ({fault.strerror}); what was done before it is done")
        raise SystemExit(INPUT) from None
