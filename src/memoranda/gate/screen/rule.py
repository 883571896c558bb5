"""What a rule is. The rules themselves stand in tables by class; `rules.py` joins them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from memoranda.gate.screen.values import varied

# holds(value, before, after) -> does this count? `before` and `after` are what stands around it, in small letters.
Check = Callable[[str, str, str], bool]
Where = Literal["word", "literal", "mark", "run", "text"]
Needs = Literal["", "digit", "long"]
AROUND = 80


@dataclass(frozen=True, slots=True)
class Rule:
    """A named pattern with what it needs before it is tried.

    group: secret, personal, topic, injection. kind: what the policy is set for. pattern: a regular expression of
    bounded repeats. anchors: words (in small letters), or literal beginnings; where none stands, nothing is
    tried. where: `word` and `literal` anchors, or `run` for a run of digits. value: the group that is judged
    and covered. before, after: how far around the anchor the pattern is searched; with `before` 0 it must begin at
    the anchor. needs: what the text must hold at all (`digit`: one; `long`: a long
    value without spaces). hint: a short pattern without which the long one finds nothing in a text; it is cheap, and seldom
    there. least: the fewest digits of a run, or characters of a `text`. holds: whether a match counts. source: where the
    vendor or authority says so.
    """

    name: str
    group: str
    kind: str
    pattern: str
    anchors: tuple[str, ...] = ()
    where: Where = "word"
    value: int = 0
    before: int = 0
    after: int = 160
    holds: Check | None = None
    source: str = ""
    needs: Needs = ""
    least: int = 0
    hint: str = ""

    def compiled(self) -> re.Pattern[str]:
        """The pattern, compiled when it is first tried: most never are."""
        return _compiled(self.pattern)

    def hinted(self, text: str) -> bool:
        """Whether the pattern can find anything in a text at all."""
        return not self.hint or _compiled(self.hint).search(text) is not None

    def accepts(self, match: re.Match[str], text: str) -> bool:
        """Whether the match counts, by its value and what stands around it."""
        if self.holds is None:
            return True
        start, end = match.span(self.value)
        if start < 0:
            return False
        before = text[max(0, start - AROUND) : start].lower()
        return self.holds(text[start:end], before, text[end : end + AROUND].lower())


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def key(
    name: str,
    pattern: str,
    *anchors: str,
    holds: Check | None = None,
    value: int = 0,
    before: int = 0,
    source: str = "",
) -> Rule:
    """A vendor's key: it begins with a literal that nothing else begins with."""
    bound = rf"(?<![A-Za-z0-9_]){pattern}"
    return Rule(
        name,
        "secret",
        "secret",
        bound,
        anchors,
        "literal",
        value,
        before,
        holds=holds or varied,
        source=source,
    )
