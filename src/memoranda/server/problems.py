"""What went wrong, as an answer: problem+json (RFC 9457) under /v1, a page elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from memoranda.errors import (
    FileChanged,
    FileExists,
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
    UnknownSession,
    UsageError,
)

# First match wins: the narrow ones stand before their bases.
STATUS: tuple[tuple[type[MemorandaError], HTTPStatus], ...] = (
    (UnknownFact, HTTPStatus.NOT_FOUND),
    (UnknownOperation, HTTPStatus.NOT_FOUND),
    (UnknownSession, HTTPStatus.NOT_FOUND),
    (FileMissing, HTTPStatus.NOT_FOUND),
    (NotAllowed, HTTPStatus.FORBIDDEN),
    (UndoConflict, HTTPStatus.CONFLICT),
    (FileChanged, HTTPStatus.CONFLICT),
    (FileExists, HTTPStatus.CONFLICT),
    (FilesUnavailable, HTTPStatus.SERVICE_UNAVAILABLE),
    (FilesError, HTTPStatus.UNPROCESSABLE_ENTITY),
    (UsageError, HTTPStatus.UNPROCESSABLE_ENTITY),
    (StoreBusy, HTTPStatus.SERVICE_UNAVAILABLE),
    (StoreFull, HTTPStatus.INSUFFICIENT_STORAGE),
    (StoreError, HTTPStatus.SERVICE_UNAVAILABLE),
    (MemorandaError, HTTPStatus.INTERNAL_SERVER_ERROR),
)


def status_of(error: MemorandaError) -> HTTPStatus:
    """The status that an error of ours is answered with."""
    return next(status for kind, status in STATUS if isinstance(error, kind))


def problem(status: int, detail: str, kind: str = "about:blank") -> Mapping[str, object]:
    """The body of a problem. `kind` names it: `urn:memoranda:problem:NAME`."""
    title = HTTPStatus(status).phrase
    return {"type": kind, "title": title, "status": int(status), "detail": detail}


def kind_of(error: MemorandaError) -> str:
    """The name of an error of ours, as `type` of its problem."""
    return f"urn:memoranda:problem:{type(error).__name__}"
