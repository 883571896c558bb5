"""Corrections and ends that need what was said before: "no, Graz", "correction: table 21", "Pogo the hamster died"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memoranda.attributes import is_multi
from memoranda.gate.extract.finding import Found
from memoranda.gate.extract.topics import slots
from memoranda.gate.extract.values import tidy
from memoranda.gate.extract.wording import persons
from memoranda.gate.extract.words import word_set
from memoranda.types import Draft, Kind

_NOT = re.compile(
    r"(?i)^(?:it is |that is |I meant |I mean |make (?:it|that) |make )?(?P<new>[^,]{1,60}?),? "
    r"(?:and )?not (?P<old>[^,]{1,60})$"
)
_NOT_BUT = re.compile(
    r"(?i)^(?:it is |that is )?not (?P<old>[^,]{1,60}?),? but (?P<new>[^,]{1,60})$"
)
_BARE = re.compile(
    r"(?i)^(?:it is(?: now)? |it was |it's |make (?:it|that) |that should be |should be |I "
    r"meant |I mean |in |at )?(?P<new>[\w'.:-]+(?: [\w'.:-]+){0,3})$"
)
_STRONG = re.compile(
    r"(?i)\b(?:no|nope|wait|sorry|correction|update|actually|I meant|I mean|I mistyped|wrong|"
    r"oops|they called|it again|I misspoke|must correct|I misread it)\b"
)
_GONE = re.compile(
    r"""(?ix)^(?:my|our|the)?\ ?(?P<what>[\w.' -]{2,60}?)[ ]
    (?:has\ |have\ |is\ |was\ )?(?:now\ |just\ |recently\ |finally\ )?
    (?:died|passed\ away|moved\ out|ended|is\ over|over|finished|was\ cancelled|been\ cancelled|cancelled|expired|
    run\ out|ran\ out|closed|broke\ up|not\ blocked|no\ longer\ with\ us|dead|gone)\b"""
)
# With these a statement of its own begins, or it is all there is of one: "I moved", "it is".
_CLAUSE = re.compile(
    r"(?i)^(?:I|we|you|he|she|it|they|this|that|there|these|those|who|what|which|where|when|why|how)\b"
)
# Small words inside a name: "Frankfurt am Main", "Stratford upon Avon".
_LINKS = word_set(
    """of the and on upon in am an a de del della da di do dos du des la le les las los lo el al der
        den van von ter ten y e et und i og och"""
)
_STOP = word_set(
    """the a an my our and i we user's user of in at on to is has does not his her their that
        with for"""
)


def _content(text: str) -> set[str]:
    return {
        word for word in re.findall(r"[\w'-]+", text.lower()) if word not in _STOP and len(word) > 1
    }


def correction(clause: str, opener: str, previous: Sequence[Draft]) -> Found | None:
    """The earlier statement with its value replaced, when the clause is nothing but a new value."""
    pair = _NOT_BUT.match(clause) or _NOT.match(clause)
    if pair:
        if _CLAUSE.match(pair["new"]):
            return None
        old = pair["old"].strip(" .").lower()
        for draft in reversed(previous):
            if draft.value and draft.polarity and old in draft.value.lower():
                return _replaced(draft, pair["new"])
        return None
    bare = _BARE.match(clause.strip(" .!"))
    if not bare:
        return None
    new = re.sub(r"(?i) (?:again|now|after all|was right|is right)$", "", bare["new"])
    strong = _STRONG.search(opener) is not None
    return next(
        (_replaced(d, new) for d in reversed(previous) if _same_shape(d, new, strong)), None
    )


def _same_shape(draft: Draft, new: str, strong: bool) -> bool:
    """Whether the new value could stand where the old one stands: number for number, name for name.

    strong: the sentence opens as a correction. Without that the unit or noun must be named again ("26 guests").
    """
    if not draft.value or not draft.polarity or draft.kind is Kind.PROCEDURE:
        return False
    words, old = new.split(), draft.value.split()
    nouns = {word.lower() for i, word in enumerate(words) if i not in slots(words)}
    if slots(words):
        here = bool(slots(old)) and nouns <= _content(draft.text) | _STOP
        return here and (strong or bool(nouns - _STOP))
    return strong and not _CLAUSE.match(new) and _like_a_name(tidy(new).split() or words, old)


def _like_a_name(words: Sequence[str], old: Sequence[str]) -> bool:
    """Whether both begin as a name does, and the new one is a name throughout if the old one is: `Rome is nice` is not."""
    if not (words[0][:1].isupper() and old[0][:1].isupper()):
        return False
    return not _plain(words) or _plain(old)


def _plain(words: Sequence[str]) -> bool:
    """Whether there is a word that does not belong to a name."""
    return any(word[:1].islower() and word not in _LINKS for word in words)


def _replaced(draft: Draft, new: str) -> Found | None:
    value, words, old = tidy(new), tidy(new).split(), draft.value or ""
    if slots(words) and len(words) > len(old.split()):
        value = " ".join(words[i] for i in slots(words))
    if not value or old not in draft.text:
        return None
    text = draft.text.replace(old, persons(value)).rstrip(".")
    return Found(draft.attribute, persons(value), text, 0.8, draft.kind)


def gone(clause: str, previous: Sequence[Draft]) -> Found | None:
    """The end of something spoken of before, named again: `the pottery course ended yesterday`."""
    match = _GONE.match(clause)
    if match is None:
        return None
    draft = _about(match["what"], previous)
    if draft is None:
        return None
    what = persons(clause.strip(" ."))
    return Found(draft.attribute, draft.value, what, 0.8, draft.kind, polarity=False, ends=True)


def _about(what: str, previous: Sequence[Draft]) -> Draft | None:
    wanted = _content(what)
    for draft in reversed(previous):
        if (
            draft.attribute
            and draft.polarity
            and wanted & _content(f"{draft.value} {draft.attribute.replace('_', ' ')}")
        ):
            return draft
    return None


def _same_topic(found: Found, near: Sequence[Draft]) -> Found:
    """`the speaker` after `the keynote speaker` is the same one, and so has the same key."""
    name = found.attribute or ""
    if "." in name or any(d.attribute == name for d in near):
        return found
    for draft in near:
        known = draft.attribute or ""
        if known.endswith("_" + name) and not is_multi(known):
            return replace(found, attribute=known)
    return found


def anchored(found: Found, previous: Sequence[Draft]) -> Found:
    """A denial or end tied to the earlier statement that it speaks of, whose value it may name in other words."""
    if not found.value or not found.attribute:
        return found
    wanted = _content(found.value)
    near = [d for d in reversed(previous) if d.attribute and d.value and d.polarity]
    if found.polarity:
        return _same_topic(found, near)
    same = [d for d in near if d.attribute == found.attribute]
    for draft in same:
        have = _content(draft.value or "")
        if wanted and have and (wanted <= have or have <= wanted):
            return replace(found, value=draft.value)
    if not any(d.attribute == found.attribute for d in near):
        for draft in near:
            if (
                wanted
                and wanted <= _content(f"{draft.value} {draft.text}")
                and wanted & _content(draft.value or "")
            ):
                return replace(found, attribute=draft.attribute, value=draft.value)
    return found
