"""The bodies of answers. Field by field what the flows tell; an enumeration is told by its name."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field

from memoranda.server.api.fields import Answer
from memoranda.types import Kind, Origin, Status, Trust, Verdict

FACT: Mapping[str, Any] = {
    "id": "f_01jdyq4c6s8m2n0v3x5z7b9d1f",
    "subject": "user:me",
    "fact": "The user prefers the dark theme.",
    "kind": "preference",
    "attribute": "theme",
    "value": "dark",
    "polarity": True,
    "tags": [],
    "source_run": "run-7",
    "source_step": 3,
    "origin": "user",
    "source_ref": None,
    "quote": "I prefer the dark theme.",
    "derived_from": [],
    "trust": "user",
    "confidence": 1.0,
    "created_at": "2026-11-30T10:00:00Z",
    "observed_at": "2026-11-30T10:00:00Z",
    "durable_reason": None,
    "status": "live",
    "expires_at": "2027-06-01T10:00:00Z",
    "superseded_by": None,
    "superseded_at": None,
    "retired_at": None,
    "retired_why": None,
    "approved_by": None,
    "approved_at": None,
    "pinned_by": None,
}
OPERATION: Mapping[str, Any] = {
    "id": "o_01jdyq4c6s8m2n0v3x5z7b9d1f",
    "at": "2026-11-30T10:00:00Z",
    "actor": "page:asha",
    "verb": "retire",
    "why": "it was a joke",
    "run": None,
    "facts": [FACT["id"]],
    "undo_of": None,
    "undone_by": None,
}
DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


class TrustName(StrEnum):
    """How far a statement is believed, from the least on."""

    MODEL = "model"
    EXTERNAL = "external"
    TOOL = "tool"
    USER = "user"
    OPERATOR = "operator"


def _named(value: Any) -> Any:
    return value.name.lower() if isinstance(value, Trust) else value


Trusted = Annotated[TrustName, BeforeValidator(_named)]


def example(**values: Any) -> ConfigDict:
    """The configuration of an answer with one example."""
    return ConfigDict(from_attributes=True, json_schema_extra={"examples": [values]})


class Fact(Answer):
    """A fact: its text, key, source and times, and the state it is in."""

    model_config = example(**FACT)
    id: str
    subject: str
    fact: str
    kind: Kind
    attribute: str | None
    value: str | None
    polarity: bool
    tags: list[str]
    source_run: str | None
    source_step: int | None
    origin: Origin
    source_ref: str | None
    quote: str | None
    derived_from: list[str]
    trust: Trusted
    confidence: float
    created_at: datetime
    observed_at: datetime
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


class FactsPage(Answer):
    """Facts, newest first, and where to go on: null where there is nothing more."""

    model_config = example(facts=[FACT], after=None, before=None)
    facts: list[Fact]
    after: str | None
    before: str | None


class Facts(Answer):
    """Facts that a verb would take, and a digest of which they are."""

    model_config = example(facts=[FACT], digest=DIGEST)
    facts: list[Fact]
    digest: str


class Change(Answer):
    """One change of a fact's state."""

    model_config = ConfigDict(from_attributes=True)
    operation: str
    verb: str
    actor: str
    why: str | None
    at: datetime
    status: Status


class Recalled(Answer):
    """One time a fact was put before a model."""

    receipt: str
    session: str | None
    run: str | None
    at: datetime
    score: float


class Trace(Answer):
    """Why a fact is believed. `chain`: its versions, oldest first; `sources`: what it was derived from.

    Without a session only those versions and sources that are believed now.
    """

    model_config = example(fact=FACT, changes=[], chain=[FACT], sources=[], recalled=[])
    fact: Fact
    changes: list[Change]
    chain: list[Fact]
    sources: list[Fact]
    recalled: list[Recalled]


class Hop(Answer):
    """One step of a path: `fact` was written by `run` after a recall there, or was derived (`run` is null)."""

    fact: str
    run: str | None


class Reached(Answer):
    """A fact that another may have shaped, with the shortest path to it."""

    fact: Fact
    path: list[Hop]


class Blast(Answer):
    """How far a fact came: where it was recalled, and what was written there since.

    Without a session only what is believed now.
    """

    model_config = example(fact=FACT, recalled=[], reached=[])
    fact: Fact
    recalled: list[Recalled]
    reached: list[Reached]


class Outcome(Answer):
    """What the gate did: its verdict with named reasons. A refusal is an answer and no error."""

    model_config = example(
        status="accepted",
        id=FACT["id"],
        reasons=[],
        operation=OPERATION["id"],
        replaced=[],
        fact=FACT["fact"],
    )
    status: Verdict
    id: str | None
    reasons: list[str]
    operation: str | None
    replaced: list[str]
    fact: str | None


class Outcomes(Answer):
    """What was done with each, in the order they were named."""

    model_config = example(outcomes=[])
    outcomes: list[Outcome]


class Count(Answer):
    """How many it was done with."""

    model_config = example(count=2)
    count: int


