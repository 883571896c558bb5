"""Statements about the speaker's things and affairs: "my rent is 910 euros", "the build needs Node 22", "I wake at 7".

No list can name every attribute that people have. So the key is read off the sentence itself: what is left of it
when the value is taken out. The same sentence with another number, colour, day or name then replaces it.
"""

from __future__ import annotations

import re

from memoranda.attributes import ATTRIBUTES, canonical, slug
from memoranda.gate.extract import words as w
from memoranda.gate.extract.classes import without_article
from memoranda.gate.extract.dates import MONTHS, WEEKDAYS, expiry, find, future, spell_out
from memoranda.gate.extract.finding import Found
from memoranda.gate.extract.plans import event_key
from memoranda.gate.extract.subjects import ME, Said
from memoranda.gate.extract.values import is_vague, tidy
from memoranda.gate.extract.wording import denied, persons
from memoranda.types import Kind

_VERBS = (
    r"is called|is named|is spelled|is spelt|expires|is|are|costs?|needs?|runs on|runs|uses|"
    r"gets|leaves from|leaves at|starts on|starts at|starts|begins on|begins|"
    r"opens at|closes at|ends at|ends on|has|sounds?|takes place|belongs to"
)
_MINE = re.compile(
    rf"(?i)^(?P<whose>my|our|the) (?P<noun>(?:(?!is\b|are\b|was\b|has\b|been\b|and\b|"
    rf"or\b)[\w'&.-]+ ){{0,5}}?[\w'&.-]+) "
    rf"(?P<verb>{_VERBS})(?: now| currently| still)? (?P<not>not |no longer )?(?P<v>.+)$"
)
_BARE = re.compile(
    rf"^(?P<noun>[A-Z][\w'-]+(?: [\w'-]+){{0,2}}?) (?P<verb>{_VERBS})(?: now| currently)? "
    rf"(?P<not>not |no longer )?(?P<v>.+)$"
)
_CHANGED = re.compile(
    r"(?i)^(?:I|we) (?:have )?(?:just |recently )?(?:changed|raised|lowered|increased|cut|"
    r"reduced|set|switched|moved|updated|renamed|extended)"
    r" (?P<whose>my|our|the) (?P<noun>[\w' -]{2,50}?) (?:from .{1,40}? )?to (?P<v>.+)$"
)
_MOVED = re.compile(
    r"(?i)^(?:(?P<whose>my|our|the) )?(?P<noun>[\w' -]{2,50}?) (?:has been|was|got|is|has|have "
    r"been) (?:now )?(?:moved|changed|switched|renamed|postponed|raised|lowered)(?: back)? to "
    r"(?P<v>.+)$"
)
_OWNER = re.compile(r"(?i)^'s (?P<noun>[\w -]{2,40}?) is (?P<v>.+)$")
_DULL = re.compile(
    r"_(?:provider|project|appointment)$|^(?:new|current|go_to|main|preferred|default|usual|"
    r"primary)_"
)
# What somebody calls their preferred or default thing is a preference, whatever it is.
_SETTLED = re.compile(r"(?i)^(?:preferred|default|usual|go-to) ")
_VAGUE_NOUNS = w.word_set(
    """point question guess bad pleasure opinion problem answer thing way only best first last idea life heart mind
    turn fault apologies understanding goal dream one passion journey day night weekend focus family advice pic photo
    thoughts thought plan love support hope favorite favourite concern issue reason advice trip experience eyes work"""
)
_PLACES = re.compile(r"(?i)^(?:on|at|from|in|by|for|due on|due|about|around|with)\s+")

_DAYS = re.compile(
    r"(?i)\b(?:(?:"
    + "|".join(WEEKDAYS)
    + r")s?|\d{1,2} (?:"
    + "|".join(MONTHS)
    + r")|(?:"
    + "|".join(MONTHS)
    + r") \d{1,2}|\d{4}-\d\d-\d\d)\b"
)
_SIZES = frozenset({"xs", "s", "m", "l", "xl", "xxl"})
_NAMES_OF_DAYS = (
    frozenset(WEEKDAYS) | {day + "s" for day in WEEKDAYS} | frozenset(MONTHS) - {"march", "may"}
)
_LITTLE = w.ARTICLES | w.word_set(
    "at on in to for of from with by as is are and or user's until than per about around"
)
# Verbs of habit. With a number, day or colour in the sentence the rest of it is the key; without one, the verb is.
_NAMED = re.compile(
    r"^(?P<who>(?!(?:It|This|That|Here|There|These|Those|He|She|They|You|What|Who|Which|"
    r"Everyone|Someone|Family|People|Nobody)\b)"
    r"[A-Z][\w'-]+(?: [A-Z][\w'-]+)?) (?P<rest>(?:(?:is (?:not |no longer )?(?:now )?(?:on|in|"
    r"part of) (?:my|our) team|is (?:not |now )?on call|"
    r"(?:leads|heads|manages|chairs|coordinates|runs) (?:my|our|the) )|(?:reviews|handles|"
    r"checks|looks after|coaches|teaches|tutors|does|drives|cuts) (?:my|our) |"
    r"is (?:not |no longer |now )?(?:my|our) (?:\w+ )?(?:doctor|dentist|boss|manager|lawyer|"
    r"teacher|therapist|coach|tenant|landlord|landlady|vet|trainer|mentor|accountant|tutor|"
    r"contact|tester|supervisor)\b)[^,]*)$"
)
_ROLES_HELD_BY_ONE = re.compile(
    r"(?i)^(?:is now |now )?(?:leads|heads|manages|chairs|runs|is on call|is my|is our|owns)\b"
)


