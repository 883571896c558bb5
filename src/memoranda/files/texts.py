"""Texts of files as the commands show and edit them: numbered lines, listings, replacing, inserting. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memoranda.ports import Node

MOST_LINES = 999_999
AROUND = 2
UNITS = "BKMG"


@dataclass(frozen=True, slots=True)
class Page:
    """Part of a file: its numbered lines, and a last line that says how to see the rest ("" when that was all)."""

    text: str
    more: str


def page(text: str, first: int, last: int, most: int) -> Page:
    """The lines `first` to `last` (1-based, -1: to the end), of at most `most` characters."""
    lines = text.split("\n")
    last = len(lines) if last == -1 else min(last, len(lines))
    shown: list[str] = []
    size = 0
    for number in range(first, last + 1):
        line = f"{number:>6}\t{lines[number - 1]}"
        size += len(line) + 1
        if size > most and shown:
            return Page("\n".join(shown), _more(number - 1, len(lines)))
        if size > most:
            cut = f"[line {number} is cut at {most} characters; {_more(number, len(lines))[1:]}"
            return Page(
                line[:most],
                cut if number < len(lines) else f"[line {number} is cut at {most} characters]",
            )
        shown.append(line)
    return Page("\n".join(shown), "")


def _more(last: int, count: int) -> str:
    return f"[lines to {last} of {count} are shown; see the rest with view_range [{last + 1}, -1]]"


def numbered(text: str, first: int, last: int) -> str:
    """The lines `first` to `last` (1-based), each with its number."""
    lines = text.split("\n")
    return "\n".join(
        f"{n:>6}\t{lines[n - 1]}" for n in range(max(first, 1), min(last, len(lines)) + 1)
    )


def size(count: int, *, whole: bool) -> str:
    """A number of bytes as listings show it: 18B, 1.5K, 4.0K (`whole`: 4K)."""
    power = min((count.bit_length() - 1) // 10, len(UNITS) - 1) if count else 0
    value = count / 1024**power
    if power == 0 or (whole and value == int(value)):
        return f"{int(value)}{UNITS[power]}"
    return f"{value:.1f}{UNITS[power]}"


def listing(here: str, top: int, found: Sequence[tuple[Node, str]], *, sdk: bool, most: int) -> str:
    """The lines of a folder: its own size, then every entry with its size and path, of at most `most` characters."""
    lines = [f"{size(top, whole=sdk)}\t{here}"]
    count = len(lines[0])
    for n, (node, name) in enumerate(found):
        end = "/" if sdk and node.folder else ""
        line = f"{size(node.size, whole=sdk)}\t{here.rstrip('/')}/{name}{end}"
        count += len(line) + 1
        if count > most:
            lines.append(
                f"[{len(found) - n} more entries are not shown; view one of the folders, or delete what is old]"
            )
            break
        lines.append(line)
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Replaced:
    """What replacing gave: the new text, the line where it changed (from 1); or the lines where `old` stands."""

    text: str
    line: int
    lines: tuple[int, ...]


def replaced(text: str, old: str, new: str) -> Replaced:
    """Put `new` in the place of the one `old`. Unless there is exactly one, nothing is replaced."""
    places: list[int] = []
    at = text.find(old)
    while at != -1 and len(places) < 100:
        places.append(at)
        at = text.find(old, at + 1)
    lines = tuple(text.count("\n", 0, place) + 1 for place in places)
    if len(places) != 1:
        return Replaced(text, 0, lines)
    return Replaced(text[: places[0]] + new + text[places[0] + len(old) :], lines[0], lines)


def snippet(text: str, line: int, inserted: str) -> str:
    """The changed lines with two before and after."""
    return numbered(text, line - AROUND, line + inserted.count("\n") + AROUND)


def line_count(text: str) -> int:
    """How many lines there are, the empty end after a last newline not counted."""
    return len(_lines(text))


def inserted(text: str, line: int, new: str) -> str:
    """The text with `new` as lines of its own after the first `line` lines. One newline at its end ends its line."""
    lines = _lines(text)
    lines.insert(line, new.removesuffix("\n"))
    return "\n".join(lines) + "\n"


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines
