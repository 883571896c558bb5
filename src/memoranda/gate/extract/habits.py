"""What somebody does as a habit, keyed by the sentence without its number, or by the verb."""

from __future__ import annotations

import re

from memoranda.attributes import canonical, slug
from memoranda.gate.extract import words as w
from memoranda.gate.extract.finding import Found
from memoranda.gate.extract.subjects import Said
from memoranda.gate.extract.topics import key_without
from memoranda.gate.extract.values import is_vague, tidy
from memoranda.gate.extract.wording import denied, persons

_NUMBERED = re.compile(
    r"(?i)^(?!has been\b)(?:gets up|wakes up|goes to|takes|weighs|earns|sits|expects|needs|has|"
    r"works|spends|pays|retires|starts|finishes|"
    r"teaches|wears|is on|is in|is at|runs|trains|sleeps|buys|uses|owes|saves|rents|drinks|"
    r"smokes|booked|manages|leads|plays|meets|swims|walks)\b"
)
_HABITS = re.compile(
    r"(?i)^(?P<verb>wears|needs|buys|knows|reads|watches|listens to|follows|cooks|bakes|"
    r"volunteers at|volunteers|commutes by|commutes|"
    r"goes to work by|goes by|paints|eats|can only|is good at|is against|is in favour of|is in "
    r"favor of|is responsible for|takes care of|is in charge of|"
    r"is in|is on|rents|manages|leads|studies|smokes|does|sells|is part of|opened|spends|writes|"
    r"grows)\b (?P<v>.+)$"
)
_KNOWN_THIN = re.compile(
    r"(?i)^(?:is in|is on|does|knows|needs|opened|spends|leads|takes care of|is part of|reads|"
    r"watches|follows|writes|sells)$"
)


def read(said: Said) -> list[Found]:
    """What somebody does as a habit: keyed by the sentence without its number, or by the verb."""
    predicate = said.predicate
    keyed = key_without(predicate) if _NUMBERED.match(predicate) else None
    match = _HABITS.match(predicate)
    if keyed and keyed[0]:
        attribute, value, told = keyed
    elif match and not is_vague(tidy(match["v"])) and not _KNOWN_THIN.match(match["verb"]):
        attribute, value, told = (
            slug(match["verb"]),
            tidy(match["v"]),
            f"{match['verb']} {tidy(match['v'])}",
        )
    elif (
        match
        and match["verb"] == "needs"
        and w.NEEDS.intersection(re.split(r"[\s-]", match["v"].lower().strip(".")))
    ):
        attribute, value, told = "needs", tidy(match["v"]), f"needs {tidy(match['v'])}"
    elif match and re.match(
        r"(?i)spends (?:the|my) (?:winter|summer|holidays?|weekends?|evenings?|mornings?|"
        r"christmas)\b",
        predicate,
    ):
        attribute, value = key_of_habit(predicate)
        told = tidy(predicate)
    else:
        return []
    told = denied(told, said.ended) if said.denied else told
    attribute = canonical(f"{said.owner}.{attribute}" if said.owner else attribute)
    return [
        Found(
            attribute,
            persons(value),
            f"{said.who} {persons(told)}",
            0.65,
            polarity=not said.denied,
            ends=said.ended,
        )
    ]


def key_of_habit(predicate: str) -> tuple[str, str]:
    """`spends the winter at home`: (`spends_winter`, `at home`)."""
    verb, _, season, *rest = tidy(predicate).split()
    return slug(f"{verb} {season}"), " ".join(rest) or season
