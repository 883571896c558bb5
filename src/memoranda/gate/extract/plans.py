"""Plans: what somebody will do on a day that is named, with the day made absolute."""

from __future__ import annotations

import re

from memoranda.attributes import slug
from memoranda.gate.extract.classes import with_article
from memoranda.gate.extract.dates import When, expiry, future, spell_out
from memoranda.gate.extract.finding import Found
from memoranda.gate.extract.subjects import ME
from memoranda.gate.extract.wording import in_third, persons
from memoranda.types import Kind

_EVENT = r"(?P<event>(?:[\w'-]+ ){0,4}?[\w'-]+)"
_SELF = re.compile(
    r"""(?ix)^(?:I|we)\ (?P<rest>(?:
      (?:am|are)\ (?:also\ |now\ |finally\ |both\ |actually\ )?
          (?!looking|feeling|hoping|thinking|wondering|excited|trying|being|doing|wishing|considering|aiming)
          (?:\w+ing|off|due|back|away|in|at|on|invited|booked)\b
      | will\ | plan\ (?:to|on)\ | leave\ | fly\ | travel\ | go\ to\ | stay\ | start\ |
        retire\ | meet\ | arrive\ | return\ | move\ | have\ to\ | turn\ \d
      | (?:have\ )?booked\ ).*)$"""
)
_HAVE = re.compile(
    rf"(?i)^(?:I|we) (?:have|have got|got) (?:an?|my|the|our|another) {_EVENT}(?= on\b| next\b| "
    rf"tomorrow\b| this\b| in\b| at\b| the day\b| \d| today\b| with\b| over\b)(?P<rest>.*)$"
)
_MINE = re.compile(
    rf"(?i)^(?P<whose>my|our|the) {_EVENT} (?P<verb>is due|are due|is|are|will be|leaves|starts|"
    rf"begins|takes place|ends|has been moved to|was moved to|moved to|got moved to|is moved to|"
    rf"is postponed to|has been postponed to)(?: now| due| scheduled for)? (?P<rest>.*)$"
)
_WEAK = re.compile(
    r"(?i)^(?:today|tonight|this (?:week|month|year|spring|summer|autumn|fall|winter))\b"
)
_WEAK_VERB = re.compile(
    r"(?i)^(?:go to|stay|fly|travel)\b|^(?:am|are) (?:going (?:to|on)|meeting|flying|seeing|"
    r"visiting|travelling|traveling|moving|getting married|hosting|leaving|off to)\b"
)
_UNCLEAR = re.compile(
    r"(?i)\b(?:it|them|they|there|that|this (?!\w+day|week|month|year|spring|summer|autumn|fall|"
    r"winter|coming)|those|him|he|she|one|you|your|so)\b"
)
_DULL = re.compile(r"_(?:appointment|project|date|meeting)$")
_NOT_EVENTS = re.compile(
    r"(?i)\b(?:birthday|anniversary|lot|bit|great|good|feeling|goal|plan|question|chance|time|"
    r"feelings?)\b(?! party)"
)


def event_key(phrase: str) -> str:
    """The key of an event: `dentist appointment` and `dentist` are one."""
    return _DULL.sub("", slug(phrase))


def read(clause: str, said_at: int) -> Found | None:
    """The plan that the clause states, or None: no date, a past one, or no plan."""
    dates = future(clause, said_at)
    if not dates or _UNCLEAR.search(clause):
        return None
    return _appointment(clause, dates, said_at) or _intention(clause, dates, said_at)


def _appointment(clause: str, dates: list[When], said_at: int) -> Found | None:
    having, mine = _HAVE.match(clause), _MINE.match(clause)
    found = having or mine
    if found is None or _NOT_EVENTS.search(found["event"]):
        return None
    if mine and not 0 <= dates[0].start - mine.start("rest") <= 12:
        return None
    words = dates[0].words
    if having:
        text = (
            f"{ME} has {with_article(found['event'])}{persons(spell_out(found['rest'], said_at))}"
        )
    else:
        whose = "the" if found["whose"].lower() == "the" else f"{ME}'s"
        moved = "moved" in found["verb"] or "postponed" in found["verb"]
        verb = "is" if moved else found["verb"]
        rest = words if moved else persons(spell_out(found["rest"], said_at))
        text = f"{whose} {found['event']} {verb} {rest}"
    return _plan(f"{event_key(found['event'])}.plan", text, words.removeprefix("on "), dates)


def _intention(clause: str, dates: list[When], said_at: int) -> Found | None:
    found = _SELF.match(clause)
    if found is None:
        return None
    weak = all(_WEAK.match(clause[when.start : when.end]) for when in dates)
    if weak and not _WEAK_VERB.match(found["rest"]):
        return None
    tonight = all(
        re.match(r"(?i)to(?:day|night)|later today", clause[d.start : d.end]) for d in dates
    )
    if tonight and re.match(r"(?i)(?:am|are) going to (?!the |my |a |see |meet )", found["rest"]):
        return None
    told = spell_out(found["rest"], said_at)
    value = re.sub(r"(?i)^(?:am also|am|are|will be|will|plan to|going to|have) ", "", told)
    return _plan("plan", f"{ME} {in_third(persons(told))}", persons(value), dates)


def _plan(attribute: str, text: str, value: str, dates: list[When]) -> Found:
    last = max(when.last for when in dates)
    return Found(attribute, value, text, 0.85, kind=Kind.PLAN, expires_at=expiry(last))
