"""One wording in all its spellings: found again in a text whatever its case, white space, accents' form or escapes.

Erasure looks for what a person wants gone with two functions that must agree: `spellings` are the byte strings that a
store's files are searched for, and `cut` takes out of a text at least all that these would find.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence

# What JSON text writes for a character: in a pasted document a wording stands in this form.
ESCAPE = re.compile(
    r"\\+(?:[uU]([0-9a-fA-F]{4})(?:\\+[uU]([dD][c-fC-F][0-9a-fA-F]{2}))?|[nrtbfNRTBF]|(?=[\"/]))?"
)
# Its capital is the plain I, whose small letter is the plain i.
DOTLESS = "\u0131"
# So many letters of a wording tell which one it is.
SHORTEST_START = 8
PLAIN = re.compile(r"[\x00-\x5b\x5d-\x7f]*")


def squeezed(text: str) -> str:
    """The text folded for comparison: case, white space, backslash escapes and the composition of accents aside."""
    if PLAIN.fullmatch(text):
        return "".join(text.casefold().split())
    return _squeezed(text)[0]


def _squeezed(text: str) -> tuple[str, list[int]]:
    """The folded text, and for each character of it the place in `text` that it came from."""
    out: list[str] = []
    places: list[int] = []
    place = 0
    while place < len(text):
        piece, size = text[place], 1
        if piece == "\\" and (found := ESCAPE.match(text, place)):
            piece, size = _meant(found), len(found[0])
        folded = unicodedata.normalize("NFD", piece).casefold().replace(DOTLESS, "i")
        folded = unicodedata.normalize("NFD", folded)
        for char in folded:
            if not char.isspace():
                out.append(char)
                places.append(place)
        place += size
    return "".join(out), [*places, len(text)]


def _meant(found: re.Match[str]) -> str:
    """The character that an escape stands for; white space and quotes are read where they stand."""
    units = [int(unit, 16) for unit in found.groups() if unit]
    return b"".join(unit.to_bytes(2, "big") for unit in units).decode("utf-16-be", "replace")


def cut(text: str, needles: Sequence[str], mark: str) -> str:
    """The text with each needle in it replaced by `mark`. Needles come `squeezed`, the longest first."""
    flat = squeezed(text)
    for needle in needles:
        if needle and needle in flat:
            text = _cut(text, needle, mark)
            flat = squeezed(text)
    return text


def _cut(text: str, needle: str, mark: str) -> str:
    flat, places = _squeezed(text)
    parts: list[str] = []
    done = at = 0
    while (at := flat.find(needle, at)) >= 0:
        start, last = places[at], places[at + len(needle) - 1]
        if start >= done:
            parts += [text[done:start], mark]
            # What stands to the next folded character belongs to the last: its accents, the rest of its escape.
            done = _end(text, last)
        at += len(needle)
    return "".join([*parts, text[done:]])


def _end(text: str, last: int) -> int:
    """The place behind the character, escape included, that begins at `last`, with the marks that follow it."""
    found = ESCAPE.match(text, last) if text[last] == "\\" else None
    end = last + (len(found[0]) if found else 1)
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1
    return end


def cut_short(text: str, needles: Sequence[str], mark: str) -> str:
    """As `cut`, for a text that may end in the middle of a needle: so many letters of it there are too much."""
    text = cut(text, needles, mark)
    flat, places = _squeezed(text)
    for needle in needles:
        for size in range(min(len(needle), len(flat)), SHORTEST_START - 1, -1):
            if flat.endswith(needle[:size]):
                return text[: places[len(flat) - size]] + mark
    return text


def holds(text: str, needle: str) -> bool:
    """Whether a text says the needle (`squeezed`) as words of its own: not as a part of longer words."""
    if needle not in squeezed(text):
        return False
    flat, places = _squeezed(text)
    at = -1
    while (at := flat.find(needle, at + 1)) >= 0:
        start, end = places[at], _end(text, places[at + len(needle) - 1])
        inner = text[start:end].strip()
        before = text[start - 1 : start] if start else ""
        if not (_joins(before, inner[:1]) or _joins(inner[-1:], text[end : end + 1])):
            return True
    return False


def _joins(left: str, right: str) -> bool:
    return left.isalnum() and right.isalnum()


def spellings(needles: Iterable[str]) -> list[bytes]:
    """The byte strings in which the needles may stand in a file: cases, compositions, plain and escaped up to three
    times, as JSON within JSON is. ASCII letters are in lower case, for a search that folds them.
    """
    found: dict[bytes, None] = {}
    for needle in needles:
        composed = (needle, *(unicodedata.normalize(form, needle) for form in ("NFC", "NFD")))
        for text in dict.fromkeys(composed):
            for cased in dict.fromkeys((text, text.lower(), text.upper(), text.casefold())):
                found.update(dict.fromkeys(map(_bytes, _escaped(cased))))
    return list(found)


def _escaped(text: str) -> Iterable[str]:
    yield text
    for ascii_only in (True, False):
        form = text
        for _ in range(3):
            form = json.dumps(form, ensure_ascii=ascii_only)[1:-1]
            yield form


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass").lower()
