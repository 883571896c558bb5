"""Anthropic content blocks: messages from and to the neutral form, and what may be sent.

`to_anthropic(from_anthropic(messages, system)) == (system, messages)` for every valid conversation,
key for key. A user message that holds tool results becomes several neutral ones, so that a result
never passes for what the user said; `extra` remembers that they were one (`join`). Several results
in a row become one user message.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from memoranda.errors import MessageError
from memoranda.messages import Message, Opaque, Part, Recalled, Role, Text, ToolCall, ToolResult
from memoranda.messages._shape import (
    a_list,
    a_string,
    an_object,
    fault,
    json_copy,
    missing,
    remember,
    restore,
    shape_of,
    under,
)
from memoranda.messages._turns import paired, valid_ids

FORM = "anthropic"
ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}
# Where the argument text of a call is kept when it is not the JSON object that this form asks for.
RAW = "_raw_arguments"
# What the user is made to say when a conversation begins with the assistant, which the service
# refuses.
MOST_BREAKPOINTS = 4
MARKABLE = frozenset({"text", "tool_use", "tool_result", "image", "document"})
OPENING = "[the conversation begins with the assistant]"
_NOT_IN_ID = re.compile(r"[^a-zA-Z0-9_-]")

Block = dict[str, Any]
System = str | list[Block] | None


def from_anthropic(
    messages: Mapping[str, Any] | Sequence[Mapping[str, Any]],
    system: str | Sequence[Mapping[str, Any]] | None = None,
) -> list[Message]:
    """Neutral messages from one message or a list, with the system prompt first if there is one.

    Raises `MessageError` for a wrong shape.
    """
    found = [] if system is None else [read_system(system)]
    if isinstance(messages, Mapping):
        return found + read_message(messages, "message")
    for i, item in enumerate(a_list(messages, "messages")):
        found += read_message(item, f"messages[{i}]")
    return found


def to_anthropic(messages: Iterable[Message]) -> tuple[System, list[dict[str, Any]]]:
    """The system prompt (None: there is none) and the messages in the provider's form.

    A first message of the system goes apart; later ones stay in their place.
    """
    items = list(messages)
    system: System = None
    if items and items[0].role == "system" and not shape_of(items[0].extra, FORM).get("inline"):
        system = _content(items[0], write_blocks(items[0]))
        items = items[1:]
    groups: list[list[Message]] = []
    for message in items:
        if groups and _joins(groups[-1][-1], message):
            groups[-1].append(message)
        else:
            groups.append([message])
    return system, [_write(group) for group in groups]


def to_anthropic_request(
    system: str | None, messages: Iterable[Message], *, cache: bool = False
) -> tuple[System, list[dict[str, Any]]]:
    """The `system` and the `messages` of a request that the service accepts.

    `cache`: with breakpoints of the prompt cache, four at most: behind the system prompt, behind the first user
    message, where the last request ended, and at the end.

    Roles alternate and begin with the user; each call's results come first in the user message
    after it; system messages from anywhere join the system prompt; blank texts and fields of a
    reply (its id, usage) are left out. Contents are always lists, so that what follows a message
    never changes how that message was written.
    """
    turns = paired(messages)
    wire: list[dict[str, Any]] = []
    for message in valid_ids([turn for turn in turns if turn.role != "system"], _NOT_IN_ID):
        blocks = [block for block in map(_sendable, write_blocks(message)) if block]
        if blocks and wire and wire[-1]["role"] == _role(message):
            wire[-1]["content"] += blocks
        elif blocks:
            wire.append({"role": _role(message), "content": blocks})
    if wire and wire[0]["role"] != "user":
        wire.insert(0, {"role": "user", "content": [{"type": "text", "text": OPENING}]})
    lifted = [block for turn in turns if turn.role == "system" for block in write_blocks(turn)]
    prompt = _prompt(system, [block for block in lifted if _sendable(block)])
    return with_breakpoints(prompt, wire) if cache else (prompt, wire)


def with_breakpoints(
    system: System, wire: list[dict[str, Any]]
) -> tuple[System, list[dict[str, Any]]]:
    """The request with breakpoints where a prefix will be asked for again; those that are there count."""
    prompt: System = [{"type": "text", "text": system}] if isinstance(system, str) else system
    told = [block for message in wire for block in message["content"]]
    left = MOST_BREAKPOINTS - sum("cache_control" in block for block in [*(prompt or []), *told])
    users = [i for i, message in enumerate(wire) if message["role"] == "user"]
    # By worth: the end, the end of the last request (whose prefix is there to be read), the system, the task.
    ends = [wire[i]["content"] for i in dict.fromkeys([*users[:-3:-1], *users[:1]])]
    places = [*ends[:2], prompt or [], *ends[2:]]
    for blocks in places:
        last = next((i for i in reversed(range(len(blocks))) if _markable(blocks[i])), None)
        if left > 0 and last is not None:
            blocks[last] = {**blocks[last], "cache_control": {"type": "ephemeral"}}
            left -= 1
    return prompt, wire


def _markable(block: Block) -> bool:
    return block["type"] in MARKABLE and "cache_control" not in block


def _prompt(system: str | None, lifted: list[Block]) -> System:
    if not lifted:
        return system or None
    return [{"type": "text", "text": system}, *lifted] if system else lifted


def _sendable(block: Block) -> Block | None:
    """The block as the service takes it, None if it has nothing to say: blank texts are refused
    there.
    """
    if block["type"] == "text" and not block["text"].strip():
        return None
    content = block.get("content")
    if block["type"] != "tool_result" or not isinstance(content, list):
        return block
    left = [item for item in content if item["type"] != "text" or item["text"].strip()]
    return {**block, "content": left or ""}


# Reading


def read_system(system: Any) -> Message:
    """The system prompt, a string or a list of blocks, as a message."""
    parts, kind = _read_content(system, "system", "system")
    return Message("system", parts, extra=under(FORM, _kept(kind, parts)))


def read_message(data: Any, where: str) -> list[Message]:
    """The neutral messages of one of the provider's; `where` names its place in errors."""
    data = an_object(data, where)
    word = a_string(data, "role", where)
    if word not in ROLES:
        raise MessageError(f"{where}.role must be one of {', '.join(ROLES)}")
    if "content" not in data:
        raise missing(where, "content")
    role = ROLES[word]
    parts, kind = _read_content(data["content"], role, f"{where}.content")
    shape = remember(data, ["role", "content"], where) | _kept(kind, parts)
    if role == "system":
        shape["inline"] = True
    return _split(role, parts, shape)


