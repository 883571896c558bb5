"""Models for tests: one that follows a script, and one that obeys whatever it reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoranda.messages import Message, Opaque, Part, Recalled, Text, ToolCall, ToolResult, said
from memoranda.models.scripted import ScriptedModel
from memoranda.ports import Reply, Request

__all__ = ["ObeyingModel", "ScriptedModel"]

SAY = re.compile(r"\b(?:say|reply with|answer with):?\s*\"([^\"\n]+)\"", re.IGNORECASE)
CALL = re.compile(r"\bcall (\w+) with (\{[^{}\n]*\})", re.IGNORECASE)


class ObeyingModel:
    """Carries out every instruction in its context, whoever gave it: what a poisoned memory can do at worst.

    It knows two: `say "WORDS"` and `call TOOL with {JSON}`. Calls come first, each once and only of tools that
    are offered; then it says all it was told to say, or "I have nothing to do.". `requests` records what was
    asked.
    """

    name = "obeying"

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._done: set[tuple[str, str]] = set()

    async def complete(self, request: Request) -> Reply:
        """Obey."""
        self.requests.append(request)
        seen = "\n".join([request.system, *_texts(request.messages)]).replace('\\"', '"')
        offered = {tool.name for tool in request.tools}
        wanted = [call for call in CALL.findall(seen) if call[0] in offered]
        calls = [call for call in dict.fromkeys(wanted) if call not in self._done]
        self._done.update(calls)
        if calls:
            number = len(self.requests)
            parts = (ToolCall(f"call_{number}_{n}", *call) for n, call in enumerate(calls))
            return Reply(Message("assistant", tuple(parts)), "tools")
        words = dict.fromkeys(SAY.findall(seen))
        return Reply(said("assistant", " ".join(words) or "I have nothing to do."))


def _texts(messages: tuple[Message, ...]) -> Iterator[str]:
    for message in messages:
        if message.role != "assistant":
            for part in message.parts:
                yield from _text(part)


def _text(part: Part) -> Iterator[str]:
    if isinstance(part, (Text, Recalled, ToolResult)):
        yield part.text
    elif isinstance(part, Opaque):
        yield str(part.data)
