"""What the provider forms share: checks that name the place, and remembering the shape of a JSON
object.

A shape is what a form's object has besides its meaning: fields that we do not read (`rest`) and the
order of its keys when it is not ours (`keys`). It is kept in `extra` under the form's name, and is
a hint: after an edit of the parts, what still fits of it is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from memoranda.errors import MessageError

MAX_DEPTH = 100
# Longer whole numbers cannot be written as text again under Python's own limit.
MAX_INTEGER_BITS = 4096

_NAMES: Mapping[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a string",
    bool: "true or false",
    int: "a number",
    float: "a number",
    type(None): "null",
}


def fault(where: str, wanted: str, got: Any) -> MessageError:
    """The error for a value of the wrong type. It names place and types, never the value."""
    name = _NAMES.get(type(got), "no JSON value")
    return MessageError(f"{where} must be {wanted}, not {name}; correct it or leave it out")


def missing(where: str, field: str) -> MessageError:
    """The error for a field that must be there."""
    return MessageError(f"{where} has no {field!r}; add it or leave this out")


def json_copy(value: Any, where: str, depth: int = MAX_DEPTH) -> Any:
    """A copy of a JSON value of our own, so that nobody's later change reaches a message."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        if value.bit_length() > MAX_INTEGER_BITS:
            raise MessageError(f"{where} holds a number of too many digits; write it as a string")
        return value
    if isinstance(value, float):
        if not isfinite(value):
            raise MessageError(f"{where} holds NaN or an infinity, which JSON lacks; use null")
        return value
    if depth == 0:
        raise MessageError(f"{where} is nested deeper than {MAX_DEPTH} levels; flatten it")
    if isinstance(value, Mapping):
        return {_key(k, where): json_copy(v, where, depth - 1) for k, v in value.items()}
    if isinstance(value, list):
        return [json_copy(item, where, depth - 1) for item in value]
    raise MessageError(f"{where} holds a {type(value).__name__}, no JSON value; convert it")


def _key(key: Any, where: str) -> str:
    if not isinstance(key, str):
        raise MessageError(f"{where} has a key that is not a string; JSON keys are strings")
    return key


def an_object(value: Any, where: str) -> Mapping[str, Any]:
    """`value`, if it is an object with string keys."""
    if not isinstance(value, Mapping):
        raise fault(where, "an object", value)
    for key in value:
        _key(key, where)
    return value


def a_list(value: Any, where: str) -> Sequence[Any]:
    """`value`, if it is a list."""
    if not isinstance(value, list | tuple):
        raise fault(where, "a list", value)
    return value


def a_string(data: Mapping[str, Any], field: str, where: str) -> str:
    """The string in `data[field]`."""
    if field not in data:
        raise missing(where, field)
    value = data[field]
    if not isinstance(value, str):
        raise fault(f"{where}.{field}", "a string", value)
    return value


def remember(data: Mapping[str, Any], ours: Sequence[str], where: str) -> dict[str, Any]:
    """The shape of `data`, whose keys `ours` we write ourselves, in that order. Empty when there is
    nothing.
    """
    shape: dict[str, Any] = {}
    rest = {key: json_copy(data[key], where) for key in data if key not in ours}
    if rest:
        shape["rest"] = rest
    if list(data) != [*ours, *rest]:
        shape["keys"] = list(data)
    return shape


def restore(built: dict[str, Any], shape: Mapping[str, Any]) -> dict[str, Any]:
    """`built` with the fields and the order that `shape` remembers. What was built wins over what
    was kept.
    """
    rest, keys = shape.get("rest"), shape.get("keys")
    whole = dict(built)
    if isinstance(rest, Mapping):
        whole |= {k: json_copy(v, "extra.rest") for k, v in rest.items() if k not in built}
    if isinstance(keys, list | tuple):
        order = [key for key in keys if isinstance(key, str) and key in whole]
        whole = {key: whole[key] for key in dict.fromkeys([*order, *whole])}
    return whole


def under(form: str, shape: Mapping[str, Any]) -> dict[str, Any]:
    """`shape` as an `extra` of this form; empty for an empty shape."""
    return {form: shape} if shape else {}


def shape_of(extra: Mapping[str, Any], form: str) -> Mapping[str, Any]:
    """What `extra` remembers for this form."""
    shape = extra.get(form, {})
    return shape if isinstance(shape, Mapping) else {}
