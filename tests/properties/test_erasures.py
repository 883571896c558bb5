"""Erased is gone from the bytes, whatever the text holds and wherever it was said.

`MEMORANDA_CASES` says how many erasures (100 unless set; the promise was measured on 1,000).
"""

from __future__ import annotations

import json
import os
import random
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from memoranda.memory import Memory
from memoranda.messages import Message, Text, ToolCall, ToolResult, said
from memoranda.reviewer import Reviewer
from memoranda.types import Origin, Selection

CASES = int(os.environ.get("MEMORANDA_CASES", "100"))
ME, ANN = "user:me", "person:ann"
# Written with {w}, a word that stands nowhere else in the store.
SENTENCES = (
    "The user keeps a {w} in the shed.",
    'The user calls it the "{w}" and \\ or / too.',
    "The user met Zoë, 東京 and 👩\u200d🔬 near {w}.",
    "Der Nutzer wohnt in der {w}straße 7.",
    "The user's {w} is {{'a': [1, 2]}} & <b>50 %</b>.",
    "The user has a {w} " + "and another one of the same kind " * 7 + "at home.",
)
QUOTES = (
    "I keep my {w} in the shed",
    'well, "{w}" it is,\n\tand a\u00a0tab\r\nand \\n no line; C:\\new\\{w}',
    "my {w}: é, ñ, ß, İ, ﬁ, 東京, 👩\u200d🔬, \u202eabc\u2066",
    "{w}",
    "  {w}  ",
    "so " + "I said that the {w} is there, " * 40,
    None,
)


def word(chance: random.Random, n: int) -> str:
    letters = "".join(chance.choice("bcdfgjkqvwxz") for _ in range(9))
    return letters + chance.choice(("", "é", "ß", "Ö", "ı", "中")) + "qzx"


def spelt(text: str, chance: random.Random) -> str:
    """The same wording as somebody else may have written it."""
    ways = (
        str,
        str.upper,
        str.lower,
        str.swapcase,
        lambda t: unicodedata.normalize("NFD", t),
        lambda t: t.replace(" ", "  \n "),
        lambda t: json.dumps({"note": t}),
        lambda t: json.dumps({"note": t}, ensure_ascii=False),
        lambda t: json.dumps({"inner": json.dumps({"note": [t]})}),
    )
    return str(chance.choice(ways)(text))


def bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file())


def traces(content: bytes, mark: str) -> int:
    """How often a word is found in any case, composition or JSON form."""
    forms = set()
    for form in ("NFC", "NFD"):
        for cased in (mark, mark.lower(), mark.upper(), mark.casefold()):
            text = unicodedata.normalize(form, cased)
            forms |= {text, json.dumps(text)[1:-1], json.dumps(json.dumps(text))[3:-3]}
    low = content.lower()
    return sum(low.count(form.encode().lower()) for form in forms)


