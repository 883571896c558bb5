"""What is said of the project at hand: "this project uses pnpm" is a fact of the project, "I like this project" is not.

The rule: a sentence whose grammatical subject is the project or a part of it is about the project, and so is a wish
that names it. What the speaker is, has or feels stays with the speaker, whatever it names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from memoranda.attributes import canonical, slug
from memoranda.gate.extract import words as w
from memoranda.gate.extract.classes import tool_attribute
from memoranda.gate.extract.clauses import Clause
from memoranda.gate.extract.finding import Found
from memoranda.gate.extract.sentences import BLANK, Sentence
from memoranda.gate.extract.topics import judged, key_without, slots
from memoranda.gate.extract.values import READERS, is_vague, tidy
from memoranda.gate.extract.wording import denied, in_third, persons

_WHOLE = r"project|repo|repository|codebase|code base|monorepo"
_THIS = (
    rf"{_WHOLE}|app|application|package|library|service|site|website|tool|plugin|crate|workspace"
)
# A project of such a name is meant only with "project" or the like behind it: the word alone is everybody's.
_COMMON = (
    w.PROGRAMMING
    | w.EDITORS
    | w.BROWSERS
    | w.SYSTEMS
    | w.AFFAIRS
    | w.ROLES
    | w.LANGUAGES
    | w.word_set(
        """test tests demo example examples docs notes work home main src core data tools code web scripts utils config
    playground sandbox tmp temp new old stuff things misc personal family people shop food music"""
    )
)
PACKAGE_MANAGERS = w.word_set(
    "npm pnpm yarn bun pip poetry uv pdm conda cargo maven gradle bundler composer nuget hex sbt leiningen bazel"
)
# What "is" may say of a project that will still hold tomorrow; "is broken" and "is a mess" will not.
_LASTING = re.compile(
    r"(?i)(?:written|built|deployed|released|tested|hosted|licensed|licenced|published|maintained|formatted|documented|"
    r"made|called|named|based|run|managed|organi[sz]ed|structured|pinned|kept|stored|split|developed|owned|packaged|"
    r"installed|configured|checked|linted|due|version|public|private|open[- ]source|closed[- ]source|archived|"
    r"deprecated|frozen|an? (?!mess\b|pain\b|joke\b|nightmare\b|disaster\b|lot\b|bit\b|great\b|good\b|bad\b|nice\b)|"
    r"for (?!now\b)|on (?!fire\b|hold\b)|at |under |MIT\b|Apache\b|GPL)"
)
_STATES = (
    r"uses?|needs?|requires?|runs? on|runs?|targets?|supports?|depends? on|follows?|ships?|deploys?|lives?|contains?|"
    r"stores?|keeps?|expects?|allows?|forbids?|sticks? to|belongs? to|costs?|compiles?|talks? to|must|goes|go|aims? at"
)
# What people do is read of people alone: of a thing these words are its parts.
_DONE = r"builds?|releases?|publish|tests?|write|review|merge|squash|rebase|tag|call|format|lint|commit|develop|branch"
_OF_A_PART = w.word_set(
    """branch owner maintainer licence license deadline language manager linter formatter version port database command
    style url name codename target budget framework runtime registry server stack client customer lead host convention
    encoding timezone format folder directory entrypoint scheme policy schedule"""
)
_USES = re.compile(r"(?i)^(?:uses?|runs? on|depends? on|builds? (?:with|on)|runs? on)$")
_MADE = re.compile(r"(?i)^(?P<how>(?:built|written|made) (?:with|in|on)) (?P<v>.+)$")
_PASSING = re.compile(
    r"(?ix)^(?:to\ be\b|work\b|help\b|love\b|attention\b|more\b|less\b|some\b|cleaning|cleanup|refactor|fixing|testing|"
    r"tests?\b|docs\b|(?:an?|the|your|our)\ (?:rewrite|refactor|review|fix|look|break|lot|bug|few)|fine\b|slow|fast|well\b|"
    r"badly|again\b|now\b|away\b|down\b|nowhere)"
)
_NOT_OURS = re.compile(r"(?i)^(?:I|my|me|he|she|they|you|your|who|what|it)\b")
_INSIDE = r"(?:in|for|on|at|within|inside|of|with)"


@dataclass(frozen=True, slots=True)
class Project:
    """The project at hand: its subject, and the name that people call it by."""

    subject: str
    name: str

    def spelt(self, one: Sentence) -> Sentence:
        """The sentence with the project called by its name wherever it is meant, so that it stands alone."""

        def full(match: re.Match[str]) -> str:
            noun = next(
                (n for n in (match["whole"], match["thing"], match["noun"]) if n), "project"
            )
            return f"{match['lead'] or ''}the {self.name} {noun.lower()}"

        return replace(one, plain=_meant(self.name).sub(full, one.plain))

    def mentioned(self, text: str) -> bool:
        """Whether a text that was `spelt` names the project."""
        return re.search(_spelt(self.name), text) is not None

    def owned(self, found: Found) -> Found:
        """What another rule read: the project's too when its sentence has the project for its subject."""
        return replace(found, project=True) if _about(self.name).match(found.text) else found

    def led(self, text: str) -> str:
        """The text without a lead such as "in this project,": what follows is meant for the project."""
        return re.sub(rf"^{_INSIDE} {_spelt(self.name)},? ", "", text, flags=re.IGNORECASE)

    def read(self, clause: Clause) -> list[Found] | None:
        """What the clause states about the project; None when it is about something else."""
        text = f"{clause.setting} {clause.text}" if self.mentioned(clause.setting) else clause.text
        for pattern in _statements(self.name):
            if match := pattern.match(text):
                return [replace(found, project=True) for found in _found(self.name, match)]
        return [] if _about(self.name).match(text) else None

    def wish(self, text: str, setting: str, found: Found) -> tuple[str, Found]:
        """A wish that names the project is the project's, and holds in all of it."""
        if not self.mentioned(text):
            return setting, found
        told = found.text
        if not self.mentioned(told):
            told = f"{told} in the {self.name} project"
        setting = "" if self.mentioned(setting) else setting
        return setting, replace(found, text=told, project=True)


