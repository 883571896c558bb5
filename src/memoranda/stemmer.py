"""The Porter stemmer for English (M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980).

Written from the paper: a word is seen as [C](VC)^m[V]; rules strip an ending when the measure m of what is left
is large enough. Words of one or two letters stay.
"""

from __future__ import annotations

from itertools import pairwise

VOWELS = "aeiou"

STEP_2 = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("abli", "able"),
    ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"),
    ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"),
    ("iviti", "ive"), ("biliti", "ble"),
)  # fmt: skip
STEP_3 = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""),
)  # fmt: skip
STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip


def stem(word: str) -> str:
    """The stem of a lower-case ASCII word."""
    if len(word) <= 2:
        return word
    word = _plurals(word)
    word = _past_and_progressive(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _longest(word, STEP_2)
    word = _longest(word, STEP_3)
    return _tidy(_strip_last(word))


def _is_consonant(word: str, at: int) -> bool:
    letter = word[at]
    if letter in VOWELS:
        return False
    return letter != "y" or at == 0 or not _is_consonant(word, at - 1)


def _measure(part: str) -> int:
    """How often a vowel is followed by a consonant in `part` (the paper's m)."""
    shape = [_is_consonant(part, at) for at in range(len(part))]
    return sum(1 for before, after in pairwise(shape) if not before and after)


def _has_vowel(part: str) -> bool:
    return any(not _is_consonant(part, at) for at in range(len(part)))


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _is_consonant(word, len(word) - 1)


def _ends_cvc(word: str) -> bool:
    """Consonant, vowel, consonant at the end, the last not w, x or y (the paper's *o)."""
    at = len(word) - 1
    return (
        at >= 2
        and _is_consonant(word, at)
        and not _is_consonant(word, at - 1)
        and _is_consonant(word, at - 2)
        and word[at] not in "wxy"
    )


def _plurals(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith("ss") or not word.endswith("s"):
        return word
    return word[:-1]


def _past_and_progressive(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending) and _has_vowel(word[: -len(ending)]):
            return _restore(word[: -len(ending)])
    return word


def _restore(part: str) -> str:
    """Mend what is left after -ed or -ing: an e comes back, a doubled consonant goes."""
    if part.endswith(("at", "bl", "iz")):
        return part + "e"
    if _ends_double(part) and part[-1] not in "lsz":
        return part[:-1]
    if _measure(part) == 1 and _ends_cvc(part):
        return part + "e"
    return part


def _longest(word: str, rules: tuple[tuple[str, str], ...]) -> str:
    """Apply the rule with the longest ending that matches, if the rest has a measure above 0."""
    fitting = [(ending, put) for ending, put in rules if word.endswith(ending)]
    if not fitting:
        return word
    ending, put = max(fitting, key=lambda rule: len(rule[0]))
    rest = word[: -len(ending)]
    return rest + put if _measure(rest) > 0 else word


def _strip_last(word: str) -> str:
    fitting = [ending for ending in STEP_4 if word.endswith(ending)]
    if not fitting:
        return word
    ending = max(fitting, key=len)
    rest = word[: -len(ending)]
    if _measure(rest) <= 1 or (ending == "ion" and not rest.endswith(("s", "t"))):
        return word
    return rest


def _tidy(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        if _measure(rest) > 1 or (_measure(rest) == 1 and not _ends_cvc(rest)):
            word = rest
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word
