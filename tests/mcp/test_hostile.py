"""Whatever a client sends, it is answered: no crash, no path of this machine, nothing of anybody else."""

import logging
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.aio import AsyncMemory
from memoranda.errors import FilesUnavailable, StoreBusy, UsageError
from memoranda.mcp import Grant, build
from memoranda.mcp.server import MISTAKE, told
from tests.mcp.talking import MODES, inside, run, text_of

ALL = Grant(("user:asha",), speaks_for="asha", reference_names=True)
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(codec="utf-8"), max_size=40),
    st.sampled_from(
        [
            "user:bob",
            "user:asha",
            "f_" + "0" * 26,
            "../../etc/passwd",
            "/memories/../x",
            "/memories/a.md",
            "\x00",
            "\x1b[2J\u202e",
            "x" * 5000,
            "'; DROP TABLE agent_facts; --",
            "[1, 2",
            "null",
            "9" * 400,
        ]
    ),
)
VALUES = st.recursive(
    ODD,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)


def filled(draw: Any, schema: dict[str, Any], definitions: dict[str, Any]) -> Any:
    """A value that fits the schema, more or less, or one that does not at all."""
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    if draw(st.integers(0, 9)) == 0:
        return draw(VALUES)
    if "enum" in schema:
        return draw(st.sampled_from(schema["enum"]))
    if "anyOf" in schema:
        return filled(draw, draw(st.sampled_from(schema["anyOf"])), definitions)
    kind = schema.get("type")
    if kind == "object":
        return {k: filled(draw, v, definitions) for k, v in schema.get("properties", {}).items()}
    if kind == "array":
        return [
            filled(draw, schema.get("items", {}), definitions)
            for _ in range(draw(st.integers(0, 2)))
        ]
    if kind == "integer":
        return draw(st.integers(-3, 10) | st.integers())
    return draw(ODD) if kind != "string" else str(draw(ODD))


@given(data=st.data(), mode=st.sampled_from(MODES))
@settings(max_examples=20)  # each makes a server, which costs as much as many calls
def test_every_call_is_answered(
    data: st.DataObject, mode: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("hostile")
    records: list[str] = []

    class Watch(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record.getMessage())

    async def body(memory: AsyncMemory) -> None:
        await memory.remember("Bob likes quartz.", subject="user:bob", origin="user")
        grant = Grant(
            ("user:asha",),
            speaks_for="asha",
            reference_names=True,
            project_folder=str(folder / "memories"),
        )
        async with inside(memory, grant, mode) as client:
            tools = (await client.list_tools()).tools
            for _ in range(15):
                tool = data.draw(st.sampled_from(tools), label="tool")
                schema = tool.input_schema
                given_ = {
                    name: filled(data.draw, shape, schema.get("$defs", {}))
                    for name, shape in schema.get("properties", {}).items()
                    if data.draw(st.integers(0, 7)) or name in schema.get("required", [])
                }
                answer = await client.call_tool(tool.name, given_)
                said = text_of(answer)
                assert MISTAKE not in said, (tool.name, given_)
                assert str(folder) not in repr(answer)
                assert "quartz" not in said
                assert answer.is_error or answer.structured_content is not None

    watch = Watch()
    logging.getLogger("memoranda").addHandler(watch)
    try:
        run(body, folder / "memory.db")
    finally:
        logging.getLogger("memoranda").removeHandler(watch)
    assert not [line for line in records if "unforeseen" in line]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "subject", ["user:bob", "*", "user:%", "user:asha ", "USER:ASHA", "user:asha\x00"]
)
def test_no_argument_reaches_beyond_the_grant(mode: str, subject: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        await memory.remember("Bob likes quartz.", subject="user:bob", origin="user")
        async with inside(memory, ALL, mode) as client:
            for tool, more in (
                ("recall", {"query": "quartz"}),
                ("list_facts", {}),
                ("remember", {"text": "Bob likes tea."}),
            ):
                got = await client.call_tool(tool, {**more, "subject": subject})
                assert got.is_error
                assert "quartz" not in text_of(got)
        assert len(await memory.facts(status="all")) == 1

    run(body)


def test_another_tenant_is_out_of_reach(tmp_path: Path) -> None:
    async def body() -> None:
        place = tmp_path / "memory.db"
        async with (
            await AsyncMemory.open(place, tenant="other") as other,
            await AsyncMemory.open(place) as memory,
        ):
            theirs = await other.remember("Asha likes quartz.", subject="user:asha", origin="user")
            async with inside(memory, ALL) as client:
                for tool in ("why", "forget"):
                    got = await client.call_tool(tool, {"id": theirs.id})
                    assert got.is_error
                got = await client.call_tool(
                    "correct", {"id": theirs.id, "text": "Asha likes tea."}
                )
                assert got.is_error
                assert (await client.call_tool("list_facts", {})).structured_content["facts"] == []
            assert (await other.show(theirs.id)).superseded_by is None

    anyio.run(body)


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (UsageError("subject must be one of: user:me"), True),
        (FilesUnavailable("the place is read-only"), True),
        (StoreBusy("/home/asha/memory.db: held by others"), False),
        (OSError(2, "No such file", "/home/asha/memory.db"), False),
        (RuntimeError("Asha likes quartz."), False),
        (None, False),
    ],
    ids=str,
)
def test_only_our_own_words_about_the_call_are_told(
    error: BaseException | None, shown: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        said = told(error)
    assert (str(error) == said) is shown
    assert "/home" not in said + caplog.text
    assert "quartz" not in said + caplog.text


def test_a_mistake_of_ours_is_one_sentence(caplog: pytest.LogCaptureFixture) -> None:
    async def body(memory: AsyncMemory) -> None:
        server = build(memory, ALL)

        @server.tool()
        async def broken() -> str:
            raise RuntimeError("Asha likes quartz in /home/asha")

        from mcp import Client

        async with Client(server) as client:
            got = await client.call_tool("broken", {})
            assert (got.is_error, text_of(got)) == (True, MISTAKE)
            none = await client.call_tool("no_such_tool", {})
            assert none.is_error

    run(body)
    assert "quartz" not in caplog.text
    assert "unforeseen RuntimeError" in caplog.text
