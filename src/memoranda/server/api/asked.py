"""The bodies of requests."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from memoranda.errors import UsageError
from memoranda.gate.policy import LONGEST_HELD
from memoranda.server.api.fields import (
    LARGEST,
    MOST_IDS,
    AnyKind,
    AnyOrigin,
    Body,
    Digest,
    Id,
    Ids,
    Moment,
    Name,
    Run,
    Step,
    Subject,
    Tags,
    Text,
    Value,
    Why,
    whole,
)
from memoranda.types import Selection as Chosen

FACT = "f_01jdyq4c6s8m2n0v3x5z7b9d1f"
SHA = r"^(?:[0-9a-f]{64})?$"


def example(**values: Any) -> ConfigDict:
    """The configuration of a body with one example."""
    return ConfigDict(extra="forbid", strict=True, json_schema_extra={"examples": [values]})


class NewFact(Body):
    """A statement of the person who is at the page: it enters as an operator's."""

    model_config = example(
        text="The user prefers the dark theme.", subject="user:me", attribute="theme", value="dark"
    )
    text: Text
    subject: Subject
    kind: AnyKind | None = Field(None, description="Left out: the kind of its attribute.")
    attribute: Name | None = Field(
        None, description="What it is about: a newer value of it replaces the older."
    )
    value: Value | None = None
    tags: Tags = Field(default_factory=list)
    expires_at: Moment | None = Field(None, description="Left out: by its kind.")
    durable_reason: Value | None = Field(None, description="Why it never expires.")


class Correction(Body):
    """A better wording of a live fact; the old one is superseded by it."""

    model_config = example(text="The user prefers the light theme.", value="light")
    text: Text
    value: Value | None = None


class Reason(Body):
    """Why something is done."""

    model_config = example(why="it was a joke")
    why: Why = ""


class Steps(Body):
    """Steps of a run, from the first to the last."""

    model_config = example(first=3, last=7)
    first: Step
    last: Step


class Sought(Body):
    """What a recall would find of a subject."""

    model_config = example(subject="user:me", text="theme")
    subject: Subject
    text: Annotated[str, Field(min_length=1, max_length=LONGEST_HELD)]


class OfRun(Body):
    """A run, or some steps of it."""

    model_config = example(run="run-7")
    run: Run
    steps: Steps | None = None

    @property
    def span(self) -> tuple[int, int] | None:
        """Its first and last step as flows take them; None for the whole run."""
        return (self.steps.first, self.steps.last) if self.steps else None


class Selection(Body):
    """Which facts are meant. All that is given narrows together, and something must be given."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "minProperties": 1,
            "examples": [{"ids": [FACT]}, {"of_run": {"run": "run-7"}}, {"tag": "home"}],
        },
    )
    ids: Ids | None = None
    tag: Name | None = None
    subject: Subject | None = None
    of_run: OfRun | None = None
    sought: Sought | None = None
    source: Name | None = Field(None, description="A source reference, e.g. `session:s1`.")
    origin: AnyOrigin | None = None
    kind: AnyKind | None = None
    attribute: Name | None = None
    since: Moment | None = Field(None, description="When the store took it in: from then on.")
    until: Moment | None = Field(None, description="When the store took it in: before then.")

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("Input should name something to select by")
        return self

    def chosen(self) -> Chosen:
        """The same as flows take it."""
        run, query = self.of_run, self.sought
        if query and self.subject not in (None, query.subject):
            raise UsageError("the subject and the subject of what is sought differ: give one")
        return Chosen(
            ids=tuple(self.ids or ()),
            tag=self.tag,
            run=run.run if run else None,
            subject=query.subject if query else self.subject,
            query=query.text if query else None,
            steps=run.span if run else None,
            source=self.source,
            origin=self.origin,
            kind=self.kind,
            attribute=self.attribute,
            since=self.since,
            until=self.until,
        )


class Preview(Body):
    """A selection, and which verb would take it."""

    model_config = example(selection={"tag": "home"}, erase=True)
    selection: Selection
    erase: bool = Field(
        False, description="What an erasure would take: facts of every state, and earlier versions."
    )


class Retirement(Body):
    """What to retire, and why."""

    model_config = example(selection={"tag": "home"}, why="moved out")
    selection: Selection
    why: Why = ""


class Erasing(Body):
    """What to erase. There is no undo."""

    model_config = example(selection={"ids": [FACT]})
    selection: Selection
    digest: Digest | None = None


class Rollback(Body):
    """A run to roll back, or some of its steps, and why."""

    model_config = example(of_run={"run": "run-7"}, why="it read a poisoned page")
    of_run: OfRun
    why: Why = ""


class Undo(Body):
    """The operation to undo; left out or null: the latest that was not undone."""

    model_config = example(operation="o_01jdyq4c6s8m2n0v3x5z7b9d1f")
    operation: Id | None = None


class Approval(Body):
    """A held fact to approve; with `text` an edited one in its place."""

    model_config = example(id=FACT, text="The user is allergic to nuts.")
    id: Id
    text: Text | None = None
    digest: Digest | None = None


class Several(Body):
    """Held facts."""

    model_config = example(ids=[FACT])
    ids: Ids
    digests: Annotated[list[Digest], Field(min_length=1, max_length=MOST_IDS)] | None = Field(
        None, description="One for each id, in the same order."
    )


class Rejection(Body):
    """Held facts to turn down, and why."""

    model_config = example(ids=[FACT], why="not true")
    ids: Ids
    why: Why = ""


class RejectionOfAll(Body):
    """Turn down all that is held from a source, run or origin; one must be given, and all narrow together."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"minProperties": 1, "examples": [{"source": "https://example.org/"}]},
    )
    source: Name | None = None
    run: Run | None = None
    origin: AnyOrigin | None = None
    why: Why = ""

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("Input should name a source, a run or an origin")
        return self


Path = Annotated[
    str,
    Field(
        min_length=1,
        max_length=512,
        description="`/memories/notes/a.md`, or `notes/a.md` for short.",
        examples=["/memories/notes/a.md"],
    ),
]
Version = Annotated[
    int,
    Field(ge=1, le=LARGEST, description="A version's number.", examples=[1]),
    BeforeValidator(whole),
]


class WrittenFile(Body):
    """The whole text of a file."""

    model_config = example(subject="user:me", path="/memories/notes/a.md", text="milk\n")
    subject: Subject
    path: Path
    text: str = Field(max_length=1 << 20)
    if_sha256: str | None = Field(
        None,
        pattern=SHA,
        description='Only over the text with this sha256; "": only where no file is.',
    )


class Restored(Body):
    """A version of a file to write again."""

    model_config = example(subject="user:me", path="/memories/notes/a.md", n=1)
    subject: Subject
    path: Path
    n: Version
