"""What kind of thing a value is, and the article it takes."""

from __future__ import annotations

import re

from memoranda.gate.extract import words as w


def without_article(value: str) -> str:
    """`an old Skoda` -> `old Skoda`."""
    first, _, rest = value.partition(" ")
    return rest if rest and first.lower() in w.ARTICLES else value


def with_article(value: str) -> str:
    """`dog` -> `a dog`; names, plurals and counted things stay as they are."""
    first = value.split(" ", 1)[0]
    counted = first.lower() in w.NUMBER_WORDS | w.ARTICLES or first[:1].isdigit()
    head = re.split(r" (?:of|called|named|on|in|at|with)\b|,", value)[0].split()[-1]
    plural = head.endswith("s") and not head.endswith(("ss", "us"))
    office = re.match(
        r"(?i)(?:head|director|president|chief|retired|ceo|cto|treasurer|chair)\b", value
    )
    if counted or plural or office or first[:1].isupper():
        return value
    return f"{'an' if first[:1].lower() in 'aeiou' else 'a'} {value}"


def _holds(value: str, names: tuple[str, ...]) -> bool:
    return re.search(rf"(?i)(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", value) is not None


def thing_attribute(value: str) -> str | None:
    """The attribute of something owned: `phone`, `device`, `car`, `pet`, `possession`; None when unknown."""
    words = {word.lower().strip("'\",.") for word in value.split()}
    for attribute, names in (("phone", w.PHONES), ("device", w.DEVICES), ("car", w.CARS)):
        if _holds(value, names):
            return attribute
    if words & w.ANIMALS:
        return "pet"
    return "possession" if words & w.OWNED else None


def tool_attribute(value: str) -> str:
    """The attribute of something used: its own where the lists know it, else `tool`."""
    low = without_article(value).lower()
    first = low.split()[0] if low else ""
    if first in w.EDITORS or low.startswith(w.EDITOR_PHRASES):
        return "editor"
    if first in w.BROWSERS:
        return "browser"
    if first in w.PROGRAMMING:
        return "programming_language"
    if first in w.SYSTEMS:
        return "operating_system"
    return preference_attribute(value, thing_attribute(value) or "tool")


def preference_attribute(value: str, default: str = "preference") -> str:
    """The attribute that a preference is about."""
    words = re.findall(r"[\w/-]+", value.lower())
    if words and words[0] in w.EDITORS:
        return "editor"
    if words and words[0] in w.BROWSERS:
        return "browser"
    return next((name for name, keys in w.TOPICS if keys.intersection(words)), default)
