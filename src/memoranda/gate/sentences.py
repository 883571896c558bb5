"""Is this one self-contained sentence, and can it be made one? A fact must still make sense when read alone."""

from __future__ import annotations

import re
from collections.abc import Iterable

# A full stop, question or exclamation mark, then white space and the start of another sentence.
BREAK = re.compile(r"[.!?…。！？]['\")\]]?\s+(?=[\"'(\[]?[A-ZÀ-ÞА-Я0-9])|[。！？](?=\S)|\n\s*\n")
ABBREVIATION = re.compile(
    r"\b(?:[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|No|vs|etc|approx|Inc|Ltd|Co|e\.g|i\.e|a\.m|p\.m|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)\.\s+$"
)
UNBOUND = frozenset(
    """
    i i'm i've i'd i'll my mine me we we're our ours us he he's his him she she's her hers it it's its they
    they're their them this that these those there here you your yours
    """.split()
)
# Verbs a note begins with when its subject was left out: "Prefers dark mode".
LEADING_VERBS = frozenset(
    """
    prefers likes loves enjoys hates dislikes avoids wants needs uses owns has had lives lived works worked
    studies studied speaks plays drives eats drinks is was knows keeps plans intends goes went moved bought sold
    started stopped finished reads writes runs rides collects teaches manages leads supports follows believes
    thinks feels asks asked says said visits visited travels married attends attended takes took wears can
    cannot can't doesn't does isn't wasn't hasn't
    """.split()
)


PROJECT = "project"
# What tells two projects of one name apart, behind it: no word of the name, and not to be read out.
MARK = re.compile(r"~[a-z]{8}$")


def project_of(subjects: Iterable[str]) -> str | None:
    """Of several subjects the project at hand: the first that is one."""
    return next((one for one in subjects if one.startswith(f"{PROJECT}:")), None)


def project_name(subject: str) -> str:
    """What people call a project: `project:boat~abcdefgh` is "boat"."""
    return MARK.sub("", subject.partition(":")[2]) or subject


def label(subject: str) -> str:
    """How a sentence names its subject: `user:me` is "The user", `user:8812` "User 8812", `project:x` "Project x"."""
    kind, _, name = subject.partition(":")
    if not name:
        return subject
    name = project_name(subject) if kind == PROJECT else name
    if (kind, name) == ("user", "me"):
        return "The user"
    return f"{kind.replace('_', ' ').capitalize()} {name}"


def count_sentences(text: str) -> int:
    """How many sentences the text holds (at least one)."""
    return 1 + sum(
        1
        for found in BREAK.finditer(text)
        if not ABBREVIATION.search(text[max(0, found.start() - 12) : found.end()])
    )


def completed(text: str, subject: str) -> str:
    """The text with its subject named in front, where it begins with a verb that lacks one."""
    first, _, rest = text.partition(" ")
    if rest and first.casefold() in LEADING_VERBS:
        return f"{label(subject)} {first[0].lower()}{first[1:]} {rest}"
    return text


def stands_alone(text: str) -> bool:
    """Whether the text names what it is about: it does not begin with a pronoun, and has more than one word."""
    first, _, rest = text.replace("’", "'").partition(" ")
    return bool(rest or not first.isascii()) and first.casefold().strip("\"'(,") not in UNBOUND
