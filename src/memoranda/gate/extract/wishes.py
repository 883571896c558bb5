"""What somebody asks of the agent for good: how to answer, what to use, what to call them.

A request for this once ("use the second version") is no wish. What tells them apart is a standing word ("always",
"from now on") or a matter that is a setting by nature: units, theme, language, length.
"""

from __future__ import annotations

import re

from memoranda.attributes import slug
from memoranda.gate.extract.classes import preference_attribute
from memoranda.gate.extract.finding import Found
from memoranda.gate.extract.subjects import ME
from memoranda.gate.extract.values import READERS, is_vague, tidy
from memoranda.gate.extract.wording import persons
from memoranda.gate.extract.words import LANGUAGES
from memoranda.types import Kind

_POLITE = (
    r"^(?:(?:so|and|but|also|ok|okay|well|hi|hey|oh|yes|no|sorry|thanks|please|just|kindly|could "
    r"you|can you|I (?:want|would like|need) you to)[, ]+)*"
)
_CALLED = re.compile(
    _POLITE
    + r"(?:you can |you may |(?:everyone|everybody|people|my friends|friends|they|most people|my "
    r"family) )?"
    r"(?:just |always |usually )?calls? me (?!back\b|later\b|when\b|at\b|if\b|tomorrow\b|on\b|"
    r"crazy\b|old\b|a\b|an\b|the\b|maybe\b|today\b|in\b|out\b|to\b|and\b)(?P<v>.+)",
    re.IGNORECASE,
)
_REMIND = re.compile(
    _POLITE + r"(?P<no>do not |never |stop )?remind(?:ing)? me (?P<v>.+)", re.IGNORECASE
)
_RECURS = re.compile(
    r"(?i)\b(?:every|each|always|daily|weekly|monthly|anymore|whenever|any more)\b|days\b"
)
_STANDING = re.compile(
    r"(?i)\b(?:always|never|from now on|in (?:the )?future|every time|whenever|going forward|"
    r"for good|by default|"
    r"anymore|any more|as a rule|at all times|each time|(?:with|to) me(?=[.!]?$)|(?:when|if) "
    r"you (?:write|answer|reply|talk|speak))\b"
)
_IMPERATIVE = (
    r"(?:answer|reply|respond|write|speak|talk|use|keep|avoid|do not|stop|start|give|show|"
    r"format|include|put|add|"
    r"call|address|explain|make|ask|tell|skip|end|begin|quote|cite|prefer|send|refer|convert|"
    r"round|sign|spell|mention|switch)"
)
_COMMAND = re.compile(
    _POLITE + rf"(?:from now on|in (?:the )?future|going forward|as a rule|by default|whenever "
    rf"[^,]{{3,60}}|for [^,]{{3,60}}?|when [^,]{{3,60}}?)?,? ?(?:please )?"
    rf"(?P<adv>always |never )?(?P<v>{_IMPERATIVE}\b.*)",
    re.IGNORECASE,
)
_LANGUAGE = re.compile(
    r"(?i)^(?:answer|reply|respond|write|speak|talk)(?: me| to me| back| with me)*(?: only| "
    r"always)? in (?:(?:british|american|simple|plain|easy|brazilian|formal) "
    r")?(?P<l>\w+)(?P<rest>.*)"
)
_SETTINGS = re.compile(
    r"(?ix)^(?:use\ (?:the\ )?(?P<units>metric|imperial|celsius|fahrenheit|kilomet(?:re|er)s|"
    r"miles|iso\ dates|24-hour\b|british\ spelling|american\ spelling)\b.*"
    r"|(?:use|switch\ me\ to|switch\ to)\ (?:the\ )?(?P<theme>dark|light)\ (?:theme|mode)\b.*"
    r"|keep\ (?:your\ |the\ |all\ )?(?:answers|replies|responses|explanations|messages|"
    r"it(?!\ (?:up|going|real|coming|in\b|on\b|as\b|together|simple\ for\ now)))\ (?P<style>.+)"
    r"|use\ (?P<emoji>emojis?|bullet\ points|markdown|tables)\b(?!\ (?:for\ this|here)).*)$"
)
_SHOULD = re.compile(
    r"(?i)^(?P<what>(?:all |any |my |the |your )?(?:letters|messages|e-?mails|mails|answers|"
    r"replies|reports|summaries|texts|posts|comments|"
    r"commit messages|responses|translations|notes|documents|code)(?: (?:to|for|about|in) "
    r"[\w ]{2,30}?)?) should (?P<v>(?:always |never )?(?:be|sound|look|use|have|start|end|"
    r"contain|include|avoid)\b[^,?]{2,80})$"
)
_SETTING_OF = re.compile(
    r"(?i)^(?:for|when|whenever|in) (?P<s>[^,]{3,60}?)(?:,| (?=answer|use|write|reply|please))"
)
_TAIL = re.compile(
    r"(?i) (?:when|whenever|for|if) (?P<s>(?!me\b|you\b|good\b|now\b|everything\b).{3,60})$"
)


