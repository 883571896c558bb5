"""What is told of facts when somebody asks: how far one came, and all that is known of a subject."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memoranda.types import Change, Fact, LoggedMessage, Recalled


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
