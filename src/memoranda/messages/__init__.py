"""One neutral form of a conversation's messages; providers' forms convert from and to it without loss.

A message has a role and parts. What a provider sends and we do not know (signed thinking, images, compaction
blocks) is carried verbatim as `Opaque`. `extra` keeps a form's own fields and shape, so that the way back is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from memoranda.errors import MessageError
from memoranda.types import Origin

Role = Literal["system", "user", "assistant", "tool"]
ROLES: tuple[Role, ...] = ("system", "user", "assistant", "tool")


@dataclass(frozen=True, slots=True)
class Text:
    """Plain text."""

    text: str
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recalled:
    """A recalled block of ours: text put before the model, never a source of facts, never logged as said.

    `facts` are the ids in it, so that a block can be rebuilt when one of them is taken back.
    """

    text: str
    facts: tuple[str, ...] = ()
    receipt: str | None = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that the model asks for. `arguments` is the JSON text exactly as it came."""

    id: str
    name: str
    arguments: str
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The answer to a call."""

    call_id: str
    parts: tuple[Text | Opaque, ...]
    is_error: bool = False
    name: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text of the result, its parts joined."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))


@dataclass(frozen=True, slots=True)
class Opaque:
    """A block that we carry and do not read: the provider's form it belongs to, and the block itself."""

    form: str
    data: Mapping[str, Any]


Part = Text | Recalled | ToolCall | ToolResult | Opaque


@dataclass(frozen=True, slots=True)
class Message:
    """A message: role, parts, where it came from (None: by its role), and what the provider's form adds."""

    role: Role
    parts: tuple[Part, ...]
    origin: Origin | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What was said: the text parts joined by a newline; recalled blocks and tool results are left out."""
        return "\n".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls in this message."""
        return tuple(part for part in self.parts if isinstance(part, ToolCall))

    @property
    def results(self) -> tuple[ToolResult, ...]:
        """The tool results in this message."""
        return tuple(part for part in self.parts if isinstance(part, ToolResult))

    @property
    def source(self) -> Origin:
        """The origin: as set, else by role. A tool's result is external until code says that the tool is trusted."""
        return self.origin or ORIGIN_OF_ROLE[self.role]

    def with_parts(self, parts: Iterable[Part]) -> Message:
        """The same message with other parts."""
        return replace(self, parts=tuple(parts))


ORIGIN_OF_ROLE: Mapping[Role, Origin] = {
    "system": Origin.OPERATOR,
    "user": Origin.USER,
    "assistant": Origin.MODEL,
    "tool": Origin.EXTERNAL,
}


def said(role: Role, text: str, origin: Origin | None = None) -> Message:
    """A message of one text. Raises `MessageError` for a role that there is not, or a text that is none."""
    if role not in ROLES:
        raise MessageError(f"a message's role must be one of {', '.join(ROLES)}")
    if not isinstance(text, str):
        raise MessageError(f"a message's text must be a string, not {type(text).__name__}")
    return Message(role, (Text(text),), origin)
