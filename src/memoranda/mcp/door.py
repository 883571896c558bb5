"""What the tools of one client share: the memory, what was granted, the run it writes as, its files."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.mcpserver import Context

from memoranda.aio import AsyncFiles, AsyncReviewer
from memoranda.errors import FileMissing, UnknownFact
from memoranda.facts.lifetimes import over
from memoranda.types import Fact, Outcome, Status, Verdict

if TYPE_CHECKING:
    from memoranda.aio import AsyncMemory
    from memoranda.mcp.grant import Grant

# So many statements that wait are known by their words; of older ones the gate is asked anew.
MOST_WAITING = 100
# After so many noes a person is left in peace: what is proposed waits for a review.
PATIENCE = 3


@dataclass(slots=True)
class Door:
    """One running server. run: what it writes belongs to it, so that a person can roll it back as one."""

    memory: AsyncMemory
    grant: Grant
    run: str = ""
    noes: int = 0
    _step: int = 0
    _waiting: dict[tuple[str, ...], Outcome] = field(default_factory=dict)
    _files: dict[str, AsyncFiles] = field(default_factory=dict)
    _opening: anyio.Lock = field(default_factory=anyio.Lock)

    def __post_init__(self) -> None:
        self.run = self.run or self.memory.core.ids.new("mcp_")

    @property
    def source(self) -> str:
        """What stands beside a fact as its source: the owner's name for the client."""
        return f"mcp:{self.grant.client}"

    def step(self) -> int:
        """The number of the next write."""
        self._step += 1
        return self._step

    def reviewer(self) -> AsyncReviewer | None:
        """The person whom the client speaks for; the log says by which door they decided."""
        name = self.grant.speaks_for
        if name is None:
            return None
        return AsyncReviewer(replace(self.memory.core, actor=self.source), name)

    async def fact(self, fact_id: str) -> Fact:
        """A live fact of a granted subject. `UnknownFact` for all else: a client learns nothing of what waits."""
        core = self.memory.core
        fact = await self.memory.show(fact_id)
        readable = fact.status is Status.LIVE and not over(fact, core.settings, core.clock.now())
        if not readable or fact.subject not in self.grant.subjects:
            raise UnknownFact(fact_id)
        return fact

    async def once(
        self, words: tuple[str, ...], offer: Callable[[], Awaitable[Outcome]]
    ) -> Outcome:
        """Offer something, once while it waits: the answer to a question about it calls the same tool again."""
        if (known := self._waiting.get(words)) and await self._waits(known.id or ""):
            return known
        self._waiting.pop(words, None)
        outcome = await offer()
        if outcome.status is Verdict.HELD:
            self._waiting[words] = outcome
        while len(self._waiting) > MOST_WAITING:
            del self._waiting[next(iter(self._waiting))]
        return outcome

    async def _waits(self, fact_id: str) -> bool:
        core = self.memory.core
        try:
            fact = await self.memory.show(fact_id)
        except UnknownFact:  # erased since
            return False
        return fact.status is Status.PENDING and not over(fact, core.settings, core.clock.now())

    async def files(self) -> AsyncFiles:
        """The memory directory: the files of the first subject."""
        return await self._opened(self.grant.subjects[0], None)

    async def project(self, *, make: bool = False) -> AsyncFiles:
        """The files that hold the project; without `make` no folder is made for them."""
        folder = self.grant.project_folder
        if folder is not None and not make and not await anyio.Path(folder).is_dir():
            raise FileMissing("there is no project here; make one with project_init")
        return await self._opened(self.grant.project, folder)

    async def _opened(self, subject: str, folder: str | None) -> AsyncFiles:
        key = f"{subject}\n{folder or ''}"
        async with self._opening:
            if key not in self._files:
                # Nobody here sees the client's window, so text from outside may stand in it at any write.
                self._files[key] = await self.memory.files(
                    subject, folder=folder, run=self.run, external=True
                )
            return self._files[key]

    async def close(self) -> None:
        """Let go of the files."""
        for files in self._files.values():
            await files.close()
        self._files.clear()


def door_of(context: Context[Any, Any]) -> Door:
    """The door behind a tool's context."""
    door = context.request_context.lifespan_context
    assert isinstance(door, Door)
    return door
