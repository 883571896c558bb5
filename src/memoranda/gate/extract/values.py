"""Reading a value out of the rest of a clause, and saying what kind of thing it is."""

from __future__ import annotations

import re
from collections.abc import Callable

from memoranda.gate.extract import words as w
from memoranda.gate.extract.classes import thing_attribute, tool_attribute, without_article
from memoranda.gate.extract.sentences import BLANK

LONGEST_VALUE = 120

# Where a value stops: a reason, a time, a filler. What it is about (of, with, in) stays in it.
_CUT = re.compile(
    r"""(?ix)\ ?[;()!?\x01] | \ -+\ | ,\ (?:and|but|so|which|who|where|near|not|since|because|nothing|thanks|thank|
        please|too|as\ you|at\ least|by\ the\ way|btw|actually|you\ know|lol|haha|nice|it|that|this|
        the\ old|the\ one|the\ new)\b.*
    | \ (?:because|since|so\ that|so\ (?=I|we|no)|but|although|though|while|whereas|thanks\ to|these\ days|nowadays|
        at\ the\ moment|right\ now|by\ the\ way|btw|anyway|anymore|any\ longer|as\ well|instead|after\ all|again|
        lately|recently|lol|haha|please|for\ (?:now|good|a\ living|everything|work|the\ last|the\ past|over|about|
        almost|nearly|
        many|several|some|me|
        (?:\d+|a|one|two|three|four|five|six|seven|eight|nine|ten)
        \ (?:year|month|week|day|decade)s?)|
        as\ of|from\ (?:today|now)|until\ now|
        last\ (?:week|month|year|night|summer|winter|spring|autumn|fall|weekend|\w+day|\w+uary)|
        this\ (?:year|month|week|spring|summer|morning|autumn|winter)|
        a\ (?:few|couple\ of)\ (?:years|months|weeks|days)\ ago|
        (?:\d+|\w+)\ (?:years|months|weeks|days)\ ago|
        yesterday|today|earlier|back\ in|according\ to|in\ (?:19|20)\d\d|
        and\ (?=I\b|we\b|my\b|you\b|it\b|he\b|she\b|they\b|will\b|am\b))\b.*"""
)
_EDGE = re.compile(r"(?i)(?:^(?:now|also|just|mostly|mainly|currently|basically|actually|still|only)\b\s*|"
                   r"[\s,]*\b(?:now|too|also|currently|again|though|and|or|already|always|"
                       r"today)$)")  # fmt: skip
_VAGUE = re.compile(
    r"""(?ix)^(?:it|that|this|these|those|them|him|her|you|your\b.*|yours|he|she|they|us|me|so|one|ones|some|any|
    here|there|what|when|how|where|why|everything\ about|all\ (?:of|the|that)\b.*|both|each|to\b.*|
    (?:that|this|these|those|the\ way|the\ idea|the\ fact|seeing|hearing|being|having|knowing|how|what|when|
        where|making\ a)\b.*|
    (?:a|an|the|my)|(?:a|the)\ (?:lot|bit|thing|way|thought|idea|moment|question|problem|look|go|try|break|chance|
    feeling|    one|best|same|first|last|next|new|other|second)\b.*)$"""
)
_TALKS = re.compile(
    r"(?i)\b(?:you|your|yours|it|that's|them|he|she|they|him|his|her|hers|their|theirs|this|"
    r"these)\b"
)


def tidy(rest: str) -> str:
    """The value at the start of `rest`: cut at reasons and times, fillers and punctuation off its edges."""
    value = _CUT.sub("", rest, count=1) if BLANK not in rest else ""
    value = value.strip(' .,;:!?*_~-"')
    for _ in range(3):
        value = _EDGE.sub("", value).strip(' .,;:!?-"')
    value = re.sub(r"[^\w\s)\"'.+#%€$£°!?/-]+$", "", value).strip(" .,")
    return value[:LONGEST_VALUE] if value.count(" ") < 20 else ""


def is_vague(value: str) -> bool:
    """Whether the value points at something outside the sentence, so that it would not stand alone."""
    return not value or _VAGUE.match(value) is not None or _TALKS.search(value) is not None


def _infinitive(rest: str) -> list[str]:
    """What is done, or how something is had: as it stands, unless it points out of the sentence."""
    value = tidy(rest)
    empty = (
        not value
        or _TALKS.search(value)
        or re.match(r"(?i)(?:think|believe|say|not think)\b", value)
    )
    return [] if empty else [value]


