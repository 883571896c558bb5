"""The memory directory and the project through a client."""

import sys
from pathlib import Path

import pytest

from memoranda.aio import AsyncMemory
from memoranda.files import tool
from memoranda.mcp import Grant
from tests.mcp.talking import ASHA, ME, MODES, inside, run, text_of

both = pytest.mark.parametrize("mode", MODES)
# Strings that the SDK would read as JSON if their parameter had another type than text.
AS_THEY_ARE = ("null", "true", "17", "[1, 2]", '{"a": 1}', '"quoted"', "", " \n", "plain\n")


@both
@pytest.mark.parametrize("text", AS_THEY_ARE, ids=repr)
def test_a_text_is_kept_as_it_is_sent(mode: str, text: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        async with inside(memory, ME, mode) as client:
            made = {"command": "create", "path": "/memories/a.txt", "file_text": text}
            assert not (await client.call_tool("memory", made)).is_error
        files = await memory.files("user:me")
        assert (await files.read("a.txt")).text == text
        await files.close()

    run(body)


@both
def test_the_six_commands(mode: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        async with inside(memory, ME, mode) as client:

            async def do(**given: object) -> tuple[str, bool]:
                got = await client.call_tool("memory", given)
                assert got.structured_content["text"] == text_of(got)
                return text_of(got), bool(got.is_error)

            path = "/memories/notes.md"
            assert await do(command="create", path=path, file_text="one\ntwo\n") == (
                f"File created successfully at: {path}",
                False,
            )
            assert not (await do(command="str_replace", path=path, old_str="two", new_str="2"))[1]
            assert not (await do(command="insert", path=path, insert_line=0, insert_text="zero"))[1]
            shown, _ = await do(command="view", path=path, view_range=[1, 2])
            assert "zero" in shown
            assert "one" in shown
            assert "2\t2" not in shown
            assert not (await do(command="str_replace", path=path, old_str="2", new_str=None))[1]
            assert not (await do(command="rename", old_path=path, new_path="/memories/b.md"))[1]
            assert not (await do(command="delete", path="/memories/b.md"))[1]
            assert (await do(command="view", path="/memories/b.md"))[1]
            assert (await do(command="create", path="/etc/passwd", file_text="x"))[1]
            assert (await do(command="create", path="/memories/c.md"))[1]

    run(body)


def test_the_tool_has_the_parameters_of_the_house() -> None:
    async def body(memory: AsyncMemory) -> None:
        async with inside(memory) as client:
            (found,) = [t for t in (await client.list_tools()).tools if t.name == "memory"]
        assert set(found.input_schema["properties"]) == set(tool.parameters()["properties"])
        assert found.input_schema["required"] == tool.parameters()["required"]
        assert found.description == tool.DESCRIPTION

    run(body)


@both
@pytest.mark.parametrize("grant", [ME, ASHA], ids=["nobody", "asha"])
def test_what_a_client_writes_is_marked(mode: str, grant: Grant) -> None:
    async def body(memory: AsyncMemory) -> None:
        async with inside(memory, grant, mode) as client:
            made = {"command": "create", "path": "/memories/a.md", "file_text": "Obey."}
            await client.call_tool("memory", made)
            shown = await client.call_tool("memory", {"command": "view", "path": "/memories/a.md"})
            resource = await client.read_resource("memoranda://files/a.md")
        assert text_of(shown).startswith("[memoranda:")
        assert resource.contents[0].text.startswith("[memoranda:")
        files = await memory.files(grant.subjects[0])
        (version,) = await files.history("a.md")
        assert (version.mark, version.actor) == ("external", "integrator")
        assert version.run
        assert version.run.startswith("mcp_")
        await files.close()

    run(body)


@both
@pytest.mark.parametrize("folder", [False, True], ids=["rows", "folder"])
def test_a_project_from_session_to_session(mode: str, folder: bool, tmp_path: Path) -> None:
    place = str(tmp_path / "memories") if folder else None
    check = {"make test": lambda: "check: `make test` exit 0, output 0123, 2026-11-30 05:00"}
    grant = Grant(project_folder=place, checks=check)

    async def body(memory: AsyncMemory) -> None:
        async with inside(memory, grant, mode) as client:
            missing = await client.call_tool("project_status", {})
            assert missing.is_error
            assert str(tmp_path) not in text_of(missing)
            assert not (tmp_path / "memories").exists()
            await client.call_tool("project_init", {"goal": "Ship it", "items": ["parse", "write"]})
            assert (await client.call_tool("project_init", {"goal": "Again"})).is_error
            await client.call_tool("project_open", {})
            await client.call_tool("project_begin", {"item": 1})
            done = await client.call_tool("project_tick", {"item": 1, "check": "make test"})
            await client.call_tool("project_tick", {"item": 2, "claim": "looked at it"})
            await client.call_tool("project_log", {"text": "all written"})
            end = await client.call_tool(
                "project_close", {"finished": "parse", "remaining": "write"}
            )
        assert [item["state"] for item in done.structured_content["items"]] == [
            "done",
            "in progress",
        ]
        assert [item["state"] for item in end.structured_content["items"]] == ["done", "claimed"]
        assert end.structured_content["left_open"] is False
        assert (tmp_path / "memories/project.md").exists() is folder

    run(body)


@both
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"check": "rm -rf /"},
        {"check": "make test", "claim": "and words"},
        {"claim": " "},
        {"check": "fails"},
    ],
    ids=str,
)
def test_a_tick_that_nothing_stands_behind_ticks_nothing(mode: str, given: dict) -> None:
    from memoranda.cli.mcp import ran

    checks = {"make test": lambda: "", "fails": lambda: ran(f"{sys.executable} -c 1/0")}

    async def body(memory: AsyncMemory) -> None:
        async with inside(memory, Grant(checks=checks), mode) as client:
            await client.call_tool("project_init", {"goal": "Ship it", "items": ["parse"]})
            got = await client.call_tool("project_tick", {"item": 1, **given})
            assert got.is_error
            assert "mistake" not in text_of(got)
            now = await client.call_tool("project_status", {})
            assert now.structured_content["items"][0]["state"] == "open"

    run(body)
