"""The form in which a text is screened, and the way back: every character of it knows its place in the text.

NFKC, invisible and bidi marks stripped, every decimal digit as 0-9, dashes and quotation marks in their plain form. So a
key that was split by zero-width characters, written in full-width digits or with soft hyphens is read as it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from memoranda.gate.clean import INVISIBLE

# What separates nothing else: no character composes with a space, so each word is normalised by itself.
WORD = re.compile(r"[^ \n\t]+|[ \n\t]+")
FILLERS = re.compile("[\U000e0000-\U000e0fff\ufe00-\ufe0f\u2800\u3164\uffa0]")
PLAIN = str.maketrans(
    {**dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63", "-")}
    | dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"')
)


@dataclass(frozen=True, slots=True)
class Form:
    """A text as screens read it. `low` is `text` in small letters, of the same length."""

    text: str
    low: str
    starts: Sequence[int] | None
    ends: Sequence[int] | None

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the form stands in the original text."""
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]


def form_of(text: str) -> Form:
    """The form of a text."""
    if text.isascii():
        return Form(text, text.lower(), None, None)
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for word in WORD.finditer(text):
        _add(word[0], word.start(), pieces, starts, ends)
    form = "".join(pieces)
    return Form(form, _lower(form), starts, ends)


def _add(word: str, at: int, pieces: list[str], starts: list[int], ends: list[int]) -> None:
    if word.isascii():
        pieces.append(word)
        starts.extend(range(at, at + len(word)))
        ends.extend(range(at + 1, at + len(word) + 1))
        return
    single = [plain(character) for character in word]
    whole = plain(word)
    if "".join(single) == whole:
        for n, letters in enumerate(single, at):
            starts.extend([n] * len(letters))
            ends.extend([n + 1] * len(letters))
    else:
        # Characters that join with their neighbours: the word as one piece.
        starts.extend([at] * len(whole))
        ends.extend([at + len(word)] * len(whole))
    pieces.append(whole)


def plain(text: str) -> str:
    """The normal form of a text, without places. Doing it twice changes nothing more."""
    while (once := _once(text)) != text:
        text = once
    return text


def _once(text: str) -> str:
    if text.isascii():
        return text
    text = INVISIBLE.sub("", FILLERS.sub("", unicodedata.normalize("NFKC", text)))
    text = text.translate(PLAIN)
    return "".join([c if c.isascii() else _digit(c) for c in text])


def _digit(character: str) -> str:
    number = unicodedata.decimal(character, None)
    return character if number is None else str(number)


def _lower(text: str) -> str:
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join([c.lower() if len(c.lower()) == 1 else c for c in text])
