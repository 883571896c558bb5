"""One message in the window."""

from __future__ import annotations

from dataclasses import dataclass

from memoranda.messages import Message, ToolResult


@dataclass(frozen=True, slots=True)
class Slot:
    """A message in the window: its step, its tokens, and its number `n` in the run (from 0, by arrival).

    whole: the message as it came, when `message` is a version of it cut to fit. made: it was written by the
    window itself (the answer to an interrupted call, a stray result), so it is nobody's word.
    """

    message: Message
    step: int
    tokens: int
    n: int
    whole: Message | None = None
    made: bool = False

    @property
    def by_user(self) -> bool:
        """Whether this is something a user said, not a carrier of tool results."""
        message = self.message
        bare = all(isinstance(part, ToolResult) for part in message.parts) and message.parts
        return message.role == "user" and not self.made and not bare
