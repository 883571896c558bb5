"""The memory tool of the Anthropic SDK over our files: `pip install 'memoranda[anthropic]'`.

    files = memory.files("user:8812")
    runner = client.beta.messages.tool_runner(model=..., max_tokens=..., messages=[...], tools=[MemoryTool(files)])

The API itself tells the model to view its memory first and to write its progress down: do not tell it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from memoranda.errors import MissingExtra
from memoranda.tools import HasHandle

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
except ModuleNotFoundError:
    raise MissingExtra("anthropic", "the memory tool of the Anthropic SDK") from None

if TYPE_CHECKING:
    from anthropic.types.beta import BetaCacheControlEphemeralParam


class MemoryTool(BetaAbstractMemoryTool):
    """One subject's `Files` as the SDK's memory tool."""

    def __init__(
        self, files: HasHandle, *, cache_control: BetaCacheControlEphemeralParam | None = None
    ) -> None:
        super().__init__(cache_control=cache_control)
        self.files = files

    def call(self, input: object) -> str:  # noqa: A002 - the SDK's name
        """One command of the model, as it came: our own checks want it before the SDK has touched it."""
        return told(self.files.handle(input))

    def execute(self, command: Any) -> str:
        """One command, built by the SDK."""
        return told(self.files.handle(as_given(command)))

    view = create = str_replace = insert = delete = rename = execute

    def clear_all_memory(self) -> str:
        """Refused: that is for a person to do, file by file or by erasure."""
        raise ToolError("clearing all memory is for a person to do")


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool):
    """One subject's `AsyncFiles` as the SDK's memory tool, awaited."""

    def __init__(
        self, files: HasHandle, *, cache_control: BetaCacheControlEphemeralParam | None = None
    ) -> None:
        super().__init__(cache_control=cache_control)
        self.files = files

    async def call(self, input: object) -> str:  # noqa: A002 - the SDK's name
        """One command of the model, as it came."""
        return told(await self.files.handle(input))

    async def execute(self, command: Any) -> str:
        """One command, built by the SDK."""
        return told(await self.files.handle(as_given(command)))

    view = create = str_replace = insert = delete = rename = execute

    async def clear_all_memory(self) -> str:
        """Refused: that is for a person to do, file by file or by erasure."""
        raise ToolError("clearing all memory is for a person to do")


def told(answer: tuple[str, bool]) -> str:
    """The answer as the SDK wants it: a failure is raised, and becomes a result with is_error true."""
    text, error = answer
    if error:
        raise ToolError(text)
    return text


def as_given(command: Any) -> object:
    """A command built by the SDK as the dictionary that it was built from."""
    if isinstance(command, Mapping):
        return command
    dump = getattr(command, "model_dump", None)
    return dump(exclude_unset=True, warnings=False) if callable(dump) else command
