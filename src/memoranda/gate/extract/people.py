"""The rules applied to what is said of the speaker and of the speaker's people."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoranda.attributes import canonical
from memoranda.gate.extract import words as w
from memoranda.gate.extract.classes import (
    preference_attribute,
    thing_attribute,
    tool_attribute,
    with_article,
    without_article,
)
from memoranda.gate.extract.finding import Found
from memoranda.gate.extract.rule import Rule
from memoranda.gate.extract.rules_what import ENDINGS, WHAT
from memoranda.gate.extract.rules_who import WHO
from memoranda.gate.extract.subjects import Said
from memoranda.gate.extract.values import READERS, tidy
from memoranda.gate.extract.wording import denied, persons

# Attributes that one clause may give together; any others are two readings of the same words.
TOGETHER = (
    {"employer", "role", "home", "team"},
    {"school", "field_of_study", "role"},
    {"partner", "marital_status"},
    {"teaches", "role"},
)
_LOOKUPS = {"?thing": lambda v: thing_attribute(v) or "possession", "?tool": tool_attribute,
            "?preference": preference_attribute}  # fmt: skip
_CORE = re.compile(r"(?i) (?:at|every|each|on|in|with|for|about|since|twice|once|and want)\b.*")
_CORED = frozenset({"hobby", "likes", "fear"})


def _fields(match: re.Match[str], value: str) -> dict[str, str]:
    groups = {k: v or "" for k, v in match.groupdict().items()}
    verb = (
        match.string[: match.start("v")].strip() if "v" in groups and match.start("v") >= 0 else ""
    )
    child = f"a child called {value}" if value[:1].isupper() else with_article(value)
    return {**groups, "v": value, "v_a": with_article(value), "v_child": child, "verb": verb}


def read(said: Said) -> list[Found]:
    """Everything that the table reads in what is said."""
    named = _named(said)
    found = [*named, *_endings(said)] if not said.denied else []
    if len(found) > len(named) or (named and _CALLED.match(said.predicate)):
        return found
    seen: set[str] = set()
    for rule in (*WHO, *WHAT):
        fresh = [one for one in _apply(rule, said) if _fits(_base(one), seen)]
        seen.update(map(_base, fresh))
        found += fresh
        if said.ended and found:
            break
    return found


def _base(found: Found) -> str:
    return (found.attribute or "").rpartition(".")[2]


def _fits(base: str, seen: set[str]) -> bool:
    """Whether a reading adds to those before it, instead of reading the same words again."""
    return base not in seen and (
        not seen or any(base in group and seen <= group for group in TOGETHER)
    )


def _apply(rule: Rule, said: Said) -> Iterator[Found]:
    if rule.denies and said.denied:
        return
    match = rule.pattern.match(said.predicate)
    if match is None:
        return
    for value in READERS[rule.reader](match["v"]):
        yield _found(rule, said, match, value)


def _found(rule: Rule, said: Said, match: re.Match[str], value: str) -> Found:
    attribute = _attribute(rule.attribute, value, said)
    predicate = rule.says.format_map(_fields(match, value))
    if rule.denies:
        predicate = match.group(0)[: match.start("v")] + value
    elif said.denied:
        predicate = denied(predicate, said.ended)
    base = attribute.rpartition(".")[2]
    if (
        base == "eats"
    ):  # what somebody leaves out is a fact of its own, and eating it again ends that
        return _eats(said, value, rule.confidence)
    key = _CORE.sub("", value) if base in _CORED and not re.match(r"\w+ing\b", value) else value
    key = without_article(key) if rule.attribute == "?tool" else key
    return Found(
        attribute, persons(key), f"{said.who} {persons(predicate)}", rule.confidence,
        polarity=not (said.denied or rule.denies), ends=said.ended,
    )  # fmt: skip


def _eats(said: Said, value: str, confidence: float) -> Found:
    owner = f"{said.owner}." if said.owner else ""
    again = re.search(r"(?i)\bagain\b", said.predicate) is not None
    text = (
        f"{said.who} {'does not eat' if said.denied else 'eats'} "
        f"{persons(value)}{' again' if again else ''}"
    )
    if again:
        return Found(f"{owner}avoids", value, text, confidence, polarity=False, ends=True)
    return Found(f"{owner}{'avoids' if said.denied else 'eats'}", value, text, confidence)


def _attribute(name: str, value: str, said: Said) -> str:
    base = _LOOKUPS[name](value) if name in _LOOKUPS else name.removeprefix("?")
    return canonical(f"{said.owner}.{base}" if said.owner else base)


_CALLED = re.compile(r"^(?:is called|is named|'s name is|s name is) (?P<v>.+)", re.IGNORECASE)


def _named(said: Said) -> list[Found]:
    """The name of a person of the speaker's: `my wife is called Ingrid`, `my husband Mateo is ...`."""
    if not said.relation:
        return []
    match = _CALLED.match(said.predicate)
    names = READERS["name"](match["v"]) if match else [said.name] if said.name else []
    whom = f"{said.who.partition(chr(39))[0]}'s {said.relation}"
    attribute = w.RELATIONS[said.relation]
    return [Found(attribute, name, f"{whom} is called {name}", 0.9) for name in names]


def _endings(said: Said) -> list[Found]:
    for rule in ENDINGS:
        match = rule.pattern.match(said.predicate)
        if match is None:
            continue
        raw = match.groupdict().get("v") or match.groupdict().get("v2") or ""
        values = READERS[rule.reader](raw) if rule.reader else [tidy(raw)]
        if values:
            return [_ending(rule, said, values[0])]
    return []


def _ending(rule: Rule, said: Said, value: str) -> Found:
    attribute = _attribute(rule.attribute, value, said)
    text = f"{said.who} {persons(rule.says.format(v=value))}"
    # an end that names no value ends whichever holds: "I sold my car"
    named = value if rule.attribute != "?thing" or value.lower() != attribute else ""
    return Found(attribute, named, text, rule.confidence, polarity=False, ends=True)
