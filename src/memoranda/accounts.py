"""What is told when somebody asks: how far a fact came, all that is known of a subject, pages of long lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from memoranda.types import Change, Fact, LoggedMessage, Operation, Recalled


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a path: `fact` was written by `run` after a recall there, or was derived (then `run` is None)."""

    fact: str
    run: str | None = None


@dataclass(frozen=True, slots=True)
class Reached:
    """A fact that another may have shaped, with the shortest path to it."""

    fact: Fact
    path: tuple[Hop, ...]


@dataclass(frozen=True, slots=True)
class Blast:
    """How far a fact came: where it was put before a model, and what was written there since, and of that again."""

    fact: Fact
    recalled: tuple[Recalled, ...]
    reached: tuple[Reached, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """One fact of an export: its row, its changes, and when it was put before a model."""

    fact: Fact
    changes: tuple[Change, ...]
    recalled: tuple[Recalled, ...]


@dataclass(frozen=True, slots=True)
class Export:
    """All that is known of a subject: facts of every state with their provenance, and messages. No secrets."""

    subject: str
    at: datetime
    facts: tuple[Known, ...]
    messages: tuple[LoggedMessage, ...]


# Pages of long lists. `after` and `before` are places to go on from, None where there is nothing more.


@dataclass(frozen=True, slots=True)
class FactsPage:
    """Facts, newest first. after: gives the older ones behind them; before: the newer ones in front of them.

    A page may hold fewer than it was asked for, even none, and still have a place to go on from: what is rare is looked
    for in pieces.
    """

    facts: tuple[Fact, ...]
    after: str | None = None
    before: str | None = None


@dataclass(frozen=True, slots=True)
class SubjectsPage:
    """Subjects by name, each with its number of live facts, counted up to `most`: there it means that many or more."""

    subjects: tuple[tuple[str, int], ...]
    after: str | None = None
    most: int = 1000


@dataclass(frozen=True, slots=True)
class RunEntry:
    """A run that wrote facts: how many, when the first and the last was stored, and of what is still believed or held.

    subjects and standing (the number of its facts that are live or wait for a person) are of its newest `most` facts:
    of all, where `facts` is not over that. live and live_subjects: the same of those that are believed.
    """

    run: str
    facts: int
    standing: int
    first: datetime
    last: datetime
    subjects: tuple[str, ...]
    most: int = 1000
    live: int = 0
    live_subjects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunsPage:
    """Runs, the one that wrote last first."""

    runs: tuple[RunEntry, ...]
    after: str | None = None


@dataclass(frozen=True, slots=True)
class OperationEntry:
    """An operation in a list: of the facts it changed (`count`) the operation names a few only."""

    operation: Operation
    count: int


@dataclass(frozen=True, slots=True)
class OperationsPage:
    """Operations, newest first."""

    operations: tuple[OperationEntry, ...]
    after: str | None = None


@dataclass(frozen=True, slots=True)
class SessionEntry:
    """A session of the log: its number of messages, and the times of the first and the last."""

    session: str
    messages: int
    first: datetime
    last: datetime


@dataclass(frozen=True, slots=True)
class SessionsPage:
    """Sessions, the one that was spoken in last first; one that goes on meanwhile moves to the front."""

    sessions: tuple[SessionEntry, ...]
    after: str | None = None


@dataclass(frozen=True, slots=True)
class LogPage:
    """Messages of a session in order. after and before: numbers to go on from; receipts: what was recalled for a
    message, by its number."""

    session: SessionEntry
    messages: tuple[LoggedMessage, ...]
    after: int | None = None
    before: int | None = None
    receipts: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StepEntry:
    """A step as it was logged: its number (None: none was given), its messages, the numbers and times of its ends."""

    step: int | None
    messages: int
    first: int
    last: int
    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class ReceiptEntry:
    """A receipt in a list. message: the number of the message in its session that it was for (None: it was for none, or
    was stored before that was kept); chosen and left_out: how many."""

    id: str
    session: str | None
    run: str | None
    at: datetime
    subjects: tuple[str, ...]
    considered: int
    tokens: int
    message: int | None
    chosen: int
    left_out: int


@dataclass(frozen=True, slots=True)
class RecordedItem:
    """A fact or a turn that a recall considered. score: as it was then. reason: why it was left out, None if chosen.

    fact: the fact as it stands now, message: the turn's; None where it is erased, or the id names one of the others.
    """

    id: str
    score: float
    reason: str | None
    fact: Fact | None = None
    message: LoggedMessage | None = None


@dataclass(frozen=True, slots=True)
class RecordedReceipt:
    """A receipt as it is stored, without what was erased since, best first. `step`: that of its message."""

    entry: ReceiptEntry
    step: int | None
    chosen: tuple[RecordedItem, ...]
    left_out: tuple[RecordedItem, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """What there is of live facts, of facts that wait for a person, of subjects and sessions.

    Each is counted up to `most`: that number means so many or more.
    """

    live: int
    pending: int
    subjects: int
    sessions: int
    most: int


@dataclass(frozen=True, slots=True)
class FilesOf:
    """A subject with files in the store: how many, their size in bytes, when one was last written."""

    subject: str
    files: int
    bytes: int
    written: datetime | None


@dataclass(frozen=True, slots=True)
class FilesPage:
    """Subjects with files in the store, by name."""

    subjects: tuple[FilesOf, ...]
    after: str | None = None
