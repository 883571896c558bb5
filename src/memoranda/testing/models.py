"""Models for tests: one that follows a script, and one that obeys whatever it reads."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memoranda.messages import Message, Opaque, Part, Recalled, Text, ToolCall, ToolResult, said
from memoranda.models.scripted import ScriptedModel
from memoranda.ports import Reply, Request

__all__ = ["ObedientModel", "ObeyingModel", "ScriptedModel"]

SAY = re.compile(r"\b(?:say|reply with|answer with):?\s*\"([^\"\n]+)\"", re.IGNORECASE)
CALL = re.compile(r"\bcall (\w+) with (\{[^{}\n]*\})", re.IGNORECASE)


class ObedientModel:
    """Carries out every instruction in its context, whoever gave it: what a poisoned memory can do at worst.

    It knows two: `say "WORDS"` and `call TOOL with {JSON}`. Calls come first, each once and only of tools that
    are offered; then it says all it was told to say, or "I have nothing to do.". `first`: calls it makes before
    anything else, to read what it will obey. `requests` records what was asked.
    """

    name = "obeying"

    def __init__(self, first: Sequence[tuple[str, Mapping[str, Any]]] = ()) -> None:
        self.requests: list[Request] = []
        self._first = [(tool, json.dumps(arguments)) for tool, arguments in first]
        self._done: set[tuple[str, str]] = set()

    async def complete(self, request: Request) -> Reply:
        """Obey."""
        self.requests.append(request)
        seen = "\n".join([request.system, *_texts(request.messages)]).replace('\\"', '"')
        offered = {tool.name for tool in request.tools}
        wanted = [call for call in CALL.findall(seen) if call[0] in offered]
        calls = [call for call in dict.fromkeys(wanted) if call not in self._done]
        calls, self._first = self._first or calls, []
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


ObeyingModel = ObedientModel
