"""Where a model's quote stands in what was said, and whether a statement says what its quote says. Pure rules.

A model chooses which words to quote, so the whole sentence around a quote is read: "I doubt that I live in Rome"
does not say that the user lives in Rome, whichever part of it is quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from memoranda.analysis import terms
from memoranda.gate.clean import sentence
from memoranda.gate.sentences import BREAK, UNBOUND, label
from memoranda.messages import Message
from memoranda.types import TRUST_OF, Origin
from memoranda.window.render import without_blocks

DENIALS = re.compile(
    r"\b(?:no|not|never|none|nor|neither|without|cannot|\w+n't|stopp?e?d?|quit|hardly|no longer|doubt)\b",
    re.IGNORECASE,
)
NUMBERS = re.compile(r"[-+]?\d[\d.,:/-]*")
# Words of a speaker, which a statement about them replaces by their name.
OWN = frozenset(term for word in (*UNBOUND, "user", "please") for term in terms(word))


@dataclass(frozen=True, slots=True)
class Quoted:
    """Where a quote was found: the message, the sentence around it, and whose words it is."""

    message: Message
    around: str
    origin: Origin


def find(quote: str, messages: Iterable[Message]) -> Quoted | None:
    """The most trusted message that holds the quote, but for what is in a block of ours."""
    wanted = _folded(quote)
    found = [
        Quoted(message, around, message.source)
        for message in messages
        if wanted and (around := _around(wanted, words_of(message)))
    ]
    return max(found, key=lambda one: TRUST_OF[one.origin], default=None)


def words_of(message: Message) -> str:
    """What a message says in itself: its text and results without blocks of recalled facts."""
    return without_blocks("\n".join([message.text, *(result.text for result in message.results)]))


def stands_in(quote: str, texts: Iterable[str]) -> bool:
    """Whether the quote stands in any of the texts."""
    wanted = _folded(quote)
    return bool(wanted) and any(wanted in _folded(text) for text in texts)


def says(text: str, around: str, subject: str) -> bool:
    """Whether a statement says what the sentence says, no more and no less: the same words but for who speaks."""
    name = {*terms(label(subject)), *OWN}
    same_words = set(terms(text)) - name == set(terms(around)) - name
    denies = len(DENIALS.findall(text)) == len(DENIALS.findall(around.replace("\u2019", "'")))
    numbers = NUMBERS.findall(text) == NUMBERS.findall(around)
    return same_words and denies and numbers and "?" not in around


def _folded(text: str) -> str:
    return sentence(text).casefold()


def _around(wanted: str, text: str) -> str:
    """The sentence (or sentences) of the text that the quote stands in; "" when it does not."""
    pieces = [piece for line in text.split("\n") for piece in _sentences(line)]
    for size in range(1, 4):
        for at in range(len(pieces) - size + 1):
            run = " ".join(pieces[at : at + size])
            if wanted in _folded(run):
                return sentence(run)
    return sentence(text) if wanted in _folded(text) else ""


def _sentences(line: str) -> Sequence[str]:
    cuts = [0, *(found.end() for found in BREAK.finditer(line)), len(line)]
    return [piece for a, b in pairwise(cuts) if (piece := line[a:b].strip())]
