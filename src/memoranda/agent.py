"""The loop: recall, build, call the model, run its tools, append, write. All of it on one screen.

    agent = Agent(model, memory, tools=[read_file])
    reply = await agent.run("What is in a.py?")        # or agent.run_sync(...)

Memory is asked through two flows only: `build` (recall, compact, compose; the user's text is logged before the
model is called) and `append` (log, and at the end of the turn the gate).
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from memoranda import turn
from memoranda.core import Core
from memoranda.errors import UsageError
from memoranda.files.paths import ROOT
from memoranda.files.tool import INSTRUCTIONS, NAME
from memoranda.messages import Message, Text, ToolCall, ToolResult
from memoranda.ports import Model, Usage
from memoranda.tools import Answer, HasHandle, Tool, memory_tool
from memoranda.types import Outcome, Recall

log = logging.getLogger(__name__)


class HasCore(Protocol):
    """A `Memory` or an `AsyncMemory`: what an agent needs of it are the ports behind it."""

    core: Core


@dataclass(frozen=True, slots=True)
class AgentReply:
    """What a run gave.

    text: the model's last words ("" when it had none). outcomes: what the gate did with what the user said.
    recall: what was recalled for the question. steps: model calls. usage: their sum, None where no call said.
    stop: `end`, `empty` (no words, no calls), `max_steps`, or the model's own reason (`length`, ...).
    """

    text: str
    outcomes: tuple[Outcome, ...] = ()
    recall: Recall | None = None
    steps: int = 0
    usage: Usage = field(default_factory=Usage)
    stop: str = "end"


class Agent:
    """A model with memory and tools, in one session.

    subject: who speaks to it. session: its log's name (default: a new one); an existing one is continued. budget:
    tokens of a request (default by settings). max_steps: most model calls of one run. files: a subject's files,
    as a tool; a new conversation begins with a look at them.
    """

    def __init__(
        self,
        model: Model,
        memory: HasCore,
        *,
        tools: Sequence[Tool] = (),
        system: str = "",
        subject: str = "user:me",
        session: str | None = None,
        budget: int | None = None,
        max_steps: int = 20,
        max_tokens: int = 1024,
        files: HasHandle | None = None,
    ) -> None:
        if max_steps < 1:
            raise UsageError("an agent needs at least one step")
        self.model, self.core = model, memory.core
        if files is not None:
            tools = [*tools, memory_tool(files)]
            system = f"{system}\n\n{INSTRUCTIONS}".strip()
        self.looks = files is not None
        self.tools = {tool.name: tool for tool in tools}
        if len(self.tools) < len(tools):
            raise UsageError("two tools have the same name")
        self.system, self.subject, self.budget = system, subject, budget
        self.session = session or self.core.ids.new("s")
        self.max_steps, self.max_tokens = max_steps, max_tokens
        self._turns: turn.Turns | None = None
        self._busy = False

    def run_sync(self, text: str) -> AgentReply:
        """`run` for code without an event loop."""
        return asyncio.run(self.run(text))

    async def run(self, text: str) -> AgentReply:
        """Answer `text`, calling tools as the model asks.

        Raises `BudgetTooSmall` with nothing logged, and `ModelError` with the user's text in the log. There it is too
        when the run is cancelled; a call that was cut off is told to the model as such next time. One run at a time.
        """
        if self._busy:
            raise UsageError("this agent is in a run; give each conversation an agent of its own")
        self._busy = True
        try:
            return await self._loop(text)
        finally:
            self._busy = False

    async def _loop(self, text: str) -> AgentReply:
        turns = await self._open()
        specs = tuple(tool.spec for tool in self.tools.values())
        reply = AgentReply("")
        user_text: str | None = text
        for step in range(1, self.max_steps + 1):
            request = await turn.build(
                self.core, turns, user_text, tools=specs, max_tokens=self.max_tokens
            )
            if self.looks and step == 1 and turns.buffer.step == 0:
                await self._look(turns)
                request = await turn.build(
                    self.core, turns, None, tools=specs, max_tokens=self.max_tokens
                )
            answer = await self.model.complete(request)
            outcomes = await turn.append(self.core, turns, answer.message)
            reply = AgentReply(
                text=answer.message.text,
                outcomes=(*reply.outcomes, *outcomes),
                recall=turns.recalled,
                steps=step,
                usage=_sum(reply.usage, answer.usage),
                stop=answer.stop,
            )
            if not answer.message.calls:
                return replace(reply, stop=reply.stop if reply.text else "empty")
            for result in await self._call_all(answer.message.calls):
                await turn.append(self.core, turns, result)
            user_text = None  # from here on the request continues the turn
        outcomes = await turn.learn(self.core, turns)
        return replace(reply, stop="max_steps", outcomes=(*reply.outcomes, *outcomes))

    async def _open(self) -> turn.Turns:
        if self._turns is None:
            self._turns = await turn.open_turns(
                self.core,
                session=self.session,
                subject=self.subject,
                budget=self.budget,
                system=self.system,
            )
        return self._turns

    async def _look(self, turns: turn.Turns) -> None:
        """View the memory directory before the model says its first word, as a call of its own."""
        arguments = json.dumps({"command": "view", "path": ROOT})
        call = ToolCall(self.core.ids.new("call_"), NAME, arguments)
        await turn.append(self.core, turns, Message("assistant", (call,)))
        await turn.append(self.core, turns, await call_tool(self.tools[NAME], call))

    async def _call_all(self, calls: Sequence[ToolCall]) -> list[Message]:
        """The results in the order of the calls; together, unless one of them changes something."""
        tools = [self.tools.get(call.name) for call in calls]
        if any(tool is not None and tool.side_effect for tool in tools):
            return [await call_tool(tool, call) for tool, call in zip(tools, calls, strict=True)]
        return await asyncio.gather(*map(call_tool, tools, calls))


async def call_tool(tool: Tool | None, call: ToolCall) -> Message:
    """One result message. Whatever goes wrong becomes a short text for the model, without the error's own words."""
    if tool is None:
        return _result(None, call, "there is no tool of this name", True)
    try:
        arguments = tool.arguments(call.arguments)
    except UsageError as error:
        return _result(tool, call, str(error), True)
    try:
        if asyncio.iscoroutinefunction(tool.function):
            value = await tool.function(**arguments)
        else:
            value = await asyncio.to_thread(tool.function, **arguments)
            value = await value if inspect.isawaitable(value) else value
        if isinstance(value, Answer):
            return _result(tool, call, value.text, value.is_error)
        return _result(tool, call, _text(value), False)
    except Exception as error:
        log.warning("a tool failed: %s", type(error).__name__)
        return _result(tool, call, f"the tool failed ({type(error).__name__})", True)


def _result(tool: Tool | None, call: ToolCall, text: str, is_error: bool) -> Message:
    result = ToolResult(call.id, (Text(text),), is_error, call.name)
    return Message("tool", (result,), None if tool is None else tool.origin)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False, default=str)


def _sum(a: Usage, b: Usage) -> Usage:
    def add(x: int | None, y: int | None) -> int | None:
        return x if y is None else y if x is None else x + y

    return Usage(
        add(a.input, b.input),
        add(a.output, b.output),
        add(a.cache_read, b.cache_read),
        add(a.cache_write, b.cache_write),
    )
