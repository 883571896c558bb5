"""Between the gate's look and the write others may have been there: what counts is what stands when it is written."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from memoranda.core import Core
from memoranda.facts import bulk, erase
from memoranda.gate.admit import admit
from memoranda.gate.draft import draft
from memoranda.memory import Memory
from memoranda.step import step
from memoranda.types import Verdict

ME = "user:me"


class Interrupted:
    """A store in which somebody else is quicker: `first` happens just before the first transaction."""

    def __init__(self, store: Any, first: Callable[[], Awaitable[object]]) -> None:
        self.store, self.first = store, first

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    async def atomic(self, body: Any) -> Any:
        await self.first()
        return await self.store.atomic(body)


@pytest.mark.parametrize(
    ("takes_back", "verdict", "reason"),
    [
        (bulk.retire, Verdict.HELD, "source-not-live"),
        (erase.erase, Verdict.REFUSED, "unknown-source"),
    ],
    ids=["retired", "erased"],
)
def test_a_source_that_goes_between_look_and_write_carries_nothing(
    takes_back: Callable[[Core, str], Awaitable[object]], verdict: Verdict, reason: str
) -> None:
    with Memory.open(":memory:") as m:
        source = m.remember("The user owns a kayak.", subject=ME, origin="user").id
        assert source is not None
        item = draft("The user can paddle.", subject=ME, origin="user", derived_from=[source])
        store: Any = Interrupted(m.core.store, lambda: takes_back(m.core, source))
        outcome = step(admit(replace(m.core, store=store), item))
        assert (outcome.status, outcome.reasons) == (verdict, (reason,))
        assert m.facts() == []
