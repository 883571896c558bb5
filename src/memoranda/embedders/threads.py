"""An embedder that works in place, for event loops: each call on a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextvars import copy_context

from memoranda.ports import Embedder, Space
from memoranda.step import step


class ThreadedEmbedder:
    """A blocking embedder that never blocks the loop.

    A cancelled call ends at once; the thread finishes its batch, and what it made is dropped.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder

    @property
    def space(self) -> Space:
        """That of the embedder behind it."""
        return self.embedder.space

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[bytes]:
        """One vector for each text."""

        def work() -> list[bytes]:
            return step(self._flow(texts, query))

        return await asyncio.get_running_loop().run_in_executor(None, copy_context().run, work)

    async def _flow(self, texts: Sequence[str], query: bool) -> list[bytes]:
        return await self.embedder.embed(texts, query=query)
