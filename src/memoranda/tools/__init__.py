"""Tools: functions that a model may ask for, with the schema that it is told."""

from __future__ import annotations

import inspect
import json
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, Protocol, Union, get_args, get_origin, get_type_hints, overload

from memoranda.errors import UsageError
from memoranda.files import tool as file_tool
from memoranda.ports import ToolSpec
from memoranda.types import Origin

SCALARS: Mapping[Any, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool may return beside a value: that it failed, in words meant for the model, or whose text it is.

    origin: of this one result, as in `Answer(page, origin="external")`; it can only lower what the tool's own is.
    """

    text: Any
    is_error: bool = False
    origin: Origin | str | None = None


class HasHandle(Protocol):
    """A subject's `Files` or `AsyncFiles`."""

    def handle(self, command: object) -> Any:
        """Do one command; returns the answer and whether it is an error, or awaits them."""
        ...


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model may call.

    parameters: the JSON schema of its arguments. function: sync (run in a thread) or async; what it returns goes
    to the model as text, or as JSON if it is none. trusted: its results count as `tool`, not as `external`: only
    for what no stranger can write into, such as the files of the user's own repository. A trusted tool that now and
    then returns a stranger's text says so with `Answer`. side_effect: it changes something, so the calls of a step
    that hold one run one after another, and an agent asks before it while low-trust text is in the window. source: the
    origin of its results, where neither of these two fits. asks: False for what changes nothing outside of memory.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    function: Callable[..., Any]
    trusted: bool = False
    side_effect: bool = False
    source: Origin | None = None
    asks: bool = True

    @property
    def spec(self) -> ToolSpec:
        """What the model is told."""
        return ToolSpec(self.name, self.description, self.parameters)

    @property
    def origin(self) -> Origin:
        """The origin of its results."""
        if self.source is not None:
            return self.source
        return Origin.TOOL if self.trusted else Origin.EXTERNAL

    def arguments(self, text: str) -> dict[str, Any]:
        """The arguments of a call from its JSON text; "" is none. Raises `UsageError` with words for the model."""
        try:
            values = json.loads(text or "{}")
        except (ValueError, RecursionError):
            raise UsageError("the arguments are not valid JSON") from None
        if not isinstance(values, dict):
            raise UsageError("the arguments must be a JSON object")
        known = self.parameters.get("properties", {})
        missing = [name for name in self.parameters.get("required", ()) if name not in values]
        if missing:
            raise UsageError(f"missing arguments: {', '.join(missing)}")
        if (
            self.parameters.get("additionalProperties") is False
            and not values.keys() <= known.keys()
        ):
            raise UsageError(f"unknown arguments; known are: {', '.join(known) or 'none'}")
        return values


@overload
def tool(function: Callable[..., Any], /) -> Tool: ...
@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    trusted: bool = False,
    side_effect: bool = False,
) -> Callable[[Callable[..., Any]], Tool]: ...
def tool(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    trusted: bool = False,
    side_effect: bool = False,
) -> Tool | Callable[[Callable[..., Any]], Tool]:
    """Make a `Tool` of a function: name and docstring as they are, the schema from its type hints.

    Hints may be str, int, float, bool, None, list, dict, Literal, an Enum of texts, and unions of these; another
    raises `UsageError`.
    """

    def wrap(inner: Callable[..., Any]) -> Tool:
        text = description if description is not None else inspect.getdoc(inner) or ""
        schema = schema_of(inner)
        return Tool(name or inner.__name__, text, schema, inner, trusted, side_effect)

    return wrap if function is None else wrap(function)


def memory_tool(files: HasHandle) -> Tool:
    """A subject's files as a tool for any model; `files.tool.INSTRUCTIONS` belongs into the system prompt with it.

    What it shows was written by a model: never a source of facts, and no text from outside unless it is marked so.
    """

    async def memory(**command: Any) -> Answer:
        answer = files.handle(command)
        text, is_error = await answer if inspect.isawaitable(answer) else answer
        return Answer(text, is_error)

    return Tool(
        file_tool.NAME,
        file_tool.DESCRIPTION,
        file_tool.parameters(),
        memory,
        side_effect=True,
        source=Origin.MODEL,
        asks=False,
    )


def schema_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The JSON schema of a function's parameters."""
    hints = get_type_hints(function)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise UsageError(f"a tool takes its arguments by name: {name!r} cannot be given so")
        properties[name] = _schema(hints.get(name, str), name)
        if parameter.default is parameter.empty:
            required.append(name)
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _schema(hint: Any, name: str) -> dict[str, Any]:
    origin, inner = get_origin(hint), get_args(hint)
    if hint in SCALARS:
        return {"type": SCALARS[hint]}
    if hint is Any:
        return {}
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(each, name) for each in inner]}
    if origin in (list, Sequence, tuple) or hint in (list, tuple):
        items = [each for each in inner if each is not Ellipsis]
        return {"type": "array", "items": _schema(items[0], name) if items else {}}
    if origin in (dict, Mapping) or hint is dict:
        return {"type": "object"}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [each.value for each in hint]}
    raise UsageError(f"no JSON schema for the type of parameter {name!r}; give Tool(...) its own")
