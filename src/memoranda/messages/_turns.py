"""The order that every provider asks for: each call's results straight after it, none without a
call.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from memoranda.messages import Message, Part, Text, ToolCall, ToolResult
from memoranda.messages._shape import shape_of

NO_RESULT = "[no result of this call was recorded]"


def unmixed(messages: Iterable[Message]) -> list[Message]:
    """The same messages with each tool result in a tool message of its own, in the same order."""
    return [piece for message in messages for piece in _pieces(message)]


def _pieces(message: Message) -> list[Message]:
    results = message.results
    if not results or (message.role == "tool" and len(message.parts) == 1):
        return [message]
    if message.role == "tool":
        # What a tool message holds besides results has no place in any form that pairs by id.
        return [replace(message, parts=(result,)) for result in results]
    pieces: list[Message] = []
    said: list[Part] = []
    for part in message.parts:
        if not isinstance(part, ToolResult):
            said.append(part)
            continue
        if said:
            pieces.append(message.with_parts(said))
            said = []
        pieces.append(Message("tool", (part,)))
    return [*pieces, message.with_parts(said)] if said else pieces


def paired(messages: Iterable[Message]) -> list[Message]:
    """The messages in an order that can be sent.

    Results follow their call's message in the order in which they came. A result that answers no
    earlier call is left out; a call without a result gets one that says so.
    """
    flat = unmixed(messages)
    answers = _answers(flat)
    ordered: list[Message] = []
    for at, message in enumerate(flat):
        if message.role == "tool":
            continue
        ordered.append(message)
        if message.role == "assistant":
            found = answers.get(at, [])
            ordered += found
            ordered += _unanswered(message.calls, found)
    return ordered


def _answers(flat: Sequence[Message]) -> dict[int, list[Message]]:
    """For each assistant message by position, the tool messages that answer its calls."""
    waiting: dict[str, list[int]] = {}
    answers: dict[int, list[Message]] = {}
    for at, message in enumerate(flat):
        if message.role == "assistant":
            for call_id, times in Counter(call.id for call in message.calls).items():
                # An id used again is a new call: what comes later answers that one.
                waiting[call_id] = [at] * times
        elif message.role == "tool" and message.results:
            places = waiting.get(message.results[0].call_id)
            if places:
                answers.setdefault(places.pop(), []).append(message)
    return answers


def _unanswered(calls: Sequence[ToolCall], found: Sequence[Message]) -> list[Message]:
    left = Counter(message.results[0].call_id for message in found)
    notices: list[Message] = []
    for call in calls:
        if left[call.id] > 0:
            left[call.id] -= 1
            continue
        result = ToolResult(call.id, (Text(NO_RESULT),), is_error=True, name=call.name)
        legacy = bool(shape_of(call.extra, "openai").get("legacy"))
        extra = {"openai": {"role": "function"}} if legacy else {}
        notices.append(Message("tool", (result,), extra=extra))
    return notices


def valid_ids(turns: Iterable[Message], wrong: re.Pattern[str]) -> list[Message]:
    """Paired turns whose call ids hold nothing that `wrong` finds, and are used once. Good ids stay
    as they are.
    """
    used: set[str] = set()
    renamed: dict[str, list[str]] = {}
    whole: list[Message] = []
    for turn in turns:
        if turn.role == "assistant":
            renamed = {}
        parts = [_with_valid_id(part, wrong, used, renamed) for part in turn.parts]
        whole.append(turn.with_parts(parts))
    return whole


def _with_valid_id(
    part: Part, wrong: re.Pattern[str], used: set[str], renamed: dict[str, list[str]]
) -> Part:
    if isinstance(part, ToolCall):
        fresh = _unused(wrong.sub("_", part.id) or "call", used)
        renamed.setdefault(part.id, []).append(fresh)
        return replace(part, id=fresh)
    if isinstance(part, ToolResult):
        return replace(part, call_id=renamed[part.call_id].pop(0))
    return part


def _unused(name: str, used: set[str]) -> str:
    number, fresh = 1, name
    while fresh in used:
        number += 1
        fresh = f"{name}_{number}"
    used.add(fresh)
    return fresh
