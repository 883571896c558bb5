"""OpenAI chat completions: messages from and to the neutral form, and what may be sent.

`to_openai(from_openai(m)) == m` for every valid message, key for key. What an edit of the parts
makes impossible to keep (a null content that has text now) follows the usual form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, overload

from memoranda.errors import MessageError
from memoranda.messages import (
    Message,
    Opaque,
    Part,
    Recalled,
    Role,
    Text,
    ToolCall,
    ToolResult,
)
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
from memoranda.messages._turns import paired, unmixed

FORM = "openai"
ROLE_OF: Mapping[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
Wire = dict[str, Any]


@overload
def from_openai(data: Mapping[str, Any]) -> Message: ...
@overload
def from_openai(data: Sequence[Mapping[str, Any]]) -> list[Message]: ...
def from_openai(data: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> Message | list[Message]:
    """One message, or a list of them, from the provider's form. Raises `MessageError` for a wrong
    shape.
    """
    if isinstance(data, Mapping):
        return read_message(data, "message")
    items = a_list(data, "messages")
    return [read_message(item, f"messages[{i}]") for i, item in enumerate(items)]


@overload
def to_openai(messages: Message) -> Wire: ...
@overload
def to_openai(messages: Sequence[Message]) -> list[Wire]: ...
def to_openai(messages: Message | Sequence[Message]) -> Wire | list[Wire]:
    """One message, or a list of them, in the provider's form. A message of several results needs
    the list.
    """
    if not isinstance(messages, Message):
        return [_write(piece) for piece in unmixed(messages)]
    pieces = unmixed([messages])
    if len(pieces) != 1:
        raise MessageError(
            "a message with several tool results is several messages here; give it in a list"
        )
    return _write(pieces[0])


def to_openai_request(system: str | None, messages: Iterable[Message]) -> list[Wire]:
    """The `messages` of a request: the system prompt first, each call's results straight after it.

    A result without a call is left out and a call without a result gets one that says so, because
    the service refuses either. Messages with nothing to send are left out.
    """
    head: list[Wire] = [{"role": "system", "content": system}] if system else []
    return head + [wire for wire in map(_sendable, paired(messages)) if wire]


def _sendable(message: Message) -> Wire | None:
    wire = _write(message)
    if wire.get("content") in (None, []):
        if wire["role"] in ("tool", "function"):
            wire["content"] = ""
        elif not message.calls:
            return None
        else:
            wire["content"] = None
    return wire


# Reading


def read_message(data: Any, where: str) -> Message:
    """The neutral message of one of the provider's; `where` names its place in errors."""
    data = an_object(data, where)
    word = a_string(data, "role", where)
    if word not in ROLE_OF:
        raise MessageError(f"{where}.role must be one of {', '.join(ROLE_OF)}")
    role = ROLE_OF[word]
    ours = ["role", "content"] if "content" in data else ["role"]
    parts = _content(data.get("content"), f"{where}.content")
    whole: tuple[Part, ...] = parts
    calls: tuple[ToolCall, ...] = ()
    if role == "tool":
        result, fields = _result(data, word, parts, where)
        whole, ours = (result,), ours + fields
    elif role == "assistant":
        calls, fields = _calls(data, where)
        whole, ours = (*parts, *calls), ours + fields
    shape = remember(data, ours, where)
    if word != role:
        shape["role"] = word
    kind = _kind_of(data)
    if kind != _usual(parts, bool(calls)):
        shape["content"] = kind
    return Message(role, whole, extra=under(FORM, shape))


def _kind_of(data: Mapping[str, Any]) -> str:
    if "content" not in data:
        return "missing"
    content = data["content"]
    return "null" if content is None else "string" if isinstance(content, str) else "list"


def _usual(parts: Sequence[Text | Recalled | Opaque], calls: bool) -> str:
    """The kind of content that these parts get when nothing else is remembered."""
    if not parts:
        return "null" if calls else "string"
    return "string" if len(parts) == 1 and _plain(parts[0]) else "list"


def _plain(part: Part) -> bool:
    return isinstance(part, Recalled) or (isinstance(part, Text) and not shape_of(part.extra, FORM))


def _content(content: Any, where: str) -> tuple[Text | Opaque, ...]:
    if content is None:
        return ()
    if isinstance(content, str):
        return (Text(content),)
    if not isinstance(content, list | tuple):
        raise fault(where, "a string, a list of parts or null", content)
    return tuple(_part(part, f"{where}[{i}]") for i, part in enumerate(content))


def _part(data: Any, where: str) -> Text | Opaque:
    data = an_object(data, where)
    if a_string(data, "type", where) != "text":
        return Opaque(FORM, json_copy(data, where))
    text = a_string(data, "text", where)
    return Text(text, under(FORM, remember(data, ["type", "text"], where)))


def _result(
    data: Mapping[str, Any], word: str, parts: tuple[Text | Opaque, ...], where: str
) -> tuple[ToolResult, list[str]]:
    """The result in a tool message, and the fields read. The old `function` role pairs by name."""
    if word == "function":
        name = a_string(data, "name", where)
        return ToolResult(_legacy_id(name), parts, name=name), ["name"]
    call_id = a_string(data, "tool_call_id", where)
    if data.get("name") is None:
        return ToolResult(call_id, parts), ["tool_call_id"]
    name = a_string(data, "name", where)
    return ToolResult(call_id, parts, name=name), ["tool_call_id", "name"]


