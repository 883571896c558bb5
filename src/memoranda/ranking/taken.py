"""What must not come back by way of what was said: told by where it was said, by its words, and by its quote. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from math import ceil
from typing import NamedTuple

from memoranda.analysis import terms

# A text that holds so much of a statement's words says it again; of two or more words, not by one of them alone.
MOST_OF = 0.7
FEWEST = 2
# In the step that a statement was said in, a turn is the one it was said in if it holds so much of the quote or
# of the statement.
HALF = 0.5


class Gone(NamedTuple):
    """A statement that does not hold: the step it was said in, its terms, and those of the words it was taken from."""

    run: str | None
    step: int | None
    terms: frozenset[str]
    quote: frozenset[str] = frozenset()


def gone(run: str | None, step: int | None, own: frozenset[str], quote: str | None) -> Gone:
    """A statement as it is stored: its own terms, and its quote as text."""
    return Gone(run, step, own, frozenset(terms(quote or "")))


class TakenBack:
    """Statements that do not hold, ready to be looked for in many texts."""

    def __init__(self, statements: Iterable[Gone] = ()) -> None:
        # Several turns may be of one step, as all are where no model answers: the one with the quote is meant.
        self._steps: dict[tuple[str, int], list[frozenset[str]]] = {}
        # An answer of one word stands in much else: its text is known by being nothing more.
        self._answers: set[frozenset[str]] = set()
        least: dict[frozenset[str], int] = {}
        for run, step, own, quote in statements:
            if run is not None and step is not None:
                self._steps.setdefault((run, step), []).extend(
                    [quote, own] if quote and own else [quote]
                )
            if own:
                least[own] = max(min(FEWEST, len(own)), ceil(MOST_OF * len(own)))
            if len(quote) >= FEWEST:
                least.setdefault(quote, len(quote))
            elif quote:
                self._answers.add(quote)
        self._least = list(least.values())
        self._by_term: dict[str, list[int]] = {}
        for n, held in enumerate(least):
            for term in held:
                self._by_term.setdefault(term, []).append(n)

    def brings_back(self, run: str | None, step: int | None, held: Collection[str]) -> bool:
        """Whether a text with these terms is where one of them was said, or says one again."""
        words = frozenset(held)
        if run is not None and step is not None:
            said = self._steps.get((run, step), ())
            if any(len(each & words) >= HALF * len(each) for each in said):
                return True
        found = Counter(n for term in words for n in self._by_term.get(term, ()))
        again = any(count >= self._least[n] for n, count in found.items())
        return again or words in self._answers
