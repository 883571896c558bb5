"""Exit codes: one table, compared with docs/commands.md by a test."""

from __future__ import annotations

from collections.abc import Mapping

from memoranda.errors import (
    EmbedderError,
    FilesError,
    FilesUnavailable,
    IngestError,
    MemorandaError,
    MessageError,
    MissingExtra,
    ModelError,
    NotAllowed,
    PathRefused,
    StoreError,
    UndoConflict,
    UnknownFact,
    UnknownOperation,
    UnknownSession,
    UsageError,
)
from memoranda.types import Outcome, Verdict

DONE, NOT_DONE, USAGE, STORE, INPUT, PART = 0, 1, 2, 3, 4, 5
BUG, INTERRUPTED, PIPE = 70, 130, 141

MEANING: Mapping[int, str] = {
    DONE: "done; accepted, confirmed, or held for a person (and said so)",
    NOT_DONE: "not done: refused by the gate, not allowed, answered with no, or nothing of that name",
    USAGE: "the command line, an answer or the settings file is wrong; nothing was touched",
    STORE: "the store is missing, not ours, damaged, newer, busy or full",
    INPUT: "a file or line that cannot be read, or an output that cannot be written",
    PART: "a model or an embedder that does not answer, or an optional part that is not installed",
    BUG: "a mistake in Memoranda",
    INTERRUPTED: "interrupted (Ctrl-C)",
    PIPE: "whoever read the output went away",
}

# First match wins: the narrow ones stand before their bases.
BY_ERROR: tuple[tuple[type[MemorandaError], int], ...] = (
    (UnknownFact, NOT_DONE),
    (UnknownSession, NOT_DONE),
    (UnknownOperation, NOT_DONE),
    (UndoConflict, NOT_DONE),
    (NotAllowed, NOT_DONE),
    (PathRefused, USAGE),
    (FilesUnavailable, STORE),
    (FilesError, NOT_DONE),
    (UsageError, USAGE),
    (StoreError, STORE),
    (IngestError, INPUT),
    (MessageError, INPUT),
    (ModelError, PART),
    (EmbedderError, PART),
    (MissingExtra, PART),
    (MemorandaError, USAGE),
)


def code_of(error: MemorandaError) -> int:
    """The exit code for an error raised on purpose."""
    return next(code for kind, code in BY_ERROR if isinstance(error, kind))


def code_of_outcome(outcome: Outcome) -> int:
    """Refused is not done; held is done, because the item waits and the command said so."""
    return NOT_DONE if outcome.status is Verdict.REFUSED else DONE
