"""Memoranda: agent memory that a person can read, trace, correct and take back.

The public names stand here and nothing else; each is loaded when it is first used, so that importing the package
touches no file, no network and no third party.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memoranda.agent import Agent, AgentReply
    from memoranda.aio import AsyncMemory, AsyncReviewer, AsyncWindow
    from memoranda.errors import MemorandaError
    from memoranda.memory import Memory, Window
    from memoranda.messages import Message, said
    from memoranda.reviewer import Reviewer
    from memoranda.settings import Settings
    from memoranda.tools import Tool, tool
    from memoranda.types import (
        Draft,
        Fact,
        Kind,
        Origin,
        Outcome,
        Recall,
        Selection,
        Status,
        Trust,
        Verdict,
    )

__version__ = "0.1.0"

_HOMES = {
    "agent": ("Agent", "AgentReply"),
    "aio": ("AsyncMemory", "AsyncReviewer", "AsyncWindow"),
    "errors": ("MemorandaError",),
    "memory": ("Memory", "Window"),
    "messages": ("Message", "said"),
    "reviewer": ("Reviewer",),
    "settings": ("Settings",),
    "tools": ("Tool", "tool"),
    "types": (
        "Draft",
        "Fact",
        "Kind",
        "Origin",
        "Outcome",
        "Recall",
        "Selection",
        "Status",
        "Trust",
        "Verdict",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Agent",
    "AgentReply",
    "AsyncMemory",
    "AsyncReviewer",
    "AsyncWindow",
    "Draft",
    "Fact",
    "Kind",
    "MemorandaError",
    "Memory",
    "Message",
    "Origin",
    "Outcome",
    "Recall",
    "Reviewer",
    "Selection",
    "Settings",
    "Status",
    "Tool",
    "Trust",
    "Verdict",
    "Window",
    "said",
    "tool",
]


if not TYPE_CHECKING:  # who checks types shall hear of a name that there is not

    def __getattr__(name: str) -> Any:
        if name not in _HOME_OF:
            raise AttributeError(f"module 'memoranda' has no attribute {name!r}")
        value = getattr(import_module(f"memoranda.{_HOME_OF[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
