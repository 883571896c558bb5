"""Run the rules over a text: one pass finds the anchors, and each rule is tried only where one of its own stands.

Every rule is bounded and every anchor is visited once, so the work grows with the text and not faster.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memoranda.gate.screen.normal import Form, form_of
from memoranda.gate.screen.rule import Rule
from memoranda.ports import Finding

WORD = re.compile(r"[^\W\d_]{2,40}")
PLAIN_WORD = re.compile(r"[a-z]{2,40}")
# Without a long word no vendor's key can be there.
LONG = re.compile(r"[^\s\"'(),;<>]{14}")
HEAD = re.compile(r"(?<![A-Za-z0-9_])(?=[A-Za-z0-9][^\s\"'(),;<>]{10})")
DIGITS = re.compile(r"[0-9]")
# It begins with a digit, so that the places before it cost nothing; `_runs` adds the signs in front.
RUN = re.compile(r"[0-9](?:[ .()/-]{0,3}[0-9]){3,60}(?![0-9])")
DECIMALS, SIGNS = "0123456789", "+("
SIGNED = re.compile(r"(?:(?<![0-9])[+(]{1,2})?")
Span = tuple[int, int]
LONGEST_STEM = 8


class Engine:
    """Rules, sorted by what calls them. `scan` is the same for any table of rules."""

    def __init__(self, rules: Sequence[Rule], stems: Sequence[str] = ()) -> None:
        self.words: dict[str, list[Rule]] = {}
        self.starts: dict[str, list[tuple[str, Rule]]] = {}
        self.inner: dict[str, list[Rule]] = {}
        self.marks: dict[str, list[Rule]] = {}
        self.colons: dict[str, list[Rule]] = {}
        self.runs = [rule for rule in rules if rule.where == "run"]
        self.whole = [rule for rule in rules if rule.where == "text"]
        self.stems = tuple(stem for stem in stems if any(stem in r.anchors for r in rules))
        for rule in rules:
            for anchor in rule.anchors:
                if rule.where == "literal" and not rule.before:
                    self.starts.setdefault(anchor[:3], []).append((anchor, rule))
                    continue
                table = self._table(rule, anchor)
                table.setdefault(anchor, []).append(rule)

        self.colon_rules = {rule.name: rule for r in self.colons.values() for rule in r}.values()

    def _table(self, rule: Rule, anchor: str) -> dict[str, list[Rule]]:
        if rule.where != "mark":
            return self.words if rule.where == "word" else self.inner
        return self.colons if anchor[0] == ":" and anchor != "://" else self.marks

    def scan(self, text: str) -> list[Finding]:
        """Every finding, with its place in `text`, in order of place."""
        form = form_of(text)
        found = {
            Finding(rule.name, rule.group, *form.place(start, end), rule.kind)
            for rule, start, end in self._all(form)
            if start < end
        }
        return sorted(found, key=lambda finding: (finding.start, finding.end, finding.rule))

    def _all(self, form: Form) -> Iterator[tuple[Rule, int, int]]:
        windows: dict[int, tuple[Rule, list[Span]]] = {}
        done: dict[int, int] = {}
        for rules, start, end in self._anchors(form):
            for rule in rules:
                if rule.before:
                    _widen(windows.setdefault(id(rule), (rule, []))[1], rule, start, end)
                    continue
                # Words come in order: one inside what the same rule has found is a part of that.
                if rule.where == "word" and start < done.get(id(rule), 0):
                    continue
                match = rule.compiled().match(form.text, start)
                if match and rule.accepts(match, form.text):
                    done[id(rule)] = match.end()
                    yield rule, *match.span(rule.value)
        for rule in self.whole:
            if len(form.text) >= rule.least and rule.hinted(form.text):
                yield from _searched(rule, [(0, len(form.text))], form.text)
        cuts: dict[Span, Span] = {}
        for rule, spans in windows.values():
            if rule.hinted(form.text):
                yield from _searched(
                    rule, [_cut(cuts, form.text, span) for span in spans], form.text
                )

    def _anchors(self, form: Form) -> Iterator[tuple[list[Rule], int, int]]:
        digits = DIGITS.search(form.text) is not None
        long = LONG.search(form.text) is not None
        for rules, start, end in self._words(form.low):
            able = [r for r in rules if not r.needs or (digits if r.needs == "digit" else long)]
            yield able, start, end
        if digits and self.runs:
            for count, start, end in _runs(form.text):
                yield [rule for rule in self.runs if rule.least <= count], start, end
        if long:
            yield from self._keys(form.text)
            yield from _found(self.inner, form.text)
        if form.text.count(":") > 1 and any(rule.hinted(form.text) for rule in self.colon_rules):
            yield from _found(self.colons, form.text)
        yield from _found(self.marks, form.text)

    def _words(self, low: str) -> Iterator[tuple[list[Rule], int, int]]:
        words, stems = self.words, self.stems
        for word in (PLAIN_WORD if low.isascii() else WORD).finditer(low):
            name = word[0]
            if name in words:
                yield words[name], word.start(), word.end()
            elif stems and len(name) > LONGEST_STEM and name.endswith(stems):
                stem = next(stem for stem in stems if name.endswith(stem))
                yield words[stem], word.end() - len(stem), word.end()

    def _keys(self, text: str) -> Iterator[tuple[list[Rule], int, int]]:
        """The vendors' keys: by their first three letters, where a long value begins."""
        starts = self.starts
        for head in HEAD.finditer(text):
            at = head.start()
            for length in (3, 2, 1):
                for literal, rule in starts.get(text[at : at + length], ()):
                    if text.startswith(literal, at):
                        yield [rule], at, at + len(literal)


