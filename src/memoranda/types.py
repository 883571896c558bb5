"""The words of the house: plain data, no I/O.

Times are timezone-aware `datetime` in UTC at the surface and integer microseconds since 1970 (UTC) below it,
the same in every store, so that no driver's idea of time gets between us and our rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import IntEnum, StrEnum
from typing import Any, Literal

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def to_micros(moment: datetime) -> int:
    """Microseconds since 1970 of an aware datetime. A naive one is refused: its zone would be a guess."""
    if moment.tzinfo is None:
        raise ValueError("a time without a zone is ambiguous; use datetime(..., tzinfo=UTC)")
    return (moment - EPOCH) // MICROSECOND


def from_micros(micros: int) -> datetime:
    """The aware UTC datetime of `micros` microseconds since 1970."""
    return EPOCH + timedelta(microseconds=micros)


class Origin(StrEnum):
    """Where a statement came from. Set by code, never by a text or a model."""

    OPERATOR = "operator"
    USER = "user"
    TOOL = "tool"
    EXTERNAL = "external"
    MODEL = "model"


class Trust(IntEnum):
    """How far an origin is believed; a derived fact has the lowest trust of what it came from."""

    MODEL = 0
    EXTERNAL = 1
    TOOL = 2
    USER = 3
    OPERATOR = 4


TRUST_OF: Mapping[Origin, Trust] = {
    Origin.OPERATOR: Trust.OPERATOR,
    Origin.USER: Trust.USER,
    Origin.TOOL: Trust.TOOL,
    Origin.EXTERNAL: Trust.EXTERNAL,
    Origin.MODEL: Trust.MODEL,
}


class Kind(StrEnum):
    """What a fact is about. The kind decides how it is kept up (see `Settings.lifetimes`)."""

    FACT = "fact"
    IDENTITY = "identity"
    PREFERENCE = "preference"
    PLAN = "plan"
    ACTIVITY = "activity"
    EPISODE = "episode"
    PROCEDURE = "procedure"


class Status(StrEnum):
    """The stored state of a fact. Expiry is not a state: it is read off `expires_at` at every question."""

    LIVE = "live"
    PENDING = "pending"
    SUPERSEDED = "superseded"
    RETIRED = "retired"
    REJECTED = "rejected"


class Verdict(StrEnum):
    """What the gate did with an item."""

    ACCEPTED = "accepted"
    CONFIRMED = "confirmed"
    HELD = "held"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The gate's answer: the verdict, the id (None when refused) and named reasons.

    `id` is the fact's id; for a confirmation the id of the fact that was already there.
    `operation` is what `undo` takes. `replaced` holds the ids that this item superseded.
    """

    status: Verdict
    id: str | None = None
    reasons: tuple[str, ...] = ()
    operation: str | None = None
    replaced: tuple[str, ...] = ()
    fact: str | None = None

    @property
    def ok(self) -> bool:
        """True when the item can be recalled now (accepted or confirmed)."""
        return self.status in (Verdict.ACCEPTED, Verdict.CONFIRMED)


@dataclass(frozen=True, slots=True)
class Draft:
    """A statement on its way to the gate; every kind of fact enters as one of these.

    text: one self-contained sentence of at most 300 characters. subject: `kind:name`, e.g. `user:8812`.
    attribute and value: the key for supersession, both or neither. polarity: False for "does not ...".
    ends: True closes the attribute's current value without a successor ("no longer works at ...").
    observed_at: when it was said (microseconds; None: when it is admitted). expires_at: None means by kind.
    derived_from: ids of the facts this was made from; trust falls to their lowest. replaces: the fact that this
    corrects, whatever its key. actor: who stands in the operation log (None: the face's own actor).
    """

    text: str
    subject: str
    kind: Kind = Kind.FACT
    attribute: str | None = None
    value: str | None = None
    polarity: bool = True
    ends: bool = False
    tags: tuple[str, ...] = ()
    origin: Origin = Origin.EXTERNAL
    run: str | None = None
    step: int | None = None
    source_ref: str | None = None
    quote: str | None = None
    derived_from: tuple[str, ...] = ()
    confidence: float = 1.0
    observed_at: int | None = None
    expires_at: int | None = None
    durable_reason: str | None = None
    replaces: str | None = None
    actor: str | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A row of `agent_facts`. Field order is the column order; a test compares them.

    Text, key, source and times of a row never change; the state columns (status and everything from
    `expires_at` on, but the digest and the terms) do, each change logged in `fact_states`.
    """

    tenant: str
    id: str
    subject: str
    fact: str
    kind: Kind
    attribute: str | None
    value: str | None
    polarity: bool
    tags: tuple[str, ...]
    source_run: str | None
    source_step: int | None
    origin: Origin
    source_ref: str | None
    quote: str | None
    derived_from: tuple[str, ...]
    trust: Trust
    confidence: float
    created_at: datetime
    observed_at: datetime
    digest: str
    durable_reason: str | None
    status: Status
    expires_at: datetime | None
    superseded_by: str | None
    superseded_at: datetime | None
    retired_at: datetime | None
    retired_why: str | None
    approved_by: str | None
    approved_at: datetime | None
    pinned_by: str | None

    def expired(self, now: datetime) -> bool:
        """Whether the fact's time has passed at `now`."""
        return self.expires_at is not None and self.expires_at <= now


