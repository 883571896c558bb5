"""How a sentence is turned: contractions opened, first person into third, affirmation into denial."""

from __future__ import annotations

import re

from memoranda.gate.extract.words import word_set

USER = "The user"

_OPENED: tuple[tuple[str, str], ...] = (
    (
        r"\bI(?:'d| would) rather (?=(?:read|watch|walk|drive|take|go|eat|drink|work|stay|meet|talk|write|call|text|pay|cook)\b)",
        "I prefer to ",
    ),
    (r"\bI(?:'d| would) (?:rather|prefer)(?: to)?(?: have| use| get| see)?\b", "I prefer"),
    (r"\bI tend to(?= (?:prefer|like|avoid|use|eat|drink|work|read|write)\b)", "I"),
    (r"\bI favou?r\b", "I prefer"),
    (r"\bI'?m(?=\s)|\bIm(?=\s)", "I am"),
    (r"\bI'?ve\b", "I have"),
    (r"\bI'll\b", "I will"),
    (r"\bI'd\b", "I would"),
    (r"\b(we|you|they)'re\b", r"\1 are"),
    (r"\b(we|you|they)'ve\b", r"\1 have"),
    (r"\b(we|you|they|he|she|it)'ll\b", r"\1 will"),
    (r"\b(we|you|they|he|she|it)'d\b", r"\1 would"),
    (r"\b(he|she|it|that|here|there|what|where|who|how|name)'s\b", r"\1 is"),
    (r"\blet's\b", "let us"),
    (r"\bcan'?t\b", "cannot"),
    (r"\bwon'?t\b", "will not"),
    (r"\b(do|does|did|is|are|was|were|have|has|had|would|could|should)n'?t\b", r"\1 not"),
    (r"\bgonna\b", "going to"),
    (r"\bwanna\b", "want to"),
    (r"\b(?:cuz|coz|'cause)\b", "because"),
    (r"\bany more\b", "anymore"),
)
_OPEN = tuple((re.compile(pattern, re.IGNORECASE), new) for pattern, new in _OPENED)
_LOWER_I = re.compile(r"(?<![\w'.])i(?![\w'.])")

_SAME = word_set(
    """can could will would shall should may might must was were had did went got bought sold
        made took gave came saw met ran began became left lost found broke kept told said thought
        felt heard grew knew wrote drove rode ate drank spoke stood understood spent sent built
        paid won chose fell woke wore taught caught brought forgot quit cut put set let hit hurt
        read shut split never always also just now only still usually often sometimes really
        mostly recently currently no not cannot used"""
)
_ED_BASES = word_set(
    """need feed speed bleed seed weed breed embed wed succeed exceed proceed heed"""
)
_ADVERBS = word_set(
    """never always also just now only still usually often sometimes really mostly recently
        currently finally actually already mainly normally typically generally regularly honestly
        absolutely personally definitely both kinda truly totally literally rarely seldom
        occasionally sadly unfortunately officially probably"""
)
_IRREGULAR = {
    "is": "is",
    "has": "has",
    "does": "does",
    "was": "was",
    "am": "is",
    "are": "is",
    "have": "has",
    "do": "does",
    "go": "goes",
    "were": "was",
    "be": "is",
}
_BASE = {"is": "is", "has": "have", "does": "do", "goes": "go", "was": "was", "watches": "watch"}

_PERSONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"(?<![\w'])(?:{pattern})(?![\w'])", re.IGNORECASE), new)
    for pattern, new in (
        ("my own", "their own"),
        ("my|our", "the user's"),
        ("mine|ours", "the user's"),
        ("myself|ourselves", "themself"),
        ("me|us", "the user"),
        ("your", "the assistant's"),
        ("you", "the assistant"),
    )
)
_FIRST = re.compile(r"(?<![\w'])(?:I|[Ww]e)((?: \w+){1,4})")
_SECOND = re.compile(
    r"(?<![\w'])[Yy]ou ((?:write|answer|reply|talk|speak|give|send|use|are|have|make|do|show|"
    r"tell)\b)"
)


_SECOND_WHEN = re.compile(
    r"(?i)\b(before|when|whenever|if|that|until|unless|after|while|once) you "
    r"(?!who\b|and\b|or\b|are\b|ever\b|also\b|always\b|never\b|still\b|already\b|just\b|really\b)([a-z]+)\b"
)


def opened(text: str) -> str:
    """Contractions written out, a lone `i` made `I`, runs of blanks made one."""
    text = _LOWER_I.sub("I", " ".join(text.split()))
    for pattern, new in _OPEN:
        text = pattern.sub(new, text)
    return text


def third(verb: str) -> str:
    """The third person of a verb in the first: `live` -> `lives`. Past forms and modals stay."""
    low = verb.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if low in _SAME or (low.endswith("ed") and low not in _ED_BASES):
        return low
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return low[:-1] + "ies"
    return low + ("es" if low.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")


def base(verb: str) -> str:
    """The plain form of a verb in the third person: `lives` -> `live`."""
    if verb in _BASE:
        return _BASE[verb]
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    if verb.endswith(("shes", "ches", "xes", "sses", "zzes")):
        return verb[:-2]
    return verb.removesuffix("s")


def in_third(predicate: str) -> str:
    """`now live in Graz` -> `now lives in Graz`: the first verb after the adverbs is put in the third person."""
    words = predicate.split(" ")
    for i, word in enumerate(words[:4]):
        if word.lower() not in _ADVERBS:
            words[i] = third(word)
            break
    return " ".join(words)


def persons(text: str) -> str:
    """First and second person turned into `the user` and `the assistant`, for any part of a sentence."""
    text = _FIRST.sub(lambda m: "the user " + in_third(m[1].strip()), text)
    text = _SECOND_WHEN.sub(lambda m: f"{m[1]} the assistant {third(m[2])}", text)
    text = _SECOND.sub(lambda m: "the assistant " + in_third(m[1]), text)
    text = re.sub(r"(?<![\w'])(?:I|[Ww]e)(?![\w'])", "the user", text)
    for pattern, new in _PERSONS:
        text = pattern.sub(new, text)
    return text


def denied(predicate: str, ends: bool) -> str:
    """`lives in Linz` -> `no longer lives in Linz` (ends) or `does not live in Linz`."""
    first, _, rest = predicate.partition(" ")
    if ends:
        if first in ("is", "was"):
            return f"is no longer {rest}"
        return f"no longer {predicate}"
    if first in ("is", "was", "cannot", "will", "can"):
        return f"{first} not {rest}"
    return f"does not {base(first)} {rest}".rstrip()


def sentence(text: str) -> str:
    """`text` as a sentence: one line, a capital first, a full stop last, no stop inside."""
    text = " ".join(text.split()).strip(" ,;:-.!?\"'")
    return text[:1].upper() + text[1:] + "." if text else ""
