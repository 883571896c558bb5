"""From a message to drafts: sentences, clauses, rules, and the sentence that is kept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memoranda.attributes import canonical, kind_of, slug
from memoranda.gate.extract import corrections, habits, people, pets, plans, topics, wishes
from memoranda.gate.extract.clauses import Clause, clauses, is_a_saying, is_joke, is_joke_alone
from memoranda.gate.extract.dates import find, spell_out
from memoranda.gate.extract.expand import expanded
from memoranda.gate.extract.finding import Found
from memoranda.gate.extract.projects import Project
from memoranda.gate.extract.sentences import BLANK, Sentence, sentences
from memoranda.gate.extract.subjects import ME, Said, parse
from memoranda.gate.extract.wording import opened, persons, sentence
from memoranda.gate.extract.words import DIETS, NATIONALITIES, ROLES
from memoranda.gate.sentences import project_name
from memoranda.types import Draft, Kind, Origin

LONGEST_FACT = 300
MOST_PER_SENTENCE = 8
MOST_PER_MESSAGE = 40

_REMEMBER = re.compile(
    r"(?i)^(?:(?:please|also|and|so|ok|okay|hey|hi|oh|just|can you|could you|will you|I (?:want|need|would like) you to)[, ]+)*"
    r"(?:remember|note|keep in mind|bear in mind|do not forget|never forget|make a note|take "
    r"note|for the record|you should know|save|store)"
    r"(?: for (?:me|later|next time|the future))?(?:,? that|:|,)? (?P<v>(?!to\b|me\b|when\b|"
    r"how\b|what\b|where\b|why\b|if\b|the time\b|this\b|it\b|your\b|you\b).+)$"
)
_ASKS_FOR_GOOD = re.compile(
    r"(?i)^(?:please )?(?:can|could|would|will) you\b.*\b(?:always|never|from now on|in (?:the )?future|going forward|"
    r"every time|by default)\b"
)
# What "we" have and do, the speaker has and does.
_WE_ARE, _WE = re.compile(r"(?i)^we are "), re.compile(r"(?i)^we ")
_LIGHT = re.compile(r"(?i)\b(?:lol|haha\w*|hehe|lmao|rofl)\b")


def extract(
    text: str,
    *,
    subject: str,
    said_at: int,
    speaker_name: str | None = None,
    origin: Origin = Origin.USER,
    previous: Sequence[Draft] = (),
    project: str | None = None,
) -> list[Draft]:
    """The facts that the message states, each a self-contained sentence with its key and the verbatim quote.

    said_at: when it was said (microseconds, UTC); dates are resolved against it. speaker_name: how the sentences
    call the speaker, instead of "The user". previous: what was extracted or is believed so far, oldest first; with
    it "no, Graz" and "the course ended" find what they speak of, and a denial takes the value it denies. An end
    without a value ("I quit") ends whichever value holds; one with a value ends that value alone. project: the subject
    that is given what is said of the project at hand ("this project uses pnpm") and what is wished for it.
    """
    at_hand = Project(project, project_name(project)) if project else None
    known = [draft for draft in previous if draft.subject != project]
    reader = _Reader(subject, said_at, speaker_name, origin, known, at_hand)
    kept: list[list[Draft]] = []
    for one in sentences(text):
        if is_joke_alone(one):
            if kept:
                kept.pop()
            continue
        kept.append([] if is_joke(one) or is_a_saying(one) else reader.drafts(one))
        if sum(map(len, kept)) >= MOST_PER_MESSAGE:
            break
    return _unique([draft for drafts in kept for draft in drafts])[:MOST_PER_MESSAGE]


def _unique(drafts: list[Draft]) -> list[Draft]:
    return list({(d.subject, d.attribute, d.text): d for d in drafts}.values())


class _Reader:
    """One message's reading: who speaks, when, and what is known so far."""

    def __init__(
        self,
        subject: str,
        said_at: int,
        name: str | None,
        origin: Origin,
        known: list[Draft],
        project: Project | None,
    ) -> None:
        self.subject, self.said_at, self.name, self.origin = subject, said_at, name, origin
        self.known, self.project = known, project

    def drafts(self, one: Sentence) -> list[Draft]:
        """The drafts of one sentence."""
        light = _LIGHT.search(one.plain) is not None
        found = self._found(one)[:MOST_PER_SENTENCE]
        out = [draft for item in found if (draft := self._draft(item, one, light)) is not None]
        # "No, Graz" is about the speaker: what was said of the project is nothing that it could mean.
        self.known.extend(draft for draft in out if draft.subject == self.subject)
        return out

    def _found(self, one: Sentence) -> list[Found]:
        if self.project:
            one = self.project.spelt(one)
        plain = opened(one.plain.strip(" " + BLANK))
        noted = None if one.asks else _REMEMBER.match(plain)
        if noted:
            return self._noted(noted["v"])
        asked = self.project.led(plain) if self.project else plain
        if (not one.asks or _ASKS_FOR_GOOD.match(asked)) and (wished := wishes.read(asked)):
            return [self._wish(plain, setting, found) for setting, found in wished]
        out: list[Found] = []
        for clause in clauses(one):
            out.extend(self._of_clause(clause))
        return out

    def _noted(self, told: str) -> list[Found]:
        inner = Sentence(told, told)
        found = [item for clause in clauses(inner) for item in self._of_clause(clause)]
        text = persons(spell_out(told, self.said_at)).strip(" .!")
        own = re.search(r"\b(?:I|my|our|we|me|us)\b", told) or re.search(r"\s[A-Z\d]", told)
        if (
            BLANK in text
            or len(text.split()) < 3
            or not own
            or re.search(r"(?i)\byou(?:r|rself|'re)?\b", told)
        ):
            return found
        return found or [Found(None, None, text, 0.85)]

    def _wish(self, text: str, setting: str, found: Found) -> Found:
        if self.project:
            setting, found = self.project.wish(text, setting, found)
        return _in_setting(found, setting, "")

    def _of_clause(self, clause: Clause) -> list[Found]:
        told = self.project.read(clause) if self.project else None
        if told is not None:
            return told
        out: list[Found] = []
        for text in expanded(_WE.sub("I ", _WE_ARE.sub("I am ", clause.text))):
            found = self._read(replace(clause, text=text))
            out.extend(corrections.anchored(item, self.known) for item in found)
        return [self.project.owned(item) for item in out] if self.project else out

    def _read(self, clause: Clause) -> list[Found]:
        text, setting = clause.text, clause.setting
        if setting and find(setting, self.said_at):
            text, setting = f"{text} {setting}", ""
        if re.search(r"\b(?:19|20)\d\d\b", setting):  # "in 2019 I moved ...": a time, not a context
            setting = ""
        thanked = text.startswith("for ") and "thank" in clause.opener.lower()
        wished = [] if thanked else wishes.read(text)
        if wished:
            return [self._wish(text, where or setting, found) for where, found in wished]
        plan = plans.read(text, self.said_at)
        if plan:
            return [replace(plan, text=f"{persons(setting)}, {plan.text}") if setting else plan]
        fixed = corrections.correction(text, clause.opener, self.known) or corrections.gone(
            text, self.known
        )
        if fixed:
            return [fixed]
        said = parse(text)
        found = self._of_said(said, clause) if said else []
        found = found or pets.read(text) or topics.read(text, self.said_at)
        return [_in_setting(item, setting, setting) for item in found]

    def _of_said(self, said: Said, clause: Clause) -> list[Found]:
        name = _own_name(clause.text) if said.who == ME and not said.denied else None
        if name:
            return [Found("name", name, f"{ME} is called {name}", 0.85)]
        return people.read(said) or topics.of_person(said) or habits.read(said)

    def _draft(self, found: Found, one: Sentence, light: bool) -> Draft | None:
        text = _finished(found.text, self.name)
        value = None if found.value is None else _finished(found.value, self.name, ends=False)
        keyless = found.attribute and not value and not found.ends
        if not text or len(text) > LONGEST_FACT or BLANK in text or keyless:
            return None
        subject = self.project.subject if found.project and self.project else self.subject
        kind = found.kind or (kind_of(found.attribute) if found.attribute else Kind.FACT)
        return Draft(
            text, subject, kind, found.attribute, (value or None) if found.attribute else None, found.polarity, found.ends,
            origin=self.origin, quote=one.verbatim, confidence=round(found.confidence * (0.7 if light else 1), 2),
            observed_at=self.said_at, expires_at=found.expires_at,
        )  # fmt: skip


