"""Pets: named, newly come, and lost."""

from __future__ import annotations

import re

from memoranda.gate.extract import words as w
from memoranda.gate.extract.classes import without_article
from memoranda.gate.extract.finding import Found
from memoranda.gate.extract.subjects import ME
from memoranda.gate.extract.values import READERS, tidy

_CALLED = re.compile(
    r"(?i)^(?:my|our) (?:\w+ )??(?P<animal>[\w-]+)(?:'s name is| is called| is named|, called|, "
    r"named) (?P<v>.+)$"
    r"|^(?:my|our) (?:\w+ )??(?P<animal3>[\w-]+),? (?P<v3>(?-i:[A-Z])[\w'-]+)(?:,| is| loves| "
    r"likes| has| just| keeps| needs)\b.*$"
    r"|^(?:my|our) (?P<animal2>[\w-]+) is (?P<v2>an? (?:[\w-]+ ){0,3}[\w-]+ (?:called|named) .+)$"
)
_NEW_PET = re.compile(
    r"(?i)^(?:a|another|a second|a third|a new) (?P<animal>[\w-]+),? (?:called |named "
    r")?(?P<name>(?-i:[A-Z])[\w'-]+),? (?:has )?(?:moved in|joined us|arrived|lives with us)\b"
)
_LOST_PET = re.compile(
    r"(?i)^(?:my|our) (?:\w+ )??(?P<animal>[\w-]+)(?:,? (?P<name>(?-i:[A-Z])[\w'-]+))?,? (?:has "
    r")?(?:died|passed away|ran away|was put down|is dead)\b"
)


def _lost(match: re.Match[str]) -> list[Found]:
    animal, name = match["animal"].lower(), match["name"]
    if animal not in w.ANIMALS:
        return []
    value = f"{animal} called {name}" if name else animal
    return [
        Found(
            "pet",
            value,
            f"{ME}'s {animal}{' ' + name if name else ''} died",
            0.9,
            polarity=False,
            ends=True,
        )
    ]


def _pet(clause: str) -> Found | None:
    match = _CALLED.match(clause)
    animal = match and (match["animal"] or match["animal2"] or match["animal3"]).lower()
    if match is None or animal not in w.ANIMALS:
        return None
    if match["v2"]:
        value = tidy(match["v2"])
        return Found("pet", without_article(value), f"{ME}'s {animal} is {value}", 0.9)
    names = READERS["name"](match["v"] or match["v3"])
    return (
        Found("pet", f"{animal} called {names[0]}", f"{ME}'s {animal} is called {names[0]}", 0.9)
        if names
        else None
    )


def _added(match: re.Match[str]) -> Found | None:
    animal, name = match["animal"].lower(), match["name"]
    if animal not in w.ANIMALS:
        return None
    return Found("pet", f"{animal} called {name}", f"{ME} has a {animal} called {name}", 0.8)


def read(clause: str) -> list[Found]:
    """What the clause says of a pet of the speaker's."""
    if lost := _LOST_PET.match(clause):
        return _lost(lost)
    added = _NEW_PET.match(clause)
    found = _added(added) if added else _pet(clause)
    return [found] if found else []
