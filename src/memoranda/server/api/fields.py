"""The fields that requests are made of: how long and of which form they may be, by the gate's own caps."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from memoranda.gate.draft import LONGEST_NAME
from memoranda.gate.policy import LONGEST_HELD, MOST_TAGS
from memoranda.types import Kind, Origin

# No control characters but tab and line ends, which are folded, and at least one that is no white space.
NAMED = (
    r"^[^\x00-\x08\x0b-\x1f\x7f-\x9f]*"
    r"[^\s\x00-\x1f\x7f-\x9f]"
    r"[^\x00-\x08\x0b-\x1f\x7f-\x9f]*$"
)
MOMENT = re.compile(
    r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)", re.ASCII
)
WHOLE = re.compile(r"-?[0-9]{1,19}", re.ASCII)
LATEST = datetime.max.replace(tzinfo=UTC)
EARLIEST = datetime.min.replace(tzinfo=UTC)
# Beyond this a number is not the same in every reader of JSON.
LARGEST = 2**53 - 1
MOST_IDS = 1000


class Body(BaseModel):
    """A body: no field that is not known, and no value of another type."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Answer(BaseModel):
    """An answer, made of the data of a flow."""

    model_config = ConfigDict(from_attributes=True)


def _moment(value: Any) -> Any:
    """RFC 3339 alone: a number of seconds or a time without a zone is a guess."""
    if isinstance(value, datetime):
        return value
    if not isinstance(value, str) or not MOMENT.fullmatch(value):
        raise ValueError("Input should be a date and time of RFC 3339, with a zone")
    # Python keeps microseconds; whoever says nanoseconds means the same moment.
    text = re.sub(r"(\.\d{6})\d+", r"\1", value.upper())
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("Input should be a date and time that exists") from None


def _utc(value: datetime) -> datetime:
    """The same moment in UTC; one beyond the calendar is its end."""
    try:
        return value.astimezone(UTC)
    except OverflowError:
        return LATEST if value.year > 1000 else EARLIEST


def whole(value: Any) -> Any:
    """A whole number as a query spells it (digits, and nothing that only some languages read as a number), or as JSON
    does: there 3.0 is one."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and not WHOLE.fullmatch(value):
        raise ValueError("Input should be a whole number")
    return value


Moment = Annotated[
    datetime,
    BeforeValidator(_moment),
    AfterValidator(_utc),
    Field(strict=False, examples=["2026-11-30T10:00:00Z"]),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-11-30T10:00:00Z"]}),
]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=NAMED)]
Subject = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST_NAME,
        pattern=NAMED,
        description="Who or what it is about: `kind:name`.",
        examples=["user:me"],
    ),
]
Id = Annotated[
    str,
    Field(
        pattern=r"^[a-z]_[0-9A-Za-z_-]{1,60}$",
        description="A generated id, as lists tell it.",
        examples=["f_01jdyq4c6s8m2n0v3x5z7b9d1f"],
    ),
]
Digest = Annotated[
    str,
    Field(
        pattern=r"^[0-9a-f]{64}$",
        description="As it was told with what was looked at: done only if that is still the same, else 409.",
        examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    ),
]
Text = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST_HELD,
        description="One self-contained sentence, of at most 300 characters; what is longer waits for a person.",
        examples=["The user prefers the dark theme."],
    ),
]
Value = Annotated[
    str, Field(min_length=1, max_length=LONGEST_NAME, description="The value of its attribute.")
]
Why = Annotated[
    str,
    Field(
        max_length=2000,
        description="The reason, for the log of operations; its first 200 characters are kept.",
        examples=["it was a joke"],
    ),
]
Tags = Annotated[list[Name], Field(max_length=MOST_TAGS, examples=[["home"]])]
Ids = Annotated[list[Id], Field(min_length=1, max_length=MOST_IDS)]
Run = Annotated[
    str, Field(min_length=1, max_length=LONGEST_NAME, pattern=NAMED, examples=["run-7"])
]
Session = Annotated[
    str, Field(min_length=1, max_length=LONGEST_NAME, pattern=NAMED, examples=["session-1"])
]
# The bounds stand first: what checks before them would hide them from the description.
Step = Annotated[int, Field(ge=0, le=LARGEST, examples=[3]), BeforeValidator(whole)]
AnyKind = Annotated[Kind, Field(strict=False)]
AnyOrigin = Annotated[Origin, Field(strict=False)]
Size = Annotated[
    int, Field(ge=1, le=200, description="How many a page holds at most."), BeforeValidator(whole)
]
Cursor = Annotated[
    str,
    Field(
        min_length=1,
        max_length=2000,
        pattern=r"^[A-Za-z0-9_-]+$",
        description="Where to go on: as the page before told it.",
    ),
]
Words = Annotated[
    str, Field(max_length=200, description="Only what holds each of these words, or parts of them.")
]