def slots(words: list[str]) -> list[int]:
    """Places of the words that a later statement would put something else for: numbers, days, colours, sizes."""
    out = []
    for i, word in enumerate(words):
        low = word.strip(".,;:!?()\"'").lower()
        spare = (
            any(c.isdigit() for c in low)
            or low in w.NUMBER_WORDS
            or low in w.COLOURS
            or low in _NAMES_OF_DAYS
        )
        if spare or (low in _SIZES and word.strip(".,").isupper()):
            out.append(i)
    return out


_NO_KEY = re.compile(
    r"(?i)\b(?:one of|this|questions?|files?|ideas?|errors?|options?|tabs?|issues?|problems?|"
    r"things?|points?|steps?|lines?)\b|^(?:needs to|runs into)\b|\bago\b|^has had\b|\b(?:them|"
    r"it|her|him|that|you|your)\b|\blast \w+|\bat "
    r"least one\b|\bfor \w+ years\b"
)


def key_without(predicate: str) -> tuple[str, str, str] | None:
    """(key, value, sentence) of a predicate with something countable in it, else None."""
    words = tidy(predicate).split()
    at = slots(words)
    if not at:  # "in 2041" is a time elsewhere, and the value in "retires in 2041"
        words = predicate.strip(" .!").split()
        at = slots(words)
    if not at or _NO_KEY.search(predicate):
        return None
    end = next(
        (
            i
            for i in range(at[-1], len(words) - 1)
            if words[i] in ("in", "at") and words[i + 1] in w.ARTICLES
        ),
        len(words),
    )
    rest = [word for i, word in enumerate(words[:end])
            if i not in at and word.lower().strip(".,'") not in _LITTLE and (i or word != "is")]  # fmt: skip
    return (
        "_".join(slug(" ".join(rest)).split("_")[:5]),
        " ".join(words[at[0] : at[-1] + 1]),
        " ".join(words).rstrip(" .!"),
    )


def read(clause: str, said_at: int) -> list[Found]:
    """What the clause states about the speaker's things, or the affairs that the speaker speaks of."""
    for pattern in (_CHANGED, _MOVED, _MINE, _BARE):
        match = pattern.match(clause)
        if match and (found := _topic(match, said_at)):
            return [found]
    if meant := _MEANS.match(clause):
        return [
            Found(
                None,
                None,
                f"for {ME}, {meant['what'].lower()} means {persons(tidy(meant['v']))}",
                0.7,
            )
        ]
    named = _NAMED.match(clause)
    return [_person(named)] if named else []


_MEANS = re.compile(
    r"(?i)^(?:for me,? )?(?P<what>(?!it\b|that\b|this\b|which\b|what\b|he\b|she\b)[\w-]+) means "
    r"(?P<v>(?:at most|at least|between|under|over|about|before|after|no more than|fewer|less|"
    r"from|\d)\b[^,]{2,80}?)(?: for (?:me|us))?$"
)


def _ours(noun: str, whose: str, due: bool = False) -> bool:
    words = noun.lower().split()
    if (
        whose not in ("my", "our")
        and due
        and words[-1] not in w.ARTICLES | {"it", "that", "this", "what", "which"}
    ):
        return len(words) < 4
    head = re.split(r" (?:for|of|with|in|at|to) ", noun.lower())[0].split()
    if head[-1] in _VAGUE_NOUNS or words[0] in w.ARTICLES or len(words) > 5:
        return False
    return whose in ("my", "our") or any(
        word.removesuffix("s") in w.AFFAIRS or word in w.AFFAIRS for word in words
    )


def _telling(noun: str, value: str, whose: str) -> bool:
    """Whether the value says something: an attribute we know, or a number, day, colour or name."""
    last = canonical(slug(noun)).rpartition(".")[2]
    if last in w.RELATIONS.values():  # a person is told by a name or a number, not by a mood
        return bool(slots(value.split())) or value[:1].isupper()
    if whose in ("my", "our") and (last in ATTRIBUTES.rows or last.startswith("favourite_")):
        return not value.lower().startswith(
            ("so ", "very ", "really ", "super ", "amazing", "great", "the best")
        )
    words = value.split()
    if _SETTLED.match(noun):
        return True
    return (
        bool(slots(words))
        or any(word[:1].isupper() for word in words)
        or noun.split()[-1].lower() in w.AFFAIRS
    )


