"""Memory over the Model Context Protocol. Importing this loads no SDK; `build` and `serve` do (extra `mcp`)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from memoranda.errors import MissingExtra, OutdatedExtra
from memoranda.mcp.grant import Grant

if TYPE_CHECKING:
    from memoranda.aio import AsyncMemory
    from memoranda.mcp.server import Server

__all__ = ["Grant", "build", "serve"]
NEEDED = "mcp>=2.3"


def build(memory: AsyncMemory, grant: Grant) -> Server:
    """A server of the SDK over an open memory; run it as you like, and close the memory when it ended.

    Raises `MissingExtra` without the SDK, `OutdatedExtra` with one that is older than 2.
    """
    made: Server = _room().build(memory, grant)
    return made


def serve(opened: Callable[[], Awaitable[AsyncMemory]], grant: Grant) -> int:
    """Serve over standard input and output until the client leaves or SIGTERM comes; the exit code. Raises as `build`.

    The memory that `opened` gives is closed at the end.
    """
    room = _room()
    code: int = import_module("anyio").run(room.serve, opened, grant)
    return code


def _room() -> Any:
    try:
        return import_module("memoranda.mcp.server")
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in ("mcp", "mcp_types", "pydantic", "anyio"):
            raise
        if missing.name == "mcp":
            raise MissingExtra("mcp", "memoranda mcp") from None
        raise OutdatedExtra("mcp", "memoranda mcp", NEEDED) from None
    except ImportError as old:
        if not (old.name or "").startswith("mcp"):
            raise
        raise OutdatedExtra("mcp", "memoranda mcp", NEEDED) from None