def _kept(kind: str, parts: Sequence[Part]) -> dict[str, Any]:
    return {} if kind == _usual(parts) else {"content": kind}


def _usual(parts: Sequence[Part]) -> str:
    """The kind of content that these parts get when nothing else is remembered."""
    if len(parts) != 1:
        return "list"
    part = parts[0]
    plain = isinstance(part, Recalled) or (
        isinstance(part, Text) and not shape_of(part.extra, FORM)
    )
    return "string" if plain else "list"


def _split(role: Role, parts: Sequence[Part], shape: dict[str, Any]) -> list[Message]:
    """The messages that one message of the provider holds: each result apart from what was said
    around it.
    """
    groups: list[list[Part]] = []
    for part in parts:
        alone = isinstance(part, ToolResult) or (groups and isinstance(groups[-1][0], ToolResult))
        if groups and not alone:
            groups[-1].append(part)
        else:
            groups.append([part])
    if not groups:
        return [Message(role, (), extra=under(FORM, shape))]
    messages: list[Message] = []
    for i, group in enumerate(groups):
        of_tool = isinstance(group[0], ToolResult)
        hints = {"join": True} if i else {**shape, "join": False} if of_tool else shape
        messages.append(Message("tool" if of_tool else role, tuple(group), extra={FORM: hints}))
    if not messages[0].extra[FORM]:
        messages[0] = Message(role, messages[0].parts)
    return messages


def _read_content(content: Any, role: Role, where: str) -> tuple[tuple[Part, ...], str]:
    """The parts of a content, and the kind of content it was."""
    if isinstance(content, str):
        return (Text(content),), "string"
    if not isinstance(content, list | tuple):
        raise fault(where, "a string or a list of blocks", content)
    blocks = tuple(_read_block(block, role, f"{where}[{i}]") for i, block in enumerate(content))
    return blocks, "list"


def _read_block(data: Any, role: Role, where: str) -> Part:
    data = an_object(data, where)
    kind = a_string(data, "type", where)
    if kind == "text":
        return _read_text(data, where)
    if kind == "tool_use" and role == "assistant":
        return _read_call(data, where)
    if kind == "tool_result" and role == "user":
        return _read_result(data, where)
    return Opaque(FORM, json_copy(data, where))


def _read_text(data: Mapping[str, Any], where: str) -> Text:
    text = a_string(data, "text", where)
    return Text(text, under(FORM, remember(data, ["type", "text"], where)))