@dataclass(frozen=True, slots=True)
class Scored:
    """A chosen fact with its score (0 to 1) and the parts that made it."""

    id: str
    score: float
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A candidate that was considered and not chosen, with the reason, its score and the parts that made it."""

    id: str
    reason: str
    score: float = 0.0
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a recall did: chosen with scores, left out with reasons, cost. Holds ids, never texts."""

    id: str
    at: datetime
    subjects: tuple[str, ...]
    chosen: tuple[Scored, ...]
    left_out: tuple[LeftOut, ...]
    considered: int
    tokens: int


@dataclass(frozen=True, slots=True)
class RecalledTurn:
    """What was said in an earlier conversation, as recall brings it: data, like a fact.

    id: `turn:session#n`. speaker: a name, or the origin where nobody is named (`user`, `model`, `tool`). at: when
    it was said. text: an excerpt of at most `recall_turn_characters`. before: the question that it answers, "" for
    none.
    """

    id: str
    session: str
    n: int
    speaker: str
    origin: str
    at: datetime
    text: str
    before: str
    trust: Trust
    score: float


@dataclass(frozen=True, slots=True)
class Recall:
    """The answer to a question: facts and turns, the block to put in front of a model, its tokens, the receipt.

    `text` is "" when nothing is relevant. `min_trust` is the lowest trust among them (None: there are none).
    """

    facts: tuple[Fact, ...]
    text: str
    tokens: int
    receipt: Receipt
    min_trust: Trust | None
    turns: tuple[RecalledTurn, ...] = ()

    @property
    def trusts(self) -> dict[str, Trust]:
        """How far each fact and turn is trusted, by id, in the order they stand in the block."""
        facts = {fact.id: fact.trust for fact in self.facts}
        return {**facts, **{turn.id: turn.trust for turn in self.turns}}

    def __bool__(self) -> bool:
        return bool(self.facts or self.turns)


@dataclass(frozen=True, slots=True)
class Standing:
    """What is always before a model: the block, its facts in order, its tokens, and what had no room.

    `text` is "" when there is nothing. `why` says by id in which class a fact stands: `instruction` (a person approved
    it), `pinned` (a person pinned it), `identity` or `preference` (the user or an operator stated it). `left_out` has
    the most important first.
    """

    text: str
    facts: tuple[Fact, ...]
    tokens: int
    left_out: tuple[LeftOut, ...]
    why: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.facts)


@dataclass(frozen=True, slots=True)
class Recalled:
    """One time a fact was put before a model: the receipt, the session and run, the moment and the score."""

    receipt: str
    session: str | None
    run: str | None
    at: datetime
    score: float


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a fact's state: who did what, when, why, and the state after it."""

    operation: str
    verb: str
    actor: str
    why: str | None
    at: datetime
    status: Status