def _first_comma(value: str) -> str:
    return value.split(", ", 1)[0].strip(" ,")


def _thing(rest: str) -> list[str]:
    value = _first_comma(tidy(rest))
    empty = is_vague(value) or re.match(
        r"(?i)(?:an? )?(?:new |big |little )?(?:project|book|gift|present|ticket)$$", value
    )
    return [] if empty else [value]


def _bought(rest: str) -> list[str]:
    return [] if re.search(r"(?i) (?:for (?:my|our|a|him|her)|as a gift)\b", rest) else _thing(rest)


def _whole(rest: str) -> list[str]:
    value = tidy(rest)
    return [] if is_vague(value) else [value]


def _place(rest: str) -> list[str]:
    """A place: up to eight words, an address with its commas while what follows looks like a name."""
    value = tidy(
        re.split(
            r"(?i) (?:with|for|as|and (?:my|the|have|work|am|then)|to (?=be\b|live|work|study)|"
            r"when|after|on \w+day) ?\b",
            rest,
        )[0]
    )
    head, *more = value.split(", ")
    for part in more:
        if not part[:1].isupper():
            break
        head += ", " + part
    bad = re.match(
        r"(?i)(?:a|an|another|my|his|her|their|the) (?!.*\b(?:near|in|village|town|island|"
        r"countryside|outside|city|suburbs?|coast|north|south|east|west|district|netherlands|uk|"
        r"us|usa|uae|philippines|hague|bronx|alps|mountains|quarter)\b)"
        r"|(?:fear|peace|harmony|love|hope|general|fact|case|total|town|person|touch|bed|tears|"
        r"danger|trouble|place|mind|nature|denial|me|him|us|them|home|life|fun)$",
        head,
    )
    return [] if is_vague(head) or bad or head.count(" ") > 9 else [_titled(head)]


def _titled(value: str) -> str:
    """A name written in small letters gets its capital; a described place keeps its words."""
    if value.islower() and not re.match(r"(?:a|an|the|\d)", value + " ") and value.count(" ") < 3:
        return value.title()
    return value


def _organisation(rest: str) -> list[str]:
    value = tidy(re.split(r" (?:as an?|as the|as|in|on|from|until|to) (?!the )|,", rest)[0])
    bad = re.match(
        r"(?i)(?:home|night|nights|least|last|once|first|times|the moment|the same|all|present|"
        r"a (?:job|time|moment|point|distance)|\d[\d:]*(?: ?[ap]m)?$|it|the weekend|weekends|"
        r"an? (?:end|age)|a living|free|myself|better|change|peace|the future|the (?:best|good)|"
        r"improvement|days?|hours?|making|getting|\w+ing$|the (?:event|concert|party|end|beach|"
        r"park|finish))\b",
        value,
    )
    # "a guy who lives": a person somebody works with or for, not a place of work
    bad = bad or re.search(r"(?i) (?:who|whom|whose|that) ", value)
    return [] if is_vague(value) or bad else [value]


def _name(rest: str) -> list[str]:
    """A person's name: one to three words that look like one."""
    found = re.match(
        r"[\"']?((?:Dr|Mr|Mrs|Ms|Prof)\.? )?((?:[^\W\d_][\w'.-]*)(?: (?!and\b|from\b|but\b|is\b|"
        r"by\b|nice\b|because\b|for\b|so\b|or\b|who\b|btw\b|please\b|now\b|the\b|in\b|at\b|on\b|"
        r"not\b|instead\b)[^\W\d_][\w'-]*){0,3})",
        rest,
    )
    if not found or found[2].split()[0].lower() in w.ARTICLES | {
        "not",
        "in",
        "on",
        "at",
        "so",
        "very",
        "really",
        "too",
    }:
        return []
    parts = found[2].split()
    if parts[0][
        0
    ].isupper():  # a capitalised name ends where small letters begin, but for its particles
        n = 1
        while n < len(parts) and (
            parts[n][0].isupper()
            or parts[n] in ("van", "von", "de", "da", "der", "del", "bin", "al")
        ):
            n += 1
        parts = parts[:n]
    else:
        parts = parts[:1]
    name = ((found[1] or "") + " ".join(parts)).strip(".'")
    return [name.title() if name.islower() else name] if name else []


