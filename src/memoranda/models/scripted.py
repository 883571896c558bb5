"""A model that says what it is told to: for tests, examples and demonstrations. Needs no network and no key."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memoranda.errors import ModelError
from memoranda.messages import Message, ToolCall, said
from memoranda.ports import Reply, Request, Usage

Line = (
    str | Message | Reply | BaseException | Sequence[ToolCall | tuple[str, Mapping[str, Any] | str]]
)


class ScriptedModel:
    """Gives prepared replies in order, or what a function makes of each request.

        ScriptedModel(["Hello.", [("read", {"path": "a.py"})], ModelError("down"), "Done."])
        ScriptedModel(lambda request: request.messages[-1].text.upper())

    A reply is a text, a message, a `Reply`, a list of tool calls (name and arguments; the latter as text stand
    as they are, garbage included), or an error, which is raised. `requests` records what was asked. `delay`:
    seconds before each reply. After the last reply of a list, `ModelError`.
    """

    def __init__(
        self,
        replies: Sequence[Line] | Callable[[Request], Line],
        *,
        name: str = "scripted",
        delay: float = 0.0,
        usage: Usage | None = None,
    ) -> None:
        self.name = name
        self.delay = delay
        self.usage = usage or Usage()
        self.requests: list[Request] = []
        self._replies = replies

    async def complete(self, request: Request) -> Reply:
        """The next reply."""
        self.requests.append(request)
        if self.delay:
            import asyncio

            await asyncio.sleep(self.delay)
        line = self._next(request)
        if isinstance(line, BaseException):
            raise line
        if isinstance(line, Reply):
            return line
        message = line if isinstance(line, Message) else self._message(line)
        return Reply(message, "tools" if message.calls else "end", self.usage)

    def _next(self, request: Request) -> Line:
        if callable(self._replies):
            return self._replies(request)
        if len(self.requests) > len(self._replies):
            raise ModelError(
                f"the script of {self.name!r} has no reply number {len(self.requests)}"
            )
        return self._replies[len(self.requests) - 1]

    def _message(
        self, line: str | Sequence[ToolCall | tuple[str, Mapping[str, Any] | str]]
    ) -> Message:
        if isinstance(line, str):
            return said("assistant", line)
        calls = (self._call(n, call) for n, call in enumerate(line))
        return Message("assistant", tuple(calls))

    def _call(self, n: int, call: ToolCall | tuple[str, Mapping[str, Any] | str]) -> ToolCall:
        if isinstance(call, ToolCall):
            return call
        name, arguments = call
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        return ToolCall(f"call_{len(self.requests)}_{n}", name, text)