class Operation(Answer):
    """One entry of the log of operations: who, what, when, why."""

    model_config = example(**OPERATION)
    id: str
    at: datetime
    actor: str
    verb: str
    why: str | None
    run: str | None
    facts: list[str]
    undo_of: str | None
    undone_by: str | None


class OperationEntry(Answer):
    """An operation in a list: of the facts it changed (`count`) it names a few only."""

    operation: Operation
    count: int


class OperationsPage(Answer):
    """Operations, newest first."""

    model_config = example(operations=[{"operation": OPERATION, "count": 1}], after=None)
    operations: list[OperationEntry]
    after: str | None


class Erasure(Answer):
    """What an erasure did, and what is left for a person to look at."""

    model_config = example(
        ids=[FACT["id"]],
        removed={"agent_facts": 1},
        byte_hits=0,
        blocked_by_reader=False,
        out_of_reach=["backups and copies of the store made before now"],
        searched=["memory.db"],
        elsewhere=[],
        similar=[],
        files=[],
    )
    ids: list[str]
    removed: dict[str, int]
    byte_hits: int
    blocked_by_reader: bool
    out_of_reach: list[str]
    searched: list[str]
    elsewhere: list[str]
    similar: list[str]
    files: list[str]


class RunEntry(Answer):
    """A run that wrote facts: how many, of which so many are live or wait, and when the first and the last came."""

    run: str
    facts: int
    standing: int
    first: datetime
    last: datetime
    subjects: list[str]
    most: int


class RunsPage(Answer):
    """Runs, the latest writer first."""

    model_config = example(
        runs=[
            {
                "run": "run-7",
                "facts": 2,
                "standing": 1,
                "first": "2026-11-30T10:00:00Z",
                "last": "2026-11-30T10:05:00Z",
                "subjects": ["user:me"],
                "most": 1000,
            }
        ],
        after=None,
    )
    runs: list[RunEntry]
    after: str | None


class ReviewItem(Answer):
    """A held fact: why it waits, what its wording looks like, what its approval would replace; a digest of all that."""

    fact: Fact
    reasons: list[str]
    flags: list[str]
    replaces: list[Fact]
    digest: str


class Review(Answer):
    """What waits for a person, oldest first."""

    model_config = example(
        items=[
            {
                "fact": {**FACT, "status": "pending", "origin": "external", "trust": "external"},
                "reasons": ["external-origin"],
                "flags": [],
                "replaces": [],
                "digest": DIGEST,
            }
        ]
    )
    items: list[ReviewItem]


class SubjectEntry(Answer):
    """A subject and the number of its live facts, counted up to the page's `most`."""

    subject: str
    live: int


class SubjectsPage(Answer):
    """Subjects by name."""

    model_config = example(subjects=[{"subject": "user:me", "live": 3}], after=None, most=1000)
    subjects: list[SubjectEntry]
    after: str | None
    most: int


class Score(Answer):
    """A fact or a turn of a recall: its score (0 to 1)."""

    id: str
    score: float


class LeftOut(Answer):
    """What a recall considered and did not choose, and why."""

    id: str
    reason: str
    score: float


class Turn(Answer):
    """What was said in an earlier conversation."""

    id: str
    session: str
    n: int
    speaker: str
    origin: str
    at: datetime
    text: str
    before: str
    trust: Trusted
    score: float


class Recall(Answer):
    """What answers a question: facts and turns, the block for a model, and why these. Its receipt is not stored."""

    model_config = example(
        facts=[FACT],
        turns=[],
        text="...",
        tokens=60,
        min_trust="user",
        considered=12,
        chosen=[{"id": FACT["id"], "score": 0.8}],
        left_out=[],
    )
    facts: list[Fact]
    turns: list[Turn]
    text: str
    tokens: int
    min_trust: Trusted | None
    considered: int
    chosen: list[Score]
    left_out: list[LeftOut]


class Standing(Answer):
    """What is always before a model: `why` says by id in which class a fact stands; `left_out` had no room."""

    model_config = example(
        text="...", facts=[FACT], tokens=60, left_out=[], why={FACT["id"]: "preference"}
    )
    text: str
    facts: list[Fact]
    tokens: int
    left_out: list[LeftOut]
    why: dict[str, str]


class Health(Answer):
    """Place, schema, sizes, counts and findings of the store, each finding with its remedy."""

    model_config = example(
        place="/home/asha/.local/share/memoranda/memory.db",
        schema=6,
        bytes={"database": 4096},
        counts={"facts live": 3},
        findings=[],
        ok=True,
        embedder="none: recall goes by words alone",
        thorough=False,
    )
    place: str
    schema_: int = Field(alias="schema", validation_alias="schema")
    bytes: dict[str, int]
    counts: dict[str, int]
    findings: list[str]
    ok: bool
    embedder: str
    thorough: bool


class Alive(Answer):
    """Whether the server answers and its store can be read."""

    model_config = example(ok=True, version="0.1.0", schema=6)
    ok: bool
    version: str
    schema_: int | None = Field(alias="schema", validation_alias="schema")
