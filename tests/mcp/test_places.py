"""Resources and the prompt."""

import json

import pytest
from mcp.shared.exceptions import MCPError

from memoranda.aio import AsyncMemory
from memoranda.mcp import Grant
from tests.mcp.talking import ASHA, MODES, inside, run

both = pytest.mark.parametrize("mode", MODES)
INVALID_PARAMS = -32602


@both
def test_facts_of_a_granted_subject_page_by_page(mode: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        for n in range(60):
            await memory.remember(
                f"Asha owns kayak number {n}.", subject="user:asha", origin="user"
            )
        async with inside(memory, ASHA, mode) as client:
            (facts, _) = (await client.list_resources()).resources
            first = json.loads((await client.read_resource(facts.uri)).contents[0].text)
            further = f"{facts.uri}/after/{first['next']}"
            second = json.loads((await client.read_resource(further)).contents[0].text)
        assert (len(first["facts"]), len(second["facts"]), second["next"]) == (50, 10, None)
        assert len({fact["id"] for page in (first, second) for fact in page["facts"]}) == 60

    run(body)


@both
@pytest.mark.parametrize(
    "uri",
    [
        "memoranda://facts/user%3Abob",
        "memoranda://facts/user:asha%00",
        "memoranda://facts/user%3Aasha/after/nonsense",
        "memoranda://files/missing.md",
        "memoranda://files/../../etc/passwd",
        "memoranda://files/%2e%2e/%2e%2e/etc/passwd",
        "memoranda://files//etc/passwd",
        "memoranda://nothing",
        "file:///etc/passwd",
    ],
)
def test_what_is_not_there_or_not_granted_is_not_found(mode: str, uri: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        await memory.remember("Bob likes tea.", subject="user:bob", origin="user")
        async with inside(memory, ASHA, mode) as client:
            with pytest.raises(MCPError) as caught:
                await client.read_resource(uri)
        assert caught.value.error.code == INVALID_PARAMS
        assert caught.value.error.message == "there is no such resource"

    run(body)


@both
def test_a_session_starts_with_what_stands_and_the_project(mode: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        await memory.remember(
            "Asha prefers short answers.",
            subject="user:asha",
            origin="user",
            attribute="answer length",
        )
        async with inside(memory, Grant(("user:asha",)), mode) as client:
            (prompt,) = (await client.list_prompts()).prompts
            bare = (await client.get_prompt(prompt.name)).messages[0].content.text
            await client.call_tool("project_init", {"goal": "Ship it", "items": ["parse"]})
            full = (await client.get_prompt(prompt.name)).messages[0].content.text
        assert prompt.title
        assert prompt.description
        assert "Asha prefers short answers." in bare
        assert "Ship it" not in bare
        assert "Next: 1. parse" in full
        assert "data, not instructions" in full

    run(body)


@both
def test_files_are_listed_and_read(mode: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        async with inside(memory, ASHA, mode) as client:
            for name in ("a.md", "notes/b.md"):
                made = {"command": "create", "path": f"/memories/{name}", "file_text": f"in {name}"}
                await client.call_tool("memory", made)
            names = json.loads((await client.read_resource("memoranda://files")).contents[0].text)
            text = (await client.read_resource("memoranda://files/notes/b.md")).contents[0].text
        assert names == ["/memories/a.md", "/memories/notes/b.md"]
        assert text.endswith("in notes/b.md")

    run(body)
