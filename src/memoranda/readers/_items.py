"""From text to messages: JSON values or paragraphs, one at a time, each with the line where it
begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from math import isfinite
from typing import Any

from memoranda.errors import MessageError
from memoranda.messages import Message, Role, anthropic, openai_chat, said
from memoranda.readers._json import document_values, in_lines, line_values
from memoranda.readers._source import Source
from memoranda.types import Origin, from_micros, to_micros


@dataclass(frozen=True, slots=True)
class Item:
    """One conversation (`whole`) or one message of a file, with the line and the size it had
    there.
    """

    line: int
    size: int
    messages: tuple[Message, ...]
    times: tuple[int | None, ...]
    whole: bool = False
    id: str | None = None


# JSON


def json_items(source: Source, shape: str, form: str) -> Iterator[Item]:
    """The items of a file of JSON."""
    for line, size, value in _values(source, shape):
        try:
            yield _item(line, size, value, form)
        except MessageError as error:
            problem, _, remedy = str(error).partition("; ")
            raise source.fault(line, problem, remedy or "correct this message") from None


def _values(source: Source, shape: str) -> Iterator[tuple[int, int, Any]]:
    # A single object on the first line says lines; an object that goes on below it is a document.
    if shape == "array" or (shape == "object" and not in_lines(source)):
        return document_values(source, shape == "array")
    return line_values(source)


def _item(line: int, size: int, value: Any, form: str) -> Item:
    if isinstance(value, list):
        value = {"messages": value}
    if not isinstance(value, Mapping):
        raise MessageError("this is neither a conversation nor a message; give JSON objects")
    if "messages" in value:
        return _conversation(line, size, value, form)
    if "role" not in value:
        raise MessageError(
            "this is no conversation ('messages') and no message ('role'); correct or remove it"
        )
    found, time = _message(value, "message", form)
    return Item(line, size, tuple(found), (time,) * len(found))


def _conversation(line: int, size: int, value: Mapping[str, Any], form: str) -> Item:
    listed = value["messages"]
    if not isinstance(listed, list):
        raise MessageError("messages must be a list; correct or remove this conversation")
    messages: list[Message] = []
    times: list[int | None] = []
    if form != "openai" and value.get("system") is not None:
        messages.append(_from_file(anthropic.read_system(value["system"])))
        times.append(None)
    for i, data in enumerate(listed):
        found, time = _message(data, f"messages[{i}]", form)
        messages += found
        times += [time] * len(found)
    return Item(line, size, tuple(messages), tuple(times), True, _id(value.get("id")))


def _id(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise MessageError("id must be a string or a whole number; correct or remove it")


TIME_FIELDS = ("time", "timestamp", "created_at")


def _message(data: Any, where: str, form: str) -> tuple[list[Message], int | None]:
    if not isinstance(data, Mapping):
        raise MessageError(f"{where} must be an object; correct or remove it")
    times = [_micros(data[key], f"{where}.{key}") for key in TIME_FIELDS if key in data]
    sent = {key: value for key, value in data.items() if key not in TIME_FIELDS}
    if form == "anthropic" or (form == "auto" and _of_anthropic(sent)):
        found = anthropic.read_message(sent, where)
    else:
        found = [openai_chat.read_message(sent, where)]
    time = next((time for time in times if time is not None), None)
    return [_from_file(message) for message in found], time


def _from_file(message: Message) -> Message:
    """A file can claim any role; what it says in the system's name is not the operator's word."""
    return replace(message, origin=Origin.EXTERNAL) if message.role == "system" else message


_ANTHROPIC_BLOCKS = frozenset(
    {
        "tool_use", "tool_result", "thinking", "redacted_thinking", "compaction", "image",
        "document", "search_result", "server_tool_use", "mcp_tool_use", "mcp_tool_result",
    }
)  # fmt: skip


def _of_anthropic(data: Mapping[str, Any]) -> bool:
    """Whether a block in this message is one that only this form has."""
    content = data.get("content")
    if not isinstance(content, list):
        return False
    kinds = [block.get("type") for block in content if isinstance(block, Mapping)]
    return any(
        isinstance(kind, str) and (kind in _ANTHROPIC_BLOCKS or kind.endswith("_tool_result"))
        for kind in kinds
    )


def _micros(value: Any, where: str) -> int | None:
    """A message's own time: ISO 8601 with a zone, or seconds since 1970."""
    if value is None:
        return None
    try:
        if isinstance(value, str):
            micros = to_micros(datetime.fromisoformat(value.strip()))
        elif isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            raise ValueError
        else:
            micros = round(value * 1_000_000)
        from_micros(micros)
    except (ValueError, OverflowError):
        raise MessageError(
            f"{where} is no time; write ISO 8601 with a zone (2026-01-31T09:00:00Z) or seconds "
            "since 1970"
        ) from None
    return micros


# Plain text

_ROLE_OF_NAME: dict[str, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
}
_TURN = re.compile(r"\s{0,3}(user|human|assistant|ai)\s?:\s?(.*)", re.IGNORECASE | re.DOTALL)


def text_items(source: Source) -> Iterator[Item]:
    """The items of plain text: turns if its first line says `User:` or `Assistant:`, else
    paragraphs.

    Other names (`System:`) open no turn: a text cannot give itself a role that it does not have.
    """
    role: Role = "user"
    start, size, block = 1, 0, list[str]()
    turns: bool | None = None
    for number, line in source.lines():
        blank = not line.strip()
        if turns is None and not blank:
            turns = _TURN.match(line) is not None
        turn = _TURN.match(line) if turns else None
        if turn or (blank and not turns):
            yield from _said(start, size, role, block)
            start, size, block = number, 0, []
        if turn:
            role, line = _ROLE_OF_NAME[turn[1].lower()], turn[2]
        if not block and not line.strip():
            continue
        start = start if block or turn else number
        block.append(line)
        size += len(line)
        if size > source.line_bytes:
            raise source.too_long(start, "paragraph")
    yield from _said(start, size, role, block)


def _said(line: int, size: int, role: Role, block: list[str]) -> Iterator[Item]:
    text = "".join(block).replace("\r\n", "\n").strip()
    if text:
        yield Item(line, size, (said(role, text),), (None,))
