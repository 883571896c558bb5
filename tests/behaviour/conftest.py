"""One suite for both faces: every test here runs on Memory, and on AsyncMemory through an adapter that awaits."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memoranda.aio import AsyncFiles, AsyncMemory, AsyncReviewer, AsyncWindow
from memoranda.memory import Memory
from memoranda.reviewer import Reviewer
from memoranda.testing import ManualClock, SequentialIds

ME = "user:me"
FACES = (AsyncFiles, AsyncWindow)


class Awaited:
    """An awaited face that looks like the blocking one: each call runs to its end in one runner."""

    def __init__(self, inner: Any, run: Callable[[Any], Any]) -> None:
        self.inner, self.run = inner, run

    def __getattr__(self, name: str) -> Any:
        member = getattr(self.inner, name)
        if not callable(member):
            return member

        def call(*args: Any, **named: Any) -> Any:
            result = member(*args, **named)
            if inspect.isawaitable(result):
                result = self.run(result)
            return Awaited(result, self.run) if isinstance(result, FACES) else result

        return call


class World:
    """A store on disk with a clock that stands still; opens as many memories and reviewers on it as a test wants."""

    def __init__(self, face: str, folder: Path) -> None:
        self.face = face
        self.path = folder / "memory.db"
        self.clock = ManualClock()
        self.ids = SequentialIds()
        self.runner = asyncio.Runner() if face == "awaited" else None
        self.opened: list[Any] = []

    def memory(self, **named: Any) -> Any:
        return self._open(Memory, AsyncMemory, **named)

    def reviewer(self, name: str = "asha", **named: Any) -> Any:
        return self._open(Reviewer, AsyncReviewer, name=name, **named)

    def _open(self, blocking: Any, awaited: Any, **named: Any) -> Any:
        named = {"clock": self.clock, "ids": self.ids, **named}
        if self.runner is None:
            face = blocking.open(self.path, **named)
        else:
            face = Awaited(self.runner.run(awaited.open(self.path, **named)), self.runner.run)
        self.opened.append(face)
        return face

    def bytes(self) -> bytes:
        """Every byte of every file of the store."""
        return b"".join(
            file.read_bytes() for file in sorted(self.path.parent.glob(f"{self.path.name}*"))
        )

    def close(self) -> None:
        for face in self.opened:
            face.close()
        if self.runner is not None:
            self.runner.close()


@pytest.fixture(params=["blocking", "awaited"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    here = World(request.param, tmp_path)
    yield here
    here.close()


@pytest.fixture
def m(world: World) -> Any:
    return world.memory()


@pytest.fixture
def asha(world: World, m: Any) -> Any:
    """A person who may approve (after the memory, which makes the store)."""
    return world.reviewer()


@pytest.fixture
def clock(world: World) -> ManualClock:
    return world.clock
