"""Whom a clause is about, what it says of them in the third person, and whether it says so or denies it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from memoranda.gate.extract.wording import in_third
from memoranda.gate.extract.words import RELATIONS, SHARED, word_set

# Stands for the speaker until the sentence is finished; no message can hold it, since it is blanked on entry.
ME = "\x02"


@dataclass(frozen=True, slots=True)
class Said:
    """`who` does `predicate` (third person). owner: the key of whose value it is ("" for the speaker).

    denied: it is said not to hold. ended: it held until now. relation, name: of a person who is not the speaker.
    """

    who: str
    predicate: str
    owner: str = ""
    relation: str = ""
    name: str = ""
    denied: bool = False
    ended: bool = False


_KIN = "|".join(sorted(map(re.escape, RELATIONS), key=len, reverse=True))
_NAME = r"(?P<name>(?-i:[A-Z][\w'-]+))"
_PERSON = re.compile(
    rf"(?i)^(?:my|our) (?:(?:older|younger|little|big|twin|best|late|eldest|oldest|youngest|"
    rf"elder|new|baby|ex|dear) )*"
    rf"(?P<kin>{_KIN})(?:,? {_NAME})?(?:,? (?P<rest>(?!and\b)\w.*)|(?P<of>'s .+))$"
)
_BARE = re.compile(
    r"^(?P<kin>Mum|Mom|Dad|Grandma|Grandpa|Granny|Nan|Mother|Father) (?P<rest>[a-z]\w*'?.*)$"
)
_SELF = re.compile(r"(?i)^(?:I|we)(?: (?:both|all|two))? (?P<rest>.+)$")

_SKIP = (
    r"(?:(?:just|really|actually|also|still|now|currently|recently|finally|honestly|sadly|"
    r"already|personally|both|"
    r"absolutely|particularly|especially|always|mostly|mainly|usually|generally|much|so|only|"
    r"then|officially) )*"
)
_ANYMORE = re.compile(r"(?i),? \b(?:anymore|any longer|at all anymore)\b")
_DENIALS: tuple[tuple[re.Pattern[str], str, bool], ...] = tuple(
    (re.compile(rf"(?i)^{_SKIP}{pattern}(?P<rest>.+)$"), lead, ended)
    for pattern, lead, ended in (
        (r"(?:am|is|are) no longer ", "is ", True),
        (r"no longer ", "", True),
        (r"used to ", "", True),
        (r"(?:do|does) not (?:really |even |particularly |actually )?", "", False),
        (r"(?:am|is|are) (?:not|never) (?:really )?", "is ", False),
        (r"(?:have|has) never ", "has ", False),
        (r"never ", "", False),
        (r"(?:cannot|no longer can) (?=eat\b|have\b|drink\b|tolerate\b)", "", False),
    )
)
_STOPPED = re.compile(
    rf"(?i)^(?:have |has )?{_SKIP}(?:stopped|quit|gave up|given up|have stopped|ceased) "
    rf"(?P<verb>[a-z]+ing)(?P<rest>\b.*)$"
)
_NEVER_STATED = re.compile(
    r"(?i)^(?:(?:just|really|also|still) )*(?:did|will|would|have|has|had|was|were|shall|cannot|"
    r"could)"
    r" (?:not|never)\b|^cannot (?!eat|have|drink|tolerate|stand|bear)"
)
_LEAD = re.compile(rf"(?i)^{_SKIP}")
_AFTER_AUX = re.compile(
    r"(?i)^(is|has)((?: (?:just|recently|finally|also|now|currently|still|already|officially|"
    r"actually|really|mostly|both))+)(?= )"
)
_PERFECT = re.compile(
    r"(?i)^has (?=\w+ed\b|got\b|become\b|gone\b|begun\b|found\b|left\b|quit\b|sold\b|bought\b|"
    r"given\b)"
)
_DROPPED_E = word_set(
    """smok liv tak us mak driv writ rid cod danc bak hik cycl skat typ practis practic giv tim
        vap rac rais manag lov hat prepar shar"""
)


def plain_verb(gerund: str) -> str:
    """`drinking` -> `drink`, `running` -> `run`, `smoking` -> `smoke`."""
    stem = gerund.lower().removesuffix("ing")
    if stem in _DROPPED_E:
        return stem + "e"
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1]
    return stem


def parse(clause: str) -> Said | None:
    """Whom the clause is about; None when that is nobody whose facts we keep, or nothing is stated."""
    found = _SELF.match(clause)
    if found:
        return _said(Said(ME, ""), found["rest"])
    found = _PERSON.match(clause)
    if found:
        return _said(
            _other(found["kin"].lower(), found["name"] or ""), found["rest"] or found["of"]
        )
    found = _BARE.match(clause)
    return _said(_other(found["kin"].lower(), ""), found["rest"]) if found else None


def _other(kin: str, name: str) -> Said:
    owner = (
        f"{kin} {name}"
        if name and kin in SHARED | {"sister", "brother", "son", "daughter"}
        else kin
    )
    return Said(f"{ME}'s {kin}{' ' + name if name else ''}", "", owner, kin, name)


def _said(said: Said, rest: str) -> Said | None:
    if _NEVER_STATED.match(rest):
        return None
    shorter = _ANYMORE.sub("", rest)
    denied, ended = False, shorter != rest
    rest = shorter
    stopped = _STOPPED.match(rest)
    if stopped:
        verb = plain_verb(stopped["verb"])
        return replace(said, predicate=in_third(verb + stopped["rest"]), denied=True, ended=True)
    for pattern, lead, ends in _DENIALS:
        found = pattern.match(rest)
        if found:
            rest, denied, ended = lead + found["rest"], True, ended or ends
            break
    predicate = _LEAD.sub("", rest)
    if (
        said.who == ME or denied
    ):  # of others the verb is in the third person already, unless "does not" took it
        predicate = in_third(predicate)
    predicate = _PERFECT.sub("", _AFTER_AUX.sub(r"\1", predicate))
    return replace(said, predicate=predicate, denied=denied, ended=ended and denied)
