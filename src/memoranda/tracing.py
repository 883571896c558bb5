"""The verbs that trace what is remembered and take it back: a part of the blocking face `Memory`."""

from __future__ import annotations

from memoranda.accounts import Blast, Export
from memoranda.core import Core
from memoranda.facts import blast, bulk, cohorts, erase, reading
from memoranda.sessions import log
from memoranda.step import step as _step
from memoranda.types import Erasure, Fact, Operation, Selection, Trace, from_micros


class Traced:
    """Where facts came from and how far they came; forget, roll back, undo, erase."""

    core: Core

    def why(self, fact_id: str) -> Trace:
        """Where a fact came from, what was done to it, its chain of versions and where it was recalled."""
        return _step(reading.why(self.core, fact_id))

    def blast(self, fact_id: str) -> Blast:
        """How far a fact came: the turns it was recalled in, what those runs wrote from then on, and so on again.

        Everything derived from any of these counts too; each with its path. Raises `UnknownFact`.
        """
        return _step(blast.blast(self.core, fact_id))

    def operations(self, *, limit: int = 50) -> list[Operation]:
        """The latest entries of the operation log, newest first."""
        return _step(reading.operations(self.core, limit=limit))

    def export(self, subject: str) -> Export:
        """All that is known of a subject: facts of every state with their provenance, and messages. No secrets."""
        facts = _step(reading.known(self.core, subject))
        messages = _step(log.of_subject(self.core, subject))
        return Export(subject, from_micros(self.core.clock.now()), facts, messages)

    def select(self, selection: Selection, *, erase: bool = False) -> list[Fact]:
        """What `retire` and `rollback` (or, with `erase`, `erase`) would take: the preview. Raises `ScopeMissing`."""
        return _step(cohorts.select(self.core, selection, everything=erase))

    def retire(self, selection: Selection | str, *, why: str = "") -> Operation:
        """Forget: the facts (an id or a selection) are never recalled again, kept for the trace.

        What was derived from them goes with them, in one transaction; `undo` takes it back.
        """
        return _step(bulk.retire(self.core, selection, why=why))

    def erase(self, selection: Selection | str) -> Erasure:
        """Remove facts from the bytes: rows, states, log, receipts, with their versions and what was derived from them.

        There is no undo. The report says what is left: bytes that an open reader kept (`maintain` clears them
        later), and what a person must look at.
        """
        return _step(erase.erase(self.core, selection))

    def rollback(
        self, run: str, *, steps: tuple[int, int] | None = None, why: str = ""
    ) -> Operation:
        """Retire what a run wrote (in these steps, first and last) and everything derived from that.

        What these facts had replaced holds again. One transaction; `undo` takes it back. The preview is
        `select(Selection(run=...))`.
        """
        return _step(bulk.rollback(self.core, run, steps=steps, why=why))

    def undo(self, operation: str | None = None) -> Operation:
        """Take back an operation (default: the latest that is not undone). Raises `UndoConflict`."""
        return _step(bulk.undo(self.core, operation))
