"""Talking to the server as clients do: inside this process or as a process of its own, on either wire."""

import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp_types import ElicitResult

import memoranda
from memoranda.aio import AsyncMemory
from memoranda.mcp import Grant, build

SOURCE = Path(memoranda.__file__).resolve().parents[1]
MODES = ("auto", "legacy")
ME = Grant()
ASHA = Grant(("user:asha",), speaks_for="asha")


class Person:
    """Whoever answers for a client. asked: the questions, word for word."""

    def __init__(self, action: str, approve: bool = True) -> None:
        self.action, self.approve = action, approve
        self.asked: list[str] = []

    async def __call__(self, context: Any, params: Any) -> ElicitResult:
        self.asked.append(params.message)
        content = {"approve": self.approve} if self.action == "accept" else None
        return ElicitResult(action=self.action, content=content)


@asynccontextmanager
async def inside(
    memory: AsyncMemory, grant: Grant = ME, mode: str = "auto", person: Person | None = None
) -> AsyncIterator[Client]:
    """A client of a server in this process."""
    async with Client(build(memory, grant), mode=mode, elicitation_callback=person) as client:
        yield client


def parameters(db: Path, *options: str) -> StdioServerParameters:
    """The command as a client starts it."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("MEMORANDA_", "XDG_"))}
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "memoranda.cli", "mcp", "--no-project", *options],
        env={**kept, "HOME": str(db.parent), "MEMORANDA_DB": str(db), "PYTHONPATH": str(SOURCE)},
        cwd=str(db.parent),
    )


def run(body: Callable[[AsyncMemory], Awaitable[None]], db: Path | str = ":memory:") -> None:
    """Run a test over an open memory."""

    async def opened() -> None:
        async with await AsyncMemory.open(db) as memory:
            await body(memory)

    anyio.run(opened)


def text_of(result: Any) -> str:
    """What a model reads."""
    return "\n".join(block.text for block in result.content)
