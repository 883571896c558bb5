"""What went wrong, as an answer: problem+json (RFC 9457) for programs, a page for people.

Every problem has a name: that of the error of our tree, or one of `OWN` for what goes wrong before a flow is reached.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from starlette.responses import JSONResponse

from memoranda.errors import (
    FileMissing,
    FilesError,
    FilesUnavailable,
    MemorandaError,
    NotAllowed,
    StoreBusy,
    StoreError,
    StoreFull,
    UndoConflict,
    UnknownFact,
    UnknownOperation,
    UnknownReceipt,
    UnknownSession,
    UsageError,
    WindowError,
)

MEDIA = "application/problem+json"
PREFIX = "urn:memoranda:problem:"

# First match wins: the narrow ones stand before their bases. A request that does not fit its schema is answered before
# a flow is reached (`Invalid`); one that fits and cannot be done as things stand is a conflict with what is there.
STATUS: tuple[tuple[type[MemorandaError], HTTPStatus], ...] = (
    (UnknownFact, HTTPStatus.NOT_FOUND),
    (UnknownOperation, HTTPStatus.NOT_FOUND),
    (UnknownReceipt, HTTPStatus.NOT_FOUND),
    (UnknownSession, HTTPStatus.NOT_FOUND),
    (FileMissing, HTTPStatus.NOT_FOUND),
    (NotAllowed, HTTPStatus.FORBIDDEN),
    (UndoConflict, HTTPStatus.CONFLICT),
    (FilesUnavailable, HTTPStatus.SERVICE_UNAVAILABLE),
    (FilesError, HTTPStatus.CONFLICT),
    (UsageError, HTTPStatus.CONFLICT),
    (WindowError, HTTPStatus.CONFLICT),
    (StoreBusy, HTTPStatus.SERVICE_UNAVAILABLE),
    (StoreFull, HTTPStatus.INSUFFICIENT_STORAGE),
    (StoreError, HTTPStatus.SERVICE_UNAVAILABLE),
    (MemorandaError, HTTPStatus.INTERNAL_SERVER_ERROR),
)

# What is answered without an error of our tree: by the guard, the routing, the schema.
OWN: Mapping[str, tuple[HTTPStatus, str]] = {
    "BadRequest": (HTTPStatus.BAD_REQUEST, "this is no request that HTTP knows"),
    "BodyNotText": (HTTPStatus.BAD_REQUEST, "the body is not UTF-8, or holds a NUL byte"),
    "BodyTooDeep": (HTTPStatus.BAD_REQUEST, "the body is nested deeper than 32 levels"),
    "ForeignOrigin": (HTTPStatus.FORBIDDEN, "this request comes from another site's page"),
    "NotFound": (
        HTTPStatus.NOT_FOUND,
        "there is nothing at this address; /openapi.json lists what there is",
    ),
    "MethodNotAllowed": (HTTPStatus.METHOD_NOT_ALLOWED, "this address does not take this method"),
    "BodyTooSlow": (HTTPStatus.REQUEST_TIMEOUT, "the body did not arrive in time"),
    "BodyTooLarge": (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the body is larger than 1 MiB"),
    "AddressTooLong": (HTTPStatus.REQUEST_URI_TOO_LONG, "the address is longer than 48 KiB"),
    "WrongHost": (HTTPStatus.MISDIRECTED_REQUEST, "this server answers to its own address alone"),
    "Invalid": (
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "the request does not fit its description in /openapi.json",
    ),
    "HeadersTooLarge": (
        HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
        "there are more than 100 header fields, or more than 16 KiB of them",
    ),
    "Unforeseen": (
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "this is a mistake in Memoranda, not yours; the server's log names the place",
    ),
}


class Json(JSONResponse):
    """JSON in ASCII with escapes: it carries any text, half characters too, and reorders nothing on a terminal."""

    def render(self, content: Any) -> bytes:
        """The document."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


class Problem(Json):
    """A problem (RFC 9457)."""

    media_type = MEDIA


def status_of(error: MemorandaError) -> HTTPStatus:
    """The status that an error of ours is answered with."""
    return status_of_kind(type(error))


def status_of_kind(kind: type[MemorandaError]) -> HTTPStatus:
    """The status that errors of this kind are answered with."""
    return next(status for known, status in STATUS if issubclass(kind, known))


def problem(
    status: int, detail: str, kind: str = "about:blank", errors: Sequence[Mapping[str, str]] = ()
) -> Mapping[str, object]:
    """The body of a problem. `kind` names it: `urn:memoranda:problem:NAME`. `errors`: what does not fit, one by one."""
    title = HTTPStatus(status).phrase
    body = {"type": kind, "title": title, "status": int(status), "detail": detail}
    return {**body, "errors": list(errors)} if errors else body


def kind_of(error: MemorandaError) -> str:
    """The name of an error of ours, as `type` of its problem."""
    return PREFIX + type(error).__name__


def told(error: MemorandaError) -> Problem:
    """An error of ours as the answer for a program."""
    status = status_of(error)
    return Problem(problem(status, str(error), kind_of(error)), status)


def own(
    name: str,
    errors: Sequence[Mapping[str, str]] = (),
    headers: Mapping[str, str] | None = None,
) -> Problem:
    """A problem of `OWN` as the answer for a program."""
    status, detail = OWN[name]
    return Problem(problem(status, detail, PREFIX + name, errors), status, dict(headers or {}))
