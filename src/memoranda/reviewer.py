"""Reviewer: the only object that can approve. It has a person's name and is never handed to an agent."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from types import TracebackType
from typing import Self

from memoranda.core import Core
from memoranda.facts import review
from memoranda.ports import Clock, Ids, Screen
from memoranda.settings import Settings
from memoranda.step import step as _step
from memoranda.types import Fact, Outcome
from memoranda.wiring import assemble, open_blocking


class Reviewer:
    """A named person's door to what is held: read it, approve it, edit and approve it, reject it.

    with Reviewer.open("memory.db", name="asha") as r:
        for fact in r.pending():
            r.approve(fact.id)
    """

    def __init__(self, core: Core, name: str) -> None:
        self.core = core
        self.name = name

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        *,
        name: str,
        tenant: str = "default",
        settings: Settings | None = None,
        clock: Clock | None = None,
        ids: Ids | None = None,
        screens: Sequence[Screen] = (),
    ) -> Self:
        """Open an existing store for the reviewer `name`. Raises `StoreMissing`; an empty name is a `UsageError`."""
        settings = settings or Settings()
        actor = review.reviewer_actor(name)
        store = _step(open_blocking(path, create=False, busy_seconds=settings.busy_seconds))
        return cls(
            assemble(
                store,
                tenant=tenant,
                settings=settings,
                actor=actor,
                clock=clock,
                ids=ids,
                screens=screens,
            ),
            name,
        )

    def close(self) -> None:
        """Close the store. Calling it twice is harmless."""
        _step(self.core.store.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _step(self.core.store.close())

    def pending(self, *, subject: str | None = None) -> list[Fact]:
        """What waits for a person, oldest first."""
        return _step(review.pending(self.core, subject=subject))

    def approve(self, fact_id: str, *, text: str | None = None) -> Outcome:
        """Make a held fact live; with `text` an edited one in its place. Raises `UnknownFact`, `NotAllowed`."""
        return _step(review.approve(self.core, self.name, fact_id, text=text))

    def approve_all(self, fact_ids: Sequence[str]) -> list[Outcome]:
        """Make several held facts live in one transaction."""
        return _step(review.approve_all(self.core, self.name, fact_ids))

    def reject(self, fact_ids: Sequence[str], *, why: str = "") -> int:
        """Turn held facts down; they stay for the trace and are never recalled. Returns how many."""
        return _step(review.reject(self.core, self.name, fact_ids, why=why))
