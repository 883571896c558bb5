"""Messages as a page shows them: text as it was said, everything else folded under one line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

from memoranda.messages import Message, Part, Recalled, Text, ToolCall, ToolResult
from memoranda.window.stubs import is_stub

MOST = 20_000
"""Characters of one part that a page shows."""
LABELS = {
    "call": "Arguments of the call",
    "result": "Result of the tool",
    "recalled": "What was recalled",
    "other": "A part that is carried as it came",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """A part of a message. text: at most `MOST` characters of it; size: how many it has."""

    kind: Literal["text", "call", "result", "recalled", "other"]
    title: str
    text: str
    size: int
    error: bool = False
    open: bool = False

    @property
    def cut(self) -> bool:
        """Whether there is more than is shown."""
        return self.size > len(self.text)

    @property
    def shown(self) -> int:
        """How many characters are shown."""
        return len(self.text)

    @property
    def label(self) -> str:
        """What it is, for those who hear the page."""
        return LABELS.get(self.kind, "Text")


def shown(message: Message) -> list[Shown]:
    """The parts of a message, in order."""
    return [_part(part) for part in message.parts]


def _part(part: Part) -> Shown:
    if isinstance(part, Text):
        return _cut("text", "", part.text)
    if isinstance(part, Recalled):
        return _cut("recalled", "recalled from memory", part.text)
    if isinstance(part, ToolCall):
        return _cut("call", f"calls {part.name}", _readable(part.arguments))
    if isinstance(part, ToolResult):
        name = f" of {part.name}" if part.name else ""
        title = f"stub of the result{name}" if is_stub(part) else f"result{name}"
        return _cut("result", title, part.text, error=part.is_error, unfold=is_stub(part))
    return _cut("other", f"a part of the form {part.form}", _json(part.data))


def _cut(
    kind: Literal["text", "call", "result", "recalled", "other"],
    title: str,
    text: str,
    *,
    error: bool = False,
    unfold: bool = False,
) -> Shown:
    return Shown(kind, title, text[:MOST], len(text), error, unfold)


def _readable(arguments: str) -> str:
    """Arguments with a line for each, where they are JSON; else as they came."""
    if len(arguments) > MOST:
        return arguments
    try:
        return _json(json.loads(arguments))
    except (ValueError, RecursionError):
        return arguments


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)