@dataclass(frozen=True, slots=True)
class Trace:
    """Why a fact is believed: its row, its changes, the chain of versions, and where it was recalled.

    `chain` runs from the oldest version to the newest; `sources` are the facts it was derived from.
    """

    fact: Fact
    changes: tuple[Change, ...]
    chain: tuple[Fact, ...]
    sources: tuple[Fact, ...]
    recalled: tuple[Recalled, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """One entry of the operation log: who, what, when, why. Never a fact's text."""

    id: str
    at: datetime
    actor: str
    verb: str
    why: str | None
    run: str | None
    facts: tuple[str, ...]
    undo_of: str | None
    undone_by: str | None


@dataclass(frozen=True, slots=True)
class Selection:
    """Which facts a bulk verb (forget, erase) would take. At least one field must be set; all of them narrow together.

    steps: the first and the last step of `run`. source: a `source_ref`, e.g. `session:s1`. since and until: when
    the store took it in, the second not included. query: what a recall of it would find, of `subject`.
    """

    ids: tuple[str, ...] = ()
    tag: str | None = None
    run: str | None = None
    subject: str | None = None
    query: str | None = None
    steps: tuple[int, int] | None = None
    source: str | None = None
    origin: Origin | str | None = None
    kind: Kind | str | None = None
    attribute: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Erasure:
    """What an erase did: ids gone, where their text was removed, byte hits left, what is out of reach.

    searched: the files whose bytes were searched. elsewhere: rows that still hold the same words, because somebody
    else said them too; they are counted in `byte_hits`. similar: facts and messages of the same subjects that share
    most words with what was erased: a person must look whether they say the same. files: those in folders that still
    hold the wording, or could not be searched; a person edits them.
    """

    ids: tuple[str, ...]
    removed: Mapping[str, int]
    byte_hits: int
    blocked_by_reader: bool
    out_of_reach: tuple[str, ...]
    searched: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    similar: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """A held fact as a reviewer sees it: why it waits, what its wording looks like, and what it would replace.

    reasons: the gate's, from when it was held. flags: findings of now that are no reason by themselves, such as the
    wording of an injection. replaces: the live facts that approval would close.
    """

    fact: Fact
    reasons: tuple[str, ...]
    flags: tuple[str, ...]
    replaces: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class WindowSummary:
    """How full a window is. `exact` is False where tokens are estimated."""

    session: str
    run: str
    tokens: int
    budget: int
    exact: bool
    messages: int
    steps: int
    compactions: int


@dataclass(frozen=True, slots=True)
class LoggedMessage:
    """One message of the session log, as sent (secrets replaced), with its place and origin."""

    session: str
    n: int
    run: str | None
    step: int | None
    role: str
    origin: Origin
    subject: str
    at: datetime
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Health:
    """What `doctor` found: place, schema, sizes, counts, and a list of findings with their remedy.

    ok: no damage was found; with `thorough` false, nobody looked for any.
    """

    place: str
    schema: int
    bytes: Mapping[str, int]
    counts: Mapping[str, int]
    findings: tuple[str, ...]
    ok: bool
    embedder: str = ""
    thorough: bool = True


@dataclass(frozen=True, slots=True)
class Reembedding:
    """What `reembed` did: the model, how many texts have a vector of it now, how many of these were made, how many were
    left out because they may not be kept, and how many vectors of other models were dropped.
    """

    model: str
    texts: int
    made: int
    left_out: int
    dropped: int


FactFilter = Literal["live", "pending", "superseded", "expired", "retired", "rejected", "all"]


@dataclass(frozen=True, slots=True)
class FileVersion:
    """One version of a file: what was done, by whom (actor, run, step), when, and what the text's sha256 was.

    mark: "" or why the text is data and no instruction (`external`, `outside`). source: the other path of a renaming.
    """

    path: str
    n: int
    verb: str
    sha256: str
    size: int
    mark: str
    actor: str
    run: str | None
    step: int | None
    at: datetime
    source: str | None


@dataclass(frozen=True, slots=True)
class FileText:
    """A file as it stands: its path, text and sha256 (what `write(if_sha256=...)` compares), its version and mark.

    approved_by: the person who approved this text, to be read as rules or without a mark.
    """

    path: str
    text: str
    sha256: str
    n: int
    mark: str
    approved_by: str | None = None


@dataclass(frozen=True, slots=True)
class UnusedFile:
    """A file that nobody viewed or wrote for long; `due` is when it goes unless it is used before (None: not set)."""

    subject: str
    path: str
    size: int
    used: datetime
    due: datetime | None
