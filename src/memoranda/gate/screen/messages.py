"""Messages on their way to the log: every readable string in them, without what may not be kept.

A log is never refused, since a gap would be a lie too: secrets, and what the policy refuses or masks, give way to
placeholders. A tool's arguments are read with their names: {"pin": 4711} says in two places what is one secret.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memoranda.gate.clean import storable
from memoranda.gate.screen.masking import without
from memoranda.gate.screening import taken_out
from memoranda.messages import Message, Opaque, ToolCall, ToolResult
from memoranda.messages.neutral import map_texts
from memoranda.ports import Screen
from memoranda.settings import SCREENING

DEPTH = 60


def screened_message(
    message: Message, screens: Sequence[Screen], policy: Mapping[str, str] = SCREENING
) -> Message:
    """The message with each secret replaced by a placeholder and each text safe to store."""
    message = message.with_parts(
        _with_plain_arguments(part, screens, policy) for part in message.parts
    )
    hidden = _hidden(message, screens, policy)

    def change(text: str) -> str:
        return hidden[text] if text in hidden else screened_text(text, screens, policy)

    return map_texts(message, change)


def screened_text(
    text: str, screens: Sequence[Screen], policy: Mapping[str, str] = SCREENING
) -> str:
    """The text, safe to store, with each secret replaced by a placeholder."""
    text = storable(text)
    return without(text, taken_out(text, screens, policy))


def _hidden(
    message: Message, screens: Sequence[Screen], policy: Mapping[str, str]
) -> dict[str, str]:
    """Values that are secrets by the name they stand under, each with its placeholder."""
    hidden: dict[str, str] = {}
    for name, value in _named(message):
        if isinstance(value, str) and len(value) < 4000:
            _, mark = _by_name(name, value, screens, policy)
            if mark:
                hidden[value] = mark
    return hidden


def _by_name(
    name: str, value: object, screens: Sequence[Screen], policy: Mapping[str, str]
) -> tuple[bool, str]:
    """Whether "name: value" is a secret where the value alone is none, and what to put in its place."""
    lead = f"{name.replace('_', ' ')}: "
    for text, start in ((f'{name}: "{value}"', len(name) + 2), (f"{lead}{value}", len(lead))):
        found = [f for f in taken_out(text, screens, policy) if f.end > start]
        if found:
            return True, without(text[start:], [replace(found[0], start=0, end=len(text) - start)])
    return False, ""


def _named(message: Message) -> Iterator[tuple[str, object]]:
    """Every value of the message's structured parts, with its name."""
    for part in message.parts:
        if isinstance(part, ToolCall):
            yield from _pairs(_parsed(part.arguments))
        elif isinstance(part, ToolResult):
            for piece in part.parts:
                yield from _pairs(piece.data if isinstance(piece, Opaque) else _parsed(piece.text))
        elif isinstance(part, Opaque):
            yield from _pairs(part.data)
        extra = getattr(part, "extra", None)
        if extra:
            yield from _pairs(extra)
    if message.extra:
        yield from _pairs(message.extra)


def _parsed(text: str) -> Any:
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _pairs(value: Any, depth: int = 0) -> Iterator[tuple[str, object]]:
    if depth > DEPTH:
        return
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if isinstance(inner, str | int | float) and not isinstance(inner, bool):
                yield str(name), inner
            else:
                yield from _pairs(inner, depth + 1)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _pairs(inner, depth + 1)


def _with_plain_arguments(part: Any, screens: Sequence[Screen], policy: Mapping[str, str]) -> Any:
    """A call or a carried block whose numbers are secrets by name ({"pin": 4711}), with text in their place."""
    if isinstance(part, ToolCall):
        data = _parsed(part.arguments)
        blanked = _blanked(data, screens, policy)
        return (
            part
            if blanked == data
            else replace(part, arguments=json.dumps(blanked, ensure_ascii=False))
        )
    if isinstance(part, Opaque):
        return replace(part, data=_blanked(part.data, screens, policy))
    return part


def _blanked(
    value: Any, screens: Sequence[Screen], policy: Mapping[str, str], depth: int = 0
) -> Any:
    if depth > DEPTH:
        return value
    if isinstance(value, Mapping):
        return {
            name: _by_name(str(name), inner, screens, policy)[1] or inner
            if isinstance(inner, int | float) and not isinstance(inner, bool)
            else _blanked(inner, screens, policy, depth + 1)
            for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [_blanked(inner, screens, policy, depth + 1) for inner in value]
    return value
