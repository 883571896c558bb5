"""Messages on their way to the log: every readable string in them, without its secrets."""

from __future__ import annotations

from collections.abc import Sequence

from memoranda.gate.clean import storable
from memoranda.gate.screen.secrets import without_secrets
from memoranda.messages import Message
from memoranda.messages.neutral import map_texts
from memoranda.ports import Screen


def screened_message(message: Message, screens: Sequence[Screen]) -> Message:
    """The message with each secret replaced by a placeholder and each text safe to store."""

    return map_texts(message, lambda text: screened_text(text, screens))


def screened_text(text: str, screens: Sequence[Screen]) -> str:
    """The text, safe to store, with each secret replaced by a placeholder."""
    text = storable(text)
    found = [
        finding for screen in screens for finding in screen.scan(text) if finding.group == "secret"
    ]
    return without_secrets(text, found)
