"""BERT's WordPiece tokenizer, with the standard library alone.

Written from the paper (Wu et al., 2016, "Google's neural machine translation system", section 4.1) and compared with
the reference implementation's ids. Normalisation works character by character, so it is one table that fills itself.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from memoranda.errors import EmbedderError

LONGEST_WORD = 100
# A text is cut to so many characters for each token it may have: beyond that only odd ones have any left to give.
CHARACTERS = 100
MOST_WORDS = 50_000  # remembered with their pieces
DROPPED = frozenset({"Cc", "Cf", "Co", "Cs"})
SPACES = frozenset({"Zs", "Zl", "Zp"})
CJK = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


class Normal(dict[int, str]):
    """What each character becomes: nothing, a space, itself folded, or a word of its own."""

    def __init__(self, *, lower: bool, strip: bool) -> None:
        self._lower, self._strip = lower, strip

    def __missing__(self, code: int) -> str:
        self[code] = made = self._made(chr(code))
        return made

    def _made(self, character: str) -> str:
        if character in "\t\n\r" or unicodedata.category(character) in SPACES:
            return " "
        if character in "\0\ufffd" or unicodedata.category(character) in DROPPED:
            return ""
        alone = any(first <= ord(character) <= last for first, last in CJK)
        if self._strip:
            parts = unicodedata.normalize("NFD", character)
            character = "".join(c for c in parts if unicodedata.category(c) != "Mn")
        if self._lower:
            character = "".join(c.lower() for c in character)
        parted = "".join(f" {c} " if _punctuation(c) else c for c in character)
        return f" {parted} " if alone else parted


def _punctuation(character: str) -> bool:
    if character.isascii():
        return character.isprintable() and not character.isalnum() and character != " "
    return unicodedata.category(character).startswith("P")


class WordPiece:
    """A tokenizer over a vocabulary: words to their longest known pieces, between [CLS] and [SEP]."""

    def __init__(
        self,
        vocabulary: Mapping[str, int],
        *,
        limit: int = 256,
        lower: bool = True,
        strip: bool | None = None,
    ) -> None:
        missing = [name for name in ("[CLS]", "[SEP]", "[UNK]") if name not in vocabulary]
        if missing or limit < 3:
            raise EmbedderError("this is no vocabulary of BERT's kind: [CLS], [SEP] or [UNK] fails")
        self._ids = vocabulary
        self._limit = limit
        self._normal = Normal(lower=lower, strip=lower if strip is None else strip)
        self._first, self._last = vocabulary["[CLS]"], vocabulary["[SEP]"]
        self._unknown = vocabulary["[UNK]"]
        self._known: dict[str, tuple[int, ...]] = {}

    def encode(self, text: str) -> list[int]:
        """The ids of a text, at most `limit` of them."""
        most = self._limit - 1
        ids = [self._first]
        for pieces in self._words(text[: CHARACTERS * self._limit]):
            ids += pieces
            if len(ids) >= most:
                break
        return [*ids[:most], self._last]

    def _words(self, text: str) -> Iterator[tuple[int, ...]]:
        for word in text.translate(self._normal).split():
            pieces = self._known.get(word)
            if pieces is None:
                pieces = self._pieces(word)
                if len(self._known) < MOST_WORDS:
                    self._known[word] = pieces
            yield pieces

    def _pieces(self, word: str) -> tuple[int, ...]:
        """Greedily the longest piece that the vocabulary has; a word with a part that it lacks is unknown whole."""
        if len(word) > LONGEST_WORD:
            return (self._unknown,)
        found: list[int] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = word[start:end] if start == 0 else f"##{word[start:end]}"
                if piece in self._ids:
                    found.append(self._ids[piece])
                    start = end
                    break
            else:
                return (self._unknown,)
        return tuple(found)


def from_vocabulary(text: str, *, limit: int = 256, lower: bool = True) -> WordPiece:
    """The tokenizer of a `vocab.txt`: a piece a line, its number the line's."""
    # Not splitlines(): some of the pieces are characters that it takes for the end of a line.
    pieces = text.removesuffix("\n").split("\n")
    return WordPiece(
        {piece.removesuffix("\r"): n for n, piece in enumerate(pieces)}, limit=limit, lower=lower
    )


def from_json(text: str, *, limit: int = 256) -> WordPiece:
    """The tokenizer that a `tokenizer.json` describes, if it is one of BERT's kind. `EmbedderError` otherwise."""
    try:
        data: Any = json.loads(text)
        model, normal = data["model"], data["normalizer"] or {}
        vocabulary = {str(piece): int(number) for piece, number in model["vocab"].items()}
        kind = (model["type"], normal.get("type"))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise EmbedderError("tokenizer.json cannot be read as a tokenizer") from None
    if kind != ("WordPiece", "BertNormalizer"):
        raise EmbedderError("tokenizer.json is not of BERT's kind (WordPiece); no other is known")
    return WordPiece(
        vocabulary,
        limit=limit,
        lower=bool(normal.get("lowercase", True)),
        strip=normal.get("strip_accents"),
    )
