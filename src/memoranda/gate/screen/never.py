"""Rules that a person adds: what is never to be kept. Words with simple wildcards, a checked pattern, or a whole kind.

A pattern of a person's runs over texts from anywhere, so it must not be able to take long: it has no repeat inside a
repeat and no backreference, every repeat is bounded, and the ways in which it can match at one place are few.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from memoranda.errors import UsageError
from memoranda.gate.screen.normal import form_of, plain
from memoranda.gate.screen.rules import RULES, engine
from memoranda.ports import Finding, NeverRule

LONGEST = 200
LONGEST_REPEAT = 32
MOST_WAYS = 2_000
FORMS = ("words", "pattern", "kind")
KINDS = tuple(sorted({rule.kind for rule in RULES} - {"injection"}))
# One piece of a pattern: an escape, a class, a group's beginning, a repeat, anything else.
PIECE = re.compile(
    r"(?P<escape>\\.)|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])|(?P<open>\((?:\?(?::|[^:]))?)|(?P<close>\))|(?P<alternative>\|)"
    r"|(?P<repeat>[*+?]|\{\d{0,4}(?:,\d{0,4})?\})(?P<lazy>\??)|(?P<plain>.)",
    re.DOTALL,
)


class Never:
    """The screen of a person's rules. `mark` says which state of them it has; `take` gives it another."""

    name = "never"

    def __init__(self, rules: Sequence[NeverRule] = ()) -> None:
        self.mark: str | None = None
        self.rules = tuple(rules)

    def take(self, mark: str | None, rules: Sequence[NeverRule]) -> None:
        """Screen by these rules from now on."""
        self.rules, self.mark = tuple(rules), mark

    def scan(self, text: str) -> list[Finding]:
        """Every place where a rule matches, named after it."""
        if not self.rules:
            return []
        found: list[Finding] = []
        form = form_of(text)
        for rule in self.rules:
            if rule.form == "kind":
                continue
            for match in compiled(rule.form, rule.value).finditer(form.text):
                if match.end() > match.start():
                    place = form.place(*match.span())
                    found.append(Finding(rule.name, "never", *place, "never"))
        return found + self._of_kinds(text)

    def _of_kinds(self, text: str) -> list[Finding]:
        kinds = {rule.value: rule.name for rule in self.rules if rule.form == "kind"}
        if not kinds:
            return []
        return [
            Finding(kinds[f.kind], "never", f.start, f.end, "never")
            for f in engine().scan(text)
            if f.kind in kinds
        ]


@lru_cache(maxsize=256)
def compiled(form: str, value: str) -> re.Pattern[str]:
    """The pattern of a rule; raises `UsageError` where it is none, or could take long."""
    return re.compile(of_words(value) if form == "words" else safe(value), re.IGNORECASE)


def of_words(words: str) -> str:
    """Words as a pattern: `*` stands for the rest of a word, `?` for one letter; white space is any white space."""
    words = plain(words).strip()
    if len(words.replace("*", "").replace("?", "").strip()) < 2:
        raise UsageError("a rule of words needs at least two letters that are no wildcards")
    if len(words) > LONGEST:
        raise UsageError(f"a rule is longer than {LONGEST} characters")
    pieces = {"*": rf"\w{{0,{LONGEST_REPEAT}}}", "?": r"\w"}
    pattern = r"\s{1,8}".join(
        "".join(pieces.get(c) or re.escape(c) for c in word) for word in words.split()
    )
    start = r"(?<!\w)" if words[0].isalnum() or words[0] in "*?" else ""
    end = r"(?!\w)" if words[-1].isalnum() or words[-1] in "*?" else ""
    return start + pattern + end


def safe(pattern: str) -> str:
    """A person's pattern with every repeat bounded. Raises `UsageError` for one that could take long."""
    if not pattern or len(pattern) > LONGEST:
        raise UsageError(f"a pattern has 1 to {LONGEST} characters")
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        raise UsageError("the pattern is not a regular expression") from None
    out, ways = _bounded(pattern)
    if ways > MOST_WAYS:
        raise UsageError(
            "the pattern can match in too many ways: use fewer repeats (* + ? {m,n}) and alternatives"
        )
    if re.compile(out).match("") is not None:
        raise UsageError("the pattern matches everything, even nothing")
    return out


@dataclass
class _Reading:
    """A pattern while it is read: the pieces so far, in how many ways they match, and which groups vary."""

    out: list[str] = field(default_factory=list)
    ways: int = 1
    groups: list[bool] = field(default_factory=list)
    varies: bool = False  # the piece before does

    def vary(self, ways: int) -> None:
        """A piece that can match in several ways."""
        self.ways *= ways
        if self.groups:
            self.groups[-1] = True

    def repeat(self, repeat: str, lazy: str) -> None:
        """A repeat of the piece before, bounded."""
        low, high = _limits(repeat)
        if self.varies:
            raise UsageError("the pattern repeats what repeats already; that can take long")
        if high > low:
            self.vary(high - low + 1)
        self.out.append(f"{{{low},{high}}}{lazy}")

    def close(self) -> None:
        """A group ends: as a piece it varies if something in it does."""
        self.varies = self.groups.pop() if self.groups else False
        if self.groups and self.varies:
            self.groups[-1] = True


def _bounded(pattern: str) -> tuple[str, int]:
    """The pattern with bounded repeats, and in how many ways it can match at one place."""
    reading = _Reading()
    for piece in PIECE.finditer(pattern):
        if repeat := piece["repeat"]:
            reading.repeat(repeat, piece["lazy"])
            reading.varies = False
            continue
        reading.out.append(piece[0])
        if piece["close"]:
            reading.close()
            continue
        reading.varies = False
        if (escape := piece["escape"]) and (escape[1].isdigit() or escape[1] in "gk"):
            raise UsageError("the pattern refers back to what it matched; that can take long")
        if piece["open"]:
            if piece["open"] not in ("(", "(?:"):
                raise UsageError("the pattern looks around or sets flags; plain groups are enough")
            reading.groups.append(False)
        elif piece["alternative"]:
            reading.vary(2)
    return "".join(reading.out), reading.ways


def _limits(repeat: str) -> tuple[int, int]:
    if repeat in "*+?":
        return (
            (0, LONGEST_REPEAT)
            if repeat == "*"
            else (1, LONGEST_REPEAT)
            if repeat == "+"
            else (0, 1)
        )
    low, comma, high = repeat[1:-1].partition(",")
    least = int(low or 0)
    most = int(high) if high else (least + LONGEST_REPEAT if comma else least)
    if most > 200 or least > most:
        raise UsageError("the pattern repeats more than 200 times")
    return least, most


def checked(*, words: str | None, pattern: str | None, kind: str | None) -> tuple[str, str]:
    """The form and value of a new rule. Raises `UsageError` unless exactly one is given and it is good."""
    given = [
        (form, value)
        for form, value in zip(FORMS, (words, pattern, kind), strict=True)
        if value is not None
    ]
    if len(given) != 1 or not isinstance(given[0][1], str):
        raise UsageError("a rule needs one of words, a pattern or a kind")
    form, value = given[0]
    if form == "kind":
        if value not in KINDS:
            raise UsageError(f"the kind must be one of {', '.join(KINDS)}")
        return form, value
    compiled(form, value)
    if any(finding.group == "secret" for finding in engine().scan(value)):
        raise UsageError(
            "this is a secret, and refused without a rule; a rule would only write it down"
        )
    return form, value
