"""Words that are one slip of the keyboard apart: a letter too many, one missing, or two neighbours swapped.

A letter for another is a slip only in long words: "mango" is no "mongo", and "k9s" no "k8s". Known words are found
by what is left of them without one letter (the idea of Garbe's symmetric deletes, 2012), so that the cost of a look
does not grow with the vocabulary.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

# Of the longer of the two words, which shorter ones are too often other words; and where a replaced letter counts.
SHORTEST = 5
LONG = 8


class Spelling:
    """The words that are known, by what is left of them without one letter."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = {word for word in known if len(word) >= SHORTEST - 1 and word.isalpha()}
        self._left: dict[str, list[str]] = defaultdict(list)
        for word in self._known:
            for rest in set(_shorter(word)):
                self._left[rest].append(word)

    def near(self, word: str) -> dict[str, bool]:
        """The known words that `word` may be a slip of, and whether it lies inside; none when it is short or no word.

        One at the end is rather another word ("planet", "plane") than a slip: good enough for a tag, and no more.
        """
        if len(word) < SHORTEST - 1 or not word.isalpha():
            return {}
        rests = set(_shorter(word))
        found = {other for other in self._left.get(word, ()) if len(other) >= SHORTEST}
        if len(word) >= SHORTEST:
            found |= self._known & rests
            for rest in rests:
                found.update(other for other in self._left.get(rest, ()) if _slip(word, other))
        found.discard(word)
        return {other: not (other[:-1] == word or word[:-1] == other) for other in sorted(found)}


def _shorter(word: str) -> Iterator[str]:
    return (word[:i] + word[i + 1 :] for i in range(len(word)))


def _slip(word: str, other: str) -> bool:
    """Of two words of one length: two neighbours swapped, or in a long word one letter replaced."""
    if len(word) != len(other):
        return False
    wrong = [i for i, (a, b) in enumerate(zip(word, other, strict=True)) if a != b]
    if len(wrong) == 1:
        return len(word) >= LONG and wrong[0] > 0
    swapped = len(wrong) == 2 and wrong[1] == wrong[0] + 1
    return swapped and word[wrong[0]] == other[wrong[1]] and word[wrong[1]] == other[wrong[0]]
