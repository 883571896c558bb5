"""Build a `Draft` from loose arguments: the shapes are checked here, what they mean is judged by the policy."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from memoranda import attributes
from memoranda.errors import UsageError
from memoranda.gate.clean import nameable, sentence
from memoranda.types import Draft, Kind, Origin, to_micros

E = TypeVar("E", bound=StrEnum)
T = TypeVar("T")
LONGEST_NAME = 200
LARGEST_STEP = 2**63 - 1


def draft(
    text: str,
    *,
    subject: str,
    kind: Kind | str | None = None,
    origin: Origin | str = Origin.EXTERNAL,
    attribute: str | None = None,
    tags: Iterable[str] = (),
    derived_from: Iterable[str] = (),
    observed_at: datetime | None = None,
    expires_at: datetime | None = None,
    confidence: float = 1.0,
    **rest: Any,
) -> Draft:
    """A `Draft`; raises `UsageError` for a wrong type or name. Without `kind` the attribute's kind is taken."""
    share("confidence", confidence)
    attribute = None if attribute is None else string("attribute", attribute)
    return Draft(
        text=string("text", text),
        subject=name("subject", subject),
        kind=member(Kind, kind, "kind") if kind else _kind_of(attribute),
        origin=member(Origin, origin, "origin"),
        attribute=attribute,
        tags=texts("tags", tags),
        derived_from=texts("derived_from", derived_from),
        observed_at=micros("observed_at", observed_at),
        expires_at=micros("expires_at", expires_at),
        confidence=float(confidence),
        **{field: _optional(field, value) for field, value in rest.items()},
    )


def name(what: str, value: Any) -> str:
    """A subject, session, run or tag as it is kept: on one line, white space folded; `UsageError` if it names nothing.

    Everything that takes a name reads it with this, so that what was stored under a name is found under it. A
    control character or a lone surrogate is refused and not replaced: "a" and "a\\0" must not become one person.
    """
    if not nameable(string(what, value)):
        raise UsageError(f"{what} holds a control character or half a character; leave it out")
    kept = sentence(value)
    if not kept:
        example = ", e.g. 'user:me'" if what.startswith("subject") else ""
        raise UsageError(f"{what} is empty; give it a name{example}")
    if len(kept) > LONGEST_NAME:
        raise UsageError(f"{what} is longer than {LONGEST_NAME} characters")
    return kept


def names(what: str, values: Any) -> tuple[str, ...]:
    """Several names, each once."""
    return tuple(dict.fromkeys(name(what, value) for value in texts(what, values)))


def texts(what: str, values: Any) -> tuple[str, ...]:
    """A list of strings as a tuple; one string is no list."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        example = ", e.g. ['user:me']" if what.startswith("subject") else ""
        raise UsageError(f"{what} must be a list of strings{example}")
    return tuple(string(what, value) for value in values)


def whole(what: str, value: Any) -> int:
    """A whole number from 0 up."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise UsageError(f"{what} must be a whole number from 0 up")
    if value > LARGEST_STEP:
        raise UsageError(f"{what} must be at most {LARGEST_STEP}")
    return value


def string(what: str, value: Any) -> str:
    """Any string as it is."""
    if not isinstance(value, str):
        raise UsageError(f"{what} must be a string, not {type(value).__name__}")
    return value


def _optional(field: str, value: Any) -> Any:
    if value is None or field in ("polarity", "ends"):
        return value
    if field == "step":
        return whole("step", value)
    return name("run", value) if field == "run" else string(field, value)


def listed(what: str, values: Any, kind: type[T]) -> tuple[T, ...]:
    """A list of objects of one kind as a tuple; one such object is no list."""
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise UsageError(f"{what} must be a list of {kind.__name__}, not {type(values).__name__}")
    kept = tuple(values)
    for value in kept:
        if not isinstance(value, kind):
            raise UsageError(f"{what} must hold {kind.__name__}, not {type(value).__name__}")
    return kept


def share(what: str, value: Any) -> float:
    """A number from 0 to 1."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not math.isfinite(value)
        or not 0 <= value <= 1
    ):
        raise UsageError(f"{what} must be a number from 0 to 1")
    return float(value)


def member(family: type[E], value: E | str, what: str) -> E:
    """The member of a family of words that `value` names; `UsageError` if it names none."""
    try:
        return family(value)
    except ValueError:
        raise UsageError(f"{what} must be one of {', '.join(family)}") from None


def _kind_of(attribute: str | None) -> Kind:
    return attributes.kind_of(attribute) if attribute else Kind.FACT


def micros(what: str, moment: Any) -> int | None:
    """Microseconds of an aware datetime that the caller gave as `what`; `UsageError` for a naive one."""
    if moment is None:
        return None
    if not isinstance(moment, datetime) or moment.tzinfo is None:
        raise UsageError(f"{what} must be a datetime with a time zone")
    return to_micros(moment)
