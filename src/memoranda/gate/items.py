"""What comes to the gate, and what leaves it. A fact comes as a `Draft`; the other kinds of item stand here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from memoranda.messages import Message
from memoranda.types import Draft, Receipt, Trust


@dataclass(frozen=True, slots=True)
class LogItem:
    """Messages to append to a session's log, in order, with the receipt of what was recalled for them."""

    session: str
    subject: str
    messages: tuple[Message, ...]
    run: str | None = None
    step: int | None = None
    receipt: Receipt | None = None
    times: tuple[int | None, ...] = ()


class FileVerb(StrEnum):
    """What was done to a file. `OUTSIDE`: somebody changed it by other means than ours, and we noticed."""

    CREATED = "created"
    MODIFIED = "modified"
    RENAMED = "renamed"
    RESTORED = "restored"
    DELETED = "deleted"
    OUTSIDE = "outside"


@dataclass(frozen=True, slots=True)
class FileItem:
    """A file as it will be: the whole resulting text, so that what comes in pieces is seen whole.

    root: "" for rows, else the folder. text: None when the file goes. mark: why its text is data and no instruction
    ("" when it is not): `external` (written while external text was in the window), `outside` (by other means
    than ours). sha256: of the text as it stands on disk, for an outside edit. source: the other path of a renaming.
    clean: the text before, which the gate let through, so that only what is near a change need be looked at.
    """

    subject: str
    root: str
    path: str
    text: str | None
    verb: FileVerb
    actor: str
    mark: str = ""
    run: str | None = None
    step: int | None = None
    source: str | None = None
    sha256: str = ""
    clean: str | None = None


Item = Draft | LogItem | FileItem
It = TypeVar("It", Draft, LogItem, FileItem)


@dataclass(frozen=True, slots=True)
class Approval:
    """A person's word that an item may be read. Made by a `Reviewer` alone; no agent is handed one."""

    name: str


@dataclass(frozen=True, slots=True)
class Admission(Generic[It]):
    """The gate's leave to store an item. Made by `gate.admit` alone; every writer of a durable place asks for one.

    item: cleaned and screened. trust: as far as its origin and sources are believed. hold: it waits for a
    person. reasons: why. approval: the person who released it, if one did.
    """

    item: It
    trust: Trust
    hold: bool = False
    reasons: tuple[str, ...] = ()
    approval: Approval | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """The gate's no, with its reasons. Holds nothing of the item."""

    reasons: tuple[str, ...]


Judged = Admission[Draft] | Admission[LogItem] | Admission[FileItem] | Refusal