def read(text: str) -> list[tuple[str, Found]]:
    """The wishes in a sentence, each with the setting it holds in ("" for everywhere)."""
    called = _CALLED.match(text)
    if called:
        return [
            ("", Found("nickname", name, f"{ME} goes by {name}", 0.95))
            for name in READERS["name"](called["v"])
        ]
    remind = _REMIND.match(text)
    if remind:
        return _reminder(remind)
    style = _SHOULD.match(text)
    if style:
        what = persons(style["what"])
        told = f"{ME} wants {what} to {style['v']}"
        return [
            ("", Found(f"{slug(what)}.answer_style", tidy(style["v"]), told, 0.85, Kind.PROCEDURE))
        ]
    command = _COMMAND.match(text)
    return _command(command, text) if command else []


def _reminder(found: re.Match[str]) -> list[tuple[str, Found]]:
    if not _RECURS.search(found["v"]):
        return []
    value = re.sub(r"(?i)[, ]*\b(?:anymore|please)\b", "", found["v"]).strip(" .!")
    topic = re.split(r"(?i)\b(?:about|of|to) ", value)[-1]
    verb = "no longer to be reminded" if found["no"] else "to be reminded"
    text = f"{ME} wants {verb} {persons(value)}"
    kind, no = Kind.PROCEDURE, bool(found["no"])
    return [("", Found("reminder", persons(topic), text, 0.85, kind, not no, no))]


def _command(found: re.Match[str], text: str) -> list[tuple[str, Found]]:
    wanted = tidy(re.sub(r"(?i)^do not ", "", found["v"]))
    never = (found["adv"] or "").lower().startswith("never") or found["v"].lower().startswith(
        ("do not ", "avoid ", "stop ")
    )
    wanted = re.sub(
        r"(?i)[, ]*\b(?:from now on|in (?:the )?future|going forward|for good)\b", "", wanted
    )
    place = _SETTING_OF.match(re.sub(r"(?i)^(?:please|and|but|so)[, ]+", "", text)) or _TAIL.search(
        wanted
    )
    setting = persons(place["s"]) if place else ""
    attribute, value, sure = _matter(wanted)
    if attribute is None and not _STANDING.search(text):
        return []
    if (
        re.search(
            r"(?i)^(?:keep|make|give) (?:it|them|that|up|on|in|going|a look)\b|^tell me\b|"
            r"\byou'?ll\b",
            wanted,
        )
        and attribute is None
    ):
        return []
    if is_vague(wanted) and attribute is None:
        return []
    said = persons(wanted[:1].lower() + wanted[1:])
    doing = f"{ME} wants the assistant {'never ' if never else ''}to {said}"
    if place and place["s"] not in wanted:
        doing += f" for {setting}"
    confidence = 0.9 if sure or _STANDING.search(text) else 0.75
    if attribute is None:
        attribute = preference_attribute(said, "instruction") if not never else "instruction"
        attribute = attribute if attribute in ("answer_style", "format", "units") else "instruction"
        value = said
    return [(setting, Found(attribute, value, doing, confidence, Kind.PROCEDURE, not never))]


def _matter(wanted: str) -> tuple[str | None, str, bool]:
    """The setting that a command is about, its value, and whether it can be nothing else."""
    language = _LANGUAGE.match(wanted)
    if language and language["l"].lower() in LANGUAGES:
        return "answer_language", language["l"].title(), False
    found = _SETTINGS.match(wanted)
    if not found:
        return None, "", False
    if found["units"]:
        return preference_attribute(found["units"], "units"), found["units"], True
    if found["theme"]:
        return "theme", found["theme"].lower(), True
    if found["style"]:
        return "answer_style", persons(tidy(found["style"])), False
    return "instruction", f"use {found['emoji'].lower()}", False
