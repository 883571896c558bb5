"""The neutral form as JSON, as the session log stores it, and the strings in it that a person could
read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NoReturn, get_args

from memoranda.errors import MessageError
from memoranda.messages import (
    ROLES,
    Message,
    Opaque,
    Part,
    Recalled,
    Role,
    Text,
    ToolCall,
    ToolResult,
)
from memoranda.messages._shape import MAX_DEPTH, a_list, a_string, an_object, fault, json_copy
from memoranda.types import Origin

# Added to the form of a signed block whose text was changed: no service would take it, so none is
# sent it.
CHANGED = "-changed"


def to_json(message: Message) -> dict[str, Any]:
    """The message as plain JSON values; fields at their default are left out."""
    data: dict[str, Any] = {"role": message.role, "parts": [_part(p) for p in message.parts]}
    if message.origin is not None:
        data["origin"] = str(message.origin)
    return _with_extra(data, message.extra)


def from_json(data: Mapping[str, Any]) -> Message:
    """The message that `to_json` made these values of. Raises `MessageError` for anything else."""
    data = _fields(data, "message", {"role", "parts", "origin", "extra"})
    role = _role(a_string(data, "role", "message"))
    items = a_list(data.get("parts"), "message.parts")
    parts = tuple(_read_part(item, f"message.parts[{i}]") for i, item in enumerate(items))
    return Message(role, parts, _origin(data.get("origin")), _extra(data, "message"))


def dumps(message: Message) -> str:
    """The message as one line of JSON text in ASCII, the same for the same message."""
    return json.dumps(to_json(message), separators=(",", ":"))


def loads(text: str) -> Message:
    """The message that `dumps` made this text of. Raises `MessageError` for anything else."""
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise MessageError("a stored message is not JSON; run doctor on the store") from None
    return from_json(an_object(data, "message"))


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


# Writing


def _part(part: Part) -> dict[str, Any]:
    match part:
        case Text():
            return _with_extra({"type": "text", "text": part.text}, part.extra)
        case Recalled():
            data: dict[str, Any] = {"type": "recalled", "text": part.text}
            if part.facts:
                data["facts"] = list(part.facts)
            return data if part.receipt is None else {**data, "receipt": part.receipt}
        case ToolCall():
            named = {"id": part.id, "name": part.name, "arguments": part.arguments}
            return _with_extra({"type": "call", **named}, part.extra)
        case ToolResult():
            return _result(part)
        case Opaque():
            data = json_copy(part.data, "a part's data")
            return {"type": "opaque", "form": part.form, "data": data}


def _result(result: ToolResult) -> dict[str, Any]:
    data: dict[str, Any] = {
        "type": "result",
        "call_id": result.call_id,
        "parts": [_part(part) for part in result.parts],
    }
    if result.is_error:
        data["is_error"] = True
    if result.name is not None:
        data["name"] = result.name
    return _with_extra(data, result.extra)


def _with_extra(data: dict[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    return {**data, "extra": json_copy(extra, "extra", MAX_DEPTH + 5)} if extra else data


# Reading


def _fields(data: Any, where: str, known: set[str]) -> Mapping[str, Any]:
    given = an_object(data, where)
    if set(given) - known:
        # To pass over a field would lose what it holds.
        raise MessageError(f"{where} has a field other than {', '.join(sorted(known))}; remove it")
    return given


def _role(word: str) -> Role:
    for role in ROLES:
        if role == word:
            return role
    raise MessageError(f"message.role must be one of {', '.join(get_args(Role))}")


def _origin(word: Any) -> Origin | None:
    if word is None:
        return None
    if not isinstance(word, str) or word not in set(Origin):
        raise MessageError(f"message.origin must be one of {', '.join(Origin)}")
    return Origin(word)


def _extra(data: Mapping[str, Any], where: str) -> dict[str, Any]:
    given = an_object(data.get("extra", {}), f"{where}.extra")
    copy: dict[str, Any] = json_copy(given, f"{where}.extra", MAX_DEPTH + 5)
    return copy


def _optional(data: Mapping[str, Any], field: str, where: str) -> str | None:
    return a_string(data, field, where) if data.get(field) is not None else None


def _read_part(data: Any, where: str) -> Part:
    kind = a_string(an_object(data, where), "type", where)
    match kind:
        case "text" | "opaque":
            return _read_inner(data, where)
        case "recalled":
            return _read_recalled(data, where)
        case "call":
            _fields(data, where, {"type", "id", "name", "arguments", "extra"})
            named = [a_string(data, field, where) for field in ("id", "name", "arguments")]
            return ToolCall(named[0], named[1], named[2], _extra(data, where))
        case "result":
            return _read_result(data, where)
    raise MessageError(f"{where}.type must be text, recalled, call, result or opaque")


def _read_inner(data: Any, where: str) -> Text | Opaque:
    kind = a_string(an_object(data, where), "type", where)
    if kind == "text":
        _fields(data, where, {"type", "text", "extra"})
        return Text(a_string(data, "text", where), _extra(data, where))
    if kind != "opaque":
        raise MessageError(f"{where}.type must be text or opaque")
    _fields(data, where, {"type", "form", "data"})
    block = an_object(data.get("data"), f"{where}.data")
    return Opaque(a_string(data, "form", where), json_copy(block, f"{where}.data"))


def _read_recalled(data: Any, where: str) -> Recalled:
    _fields(data, where, {"type", "text", "facts", "receipt"})
    facts = a_list(data.get("facts", []), f"{where}.facts")
    for i, fact in enumerate(facts):
        if not isinstance(fact, str):
            raise fault(f"{where}.facts[{i}]", "a string", fact)
    text = a_string(data, "text", where)
    return Recalled(text, tuple(facts), _optional(data, "receipt", where))


def _read_result(data: Any, where: str) -> ToolResult:
    _fields(data, where, {"type", "call_id", "parts", "is_error", "name", "extra"})
    items = a_list(data.get("parts"), f"{where}.parts")
    parts = tuple(_read_inner(item, f"{where}.parts[{i}]") for i, item in enumerate(items))
    is_error = data.get("is_error", False)
    if not isinstance(is_error, bool):
        raise fault(f"{where}.is_error", "true or false", is_error)
    call_id = a_string(data, "call_id", where)
    return ToolResult(call_id, parts, is_error, _optional(data, "name", where), _extra(data, where))


# The strings that a person could read

Change = Callable[[str], str]


def texts(message: Message) -> list[str]:
    """Every string of the message that a person could read, in order: what `map_texts` would
    change.
    """
    found: list[str] = []

    def note(text: str) -> str:
        found.append(text)
        return text

    map_texts(message, note)
    return found


def map_texts(message: Message, change: Change) -> Message:
    """The message with `change` applied to every string that a person could read; itself if none
    changed.

    That is: texts, tool names, the strings in a call's arguments (their keys too; the rest of that
    text keeps its bytes), results, carried blocks and `extra`. Ids, types, and signatures or media
    in base64 are passed over. A signed block that is changed is no longer of its form (`CHANGED`),
    so that it is kept and never sent.
    """
    parts = tuple(_map_part(part, change) for part in message.parts)
    changed = replace(message, parts=parts, extra=_map_extra(message.extra, change))
    return message if changed == message else changed


def _map_part(part: Part, change: Change) -> Part:
    match part:
        case Text():
            return Text(change(part.text), _map_extra(part.extra, change))
        case Recalled():
            return replace(part, text=change(part.text))
        case ToolCall():
            return replace(
                part,
                name=change(part.name),
                arguments=map_json_text(part.arguments, change),
                extra=_map_extra(part.extra, change),
            )
        case ToolResult():
            inner = tuple(_map_inner(piece, change) for piece in part.parts)
            name = None if part.name is None else change(part.name)
            return replace(part, parts=inner, name=name, extra=_map_extra(part.extra, change))
        case Opaque():
            return _map_opaque(part, change)


def _map_inner(part: Text | Opaque, change: Change) -> Text | Opaque:
    if isinstance(part, Text):
        return Text(change(part.text), _map_extra(part.extra, change))
    return _map_opaque(part, change)


def _map_opaque(part: Opaque, change: Change) -> Opaque:
    data = _map_value(part.data, change)
    if data == part.data:
        return part
    signed = "signature" in data or "encrypted_content" in data
    return Opaque(part.form + CHANGED if signed else part.form, data)


# What the forms keep about shape, beside fields of the provider: words of ours, no texts.
_HINTS = frozenset({"content", "role", "join", "inline", "legacy", "type"})


def _map_extra(extra: Mapping[str, Any], change: Change) -> dict[str, Any]:
    return {
        form: _map_shape(shape, change)
        if form in ("openai", "anthropic") and isinstance(shape, Mapping)
        else _map_value(shape, change, form)
        for form, shape in extra.items()
    }


def _map_shape(shape: Mapping[str, Any], change: Change) -> dict[str, Any]:
    rest = shape.get("rest")
    mapped: dict[str, Any] = {}
    for key, value in shape.items():
        if key in _HINTS:
            mapped[key] = value
        elif key == "keys" and isinstance(value, list):
            # Only the provider's keys can hold a text; the others are the form's own names.
            theirs = rest if isinstance(rest, Mapping) else {}
            mapped[key] = [change(k) if isinstance(k, str) and k in theirs else k for k in value]
        elif key == "function" and isinstance(value, Mapping):
            mapped[key] = _map_shape(value, change)
        else:
            mapped[key] = _map_value(value, change)
    return mapped


def _map_value(value: Any, change: Change, key: str = "") -> Any:
    if isinstance(value, str):
        return value if _no_text(key, value) else change(value)
    if isinstance(value, Mapping):
        mapped: dict[str, Any] = {}
        for name, inner in value.items():
            # The names that mark identifiers and seals must stay for that to be seen again.
            key = name if name in _IDENTIFIERS | _SEALED else change(name)
            mapped[_free(key, mapped)] = _map_value(inner, change, name)
        return mapped
    if isinstance(value, list | tuple):
        return [_map_value(item, change, key) for item in value]
    return value


def _free(name: str, taken: Mapping[str, Any]) -> str:
    """`name`, or with a number when two keys became the same, so that neither value is lost."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} ({number})"
    return free


