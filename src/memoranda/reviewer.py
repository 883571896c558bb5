"""Reviewer: the only object that can approve. It has a person's name and is never handed to an agent."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath
from types import TracebackType
from typing import Self

from memoranda.core import Core
from memoranda.facts import batch, pins, review
from memoranda.files import opening
from memoranda.ports import Clock, Ids, Screen
from memoranda.settings import Settings
from memoranda.step import step as _step
from memoranda.types import Fact, Origin, Outcome, ReviewItem
from memoranda.wiring import (
    assemble,
    blocking_tree,
    chosen_settings,
    identified,
    open_blocking,
)


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
        """Open an existing store for the reviewer `name`. Raises `StoreMissing`; `UsageError` for no name."""
        name = review.reviewer_name(name)
        settings = chosen_settings(settings)
        tenant, actor = identified(tenant, f"reviewer:{name}", settings)
        store = _step(open_blocking(path, create=False, busy_seconds=settings.busy_seconds))
        return cls(
            assemble(
                store,
                open_tree=blocking_tree,
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
        return _step(batch.held(self.core, subject=subject))

    def batch(
        self,
        *,
        subject: str | None = None,
        source: str | None = None,
        run: str | None = None,
        origin: Origin | None = None,
        limit: int | None = None,
    ) -> list[ReviewItem]:
        """What waits, oldest first, each with the gate's reasons, flags, and what approval would replace."""
        return _step(
            batch.batch(
                self.core, subject=subject, source=source, run=run, origin=origin, limit=limit
            )
        )

    def approve(self, fact_id: str, *, text: str | None = None) -> Outcome:
        """Make a held fact live; with `text` an edited one in its place. Raises `UnknownFact`, `NotAllowed`."""
        return _step(review.approve(self.core, self.name, fact_id, text=text))

    def approve_all(self, fact_ids: Sequence[str]) -> list[Outcome]:
        """Make several held facts live in one transaction."""
        return _step(review.approve_all(self.core, self.name, fact_ids))

    def reject(self, fact_ids: Sequence[str], *, why: str = "") -> int:
        """Turn held facts down; they stay for the trace and are never recalled. Returns how many."""
        return _step(review.reject(self.core, self.name, fact_ids, why=why))

    def reject_all(
        self,
        *,
        source: str | None = None,
        run: str | None = None,
        origin: Origin | None = None,
        why: str = "",
    ) -> int:
        """Turn down all that is held from one source (`source_ref`), run or origin; all marks narrow together.

        One operation, which `undo` takes back. Returns how many. Without a mark: `ScopeMissing`.
        """
        return _step(
            review.reject_from(self.core, self.name, source=source, run=run, origin=origin, why=why)
        )

    def pin(self, fact_id: str) -> Outcome:
        """Keep a live fact in the standing block of its subject: before the model in every request, within its cap.

        The reason `over-cap`: more is pinned than fits; `Memory.standing` says what is left out. Windows notice at
        their next session or compaction. A pin makes nobody's word truer, and a fact expires with it as without.
        `undo` takes it back. Raises `UnknownFact`, and `NotAllowed` for what is not believed now.
        """
        return _step(pins.pin(self.core, self.name, fact_id))

    def unpin(self, fact_id: str) -> Outcome:
        """Pin it no longer; a window that has it leaves it out from its next call on. Raises `UnknownFact`."""
        return _step(pins.unpin(self.core, fact_id))

    def approve_file(
        self, subject: str, path: str, *, sha256: str, folder: str | PathLike[str] | None = None
    ) -> bool:
        """Let a file be read as rules or without a mark, as long as its text is the one with this sha256.

        False when it is another text by now, or when it holds a secret.
        """
        place = None if folder is None else fspath(folder)
        desk = _step(opening.open_desk(self.core, subject, folder=place))
        done = _step(opening.approve(desk, self.name, path, sha256=sha256))
        _step(desk.tree.close())
        return done