def _legacy_id(name: str) -> str:
    return f"function_{name}"


def _calls(data: Mapping[str, Any], where: str) -> tuple[tuple[ToolCall, ...], list[str]]:
    """The calls of an assistant message, and the fields read. Empty and null fields are only
    carried.
    """
    calls: list[ToolCall] = []
    fields: list[str] = []
    if data.get("tool_calls") not in (None, [], ()):
        place = f"{where}.tool_calls"
        items = a_list(data["tool_calls"], place)
        calls += [_call(item, f"{place}[{i}]") for i, item in enumerate(items)]
        fields.append("tool_calls")
    if data.get("function_call") is not None:
        calls.append(_legacy_call(data["function_call"], f"{where}.function_call"))
        fields.append("function_call")
    return tuple(calls), fields


# The kinds of call, and the field that holds the argument text in each.
_ARGUMENTS: Mapping[str, str] = {"function": "arguments", "custom": "input"}


def _call(data: Any, where: str) -> ToolCall:
    data = an_object(data, where)
    call_id = a_string(data, "id", where)
    kind = a_string(data, "type", where) if "type" in data else "function"
    if kind not in _ARGUMENTS:
        verbatim = {"verbatim": json_copy(data, where)}
        return ToolCall(call_id, kind, "", under(FORM, verbatim))
    if kind not in data:
        raise missing(where, kind)
    inner = an_object(data[kind], f"{where}.{kind}")
    name = a_string(inner, "name", f"{where}.{kind}")
    arguments = a_string(inner, _ARGUMENTS[kind], f"{where}.{kind}")
    ours = ["id", "type", kind] if "type" in data else ["id", kind]
    shape = remember(data, ours, where)
    if "type" not in data:
        shape["type"] = "missing"
    elif kind != "function":
        shape["type"] = kind
    inner_shape = remember(inner, ["name", _ARGUMENTS[kind]], where)
    if inner_shape:
        shape["function"] = inner_shape
    return ToolCall(call_id, name, arguments, under(FORM, shape))


def _legacy_call(data: Any, where: str) -> ToolCall:
    data = an_object(data, where)
    name = a_string(data, "name", where)
    arguments = a_string(data, "arguments", where)
    shape = {"legacy": True, **remember(data, ["name", "arguments"], where)}
    return ToolCall(_legacy_id(name), name, arguments, {FORM: shape})


# Writing


def _write(message: Message) -> Wire:
    shape = shape_of(message.extra, FORM)
    word = shape.get("role")
    kept = isinstance(word, str) and ROLE_OF.get(word) == message.role
    built: Wire = {"role": word if kept else message.role}
    parts: Iterable[Part] = message.parts
    if message.role == "tool" and message.results:
        parts = message.results[0].parts
    calls = message.calls if message.role == "assistant" else ()
    _put_content(built, parts, shape.get("content"), bool(calls))
    if message.role == "tool" and message.results:
        _put_result(built, message.results[0])
    _put_calls(built, calls)
    return restore(built, shape)


def _put_content(built: Wire, parts: Iterable[Part], kind: str | None, calls: bool) -> None:
    said = [
        part
        for part in parts
        if isinstance(part, Text | Recalled) or (isinstance(part, Opaque) and part.form == FORM)
    ]
    if kind is None or (kind in ("missing", "null") and said):
        kind = _usual(said, calls)
    if kind == "null":
        built["content"] = None
    elif kind == "list" or (kind == "string" and len(said) > 1):
        built["content"] = [_write_part(part) for part in said]
    elif kind == "string":
        built["content"] = "".join(part.text for part in said if not isinstance(part, Opaque))


def _write_part(part: Text | Recalled | Opaque) -> Wire:
    if isinstance(part, Opaque):
        copy: Wire = json_copy(part.data, "content")
        return copy
    built: Wire = {"type": "text", "text": part.text}
    return restore(built, shape_of(part.extra, FORM)) if isinstance(part, Text) else built


def _put_result(built: Wire, result: ToolResult) -> None:
    if built["role"] == "tool":
        built["tool_call_id"] = result.call_id
    if result.name is not None:
        built["name"] = result.name


def _put_calls(built: Wire, calls: Sequence[ToolCall]) -> None:
    legacy = [call for call in calls if shape_of(call.extra, FORM).get("legacy")]
    if len(legacy) < len(calls):
        built["tool_calls"] = [_write_call(call) for call in calls if call not in legacy]
    if legacy:
        call = legacy[0]
        inner = {"name": call.name, "arguments": call.arguments}
        built["function_call"] = restore(inner, shape_of(call.extra, FORM))


def _write_call(call: ToolCall) -> Wire:
    shape = shape_of(call.extra, FORM)
    if "verbatim" in shape:
        copy: Wire = json_copy(shape["verbatim"], "tool_calls")
        return copy
    kind = "custom" if shape.get("type") == "custom" else "function"
    inner = {"name": call.name, _ARGUMENTS[kind]: call.arguments}
    built: Wire = {"id": call.id}
    if shape.get("type") != "missing":
        built["type"] = kind
    built[kind] = restore(inner, shape_of(shape, "function"))
    return restore(built, shape)
