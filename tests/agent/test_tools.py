"""A tool's schema comes from its hints, and its arguments are checked before it runs."""

import enum
from typing import Any, Literal

import pytest

from memoranda.errors import UsageError
from memoranda.tools import Tool, tool
from memoranda.types import Origin


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


def test_the_schema_follows_the_hints():
    @tool
    def paint(
        what: str,
        n: int,
        share: float = 1.0,
        deep: bool = False,
        tags: list[str] | None = None,
        how: Literal["fast", "slow"] = "fast",
        colour: Colour = Colour.RED,
        more: dict[str, Any] | None = None,
        rest: Any = None,
    ) -> str:
        """Paint it.

        At length.
        """
        return what

    assert paint.name == "paint"
    assert paint.description == "Paint it.\n\nAt length."
    schema = paint.parameters
    assert schema["required"] == ["what", "n"]
    assert schema["additionalProperties"] is False
    assert schema["properties"] == {
        "what": {"type": "string"},
        "n": {"type": "integer"},
        "share": {"type": "number"},
        "deep": {"type": "boolean"},
        "tags": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
        "how": {"enum": ["fast", "slow"]},
        "colour": {"enum": ["red", "blue"]},
        "more": {"anyOf": [{"type": "object"}, {"type": "null"}]},
        "rest": {},
    }


def test_a_hint_without_a_schema_is_refused():
    def odd(when: object) -> str:
        return ""

    with pytest.raises(UsageError, match="when"):
        tool(odd)
    with pytest.raises(UsageError, match="by name"):
        tool(lambda *args: None)


def test_names_trust_and_own_schemas():
    def f() -> None:
        """F."""

    named = tool(name="g", description="G.", trusted=True, side_effect=True)(f)
    assert (named.name, named.description, named.side_effect) == ("g", "G.", True)
    assert named.origin is Origin.TOOL
    assert tool(f).origin is Origin.EXTERNAL
    loose = Tool("h", "H.", {"type": "object"}, f)
    assert loose.arguments('{"x": 1}') == {"x": 1}
    assert loose.arguments("") == {}
    assert loose.spec.name == "h"
