"""What stands between a model's wish and a tool that changes something: the taint of the window it wished in."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from memoranda.messages import ToolCall
from memoranda.window import Taint

Confirm = Callable[[ToolCall, Taint], bool | Awaitable[bool]]
UNCONFIRMED = (
    "not called: there is text in this conversation that did not come from the user, and this tool changes "
    "something, so the user has to agree first. Tell the user what you would do and why."
)


@dataclass(slots=True)
class SideEffectGate:
    """Asks before a tool with a side effect is called while the window's trust is below `floor`.

    confirm: asks a person (or a policy) with the call and what makes the window untrusted; only `True` is a yes.
    Without it such calls are refused. asked, refused: how many calls came before it, and how many it stopped.
    """

    floor: int
    confirm: Confirm | None = None
    asked: int = 0
    refused: int = 0

    async def allows(self, call: ToolCall, taint: Taint) -> bool:
        """Whether the call may be carried out."""
        if taint.trust >= self.floor:
            return True
        self.asked += 1
        answer = self.confirm(call, taint) if self.confirm else False
        if inspect.isawaitable(answer):
            answer = await answer
        # A truthy object is no consent: a call that nobody awaited would be one.
        self.refused += answer is not True
        return answer is True
