"""What somebody asks of the agent for good: how to answer, what to use, what to call them.

A request for this once ("use the second version") is no wish. What tells them apart is a standing word ("always",
"from now on") or a matter that is a setting by nature: units, theme, language, length.
"""

from __future__ import annotations

import re

from memoranda.attributes import slug
from memoranda.gate.extract import manner
from memoranda.gate.extract.classes import preference_attribute
from memoranda.gate.extract.finding import Found
from memoranda.gate.extract.subjects import ME
from memoranda.gate.extract.values import READERS, is_vague, tidy
from memoranda.gate.extract.wording import persons
from memoranda.gate.extract.words import LANGUAGES
from memoranda.types import Kind

_POLITE = (
    r"^(?:(?:so|and|but|also|ok|okay|well|hi|hey|oh|yes|no|sorry|thanks|please|just|kindly|could "
    r"you|can you|would you|will you|(?:from now on )?I (?:always |really )?(?:want|would like|need|expect) you to|"
    r"(?:please )?(?:make sure|be sure|ensure|remember|try|do not forget)(?: to| that you| you)|"
    r"you (?:should|must|have to|need to|are to|can|may)|feel free to)[, ]+)*"
)
_CALLED = re.compile(
    _POLITE
    + r"(?:you can |you may |(?:everyone|everybody|people|my friends|friends|they|most people|my "
    r"family) )?"
    r"(?:(?:just |always |usually )?calls? me|I (?:want|would like|like|prefer|need) to be called) (?!back\b|later\b|when\b|at\b|if\b|tomorrow\b|on\b|"
    r"by\b|crazy\b|old\b|a\b|an\b|the\b|maybe\b|today\b|in\b|out\b|to\b|and\b)(?P<v>.+)",
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
    r"anymore|any more|as a rule|at all times|each time|ever again|ever(?=[.!]?$)|all the time|constantly|so often|"
    r"do not ever|unless I (?:ask|say|tell)|(?:with|to) me(?=[.!]?$)|(?:when|if) you (?:write|answer|reply|talk|speak)|"
    r"(?:when|if) I (?:ask|say|send|share|give|mention|request|want|need)|(?:ask|check with|confirm with|warn|tell|"
    r"consult) me (?:first )?before)\b"
)
_IMPERATIVE = (
    r"(?:answer|reply|respond|write|speak|talk|use|keep|avoid|do not|stop|start|give|show|"
    r"format|include|put|add|be|treat|"
    r"call|address|explain|make|ask|tell|skip|end|begin|quote|cite|prefer|send|refer|convert|"
    r"challenge|correct|criticise|criticize|question|push back|encourage|teach|quiz|correct|pronounce|suggest|recommend|"
    r"round|sign|spell|mention|switch|number|sort|list|express|drop|leave out|limit|check|confirm|warn|consult)"
)
# With "always" or "never" before it any of these is an order; "always happy to help" and "never been there" are none.
_MORE = (
    r"(?:point out|flag|share|schedule|book|buy|order|delete|remove|change|run|test|commit|push|merge|deploy|open|close|read|look|"
    r"search|verify|double[- ]check|validate|compare|translate|summari[sz]e|assume|guess|invent|apologi[sz]e|thank|greet|"
    r"recommend|suggest|offer|propose|provide|present|return|output|print|name|describe|compute|calculate|say|"
    r"repeat|remind|notify|contact|e-?mail|message|phone|pay|spend|post|publish|save|store|back up|note|log|track|plan|"
    r"update|let me know|inform|follow|stick|consider|prioriti[sz]e|focus|wait|help|let|take|get|create|generate|wrap|indent|"
    r"comment|document|type|lint|review|link|attach|copy|cc|redact|hide|reveal|disclose|discuss|joke|swear|shout|"
    r"interrupt|hurry|argue|flatter|patroni[sz]e|lecture|prefix|label|highlight|bold|capitali[sz]e|abbreviate)"
)
_LEAD = (
    r"(?:(?:from now on|in (?:the )?future|going forward|as a rule|by default),? |for [^,]{3,60}?,? "
    r"|(?:whenever|every time|each time|when|in (?:all|your|every|any|my|each)|if I (?:ask|say|send|share|mention|request)"
    r"|if (?=[^,]{3,80}, (?:please )?(?:warn|tell|ask|flag|stop|say|remind|notify)\b))[^,]{3,80}, )"
)
# What such a lead must say to be a case that comes again: "when things get rough" is comfort, and "thanks for the tip,
# keep me posted" no case at all.
_CASE = re.compile(
    r"(?i)^(?:from|in|going|as|by|for [^,]+, |(?:whenever|every time|each time|when|if)\b.*\b(?:I|you|we|my|your|our|possible|asked|\w+ing)\b|if )"
)
_THANKS = re.compile(r"(?i)\b(?:thanks|thank you|sorry|thx)\b")
_PROVERB = re.compile(
    r"(?i)^(?:give (?:up|in)|say never|stop \w+ing|look back|lose (?:hope|faith|sight)|forget\b|doubt\b|let \w+ down)"
)
_COMMAND = re.compile(
    _POLITE + rf"(?P<lead>{_LEAD})?(?:please )?"
    rf"(?P<adv>always |never |(?:do not )?ever )?(?P<only>only )?(?P<v>(?:{_IMPERATIVE}|{_MORE})\b.*)",
    re.IGNORECASE,
)
# A command whose object only the talk so far tells: nobody would know later what is meant.
_AT_HAND = re.compile(
    r"(?i)^[\w-]+(?: me)? (?:it|this|that|these|those|them|so)(?:$| (?:again|like|way|one|to me|for me)\b)|\byou'?ll\b"
)
# "A story where the hero never dies": what is always so there is no wish.
_TOLD_OF = re.compile(r"(?i)[^,]\b(?:where|who|which|that|whose|about|of)\b.*\b(?:never|always)\b")
_CASE_BEHIND = re.compile(
    r"(?i)\b(?:whenever|every time|each time|unless I (?:ask|say|tell)|from now on|in (?:the )?future|going forward)\b"
)
# "Let me know how it goes" asks for a word of the other's; only before and whenever something is done is it a wish.
_LET_ME_KNOW = re.compile(r"(?i)^let me know(?! (?:first )?(?:before|whenever)\b)")
_STANDING_LAST = re.compile(
    r"(?i)\b(?:from now on|in (?:the )?future|every time|each time|going forward|for good|by default|anymore|any more|"
    r"as a rule|at all times|ever again|ever|all the time|when(?:ever)? I (?:ask|say|send|share|mention)\b.*)[.!]?$"
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
_SETTING_WHEN = re.compile(r"(?i)^(?P<w>when|whenever|every time|each time|if) (?P<s>[^,]{3,80}),")
_SETTING_OF = re.compile(
    r"(?i)^(?P<w>for|when|whenever|in) (?P<s>[^,]{3,60}?)(?:,| (?=answer|use|write|reply|please))"
)
_TAIL = re.compile(
    r"(?i) (?:when|whenever|for|if) (?P<s>(?!me\b|you\b|good\b|now\b|everything\b).{3,60})$"
)


def read(text: str) -> list[tuple[str, Found]]:
    """The wishes in a sentence, each with the setting it holds in ("" for everywhere)."""
    text = re.sub(r"(?i)^I (?:do not|never) (?:want|like|need) you to ", "do not ", text)
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
    found = _command(command, text) if command else []
    return found or [("", one) for one in manner.read(text)]


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
    told = (found["only"] or "") + re.sub(r"(?i)^do not ever ", "do not ", found["v"])
    wanted = tidy(re.sub(r"(?i)^do not ", "", told))
    never = (found["adv"] or "").lower().startswith(("never", "do not")) or told.lower().startswith(
        "do not "
    )
    wanted = re.sub(
        r"(?i)[, ]*\b(?:from now on|in (?:the )?future|going forward|for good|ever)\b", "", wanted
    ).strip()
    said_of = re.sub(r"(?i)^(?:please|and|but|so)[, ]+", "", text)
    place = _SETTING_WHEN.match(said_of) or _SETTING_OF.match(said_of) or _TAIL.search(wanted)
    when = f"{_when(place)} " if place else ""
    setting = persons(f"{when}{place['s']}").removeprefix(when) if place else ""
    attribute, value, sure = _matter(wanted)
    if attribute is None and not _meant(found, told, wanted, text):
        return []
    said = persons(wanted[:1].lower() + wanted[1:])
    only = (found["only"] or "").lower()
    doing = f"{ME} wants the assistant {'never ' if never else ''}to {only}{said}"
    if place and place["s"] not in wanted:
        doing += f" {when}{setting}"
    confidence = 0.9 if sure or _STANDING.search(text) else 0.75
    if attribute is None:
        attribute = preference_attribute(said, "instruction") if not never else "instruction"
        attribute = attribute if attribute in ("answer_style", "format", "units") else "instruction"
        value = said
    return [(setting, Found(attribute, value, doing, confidence, Kind.PROCEDURE, not never))]


def _when(place: re.Match[str]) -> str:
    return (place.groupdict().get("w") or "for").lower()


def _meant(found: re.Match[str], told: str, wanted: str, text: str) -> bool:
    """Whether a command about no known setting is meant for good, and says what it wants."""
    case = found["lead"] and _CASE.match(found["lead"]) and not _THANKS.search(text)
    if _LET_ME_KNOW.match(told):
        return False
    if not wanted or _TOLD_OF.search(text) or (_AT_HAND.search(wanted) and not case):
        return False
    if found["adv"] or case:
        return not (found["adv"] and _PROVERB.match(wanted))
    if manner.BY_NATURE.match(told):
        return not manner.ONCE.search(text)
    rare = re.match(rf"(?i){_IMPERATIVE}\b", told) is None
    if not _STANDING.search(text) or (rare and not _STANDING_LAST.search(text)):
        return False
    passing = re.search(
        r"(?i)^(?:keep|make|give) (?:it|them|that|up|on|in|going|a look)\b|^tell me\b|\byou'?ll\b",
        wanted,
    )
    case_behind = _CASE_BEHIND.search(text)
    return not passing and (case_behind is not None or not is_vague(wanted))


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