def _found(table: dict[str, list[Rule]], text: str) -> Iterator[tuple[list[Rule], int, int]]:
    for literal, rules in table.items():
        at = text.find(literal)
        while at >= 0:
            yield rules, at, at + len(literal)
            at = text.find(literal, at + len(literal))


def _widen(spans: list[Span], rule: Rule, start: int, end: int) -> None:
    """Add the stretch around an anchor; stretches that touch become one, so that no place is searched twice."""
    low, high = max(0, start - rule.before), end + rule.after
    if spans and low <= spans[-1][1]:
        spans[-1] = (min(low, spans[-1][0]), max(high, spans[-1][1]))
    else:
        spans.append((low, high))


def _searched(rule: Rule, spans: Sequence[Span], text: str) -> Iterator[tuple[Rule, int, int]]:
    for low, high in spans:
        for match in rule.compiled().finditer(text, low, high):
            if rule.accepts(match, text):
                yield rule, *match.span(rule.value)


def _runs(text: str) -> Iterator[tuple[int, int, int]]:
    """The runs of digits, with up to two signs in front: how many digits, and from where to where."""
    for run in RUN.finditer(text):
        start = run.start()
        before = text[start - 1] if start else ""
        if before and before in DECIMALS:
            continue  # the rest of a run that is too long for one
        if before and before in SIGNS:
            fronts = range(max(0, start - 2), start + 1)
            start = next(n for n in fronts if SIGNED.fullmatch(text, n, start))
        yield sum(map(run[0].count, DECIMALS)), start, run.end()


def _cut(cuts: dict[Span, Span], text: str, span: Span) -> Span:
    """A window that ends with whole words. Many rules look at the same windows."""
    if span not in cuts:
        cuts[span] = _whole(text, *span)
    return cuts[span]


def _whole(text: str, low: int, high: int) -> Span:
    """Cut in the middle of a word, a window would show a part of it as a whole one."""
    least, most = max(0, low - 64), min(len(text), high + 256)
    while low > least and not text[low - 1].isspace():
        low -= 1
    while high < most and not text[high].isspace():
        high += 1
    return low, high
