"""Rows of `agent_facts` as values, and back. The column order is that of `Fact` (a test compares)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from memoranda.core import Core
from memoranda.errors import UnknownFact, UsageError
from memoranda.gate.clean import sentence
from memoranda.gate.draft import LONGEST_NAME
from memoranda.gate.screen.messages import screened_text
from memoranda.ports import Row, Tx
from memoranda.types import Draft, Fact, Kind, Origin, Status, Trust, from_micros, to_micros

TIMES = ("created_at", "observed_at", "expires_at", "superseded_at", "retired_at", "approved_at")
LISTS = ("tags", "derived_from")
CORRECTS = "correct:"
FORGETS = "forget:"
COLUMNS = tuple(Fact.__dataclass_fields__)


def _read(column: str) -> Callable[[Any], Any] | None:
    """What makes a column's value of what is stored; None: it is the same."""
    if column in TIMES:
        return lambda micros: None if micros is None else from_micros(micros)
    if column in LISTS:
        return lambda text: () if text == "[]" else tuple(json.loads(text))
    # Looked up and not called: a page or a recall reads many rows.
    words: dict[str, Callable[[Any], Any]] = {
        "kind": {str(kind): kind for kind in Kind}.__getitem__,
        "origin": {str(origin): origin for origin in Origin}.__getitem__,
        "trust": {int(trust): trust for trust in Trust}.__getitem__,
        "status": {str(status): status for status in Status}.__getitem__,
        "polarity": bool,
    }
    return words.get(column)


_READERS = tuple((n, read) for n, column in enumerate(COLUMNS) if (read := _read(column)))


def fact_of(row: Row) -> Fact:
    """The `Fact` of a row of the queries that name all columns."""
    values = list(row)
    for n, read in _READERS:
        values[n] = read(values[n])
    return Fact(*values)


async def fact_by_id(source: Any, tenant: str, fact_id: str) -> Fact:
    """The fact with this id; `UnknownFact` if the tenant has none. `source` is a store or a transaction."""
    if not isinstance(fact_id, str):
        raise UsageError(f"a fact's id must be a string, not {type(fact_id).__name__}: fact.id")
    found = await source.rows("fact", tenant=tenant, id=fact_id)
    if not found:
        raise UnknownFact(fact_id)
    return fact_of(found[0])


def as_draft(fact: Fact) -> Draft:
    """A stored fact as the draft it came from, without what its state adds."""
    return Draft(
        text=fact.fact,
        subject=fact.subject,
        kind=fact.kind,
        attribute=fact.attribute,
        value=fact.value,
        polarity=fact.polarity,
        tags=fact.tags,
        origin=fact.origin,
        run=fact.source_run,
        step=fact.source_step,
        source_ref=fact.source_ref,
        quote=fact.quote,
        derived_from=fact.derived_from,
        confidence=fact.confidence,
        observed_at=to_micros(fact.observed_at),
        durable_reason=fact.durable_reason,
        replaces=_corrects(fact),
    )


def to_forget(fact: Fact) -> str | None:
    """The fact that a held row proposes to forget."""
    ref = fact.source_ref or ""
    return ref.removeprefix(FORGETS) if ref.startswith(FORGETS) else None


def _corrects(fact: Fact) -> str | None:
    """The fact that a held correction is about. The gate lets nobody else write such a reference."""
    ref = fact.source_ref or ""
    return ref.removeprefix(CORRECTS) if ref.startswith(CORRECTS) else None


@dataclass(frozen=True, slots=True)
class State:
    """The columns of a fact that change. Each change is a row of `fact_states` too."""

    status: str = Status.LIVE
    expires_at: int | None = None
    superseded_by: str | None = None
    superseded_at: int | None = None
    retired_at: int | None = None
    retired_why: str | None = None
    approved_by: str | None = None
    approved_at: int | None = None
    pinned_by: str | None = None

    def but(self, **changes: Any) -> State:
        """The same state with some columns changed."""
        return replace(self, **changes)

    def columns(self) -> dict[str, Any]:
        """The state as query parameters."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Pen:
    """What a write body writes with: the transaction, the operation all its changes belong to, and the moment."""

    core: Core
    tx: Tx
    operation: str
    now: int

    async def state(self, fact_id: str) -> State:
        """The fact's present state; `UnknownFact` if there is none."""
        found = await self.tx.rows("state", tenant=self.core.tenant, id=fact_id)
        if not found:
            raise UnknownFact(fact_id)
        return State(*found[0])

    async def bump(self, subject: str) -> int:
        """The subject's next change number: the first statement of every change."""
        return int(
            (await self.tx.rows("bump_subject", tenant=self.core.tenant, subject=subject))[0][0]
        )

    async def change(self, fact_id: str, subject: str, state: State) -> None:
        """Give a fact a new state and log it."""
        await self.tx.run("set_state", tenant=self.core.tenant, fact_id=fact_id, **state.columns())
        await self.log(fact_id, await self.bump(subject), state)

    async def log(self, fact_id: str, n: int, state: State) -> None:
        """Write down the state a fact has from now on."""
        await self.tx.run(
            "add_state",
            tenant=self.core.tenant,
            fact_id=fact_id,
            n=n,
            operation=self.operation,
            changed_at=self.now,
            **state.columns(),
        )

    def reason(self, why: str | None) -> str | None:
        """A person's reason as it is kept: one line without secrets; None for none."""
        if why is not None and not isinstance(why, str):
            raise UsageError("a reason is a text")
        return sentence(screened_text(why or "", self.core.screens))[:LONGEST_NAME] or None

    async def sign(
        self,
        verb: str,
        *,
        why: str | None = None,
        run: str | None = None,
        subject: str | None = None,
        undo_of: str | None = None,
        actor: str | None = None,
    ) -> None:
        """Enter the operation itself into the log."""
        await self.tx.run(
            "add_operation",
            tenant=self.core.tenant,
            id=self.operation,
            at=self.now,
            actor=actor or self.core.actor,
            verb=verb,
            why=self.reason(why),
            run=run,
            subject=subject,
            undo_of=undo_of,
        )


def pen(core: Core, tx: Tx) -> Pen:
    """A pen for one operation in this transaction."""
    return Pen(core, tx, core.ids.new("o_"), core.clock.now())
