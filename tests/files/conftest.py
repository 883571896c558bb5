"""Every test of files runs on rows and on a folder, and on both faces."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memoranda.aio import AsyncMemory
from memoranda.memory import Memory
from memoranda.settings import Settings
from memoranda.testing import ManualClock

SUBJECT = "agent:test"


class Awaited:
    """An awaited face that looks like the blocking one: each call runs to its end in one runner."""

    def __init__(self, inner: Any, run: Callable[[Any], Any]) -> None:
        self.inner, self.run = inner, run

    def __getattr__(self, name: str) -> Any:
        member = getattr(self.inner, name)
        if not callable(member):
            return member

        def call(*args: Any, **named: Any) -> Any:
            named = {k: v.inner if isinstance(v, Awaited) else v for k, v in named.items()}
            result = member(*args, **named)
            if inspect.isawaitable(result):
                result = self.run(result)
            wrapped = type(result).__name__ in ("AsyncFiles", "AsyncWindow")
            return Awaited(result, self.run) if wrapped else result

        return call


class Place:
    """A store and a folder in a box of their own; `open` gives the files, again and again."""

    def __init__(self, box: Path, kind: str, colour: str) -> None:
        self.box, self.kind, self.colour = box, kind, colour
        self.root = box / "memories"
        self.clock = ManualClock()
        self.runner = asyncio.Runner() if colour == "async" else None
        self.opened: list[Any] = []

    def memory(self, **settings: Any) -> Any:
        place = self.box / "memory.db"
        chosen = Settings(**settings)
        if self.runner is None:
            memory: Any = Memory.open(place, settings=chosen, clock=self.clock)
        else:
            made = self.runner.run(AsyncMemory.open(place, settings=chosen, clock=self.clock))
            memory = Awaited(made, self.runner.run)
        self.opened.append(memory)
        return memory

    def open(self, memory: Any = None, **named: Any) -> Any:
        memory = memory or (self.opened[0] if self.opened else self.memory())
        if self.kind == "folder":
            named.setdefault("folder", self.root)
        return memory.files(SUBJECT, **named)

    def close(self) -> None:
        for memory in self.opened:
            memory.close()
        if self.runner is not None:
            self.runner.close()


@pytest.fixture(params=["rows", "folder"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["blocking", "async"])
def colour(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def place(tmp_path: Path, kind: str, colour: str) -> Iterator[Place]:
    made = Place(tmp_path, kind, colour)
    yield made
    made.close()


@pytest.fixture
def folder(tmp_path: Path, colour: str) -> Iterator[Place]:
    made = Place(tmp_path, "folder", colour)
    yield made
    made.close()


@pytest.fixture
def files(place: Place) -> Any:
    return place.open()
