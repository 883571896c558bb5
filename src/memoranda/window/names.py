"""Names in a text: paths, symbols, codes, numbers, quoted words. What a later step may need again by its letters.

Text is looked at in pieces of bounded length, so that the work is linear however long a line is.
"""

from __future__ import annotations

import re
from functools import lru_cache

PIECE = 400
SHORTEST, LONGEST = 4, 120
NAME = re.compile(
    r"https?://[^\s\"'<>)\]]+"
    r"|(?:[\w.@~+-]*/)+[\w.@~+-]*\w"
    r"|[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)+"
    r"|[A-Za-z]\w*_\w+"
    r"|\b[a-z]+[A-Z]\w+|\b(?:[A-Z][a-z0-9]+){2,}\b"
    r"|\b[A-Z]+[A-Z0-9]*\d[A-Z0-9]*\b"
    r"|\b[0-9a-f]{7,40}\b|\b\d{4,}\b"
)
QUOTED = re.compile(r"\"([^\"\n]{4,60})\"|'([^'\n]{4,60})'|`([^`\n]{4,60})`")


@lru_cache(maxsize=20_000)
def names_in_line(line: str) -> frozenset[str]:
    """The names in one line (of its first `PIECE` characters)."""
    piece = line[:PIECE]
    found = {match.strip(".,:;/") for match in NAME.findall(piece)}
    found.update((a or b or c).strip() for a, b, c in QUOTED.findall(piece))
    return frozenset(name for name in found if SHORTEST <= len(name) <= LONGEST)


def names_in(text: str) -> set[str]:
    """The names in a text of any length."""
    found: set[str] = set()
    for line in text.split("\n"):
        for start in range(0, len(line), PIECE):
            found |= names_in_line(line[start : start + PIECE])
    return found


def squeezed(text: str) -> str:
    """The text on one line, with single spaces."""
    return " ".join(text.split())
