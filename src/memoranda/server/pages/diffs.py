"""A unified diff as rows for a person: what stayed, what came and what went, each with its line numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a diff: what became of it, its number before and after (None: it is not there), and its text."""

    kind: Literal["same", "added", "removed", "gap"]
    old: int | None
    new: int | None
    text: str


def rows_of(diff: str) -> list[Row]:
    """The rows of a unified diff of one file; [] when the texts are the same."""
    return list(_rows(diff.split("\n")[2:-1])) if diff else []


def _rows(lines: list[str]) -> Iterator[Row]:
    old = new = 0
    for line in lines:
        sign, text = line[:1], line[1:]
        if sign == "@" and (found := HUNK.match(line)):
            if old or new:
                yield Row("gap", None, None, "")
            old, new = int(found[1]), int(found[2])
        elif sign == "+":
            yield Row("added", None, new, text)
            new += 1
        elif sign == "-":
            yield Row("removed", old, None, text)
            old += 1
        else:
            yield Row("same", old, new, text)
            old, new = old + 1, new + 1