def _read_call(data: Mapping[str, Any], where: str) -> ToolCall:
    call_id = a_string(data, "id", where)
    name = a_string(data, "name", where)
    if "input" not in data:
        raise missing(where, "input")
    given = json_copy(an_object(data["input"], f"{where}.input"), f"{where}.input")
    shape = remember(data, ["type", "id", "name", "input"], where)
    return ToolCall(call_id, name, _arguments(given), under(FORM, shape))


def _read_result(data: Mapping[str, Any], where: str) -> ToolResult:
    call_id = a_string(data, "tool_use_id", where)
    ours = ["type", "tool_use_id"]
    parts: tuple[Text | Opaque, ...] = ()
    kind = "missing"
    if "content" in data:
        ours.append("content")
        read, kind = _read_content(data["content"], "tool", f"{where}.content")
        parts = tuple(part for part in read if isinstance(part, Text | Opaque))
    error = data.get("is_error")
    if error is not None and not isinstance(error, bool):
        raise fault(f"{where}.is_error", "true or false", error)
    if error:
        ours.append("is_error")
    shape = remember(data, ours, where) | _kept(kind, parts)
    return ToolResult(call_id, parts, bool(error), extra=under(FORM, shape))


# Writing


def _joins(before: Message, message: Message) -> bool:
    """Whether `message` goes into the same message of the provider as the one before it."""
    if _role(before) != _role(message):
        return False
    join = shape_of(message.extra, FORM).get("join")
    return bool(join) if join is not None else before.role == message.role == "tool"


def _role(message: Message) -> str:
    return "user" if message.role == "tool" else message.role


def _write(group: Sequence[Message]) -> dict[str, Any]:
    first = group[0]
    blocks = [block for message in group for block in write_blocks(message)]
    content = _content(first, blocks) if len(group) == 1 else blocks
    return restore({"role": _role(first), "content": content}, shape_of(first.extra, FORM))


def _content(message: Message, blocks: list[Block]) -> str | list[Block]:
    kind = shape_of(message.extra, FORM).get("content") or _usual(_ours(message.parts))
    if kind == "string" and len(blocks) == 1 and set(blocks[0]) == {"type", "text"}:
        text: str = blocks[0]["text"]
        return text
    return blocks


def _ours(parts: Iterable[Part]) -> list[Part]:
    return [part for part in parts if not isinstance(part, Opaque) or part.form == FORM]


def write_blocks(message: Message) -> list[Block]:
    """The blocks of a message. Opaque parts of another form are left out."""
    return [_write_block(part) for part in _ours(message.parts)]


def _write_block(part: Part) -> Block:
    match part:
        case Text():
            return restore({"type": "text", "text": part.text}, shape_of(part.extra, FORM))
        case Recalled():
            return {"type": "text", "text": part.text}
        case ToolCall():
            given = {"id": part.id, "name": part.name, "input": _input(part.arguments)}
            return restore({"type": "tool_use", **given}, shape_of(part.extra, FORM))
        case ToolResult():
            return _write_result(part)
        case Opaque():
            copy: Block = json_copy(part.data, "content")
            return copy


def _write_result(result: ToolResult) -> Block:
    shape = shape_of(result.extra, FORM)
    built: Block = {"type": "tool_result", "tool_use_id": result.call_id}
    parts = _ours(result.parts)
    blocks = [_write_block(part) for part in parts]
    kind = shape.get("content")
    if kind is None or (kind == "missing" and blocks):
        kind = _usual(parts)
    if kind == "string" and len(blocks) == 1 and set(blocks[0]) == {"type", "text"}:
        built["content"] = blocks[0]["text"]
    elif kind != "missing":
        built["content"] = blocks
    if result.is_error:
        built["is_error"] = True
    return restore(built, shape)


# Arguments: an object here, JSON text in the neutral form


def _arguments(given: Mapping[str, Any]) -> str:
    """The argument text of an input object."""
    raw = given.get(RAW)
    if len(given) == 1 and isinstance(raw, str) and raw.strip() and _object(raw) is None:
        return raw
    return json.dumps(given, ensure_ascii=False)


def _input(arguments: str) -> dict[str, Any]:
    """The input object of an argument text. Small models write text that is no object: that is
    carried as text.
    """
    if not arguments.strip():
        return {}
    found = _object(arguments)
    return {RAW: arguments} if found is None else found


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json_copy(json.loads(text, parse_constant=_no_constant), "arguments")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)
