"""The description of the API (OpenAPI): every route with every way in which it can fail, named as the errors are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from memoranda.errors import (
    MemorandaError,
    NotAllowed,
    StoreError,
    UsageError,
)
from memoranda.server.problems import MEDIA, OWN, PREFIX, problem, status_of_kind
from memoranda.system import installed_version

Responses = dict[int | str, dict[str, Any]]
ABOUT = """Memory that a person can read, trace, correct and take back, on this machine alone.

Reading needs nothing, as far as it is about what is believed now. Every change, and what waits for a person, was turned
down or was taken back, needs the session that the link of the terminal opens (a cookie). Every error is a problem
(RFC 9457) whose `type` ends with its name. Times are RFC 3339 with a zone. Ids of runs, sessions and subjects, and
paths of files, may hold any character: they stand in queries and bodies.
"""
# Also what no flow behind a route raises: it would be a mistake, and it would be told so.
ANYWHERE = (UsageError, StoreError, MemorandaError)
PROBLEM: Mapping[str, Any] = {
    "title": "Problem",
    "type": "object",
    "description": "What went wrong (RFC 9457).",
    "required": ["type", "title", "status", "detail"],
    "additionalProperties": False,
    "properties": {
        "type": {"type": "string", "description": f"`{PREFIX}` and the name of the error."},
        "title": {"type": "string", "description": "The phrase of the status."},
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "detail": {"type": "string", "description": "What happened, and what to do next."},
        "errors": {
            "type": "array",
            "description": "Of a request that does not fit: each place and what is wrong there; never what was sent.",
            "items": {
                "type": "object",
                "required": ["at", "problem"],
                "additionalProperties": False,
                "properties": {"at": {"type": "string"}, "problem": {"type": "string"}},
            },
        },
    },
}


def kinds_of(root: type[MemorandaError]) -> list[type[MemorandaError]]:
    """An error and all that are below it in the tree."""
    return [root, *(kind for below in root.__subclasses__() for kind in kinds_of(below))]


def fails(*roots: type[MemorandaError]) -> Responses:
    """What a route may answer besides success: these errors and those below them, each with its status."""
    names: dict[HTTPStatus, list[str]] = {}
    for kind in dict.fromkeys(kind for root in roots for kind in kinds_of(root)):
        names.setdefault(status_of_kind(kind), []).append(kind.__name__)
    return {int(status): _response(status, found) for status, found in names.items()}


def _response(status: HTTPStatus, names: Iterable[str]) -> dict[str, Any]:
    examples = {name: {"$ref": f"#/components/examples/{name}"} for name in names}
    content = {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": examples}
    return {"description": status.phrase, "content": {MEDIA: content}}


def _common() -> Responses:
    """What every route may answer: the guard, the schema, the store and mistakes of ours."""
    found = fails(*(kind for kind in ANYWHERE if kind is not MemorandaError))
    for kind in kinds_of(MemorandaError):
        if status_of_kind(kind) == HTTPStatus.INTERNAL_SERVER_ERROR:
            _merge(found, fails_alone(kind))
    # What has a status of its own is told by the routes that it comes from.
    found.pop(int(HTTPStatus.NOT_FOUND), None)
    for name, (status, _) in OWN.items():
        _merge(found, {int(status): _response(status, [name])})
    return found


def fails_alone(kind: type[MemorandaError]) -> Responses:
    """As `fails`, for one error without those below it."""
    status = status_of_kind(kind)
    return {int(status): _response(status, [kind.__name__])}


def _merge(into: dict[Any, Any], more: Mapping[Any, Any]) -> None:
    for status, response in more.items():
        key = next((known for known in into if str(known) == str(status)), status)
        if key not in into:
            into[key] = response
            continue
        content = into[key].get("content", {})
        if MEDIA in content:
            both = content[MEDIA]["examples"] | response["content"][MEDIA]["examples"]
            content[MEDIA] = {**content[MEDIA], "examples": dict(sorted(both.items()))}


def _example(name: str, status: HTTPStatus, detail: str) -> dict[str, Any]:
    value = problem(status, detail, PREFIX + name)
    if name == "Invalid":
        value = problem(
            status, detail, PREFIX + name, [{"at": "body.text", "problem": "Field required"}]
        )
    return {"summary": detail, "value": value}


def examples() -> dict[str, Any]:
    """An example of each problem, by name."""
    found = {name: _example(name, status, detail) for name, (status, detail) in OWN.items()}
    for kind in kinds_of(MemorandaError):
        said = (kind.__doc__ or kind.__name__).strip().splitlines()[0]
        found[kind.__name__] = _example(kind.__name__, status_of_kind(kind), said)
    return dict(sorted(found.items()))


def installed() -> str:
    """The version as it is told: a description must have one."""
    return installed_version() or "0"


def described(app: FastAPI) -> None:
    """Let the application describe itself so; made once, when it is first asked for."""
    kept: list[dict[str, Any]] = []

    def description() -> dict[str, Any]:
        if not kept:
            kept.append(_description(app))
        return kept[0]

    app.openapi = description  # type: ignore[method-assign]


def _description(app: FastAPI) -> dict[str, Any]:
    made = get_openapi(title=app.title, version=installed(), description=ABOUT, routes=app.routes)
    components = made.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas["Problem"] = dict(PROBLEM)
    components["examples"] = examples()
    for methods in made["paths"].values():
        for operation in methods.values():
            _complete(operation)
    told = {name for name in components["examples"] if f'examples/{name}"' in _text(made["paths"])}
    components["examples"] = {name: components["examples"][name] for name in sorted(told)}
    return made


def _text(value: object) -> str:
    return json.dumps(value)


def _complete(operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    responses.pop("422", None)  # the library's own form of it
    if operation.get("security"):
        _merge(responses, fails(NotAllowed))
    _merge(responses, _common())
    operation["responses"] = dict(sorted(responses.items(), key=lambda pair: str(pair[0])))
    for parameter in operation.get("parameters", ()):
        parameter["schema"] = _never_null(parameter["schema"])


def _never_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A query can leave something out, and cannot say null."""
    choices = [one for one in schema.get("anyOf", ()) if one != {"type": "null"}]
    if len(choices) != 1:
        return schema
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**choices[0], **rest}


def misfits(errors: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """What does not fit, place by place, from the library's errors; without a word of what was sent."""
    found = []
    for error in errors[:20]:
        place = [str(part) for part in error["loc"]]
        # The name of a field that nobody knows was sent too, and so was the place of a slip in JSON.
        if error["type"] in ("extra_forbidden", "json_invalid"):
            place = place[:-1]
        says = str(error["msg"])
        if place == ["body"] and error["type"] == "model_attributes_type":
            # What a body is that came without its type: the library reads it as text.
            says = "an object in JSON is wanted here, with Content-Type: application/json"
        found.append({"at": ".".join(place), "problem": says})
    return found
