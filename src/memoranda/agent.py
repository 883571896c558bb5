"""The loop: recall, build, call the model, run its tools, append, write. All of it on one screen.

    agent = Agent(model, memory, tools=[read_file])
    reply = await agent.run("What is in a.py?")        # or agent.run_sync(...)

Memory is asked through three flows only: `build` (recall, compact, compose; the user's text is logged before the
model is called), `append` (log, and at the end of the turn the gate), and `learn` (the gate, for a turn that broke).
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, cast

from memoranda import turn
from memoranda.core import Core
from memoranda.errors import StoreError, UsageError
from memoranda.files.desk import Desk, Who
from memoranda.files.paths import ROOT
from memoranda.files.tool import INSTRUCTIONS, NAME
from memoranda.messages import Message, Text, ToolCall, ToolResult
from memoranda.ports import Model, Reply, Request, Usage
from memoranda.tools import Answer, HasHandle, Tool, memory_tool
from memoranda.tools import tool as as_tool
from memoranda.tools.gating import UNCONFIRMED, Confirm, SideEffectGate
from memoranda.tools.memory import memory_tools as tools_of
from memoranda.types import TRUST_OF, Origin, Outcome, Recall
from memoranda.window import Taint

log = logging.getLogger(__name__)


class HasCore(Protocol):
    """A `Memory` or an `AsyncMemory`: what an agent needs of it are the ports behind it."""

    core: Core


@dataclass(frozen=True, slots=True)
class AgentReply:
    """What a run gave.

    text: the model's last words ("" when it had none). outcomes: what the gate did with what the user said.
    recall: what was recalled for the question. steps: model calls. usage: their sum, None where no call said.
    stop: `end`, `empty` (no words, no calls), `max_steps`, or the model's own reason (`length`, ...). asked: calls of
    tools with a side effect that came while low-trust text was in the window; refused: those of them not carried out.
    """

    text: str
    outcomes: tuple[Outcome, ...] = ()
    recall: Recall | None = None
    steps: int = 0
    usage: Usage = field(default_factory=Usage)
    stop: str = "end"
    asked: int = 0
    refused: int = 0


class Agent:
    """A model with memory and tools, in one session.

    subject: who speaks to it. subjects: whose facts it knows besides; the first `project:NAME` of them is given
    what is said of the project (see `Memory.observe`). session: its log's name (default: a new one); an existing
    one is continued. budget: tokens of a request (default by settings). max_steps: most model calls of one run.
    files: a subject's files, as a tool; a new conversation begins with a look at them, and their approved rule
    files stand before it. project: it begins with what their project says. memory_tools: the model may look in
    memory and propose to it (`recall`, `remember`, `correct`, `forget`). confirm: asked with the call and the
    window's `Taint` before a tool with a side effect is called while the window holds text of lower trust than the
    setting `side_effect_trust`; only `True` lets it through, and without `confirm` nothing does. keeping: how the
    window is kept small (see `Memory.window`); a summary that takes longer than `summary_seconds` is not waited
    for. window_tools: offer `reopen_step` and `note` to the model. A scratchpad lasts for one `run`.
    """

    def __init__(
        self,
        model: Model,
        memory: HasCore,
        *,
        tools: Sequence[Tool] = (),
        system: str = "",
        subject: str = "user:me",
        subjects: Sequence[str] = (),
        session: str | None = None,
        budget: int | None = None,
        max_steps: int = 20,
        max_tokens: int = 1024,
        keeping: turn.Keeping | None = None,
        summary_seconds: float = 60.0,
        window_tools: bool = False,
        files: HasHandle | None = None,
        confirm: Confirm | None = None,
        memory_tools: bool = False,
        project: bool = False,
    ) -> None:
        if max_steps < 1:
            raise UsageError("an agent needs at least one step")
        self.model, self.core = model, memory.core
        desk = getattr(files, "desk", None)
        desk = replace(desk, who=self._writer(desk.who)) if isinstance(desk, Desk) else None
        if project and desk is None:
            raise UsageError("a project needs the files that it is in")
        if files is not None:
            files = files if desk is None else cast(Any, type(files))(desk)
            tools = [*tools, memory_tool(files)]
            system = f"{system}\n\n{INSTRUCTIONS}".strip()
        self.looks = files is not None
        tools = [*tools, *(tools_of(self.core, self._open) if memory_tools else ())]
        tools = [*tools, *(self._window_tools() if window_tools else ())]
        self.tools = {tool.name: tool for tool in tools}
        if len(self.tools) < len(tools):
            raise UsageError("two tools have the same name")
        self.system, self.subject, self.budget = system, subject, budget
        self.subjects = subjects
        self.session = session or self.core.ids.new("s")
        self.max_steps, self.max_tokens = max_steps, max_tokens
        self._keeping = keeping or turn.Keeping()
        if desk is not None:
            self._keeping = replace(self._keeping, desk=desk, project=project)
        if self._keeping.summariser is not None:
            patient = Timed(self._keeping.summariser, summary_seconds)
            self._keeping = replace(self._keeping, summariser=patient)
        self._gate = SideEffectGate(self.core.settings.side_effect_trust, confirm)
        self._turns: turn.Turns | None = None
        self._busy = False

    def run_sync(self, text: str) -> AgentReply:
        """`run` for code without an event loop."""
        return asyncio.run(self.run(text))

    async def run(self, text: str) -> AgentReply:
        """Answer `text`, calling tools as the model asks.

        Raises `BudgetTooSmall` with nothing logged, and `ModelError` with the user's text in the log and before the
        gate. There it is too when the run is cancelled; a call that was cut off is told to the model as such next time.
        One run at a time.
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
        self._gate.asked = self._gate.refused = 0
        try:
            reply = await self._steps(turns, text)
        finally:
            if turns.heard:  # the turn broke: what the user said counts all the same
                with suppress(StoreError):
                    await turn.learn(self.core, turns)
        return replace(reply, asked=self._gate.asked, refused=self._gate.refused)

    async def _steps(self, turns: turn.Turns, text: str) -> AgentReply:
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
            taint = turns.taint  # of what the model sees when it decides
            answer = await self.model.complete(request)
            turn.report(turns, answer.usage)
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
            for result in await self._call_all(answer.message.calls, taint):
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
                subjects=self.subjects,
                budget=self.budget,
                system=self.system,
                keeping=self._keeping,
            )
        return self._turns

    def _writer(self, given: Callable[[], Who]) -> Callable[[], Who]:
        """Who writes through the memory tool: as the files say, from within the conversation as it stands then."""

        def who() -> Who:
            if self._turns is None:
                return given()
            return turn.writer_in(self.core, self._turns, given())

        return who

    def _window_tools(self) -> list[Tool]:
        """What lets a model fetch back what was left out, and keep a thought over a compaction."""

        async def reopen_step(step: int) -> str:
            """Fetch back a step that was left out of the conversation to save room, by its number."""
            return await turn.reopened(self.core, await self._open(), step)

        async def note(text: str) -> str:
            """Keep a line for the rest of this task, also when older steps are left out."""
            turn.note(self.core, await self._open(), text, show=False)
            return "noted"

        return [as_tool(reopen_step), as_tool(trusted=True)(note)]

    async def _look(self, turns: turn.Turns) -> None:
        """View the memory directory before the model says its first word, as a call of its own."""
        arguments = json.dumps({"command": "view", "path": ROOT})
        call = ToolCall(self.core.ids.new("call_"), NAME, arguments)
        await turn.append(self.core, turns, Message("assistant", (call,)))
        await turn.append(self.core, turns, await call_tool(self.tools[NAME], call))

    async def _call_all(self, calls: Sequence[ToolCall], taint: Taint) -> list[Message]:
        """The results in the order of the calls; together, unless one of them changes something."""
        tools = [self.tools.get(call.name) for call in calls]
        if not any(tool is not None and tool.side_effect for tool in tools):
            return await asyncio.gather(*map(call_tool, tools, calls))
        results = []
        for tool, call in zip(tools, calls, strict=True):
            asks = tool is not None and tool.side_effect and tool.asks
            if asks and not await self._gate.allows(call, taint):
                results.append(_result(call, UNCONFIRMED))
            else:
                results.append(await call_tool(tool, call))
        return results


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
        return _result(call, "there is no tool of this name")
    try:
        arguments = tool.arguments(call.arguments)
    except UsageError as error:
        return _result(call, str(error))
    try:
        if asyncio.iscoroutinefunction(tool.function):
            value = await tool.function(**arguments)
        else:
            value = await asyncio.to_thread(tool.function, **arguments)
            value = await value if inspect.isawaitable(value) else value
        return _returned(tool, call, value)
    except Exception as error:
        log.warning("a tool failed: %s", type(error).__name__)
        return _result(call, f"the tool failed ({type(error).__name__})")


def _returned(tool: Tool, call: ToolCall, value: Any) -> Message:
    """What the tool gave, with its origin; a value that says its own can lower that, and not raise it."""
    origin, failed = tool.origin, False
    if isinstance(value, Answer):
        origin = min(origin, Origin(value.origin or origin), key=TRUST_OF.__getitem__)
        value, failed = value.text, value.is_error
    return _result(call, _text(value), origin=origin, is_error=failed)


def _result(
    call: ToolCall, text: str, *, origin: Origin = Origin.TOOL, is_error: bool = True
) -> Message:
    """A result; by default one in our own words, which no stranger wrote."""
    return Message("tool", (ToolResult(call.id, (Text(text),), is_error, call.name),), origin)


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
