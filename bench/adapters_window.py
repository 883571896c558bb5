"""The window as the replay instrument takes it: the whole message list so far goes in, the request comes out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from memoranda.messages import Message
from memoranda.messages.openai_chat import from_openai, to_openai
from memoranda.window import FAITHFUL, Buffer, Policy, TokenBudget, compose

CHARACTERS_A_TOKEN = 2.8


class InstrumentCounter:
    """The instrument's own count, so that both speak of the same budget: characters / 2.8, whatever the script."""

    exact: bool = False

    def count(self, text: str) -> int:
        return math.ceil(len(text) / CHARACTERS_A_TOKEN)


class Window:
    """Keeps one run's buffer between calls: only what is new is read. Raises `BudgetTooSmall`."""

    def __init__(self, policy: Policy | None = None) -> None:
        self.policy = policy or TokenBudget()
        self.buffer = Buffer(counter=InstrumentCounter())
        self.system = ""
        self.seen = 0

    def prepare(self, messages: Sequence[Mapping[str, Any]], budget: int) -> list[dict[str, Any]]:
        """The messages to send; `messages` is not changed."""
        for data in messages[self.seen :]:
            message = from_openai(data)
            if message.role == "system":
                self.system = f"{self.system}\n{message.text}".lstrip("\n")
            else:
                self.buffer = self.buffer.append(message)
        self.seen = len(messages)
        built = compose(self.system, None, self.buffer, budget, policy=self.policy)
        self.buffer = built.buffer
        system = [Message("system", _text(self.system))] if self.system else []
        return to_openai([*system, *built.messages])


def _text(text: str) -> Any:
    from memoranda.messages import Text

    return (Text(text),)


def window() -> Window:
    """A fresh window for each run, with the default policy."""
    return Window()


def faithful() -> Window:
    """A fresh window with the preset that keeps more."""
    return Window(FAITHFUL)
