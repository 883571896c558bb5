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
from memoranda.messages import Message, Text, ToolCall, ToolResult
from memoranda.ports import Model, Reply, Request, Usage
from memoranda.tools import Tool, tool
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
    tokens of a request (default by settings). max_steps: most model calls of one run. keeping: how
    the window is kept small (see `Memory.window`); a summary that takes longer than `summary_seconds` is not waited for.
    window_tools: offer `reopen_step` and `note` to the model. A scratchpad lasts for one `run`.
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
        keeping: turn.Keeping | None = None,
        summary_seconds: float = 60.0,
        window_tools: bool = False,
    ) -> None:
        if max_steps < 1:
            raise UsageError("an agent needs at least one step")
        self.model, self.core = model, memory.core
        self.tools = {tool.name: tool for tool in tools}
        if len(self.tools) < len(tools):
            raise UsageError("two tools have the same name")
        self.system, self.subject, self.budget = system, subject, budget
        self.session = session or self.core.ids.new("s")
        self.max_steps, self.max_tokens = max_steps, max_tokens
        self._keeping = keeping or turn.Keeping()
        if self._keeping.summariser is not None:
            patient = Timed(self._keeping.summariser, summary_seconds)
            self._keeping = replace(self._keeping, summariser=patient)
        if window_tools:
            self.tools |= {tool.name: tool for tool in self._window_tools()}
        self._turns: turn.Turns | None = None
        self._busy = False

    def run_sync(self, text: str) -> AgentReply:
        """`run` for code without an event loop."""
        return asyncio.run(self.run(text))

    async def run(self, text: str) -> AgentReply:
        """Answer `text`, calling tools as the model asks.

        `ModelError` and `BudgetTooSmall` are raised, and the user's text is in the log by then; so it is when the
        run is cancelled, and a call that was cut off is told to the model as such next time. One run at a time.
        """
        if self._busy:
            raise UsageError("this agent is in a run; give each conversation an agent of its own")
        self._busy = True
        try:
            return await self._loop(text)
        finally:
            self._busy = False
            if self._turns is not None:
                turn.clear_notes(self._turns)

    async def _loop(self, text: str) -> AgentReply:
        turns = await self._open()
        specs = tuple(tool.spec for tool in self.tools.values())
        reply = AgentReply("")
        user_text: str | None = text
        for step in range(1, self.max_steps + 1):
            request = await turn.build(
                self.core, turns, user_text, tools=specs, max_tokens=self.max_tokens
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
                keeping=self._keeping,
            )
        return self._turns

    def _window_tools(self) -> list[Tool]:
        """What lets a model fetch back what was left out, and keep a thought over a compaction."""

        async def reopen_step(step: int) -> str:
            """Fetch back a step that was left out of the conversation to save room, by its number."""
            return await turn.reopened(self.core, await self._open(), step)

        async def note(text: str) -> str:
            """Keep a line for the rest of this task, also when older steps are left out."""
            turn.note(self.core, await self._open(), text, show=False)
            return "noted"

        return [tool(side_effect=True)(reopen_step), tool(side_effect=True)(note)]

    async def _call_all(self, calls: Sequence[ToolCall]) -> list[Message]:
        """The results in the order of the calls; together, unless one of them changes something."""
        tools = [self.tools.get(call.name) for call in calls]
        if any(tool is not None and tool.side_effect for tool in tools):
            return [await call_tool(tool, call) for tool, call in zip(tools, calls, strict=True)]
        return await asyncio.gather(*map(call_tool, tools, calls))


@dataclass
class Timed:
    """A model that is not waited for longer than `seconds`: then `TimeoutError`."""

    model: Model
    seconds: float
    name: str = "timed"

    async def complete(self, request: Request) -> Reply:
        """The model's answer, if it comes in time."""
        return await asyncio.wait_for(self.model.complete(request), self.seconds)


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