@lru_cache(maxsize=64)
def _meant(name: str) -> re.Pattern[str]:
    """Every way to mean the project: this, our, the current one, or its name."""
    called = r"[-_ .]?".join(re.escape(part) for part in re.split(r"[-_ .]+", name) if part)
    known = len(name) > 2 and name.lower() not in _COMMON
    alone = (
        rf"|(?P<lead>^|\b(?:of|for|in|on) ){called}|{called}(?='s\b)"
        if known
        else r"|(?P<lead>(?!))"
    )
    return re.compile(
        rf"(?i)(?<![\w'\"/.@-])(?:(?:the|this|our) {called} (?P<noun>{_THIS})"
        rf"|(?:this|our|the)(?: current| whole)? (?P<whole>{_WHOLE})|this (?P<thing>{_THIS}){alone})"
        r"(?![\w/@-]|\.\w)"
    )


def _spelt(name: str) -> str:
    return rf"(?i:\bthe {re.escape(name)} (?P<noun>{_THIS})\b)"


@lru_cache(maxsize=64)
def _about(name: str) -> re.Pattern[str]:
    """A sentence whose subject is the project or a part of it, whatever it says of it."""
    part = r"(?:(?:the|our) [\w .-]{2,40}? (?:of|in|for|on) )?"
    return re.compile(rf"(?i)^{part}{_spelt(name)}(?:'s)?\b")


@lru_cache(maxsize=64)
def _statements(name: str) -> tuple[re.Pattern[str], ...]:
    """Sentences whose subject is the project, a part of it, or those who work on it."""
    whole, now = _spelt(name), r"(?: now| currently| also)?"
    denied_ = r"(?P<not>no longer |does not |do not )?"
    then = rf"{now} (?:(?P<is>is|are|has) (?P<gone>no longer |not )?|{denied_}(?P<verb>{_STATES}) )(?P<v>.+)$"
    ours = rf"(?P<we>we|everybody|everyone){now} {denied_}(?P<verb>{_STATES}|{_DONE}) (?P<v>.+)"
    part = r"(?P<part>(?!(?:I|we|my)\b)[\w .-]{2,40}?)"
    shapes = (
        rf"^{whole}{then}",
        rf"^{whole}'s {part}{then}",
        rf"^(?:the|our) {part} {_INSIDE} {whole}{then}",
        rf"^{_INSIDE} {whole},? {ours}$",
        rf"^{_INSIDE} {whole},? (?:(?:the|our|all) )?{part}{then}",
        rf"^{ours} {_INSIDE} {whole}$",
    )
    return tuple(re.compile(rf"(?i){shape}") for shape in shapes)


def _found(name: str, match: re.Match[str]) -> list[Found]:
    parts = match.groupdict()
    part = (parts.get("part") or "").strip()
    verb = (parts.get("is") or parts["verb"]).lower()
    verb = in_third(verb) if parts.get("we") else verb
    value = tidy(match["v"])
    if _NOT_OURS.match(part) or is_vague(value) or judged(value) or BLANK in value:
        return []
    if not _lasts(part, verb, value):
        return []
    no = (parts.get("not") or parts.get("gone") or "").strip().lower()
    verb = in_third(verb) if no == "does not" and not parts.get("we") else verb
    who = f"the {name} {match['noun'].lower()}" + (f"'s {part}" if part else "")
    return [_said(who, one, no) for one in _keyed(part, verb, value)]


def _lasts(part: str, verb: str, value: str) -> bool:
    telling = bool(slots(value.split())) or any(word[:1].isupper() for word in value.split())
    if verb in ("is", "are"):
        of_a_part = bool(part) and (telling or part.split()[-1].lower() in _OF_A_PART)
        return of_a_part or _LASTING.match(value) is not None
    return telling if verb == "has" else _PASSING.match(value) is None


def _keyed(part: str, verb: str, value: str) -> list[Found]:
    """What is said, as a predicate, with the key that another value would have, where one can be read off."""
    made = _MADE.match(value) if verb in ("is", "are") else None
    if not part and (made or _USES.match(verb)):
        how = f"{verb} {made['how']}" if made else verb
        things = READERS["list"](made["v"] if made else value)
        return [Found(_tool(thing), thing, f"{how} {thing}", 0.85) for thing in things]
    told = f"{verb} {persons(value)}"
    if part and verb in ("is", "are"):
        return [Found(canonical(slug(part)), persons(value), told, 0.8)]
    keyed = key_without(f"{part} {verb} {value}".strip())
    if keyed and keyed[0]:
        return [Found(canonical(keyed[0]), keyed[1], told, 0.8)]
    return [Found(None, None, told, 0.75)]


def _tool(thing: str) -> str:
    first = thing.lower().split()[0]
    return "package_manager" if first in PACKAGE_MANAGERS else tool_attribute(thing)


def _said(who: str, found: Found, no: str) -> Found:
    """The whole sentence; "no longer" ends what held."""
    ends = no == "no longer"
    told = denied(found.text, ends) if no else found.text
    return replace(found, text=f"{who} {told}", polarity=not no, ends=ends)
