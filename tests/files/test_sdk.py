"""End to end with the SDK's own tool runner: run one writes a note, run two, another process, views and uses it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

import pytest

from memoranda.agent import Agent
from memoranda.aio import AsyncMemory
from memoranda.memory import Memory
from memoranda.messages import Message, Text, ToolCall
from memoranda.models.scripted import ScriptedModel
from memoranda.types import Origin

anthropic = pytest.importorskip("anthropic")
httpx2 = pytest.importorskip("httpx2")
from memoranda.integrations.anthropic import AsyncMemoryTool, MemoryTool  # noqa: E402

NOTE = "Acme Corp prefers email follow-ups"


class Wire:
    """Answers as the API would: tool uses in turn, then what the model makes of the last result."""

    def __init__(self, *calls):
        self.calls, self.bodies = list(calls), []

    def __call__(self, request):
        body = json.loads(request.content)
        self.bodies.append(body)
        if self.calls:
            call = {"type": "tool_use", "id": f"toolu_{len(self.bodies)}", "name": "memory"}
            content, stop = [{**call, "input": self.calls.pop(0)}], "tool_use"
        else:
            seen = body["messages"][-1]["content"][0]["content"]
            seen = seen if isinstance(seen, str) else seen[0]["text"]
            said = "I will send an email." if NOTE in seen else "Noted."
            content, stop = [{"type": "text", "text": said}], "end_turn"
        return httpx2.Response(
            200,
            json={
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": "m",
                "content": content,
                "stop_reason": stop,
                "stop_sequence": None,
                "usage": {"input_tokens": 1, "output_tokens": 1},
            },
        )

    def results(self):
        found = {}
        for body in self.bodies:
            for message in body["messages"]:
                for part in message["content"] if isinstance(message["content"], list) else ():
                    if part["type"] == "tool_result":
                        found[part["tool_use_id"]] = part
        return list(found.values())


def run(tool, wire, text):
    client = anthropic.Anthropic(
        api_key="none",
        base_url="http://localhost",
        http_client=httpx2.Client(transport=httpx2.MockTransport(wire)),
    )
    return client.beta.messages.tool_runner(
        model="m", max_tokens=100, messages=[{"role": "user", "content": text}], tools=[tool]
    ).until_done()


VIEW = {"command": "view", "path": "/memories"}
CREATE = {"command": "create", "path": "/memories/acme.md", "file_text": f"{NOTE}.\n"}
OPEN = {"command": "view", "path": "/memories/acme.md"}

SECOND = """
import sys
sys.path.insert(0, {tests!r})
from test_sdk import *
with Memory.open({store!r}) as memory:
    wire = Wire(VIEW, OPEN)
    last = run(MemoryTool(memory.files("user:8812", folder={folder!r})), wire, "Follow up with Acme.")
    assert len(wire.bodies[0]["messages"]) == 1
    assert wire.bodies[0]["tools"] == [{{"type": "memory_20250818", "name": "memory"}}]
    print(last.content[0].text)
"""


@pytest.mark.parametrize("kind", ["rows", "folder"])
def test_what_one_run_notes_another_process_uses(tmp_path, kind):
    store, folder = str(tmp_path / "memory.db"), str(tmp_path / "memories")
    place = folder if kind == "folder" else None
    with Memory.open(store) as memory:
        wire = Wire(VIEW, CREATE)
        last = run(MemoryTool(memory.files("user:8812", folder=place)), wire, "Acme likes email.")
    assert last.content[0].text == "Noted."
    assert not any(part.get("is_error") for part in wire.results())
    code = SECOND.format(tests=str(__file__).rpartition("/")[0], store=store, folder=place)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "I will send an email.\n", done.stderr


def test_a_failure_is_a_result_with_is_error(tmp_path):
    with Memory.open(":memory:") as memory:
        wire = Wire(OPEN, {"command": "view"}, {"command": "fly"}, {"command": "view", "path": 7})
        run(MemoryTool(memory.files("user:8812", sdk=True)), wire, "Look.")
        results = wire.results()
    assert [part["is_error"] for part in results] == [True] * 4
    text = "The path /memories/acme.md does not exist. Please provide a valid path."
    assert text in json.dumps(results[0]["content"])


def test_the_awaited_tool_does_the_same(tmp_path):
    async def talk():
        wire = Wire(CREATE, OPEN)
        async with await AsyncMemory.open(tmp_path / "memory.db") as memory:
            files = await memory.files("user:8812", folder=tmp_path / "memories")
            client = anthropic.AsyncAnthropic(
                api_key="none",
                base_url="http://localhost",
                http_client=httpx2.AsyncClient(transport=httpx2.MockTransport(wire)),
            )
            runner = client.beta.messages.tool_runner(
                model="m",
                max_tokens=100,
                messages=[{"role": "user", "content": "Acme likes email."}],
                tools=[AsyncMemoryTool(files)],
            )
            last = await runner.until_done()
            await files.close()
        return last.content[0].text

    assert asyncio.run(talk()) == "I will send an email."


def test_the_methods_of_the_abstract_class_take_what_the_sdk_builds():
    from anthropic.types.beta import BetaMemoryTool20250818CreateCommand as Create
    from anthropic.types.beta import BetaMemoryTool20250818ViewCommand as View

    with Memory.open(":memory:") as memory:
        tool = MemoryTool(memory.files("user:8812"))
        created = tool.execute(Create(command="create", path="/memories/a", file_text="x"))
        assert created == "File created successfully at: /memories/a"
        assert tool.view(View(command="view", path="/memories/a")).endswith("     1\tx")
        with pytest.raises(Exception, match="for a person"):
            tool.clear_all_memory()


def test_any_other_model_gets_a_function_and_the_loop_looks_first():
    async def talk():
        async with await AsyncMemory.open(":memory:") as memory:
            files = await memory.files("user:8812")
            await files.write("acme.md", NOTE)
            call = ToolCall("c1", "memory", json.dumps(OPEN))
            wrong = ToolCall("c2", "memory", json.dumps({"command": "view", "path": "/etc"}))
            model = ScriptedModel(
                [Message("assistant", (call, wrong)), Message("assistant", (Text("done"),))]
            )
            agent = Agent(model, memory, files=files, session="s")
            reply = await agent.run("Follow up.")
            log = await memory.log("s")
            return model, reply, log

    model, reply, log = asyncio.run(talk())
    assert reply.text == "done"
    first = model.requests[0]
    assert "View it before you do anything else" in first.system
    assert "/memories/acme.md" in first.messages[-1].results[0].text
    assert [tool.name for tool in first.tools] == ["memory"]
    results = model.requests[1].messages[-2:]
    assert NOTE in results[0].results[0].text
    assert [message.results[0].is_error for message in results] == [False, True]
    assert {message.origin for message in log if message.role == "tool"} == {Origin.MODEL}
