"""The one check that every path of every command passes, before anything is looked at.

A path is `/memories` or lies below it. What it names must mean the same on every system, to every reader and in every
listing: no way up, no invisible or look-alike character, no name that another system reserves.
"""

from __future__ import annotations

import re
import unicodedata

from memoranda.errors import PathRefused

ROOT = "/memories"
LONGEST_NAME = 120
LONGEST_PATH = 512
DEEPEST = 8

# Control, format, surrogate, private and unassigned characters, and the separators that break a line.
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
RESERVED = frozenset('<>:"|?*')
# Characters that a reader, or a program that normalises, takes for a dot, a slash or a backslash.
DOTS = frozenset("\u2024\u2025\u2026\u3002\ufe52\uff0e\uff61\u06d4\u0701\u0702\ua60e\u22ef")
SLASHES = frozenset(
    "\u2044\u2215\u2216\u29f5\u29f8\u29f9\u2571\u2572\u1735\ufe68\uff0f\uff3c\u244a"
)
DEVICE = re.compile(
    r"(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?:\..*)?",
    re.IGNORECASE,
)
# Listings leave this folder out, so nothing may hide in it.
UNLISTED = "node_modules"
# What a program that decodes such spellings, once or again and again, takes for a way up, a slash or an end.
ENCODED = re.compile(r"%(?:25)*(?:2e|2f|5c|00|c0%a[ef])", re.IGNORECASE)
PLAIN = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_. -]*")


def parts_of(path: object, deepest: int = DEEPEST) -> tuple[str, ...]:
    """The names on the way from the root to what `path` names; () for the root itself. Raises `PathRefused`."""
    if type(path) is not str:
        raise PathRefused("the path must be a text")
    if path != ROOT and not path.startswith(ROOT + "/"):
        raise PathRefused(f"the path must start with {ROOT}/, or be {ROOT}")
    below = path[len(ROOT) + 1 :]
    if below.endswith("/"):
        below = below[:-1]
        if not below:
            raise PathRefused("the path has an empty part")
    if not below:
        return ()
    parts = tuple(below.split("/"))
    if len(parts) > deepest:
        raise PathRefused(f"the path is deeper than {deepest} names")
    for name in parts:
        if problem := problem_of(name):
            raise PathRefused(problem)
    if len(path.encode()) > LONGEST_PATH:
        raise PathRefused(f"the path is longer than {LONGEST_PATH} bytes")
    return parts


def problem_of(name: str) -> str:
    """What is wrong with one name of a path; "" when nothing is."""
    if name in (".", ".."):
        return "the path may not hold . or .. as a part"
    if not name:
        return "the path has an empty part"
    return (
        _characters(name)
        or _spelling(name)
        or (
            f"a name is longer than {LONGEST_NAME} bytes"
            if len(name.encode()) > LONGEST_NAME
            else ""
        )
    )


def _characters(name: str) -> str:
    if PLAIN.fullmatch(name):
        return ""
    for character in name:
        if character == "\\":
            return "the path may not hold a backslash"
        if character in RESERVED:
            return f"a name may not hold {character}"
        if character in DOTS or character in SLASHES:
            return "a name may not hold a character that looks like a dot or a slash"
        if unicodedata.category(character) in UNSEEN:
            return "a name may not hold control, invisible or unassigned characters"
    if unicodedata.normalize("NFKC", name) != name:
        return "a name must be in the composed, plain form of its characters (NFKC)"
    return ""


def _spelling(name: str) -> str:
    if name[0] in " ~." or name[0].isspace():
        return "a name may not begin with a space, a dot or ~"
    if name[-1] in " ." or name[-1].isspace():
        return "a name may not end with a space or a dot"
    if DEVICE.fullmatch(name):
        return "a name may not be that of a device (CON, NUL, COM1, ...)"
    if "%" in name and ENCODED.search(name):
        return "a name may not hold an encoded dot, slash, backslash or NUL"
    if name.casefold() == UNLISTED:
        return f"nothing can be kept in {UNLISTED}: listings leave it out"
    return ""


def is_name(name: str) -> bool:
    """Whether a command could name this entry of a folder; what it could not name is not listed either."""
    return not problem_of(name)


def shown(path: object) -> str:
    """The path as an answer may repeat it: printable, and not longer than a path can be."""
    text = path if type(path) is str else f"({type(path).__name__})"
    if len(text) > LONGEST_PATH:
        text = text[:LONGEST_PATH] + "..."
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode()
        for c in text
    )


def spelt(parts: tuple[str, ...]) -> str:
    """The path of these names as a model writes it."""
    return "/".join((ROOT, *parts))