_POINTING = re.compile(r"(?:the|my|our|their|some|every) (?!.*(?:[A-Z\d]| of ))[\w -]*$")


def _likes(rest: str) -> list[str]:
    """What is liked: a doing stays whole ("running my own studio"); "the smell" means nothing later."""
    if re.match(r"(?i)\w+ing\b", rest):
        return _thing(rest)
    items = _list(rest)
    if (
        len(items) == 2
        and " " not in items[0]
        and " " in items[1]
        and items[0].islower()
        and not items[0].endswith("s")
    ):
        # "action and sci-fi movies" is one thing with two qualities
        items = [f"{items[0]} and {items[1]}"]
    if not items or _POINTING.match(items[0]):
        return []
    return [item for item in items if not _POINTING.match(item)]


def _tool(rest: str) -> list[str]:
    value = _first_comma(
        tidy(re.split(r"(?i) (?:to|and \w+ (?:on|it|them|up)|as|when|with|on|in|for) ", rest)[0])
    )
    known = value.count(" ") < 4 and not re.match(
        r"(?:a|the|my|our|his|her|their|some|every|all|any) (?!.*[A-Z\d])", value
    )
    return [value] if known and not is_vague(value) else []


def _new_tool(rest: str) -> list[str]:
    """What somebody switched to, when it is plainly a tool: a name, or something the lists know."""
    return [
        value
        for value in _tool(rest)
        if re.search(r"[A-Z\d]", value) or tool_attribute(value) != "tool"
    ]


def _list(rest: str) -> list[str]:
    items = re.split(r",? (?:and|or|as well as) (?:also )?|, | & ", tidy(rest.replace(", too", "")))
    out = []
    for item in items:
        item = re.sub(
            r"(?i)^(?:a (?:little|bit of)|some|also|both|basic|fluent|conversational) ",
            "",
            item.strip(),
        )
        if not item or item.count(" ") > 5 or is_vague(item):
            break
        out.append(item)
    return out


def _languages(rest: str) -> list[str]:
    """Languages of the list, and unknown ones when the sentence speaks of nothing else."""
    out = []
    for item in _list(rest):
        parts = item.split()
        if parts[0].lower() in w.LANGUAGES:
            out.append(parts[0].capitalize())
        elif parts[-1].lower() in w.LANGUAGES:
            out.append(item)
    return out


def _role(rest: str) -> list[str]:
    value = tidy(
        re.split(r"(?i) (?:at|for|from|who|that|and|based|living|working|with|by|since) |,", rest)[
            0
        ]
    )
    value = re.sub(r"(?i)^(?:\d+[- ]year[- ]old|full-?time|proud|happy|passionate) ", "", value)
    return [value] if is_role(value) else []


def is_role(value: str) -> bool:
    """Whether a noun phrase names an occupation or office: judged by the noun before `of`, `in`, `on`."""
    head = re.split(r"(?i) (?:of|in|on|to) ", value)[0].split()
    if not head or len(head) > 5:
        return False
    last = head[-1].lower()
    if head[0].lower() in ("to", "in", "at", "on", "with", "from"):
        return False
    if last in w.NO_ROLES or any(
        word.lower() in ("big", "huge", "great", "terrible", "good", "bad") for word in head
    ):
        return False
    return last in w.ROLES or last.endswith(w.ROLE_ENDINGS)


def _any_role(rest: str) -> list[str]:
    value = tidy(re.split(r"(?i) (?:at|for|from|who|with) |,", rest)[0])
    return [] if is_vague(value) or value.count(" ") > 5 else [without_article(value)]


def _food(rest: str) -> list[str]:
    return [item for item in _list(rest) if item.split()[-1].lower().rstrip("s") + "s" in _FOOD_FORMS
            or item.split()[-1].lower() in w.FOODS]  # fmt: skip


_FOOD_FORMS = frozenset(food.rstrip("s") + "s" for food in w.FOODS)


def _diet(rest: str) -> list[str]:
    found = re.match(
        r"(?i)(?:an? )?(?:strict |mostly |fully |strictly |lifelong |devout |committed "
        r")?([\w-]+(?:[ -]free)?)",
        rest,
    )
    word = found[1].lower().replace(" free", "-free") if found else ""
    return [word] if word in w.DIETS else []