def _in_setting(found: Found, setting: str, lead: str) -> Found:
    """The statement bound to the place or case it was made for: another one there does not replace this."""
    key = slug(
        re.sub(
            r"(?i)^(?:at|in|for|on|to|when|during|the|my|our|in the|we) +(?:the |my |our |we )?",
            "",
            setting,
        )
    )
    if not setting or found.attribute is None:
        return found
    text = f"{lead[:1].upper()}{persons(lead[1:])}, {found.text}" if lead else found.text
    return replace(found, attribute=canonical(f"{key}.{found.attribute}"), text=text)


_OWN_NAME = re.compile(
    r"^I am (?P<v>(?:(?:Dr|Prof|Mr|Mrs|Ms)\. )?[A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2})(?=$|[,.!]| "
    r"from | and )"
)


def _own_name(text: str) -> str | None:
    """`I am Mirela`: a capitalised word that is no nationality, diet or shout."""
    match = _OWN_NAME.match(text)
    if match is None:
        return None
    low = match["v"].lower().split()
    known = NATIONALITIES | DIETS | ROLES
    return None if low[0] in known or low[-1] in known or match["v"].isupper() else match["v"]


def _finished(text: str, name: str | None, ends: bool = True) -> str:
    """The text with the speaker called by name or as the user."""
    label = name or "the user"
    text = text.replace(ME, label)
    if name:
        text = re.sub(r"\bthe user\b", name.replace("\\", ""), text)
    return sentence(text) if ends else " ".join(text.split()).strip(" ,;.")
