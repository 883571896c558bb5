"""Who answers in `chat`: a model, or nobody, and then the conversation says so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from memoranda.cli import show
from memoranda.errors import ModelError, UsageError
from memoranda.messages import Message, said

if TYPE_CHECKING:
    import asyncio

    from memoranda.ports import Model, Request


@dataclass(frozen=True)
class Said:
    """What the person sees of an answer, and whether the model failed."""

    text: str
    failed: bool = False


class Voice(Protocol):
    """Something that answers a request with words and the message that goes to the log, or with neither."""

    name: str
    greeting: str
    real: bool

    def answer(self, request: Request) -> tuple[Said, Message | None]:
        """Answer `request`."""
        ...


class Nobody:
    """No model, and nothing in the log in its place."""

    name = "none"
    greeting = "No model is set (--model), so nobody answers: you see what one would be told and what is kept."
    real = False

    def answer(self, request: Request) -> tuple[Said, Message | None]:
        """Answer nothing."""
        return Said(""), None


class Speaker:
    """A model, called on one event loop for the whole conversation, since its connections belong to one."""

    real = True

    def __init__(self, model: Model, loop: asyncio.Runner) -> None:
        self.model, self.loop = model, loop
        self.name = model.name
        self.greeting = f"You are talking to {model.name}."

    def answer(self, request: Request) -> tuple[Said, Message | None]:
        """Ask the model. When it fails, the turn still ends: what the person said is not lost with it."""
        try:
            reply = self.loop.run(self.model.complete(request))
        except ModelError as error:
            show.warn(str(error))
            return Said("", failed=True), None
        # No tools were offered, so a call in the answer has nobody to carry it out: the words count.
        text = reply.message.text or "(The model gave no answer.)"
        return Said(text), said("assistant", text)


@contextmanager
def voice(model: str | None, base_url: str | None) -> Iterator[Voice]:
    """The voice that the options ask for."""
    if model is None:
        if base_url is not None:
            raise UsageError("--base-url needs --model: which of the service's models?")
        yield Nobody()
        return
    import asyncio

    from memoranda.models import model_from

    with asyncio.Runner() as loop:
        yield Speaker(model_from(spec(model), base_url=base_url), loop)


def spec(model: str) -> str:
    """A name alone is one of an OpenAI-compatible service; there a colon is part of many names."""
    return model if model.startswith("openai:") else f"openai:{model}"