def _pets(rest: str) -> list[str]:
    value = re.sub(r" and (?:had|have|\w+ed|it|they|now)\b.*", "", tidy(rest))
    start, comma, more = value.partition(", ")
    if comma and not re.match(
        r"(?:(?:called|named) )?[A-Z][\w'-]+(?:(?:, | and |, and )[A-Z][\w'-]+){0,4}$", more
    ):
        value = start
    head = re.split(r",| (?:named|called|who|that|and|with|from|at|for|of|in|to) ", value)[
        0
    ].split()
    counted = head and (
        head[0].lower() in w.ARTICLES | w.NUMBER_WORDS | w.ANIMALS | {"several", "another"}
        or head[0].isdigit()
    )
    found = counted and head[-1].lower() in w.ANIMALS and len(head) < 7
    return [without_one(value)] if found else []


def without_one(value: str) -> str:
    """`a dog called Rex` -> `dog called Rex`; `two cats` stays."""
    return re.sub(
        r"(?i)^(?!a few |a couple )(?:a second|a new|an?|the|my|our|another|this) ", "", value
    )


def _children(rest: str) -> list[str]:
    found = re.match(
        r"(?i)((?:an?|one|two|three|four|five|six|seven|\d|twin)? ?(?:\w+ )?(?:kids?|child|"
        r"children|sons?|daughters?|boys?|girls?|twins?|baby|toddler))\b(.*)",
        rest,
    )
    if not found:
        return []
    names = re.match(r"(?:,| called| named|:)+ ((?:[A-Z][\w'-]+(?:, | and | & )?){1,8})", found[2])
    counted = [found[1]] if not names or not re.match(r"(?i)an? ", found[1]) else []
    return counted + (re.split(r", | and | & ", names[1].strip(", ")) if names else [])


def _age(rest: str) -> list[str]:
    found = re.match(
        r"(?i)(\d{1,3}|(?:[a-z]+-)?(?:"
        + "|".join(sorted(w.NUMBER_WORDS))
        + r"))(?: years? old| yo\b| \(|$|,| and| now\b|\.| today| yesterday| (?:this|last) (?:week|weekend|month)\b)",
        rest,
    )
    return [found[1]] if found and (not found[1].isdigit() or 1 <= int(found[1]) < 120) else []


def _year(rest: str) -> list[str]:
    return [rest[:4]]


def _classified(rest: str) -> list[str]:
    value = _first_comma(tidy(rest))
    return [value] if not is_vague(value) and thing_attribute(value) else []


def _capital(rest: str) -> list[str]:
    value = _first_comma(tidy(rest))
    return [value] if value[:1].isupper() and not is_vague(value) else []


def _condition(rest: str) -> list[str]:
    value = _first_comma(
        tidy(re.sub(r"(?i)^(?:an? )?(?:mild |severe |chronic |bad |type \w+ )?", "", rest))
    )
    last = value.split()[0].lower() if value else ""
    return [value] if last in w.CONDITIONS or last in w.TRAITS else []


def _subjects(rest: str) -> list[str]:
    """What is taught: subjects, not people; a class with a number is keyed by its sentence instead."""
    return [item for item in _list(rest) if not re.search(r"\d", item)
            and not re.match(r"(?i)(?:people|kids|children|them|class(?:es)?$|my|our|the|us|how|others|"
                r"students)\b", item)]  # fmt: skip


def _programs(rest: str) -> list[str]:
    return [item for item in _list(rest) if item.lower() in w.PROGRAMMING]


def _nationality(rest: str) -> list[str]:
    found = re.match(r"(?:an? )?(?:half )?([A-Z][a-z]+)(?= ?$|,| and | but | citizen)", rest)
    return [found[1]] if found and found[1].lower() in w.NATIONALITIES else []


READERS: dict[str, Callable[[str], list[str]]] = {
    "thing": _thing, "bought": _bought, "subjects": _subjects, "programs": _programs, "likes": _likes, "tool": _tool,
    "new_tool": _new_tool, "whole": _whole, "place": _place, "organisation": _organisation, "name": _name,
    "list": _list,
    "languages": _languages, "role": _role, "any_role": _any_role, "food": _food, "diet": _diet, "pets": _pets,
    "children": _children, "age": _age, "year": _year, "classified": _classified, "condition": _condition, "capital": _capital,
    "nationality": _nationality, "infinitive": _infinitive,
}  # fmt: skip