# Judgements and moods: what such a sentence says of the thing will not hold, or was never a fact.
_JUDGES = re.compile(
    r"(?i)(?:so|my|our|their|very|really|super|such|great|amazing|awesome|going|getting|doing|here|"
    r"fun|a lot|a great|being|not|too|all|just|important|essential|key|crucial|nice|good|bad|busy|"
    r"fine|ready|crazy|insane|mad|always|like|what|how|where|why|when|about|been|worth|hard|tough|"
    r"pretty|quite)\b"
)


def judged(value: str) -> bool:
    """Whether a value judges or tells a mood, and so will not hold."""
    return _JUDGES.match(value) is not None


def _topic(match: re.Match[str], said_at: int) -> Found | None:
    groups = match.groupdict()
    noun, whose = match["noun"].strip(), (groups.get("whose") or "").lower()
    value = tidy(match["v"])
    ours = _ours(noun, whose, value.lower().startswith("due "))
    if not ours or (is_vague(value) and noun != "pronouns"):
        return None
    if not _telling(noun, value, whose) or judged(value):
        return None
    verb = _verb(match, value)
    key, dates = _topic_key(noun, verb, value), find(value, said_at)
    if key.endswith(".plan") and dates and not future(value, said_at):
        return None
    refused = groups.get("not") or ""
    ends = "no longer" in refused or (bool(refused) and "anymore" in match["v"])
    predicate = f"{verb} {spell_out(persons(value), said_at) if dates else persons(value)}"
    predicate = denied(predicate, ends) if refused else predicate
    owner = f"{ME}'s" if whose in ("my", "our") else whose
    bare = re.sub(r"(?i)^due ", "", _PLACES.sub("", value))
    kind = Kind.FACT if key.endswith(".plan") and not dates else None
    if kind is None and whose == "my" and _SETTLED.match(noun) and not key.endswith(".plan"):
        kind = Kind.PREFERENCE if ATTRIBUTES.kind_of(key) is Kind.FACT else None
    return Found(
        key,
        persons(without_article(bare)),
        f"{owner} {noun} {predicate}".strip(),
        0.8,
        kind,
        polarity=not refused,
        ends=ends,
        expires_at=expiry(max(d.last for d in dates)) if key.endswith(".plan") and dates else None,
    )


def _verb(match: re.Match[str], value: str) -> str:
    """The verb of the sentence that is kept: its own, or what a change comes to."""
    if match.re is _MOVED and _DAYS.search(value):
        return "has been moved to"
    return (match.groupdict().get("verb") or "is").lower()


def _topic_key(noun: str, verb: str, value: str) -> str:
    key = _DULL.sub("", slug(re.sub(r"(?i) of (?:the|my|our) .*", "", noun)))
    if key != "birthday" and _DAYS.search(value):
        return f"{event_key(noun)}.plan"
    of = re.match(r"(?i)(?P<what>[\w -]+) of (?:the|my|our) (?P<whole>[\w -]+)$", noun)
    if of:
        return f"{_DULL.sub('', slug(of['whole']))}.{slug(of['what'])}"
    if verb.startswith("cost"):
        return f"{key}.price"
    known = canonical(key)
    if verb.split()[0] in ("is", "are") or (
        verb in ("has", "runs", "needs") and known not in ATTRIBUTES.rows
    ):
        return known
    return f"{key}_{slug(verb)}"


def of_person(said: Said) -> list[Found]:
    """`my wife's favourite dish is ...`, told of the wife."""
    match = _OWNER.match(said.predicate)
    if match is None or not said.relation:
        return []
    value = tidy(match["v"])
    if is_vague(value) or not _telling(match["noun"], value, "my"):
        return []
    text = f"{said.who}'s {match['noun']} is {persons(value)}"
    return [Found(canonical(f"{said.owner}.{slug(match['noun'])}"), persons(value), text, 0.8)]


def _person(match: re.Match[str]) -> Found:
    rest = tidy(match["rest"])
    ended = re.search(r"(?i)\bis (?:not|no longer)\b", match["rest"]) is not None
    text = f"{match['who']} {persons(rest)}"
    one = _ROLES_HELD_BY_ONE.match(rest) is not None
    key = slug(re.sub(r"(?i)\b(?:not|no longer|my|our|the|a)\b", "", rest))
    return Found(
        key if one else f"{key}.people", match["who"], text, 0.75, polarity=not ended, ends=ended
    )