class Case:
    """One store with a fact to be erased, everything that may hold its words, and others beside it."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.chance = random.Random(seed)
        self.folder = folder
        self.m = Memory.open(folder / "memory.db")
        self.asha = Reviewer.open(folder / "memory.db", name="asha")
        self.word, self.other = word(self.chance, 1), word(self.chance, 2)
        self.text = self.chance.choice(SENTENCES).format(w=self.word)
        quote = self.chance.choice(QUOTES)
        self.quote = quote and quote.format(w=self.word)
        self.kept: dict[str, str] = {}
        self.ids: set[str] = set()

    def remember(self, text: str, **named: Any) -> str:
        out = self.m.remember(text, **{"subject": ME, "origin": "user", "run": "r1", **named})
        assert out.id, out
        return out.id

    def keep(self, text: str, **named: Any) -> None:
        self.kept[self.remember(text, **named)] = text

    def fill(self) -> None:
        """The fact, its versions and derivations, messages and reasons, and what must stay."""
        self.keep(f"The user has a {self.other} too.")
        fact = self.remember(self.text, quote=self.quote, tags=["t"], source_ref="session:s")
        more = [self.twin, self.held, self.derived, self.corrected, self.shared, self.within]
        for step in self.chance.sample(more, 3):
            step(fact)
        self.talk()
        if self.chance.random() < 0.4 and self.m.show(fact).status == "live":
            other = next(iter(self.kept))
            self.m.retire(
                Selection(ids=(fact, other)), why=f"wrong: {spelt(self.text, self.chance)}"
            )
        self.target = fact

    def twin(self, fact: str) -> None:
        if self.m.show(fact).status != "live":
            return
        self.m.retire(fact)
        self.ids.add(self.remember(self.text.upper(), quote=self.quote, run="r2"))
        self.m.undo(self.m.retire(Selection(run="r2")).id)

    def held(self, fact: str) -> None:
        self.ids.add(self.remember(self.text.rstrip(".") + "!", origin="external"))

    def derived(self, fact: str) -> None:
        if self.m.show(fact).status == "live":
            self.ids.add(self.remember(f"The {self.word} is big.", derived_from=[fact]))

    def corrected(self, fact: str) -> None:
        if self.m.show(fact).status == "live":
            out = self.m.correct(fact, f"The user sold the {self.word} again.")
            assert out.id, out
            self.m.undo(out.operation)

    def shared(self, fact: str) -> None:
        """Two facts from one sentence, one of them of somebody else."""
        quote = f"{self.quote or self.text} and my {self.other} as well"
        if len(quote) < 2000:
            self.keep(f"Ann has the {self.other} now.", subject=ANN, quote=quote)
            self.ids.add(self.remember(f"There is a {self.word}.", quote=quote))

    def within(self, fact: str) -> None:
        """Another fact that holds the sentence whole."""
        if len(self.text) < 200:
            self.ids.add(self.remember(f"Ann wrote {self.text.rstrip('.')}. to the user"))

    def talk(self) -> None:
        chance = self.chance
        words = [text for text in (self.text, self.quote) if text and len(text.split()) > 2]
        for session, run in (("s", "r1"), ("t", "r9")):
            window = self.m.window(session=session, subject=ME, run=run)
            request = window.build(f"Hello! {spelt(chance.choice(words), chance)} ok? {self.other}")
            assert request.messages
            call = ToolCall("c", "note", json.dumps({"a": spelt(chance.choice(words), chance)}))
            window.append(Message("assistant", (Text(spelt(self.text, chance)), call)))
            result = ToolResult("c", (Text(spelt(chance.choice(words), chance)),))
            window.append(Message("user", (result,), origin=Origin.TOOL))
            window.append(said("assistant", "ok"))
        if self.quote and self.quote.strip() == self.word:
            self.m.observe([said("user", f" {self.word.upper()} ")], subject=ME, session="u")

    def close(self) -> None:
        self.m.close()
        self.asha.close()


@pytest.mark.parametrize("seed", range(CASES))
def test_no_byte_of_it_is_left(seed: int, tmp_path: Path) -> None:
    case = Case(seed, tmp_path)
    case.fill()
    assert traces(bytes_of(tmp_path), case.word) > 0
    chosen = {f.id for f in case.m.select(Selection(ids=(case.target,)), erase=True)}
    report = case.m.erase(case.target)
    rest = {f.id for f in case.m.facts(status="all")} - case.kept.keys()
    if rest:
        # What says something else with the same word is not the same fact: a person erases it too.
        report = case.m.erase(Selection(ids=tuple(sorted(rest))))
    assert (report.byte_hits, report.blocked_by_reader, report.elsewhere) == (0, False, ())
    assert case.target in chosen
    assert traces(bytes_of(tmp_path), case.word) == 0
    assert {f.id: f.fact for f in case.m.facts(status="all")} == case.kept
    assert traces(bytes_of(tmp_path), case.other) > 0
    case.close()
    assert traces(bytes_of(tmp_path), case.word) == 0
