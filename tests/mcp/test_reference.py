"""The reference memory server's tools and its file: the same names, and its two measured faults mended."""

import json
from pathlib import Path

import anyio
import pytest

from memoranda.aio import AsyncMemory
from memoranda.mcp import Grant
from memoranda.types import Status
from tests.mcp.talking import MODES, inside, run

both = pytest.mark.parametrize("mode", MODES)
GRAPH = Grant(("user:asha",), speaks_for="asha", reference_names=True)
HELD = Grant(("user:asha",), reference_names=True)
ALICE = {"name": "Alice", "entityType": "person", "observations": ["likes tea", "works at Initech"]}
KNOWS = {"from": "Alice", "to": "Bob", "relationType": "knows"}


@both
def test_twenty_at_once_are_twenty(mode: str, tmp_path: Path) -> None:
    """Of twenty parallel calls that it acknowledged, the reference server kept one."""

    async def body(memory: AsyncMemory) -> None:
        async with inside(memory, GRAPH, mode) as client:
            answers = []

            async def create(n: int) -> None:
                entity = {
                    "name": f"Entity{n}",
                    "entityType": "thing",
                    "observations": [f"is number {n}"],
                }
                answers.append(await client.call_tool("create_entities", {"entities": [entity]}))

            async with anyio.create_task_group() as tasks:
                for n in range(20):
                    tasks.start_soon(create, n)
            assert [answer.structured_content["stored"] for answer in answers] == [2] * 20
            names = [f"Entity{n}" for n in range(20)]
            graph = (await client.call_tool("open_nodes", {"names": names})).structured_content
        assert {e["name"]: e["observations"] for e in graph["entities"]} == {
            f"Entity{n}": [f"is number {n}"] for n in range(20)
        }

    run(body, tmp_path / "memory.db")


@both
def test_the_graph_is_facts_and_comes_back(mode: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        async with inside(memory, GRAPH, mode) as client:
            await client.call_tool("create_entities", {"entities": [ALICE]})
            await client.call_tool("create_relations", {"relations": [KNOWS]})
            more = {"entityName": "Alice", "contents": ["plays chess"]}
            await client.call_tool("add_observations", {"observations": [more]})
            read = (await client.call_tool("read_graph", {})).structured_content
            found = (
                await client.call_tool("search_nodes", {"query": "who likes tea?"})
            ).structured_content
            recalled = await client.call_tool("recall", {"query": "Alice tea"})
        assert read == {**found, "next": None}
        (alice,) = read["entities"]
        assert (alice["name"], alice["entityType"]) == ("Alice", "person")
        assert set(alice["observations"]) == {*ALICE["observations"], "plays chess"}
        assert read["relations"] == [KNOWS]
        assert "Alice: likes tea" in {f["fact"] for f in recalled.structured_content["facts"]}

    run(body)


@both
def test_the_same_gate_stands_before_them(mode: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        async with inside(memory, HELD, mode) as client:
            got = (
                await client.call_tool("create_entities", {"entities": [ALICE]})
            ).structured_content
            assert (got["stored"], len(got["pending"])) == (0, 3)
            empty = (await client.call_tool("read_graph", {})).structured_content
            assert empty == {"entities": [], "relations": [], "next": None}
            secret = {"entityName": "Alice", "contents": ["has the key AKIAIOSFODNN7EXAMPLE"]}
            got = await client.call_tool("add_observations", {"observations": [secret]})
            assert got.structured_content["stored"] == 0
            assert got.structured_content["refused"]

    run(body)


@both
def test_deleting_only_proposes(mode: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        async with inside(memory, GRAPH, mode) as client:
            await client.call_tool("create_entities", {"entities": [ALICE]})
            await client.call_tool("create_relations", {"relations": [KNOWS]})
            before = (await client.call_tool("read_graph", {})).structured_content
            old = {"entityName": "Alice", "observations": ["likes tea"]}
            calls = [
                await client.call_tool("delete_observations", {"deletions": [old]}),
                await client.call_tool("delete_relations", {"relations": [KNOWS]}),
                await client.call_tool("delete_entities", {"entityNames": ["Alice"]}),
            ]
            after = (await client.call_tool("read_graph", {})).structured_content
        assert [len(call.structured_content["pending"]) for call in calls] == [1, 1, 4]
        assert before == after
        assert len(await memory.facts(status="pending")) == 4
        assert all(fact.status is Status.LIVE for fact in await memory.facts())

    run(body)


@both
def test_the_graph_is_read_in_parts(mode: str) -> None:
    async def body(memory: AsyncMemory) -> None:
        async with inside(memory, GRAPH, mode) as client:
            for n in range(40):
                entity = {
                    "name": f"E{n}",
                    "entityType": "thing",
                    "observations": [f"is number {n}"],
                }
                await client.call_tool("create_entities", {"entities": [entity]})
            seen: set[str] = set()
            cursor = ""
            parts = 0
            while True:
                part = (await client.call_tool("read_graph", {"cursor": cursor})).structured_content
                seen |= {text for e in part["entities"] for text in e["observations"]}
                parts += 1
                if not (cursor := part["next"]):
                    break
        assert len(seen) == 40
        assert parts == 2
        assert len(json.dumps(part)) < 20_000

    run(body)