_IDENTIFIERS = frozenset({"type", "media_type", "id", "tool_use_id", "tool_call_id", "call_id"})
_SEALED = frozenset({"signature", "encrypted_content", "encrypted_index", "data", "file_data"})
_IDENTIFIER = re.compile(r"[A-Za-z0-9_.:/-]{1,100}")
_BASE64 = re.compile(r"(?:data:[a-z0-9/.+-]{1,60};base64,)?[A-Za-z0-9+/\r\n]{64,}={0,2}\s{0,2}")


def _no_text(key: str, value: str) -> bool:
    """Whether a carried string is an identifier or sealed bytes: to change it would break what it
    stands for.
    """
    if key in _IDENTIFIERS:
        return _IDENTIFIER.fullmatch(value) is not None
    if key in _SEALED or value.startswith("data:"):
        return _BASE64.fullmatch(value) is not None
    return False


_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"')


def map_json_text(text: str, change: Change) -> str:
    """JSON text with `change` applied to every string in it; all other bytes stay. Other text is
    changed whole.

    Working on the literals and not on parsed values keeps number forms, spaces and double keys as
    they came.
    """
    try:
        json.loads(text)
    except ValueError:
        return change(text)
    except RecursionError:
        pass  # Nested too deep to parse: its string literals are found all the same.
    return _LITERAL.sub(lambda found: _map_literal(found.group(), change), text)


def _map_literal(literal: str, change: Change) -> str:
    try:
        before: str = json.loads(literal, strict=False)
    except ValueError:
        return literal  # Only in text too deep to parse, where a literal may be none.
    after = change(before)
    return literal if after == before else json.dumps(after, ensure_ascii=literal.isascii())
