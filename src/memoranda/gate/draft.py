"""Build a `Draft` from loose arguments: the shapes are checked here, what they mean is judged by the policy."""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from memoranda import attributes
from memoranda.errors import UsageError
from memoranda.types import Draft, Kind, Origin, to_micros

E = TypeVar("E", bound=StrEnum)
LONGEST_NAME = 200


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
    _check_confidence(confidence)
    if isinstance(tags, str) or isinstance(derived_from, str):
        raise UsageError("tags and derived_from are lists of strings, not one string")
    return Draft(
        text=_text("text", text),
        subject=_text("subject", subject),
        kind=_member(Kind, kind, "kind") if kind else _kind_of(attribute),
        origin=_member(Origin, origin, "origin"),
        attribute=None if attribute is None else _text("attribute", attribute),
        tags=tuple(_text("tag", tag) for tag in tags),
        derived_from=tuple(_text("derived_from", source) for source in derived_from),
        observed_at=micros("observed_at", observed_at),
        expires_at=micros("expires_at", expires_at),
        confidence=float(confidence),
        **rest,
    )


def _text(name: str, value: str) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{name} must be a string, not {type(value).__name__}")
    if name == "subject" and not value.strip():
        raise UsageError("subject is empty; name who or what the fact is about, e.g. 'user:me'")
    return value


def _check_confidence(value: Any) -> None:
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not math.isfinite(value)
        or not 0 <= value <= 1
    ):
        raise UsageError("confidence must be a number from 0 to 1")


def _member(family: type[E], value: E | str, name: str) -> E:
    try:
        return family(value)
    except ValueError:
        raise UsageError(f"{name} must be one of {', '.join(family)}") from None


def _kind_of(attribute: str | None) -> Kind:
    return attributes.kind_of(attribute) if attribute else Kind.FACT


def micros(name: str, moment: Any) -> int | None:
    """Microseconds of an aware datetime that the caller gave as `name`; `UsageError` for a naive one."""
    if moment is None:
        return None
    if not isinstance(moment, datetime) or moment.tzinfo is None:
        raise UsageError(f"{name} must be a datetime with a time zone")
    return to_micros(moment)
