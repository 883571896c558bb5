"""From text to terms: the one analyser for what is stored and what is asked.

Words are folded (NFKC, case, Latin accents), stop words dropped, English endings stemmed (Porter, 1980, "An
algorithm for suffix stripping"). Scripts written without spaces give their characters and pairs of neighbours,
so that a two-character word is found inside a longer run. Raising `TERMS_VERSION` means stored terms are stale.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from memoranda.irregular import BASE
from memoranda.stemmer import stem

TERMS_VERSION = 2
LONGEST_TEXT = 4096
MOST_TERMS = 256
# A turn of the log may be long; what comes after is not found.
LONGEST_TURN = 16_384
MOST_WORDS = 2048
# Between the terms of a row's text and those it is found by as well; no term can be one.
BAR = "|"

# Han, kana, Hangul, Thai, Lao, Khmer, Myanmar: written without spaces (or, Hangul, with endings glued on).
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]+"
)
# `\w` leaves out the vowel signs of Indic and Arabic scripts, which are marks; a word must not break at them.
WORD = re.compile(
    "[\\w\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0dff]+"
)
# Written with its word in Arabic: "the hospital" and "a hospital" are one term.
ARTICLE = "\u0627\u0644"
LATIN_MARKS = re.compile("[\u0300-\u036f]")

STOP_WORDS = frozenset(
    """
    a about after again all also am an and any anyone anything are aren as at be because been before being but
    by can cannot could couldn d did didn do does doesn doing don done down each else for from get gets give
    given go goes going got had has hasn have haven having he her here hers herself him himself his how i if in
    into is isn it its itself just let ll m make many may me might more most much must my myself no nor not now
    of off ok on once one only or other our ours out over own please put re really s same she should shouldn so
    some someone something such t tell than that the their theirs them themselves then there these they thing
    things this those through to too under until up upon us ve very was wasn we were weren what when where which
    while who whom whose why will with won would wouldn yes yet you your yours yourself user
    thanks thank hello hi hey okay yeah bye
    """.split()
)


def fold(text: str) -> str:
    """One spelling of what looks the same: NFKC, lower case by full folding, Latin letters without accents."""
    text = unicodedata.normalize("NFKC", text).casefold()
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", LATIN_MARKS.sub("", unicodedata.normalize("NFD", text)))


def words(text: str) -> list[str]:
    """The folded words of a text in order, stop words included, unspaced scripts left out."""
    return WORD.findall(UNSPACED.sub(" ", fold(text[:LONGEST_TEXT])))


def same_form(text: str) -> str:
    """What two texts are compared by when they should say the same: folded, white space and the end's marks aside.

    Signs inside are kept: "C" and "C++", "5" and "-5" are not the same.
    """
    return " ".join(fold(text).split()).strip(" .,;:!?…。！？\"'") or fold(text)


def terms(text: str) -> list[str]:
    """The terms of a text, each once, in order of first appearance; at most `MOST_TERMS`."""
    folded = fold(text[:LONGEST_TEXT])
    found: dict[str, None] = {}
    for run in () if folded.isascii() else UNSPACED.findall(folded):
        found.update(dict.fromkeys(grams(run)))
    for word in WORD.findall(folded if folded.isascii() else UNSPACED.sub(" ", folded)):
        if word not in STOP_WORDS:
            found[stemmed(word)] = None
    return list(found)[:MOST_TERMS]


def all_words(text: str) -> list[str]:
    """Every word of a text as it is written (folded, not stemmed), stop words dropped, unspaced scripts as pairs and
    characters; repeated where it is repeated, at most `MOST_WORDS`.
    """
    folded = fold(text[:LONGEST_TURN])
    found: list[str] = []
    for run in () if folded.isascii() else UNSPACED.findall(folded):
        found += grams(run)
    spaced = folded if folded.isascii() else UNSPACED.sub(" ", folded)
    found += [word for word in WORD.findall(spaced) if word not in STOP_WORDS]
    return found[:MOST_WORDS]


def query_terms(text: str) -> list[str]:
    """The terms of a question: as `terms`, but a run of two or more unspaced characters asks for its pairs only."""
    return asked_terms(fold(text[:LONGEST_TEXT]))[0]


def asked_terms(folded: str) -> tuple[list[str], list[str]]:
    """The terms of a question that is folded already, and its words as they are written, stop words dropped."""
    runs = () if folded.isascii() else UNSPACED.findall(folded)
    spaced = UNSPACED.sub(" ", folded) if runs else folded
    held = [word for word in WORD.findall(spaced) if word not in STOP_WORDS]
    pairs = [gram for run in runs for gram in grams(run) if len(gram) > 1 or len(run) == 1]
    return list(dict.fromkeys([*pairs, *map(stemmed, held)]))[:MOST_TERMS], held


def grams(run: str) -> list[str]:
    """The characters of an unspaced run and its pairs of neighbours."""
    return [*run, *(run[i : i + 2] for i in range(len(run) - 1))]


def stored_terms(text: str, tags: Iterable[str] = (), more: Iterable[str] = ()) -> str:
    """What a row keeps of its analysis: the terms of its text, a bar, those of its tags and further search words."""
    own = dict.fromkeys(terms(text))
    found = dict.fromkeys(term for extra in (*tags, *more) for term in terms(extra))
    return " ".join([*own, BAR, *(term for term in found if term not in own)])


def own_terms(stored: str) -> frozenset[str]:
    """The terms of a row's own text, by which two facts are compared."""
    return frozenset(stored.partition(BAR)[0].split())


def likeness(one: Iterable[str], other: Iterable[str]) -> float:
    """How alike two sets of terms are (Jaccard: shared over all), 0 to 1."""
    first, second = set(one), set(other)
    if not first or not second:
        return 0.0
    return len(first & second) / len(first | second)


@lru_cache(maxsize=20_000)
def stemmed(word: str) -> str:
    """The stem of a folded word, by its base where no suffix tells it; of what is no English word, the word."""
    word = BASE.get(word, word)
    if word.startswith(ARTICLE) and len(word) > len(ARTICLE) + 2:
        return word[len(ARTICLE) :]
    return stem(word) if word.isascii() and word.isalpha() else word
