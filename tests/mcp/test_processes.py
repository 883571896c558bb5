"""The command as clients start it: both wires, other people's clients, several at once, killed at any time, ended."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import anyio
import fastmcp
import pytest
from fastmcp.client.transports import StdioTransport
from mcp import Client

from memoranda import Memory
from tests.mcp.talking import MODES, Person, parameters, text_of

SPEAKS = ("--client-speaks-for", "asha")
# A process of the SDK takes a second or more to start.
pytestmark = pytest.mark.slow


class Raw:
    """A client of our own: JSON-RPC, a line a message, over the older wire."""

    def __init__(self, db: Path, *options: str) -> None:
        wanted = parameters(db, *options)
        self.process = subprocess.Popen(
            [wanted.command, *wanted.args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=wanted.env,
            cwd=wanted.cwd,
            text=True,
        )
        self.n = 0
        self.ask(
            "initialize",
            protocolVersion="2025-11-25",
            capabilities={},
            clientInfo={"name": "raw", "version": "1"},
        )
        self.send({"method": "notifications/initialized"})

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method: str, **params: Any) -> Any:
        """One question and its answer; None when the server is gone."""
        self.n += 1
        self.send({"id": self.n, "method": method, "params": params})
        assert self.process.stdout
        line = self.process.stdout.readline()
        return json.loads(line) if line.endswith("\n") else None

    def tool(self, name: str, **arguments: Any) -> Any:
        answer = self.ask("tools/call", name=name, arguments=arguments)
        return answer and answer["result"]["structuredContent"]

    def end(self, how: str = "eof") -> tuple[int, str, str]:
        """End it in one of three ways; its exit code and what else it said. Its input stays open but for `eof`."""
        if how != "eof":
            self.process.send_signal(signal.SIGTERM if how == "term" else signal.SIGINT)
            self.process.wait(timeout=30)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err


@contextmanager
def raw(db: Path, *options: str) -> Iterator[Raw]:
    made = Raw(db, *options)
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.process.kill()
        made.process.communicate()


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.mark.parametrize("mode", MODES)
def test_over_stdio_on_both_wires(db: Path, mode: str) -> None:
    async def body() -> None:
        person = Person("accept")
        wanted = parameters(db, *SPEAKS)
        async with Client(wanted, mode=mode, elicitation_callback=person) as client:
            kept = await client.call_tool("remember", {"text": "Asha lives in Oslo."})
            assert kept.structured_content["status"] == "accepted"
            order = await client.call_tool("remember", {"text": "Always answer Asha in French."})
            assert order.structured_content["status"] == "accepted"
            got = await client.call_tool("recall", {"query": "Where does Asha live?"})
            assert "Oslo" in text_of(got)
        assert len(person.asked) == 1

    anyio.run(body)
    with Memory.open(db) as memory:
        assert {fact.fact for fact in memory.facts(subject="user:asha")} == {
            "Asha lives in Oslo.",
            "Always answer Asha in French.",
        }


def stdio(db: Path, *options: str) -> StdioTransport:
    wanted = parameters(db, *options)
    # Not kept alive: the process would outlast the loop that it belongs to, and trouble the next test.
    return StdioTransport(
        wanted.command, wanted.args, env=wanted.env, cwd=str(wanted.cwd), keep_alive=False
    )


def test_another_library_is_asked_too(db: Path) -> None:
    asked = []

    async def yes(message: str, response_type: Any, params: Any, context: Any) -> Any:
        asked.append(message)
        return response_type(approve=True)

    async def body() -> None:
        async with fastmcp.Client(stdio(db, *SPEAKS), elicitation_handler=yes) as client:
            got = await client.call_tool("remember", {"text": "Always answer Asha in French."})
            assert got.structured_content["status"] == "accepted"
        async with fastmcp.Client(stdio(db, *SPEAKS)) as client:
            got = await client.call_tool("remember", {"text": "Never answer Asha in German."})
            assert got.structured_content["status"] == "pending"

    anyio.run(body)
    assert len(asked) == 1


def test_clients_of_two_kinds_on_one_store_see_each_others_facts(db: Path) -> None:
    async def body() -> None:
        async with (
            Client(parameters(db, *SPEAKS)) as one,
            fastmcp.Client(stdio(db, *SPEAKS)) as other,
        ):
            await one.call_tool("remember", {"text": "Asha lives in Oslo."})
            got = await other.call_tool("recall", {"query": "Where does Asha live?"})
            assert "Oslo" in got.content[0].text
            await other.call_tool("remember", {"text": "Asha owns a kayak."})
            got = await one.call_tool("recall", {"query": "Does Asha own a kayak?"})
            assert "kayak" in text_of(got)
            made = {"command": "create", "path": "/memories/a.md", "file_text": "from one"}
            await one.call_tool("memory", made)
            seen = await other.call_tool("memory", {"command": "view", "path": "/memories/a.md"})
            assert "from one" in seen.content[0].text
        with raw(db, *SPEAKS) as third:
            facts = third.tool("list_facts")["facts"]
            assert {fact["fact"] for fact in facts} == {"Asha lives in Oslo.", "Asha owns a kayak."}

    anyio.run(body)


def test_many_processes_at_once_lose_nothing(db: Path) -> None:
    async def one(name: str) -> None:
        async with Client(parameters(db, *SPEAKS)) as client:
            for n in range(10):
                text = f"Asha owns the {name} kayak number {n}."
                got = await client.call_tool("remember", {"text": text})
                assert got.structured_content["status"] == "accepted", text

    async def body() -> None:
        async with anyio.create_task_group() as tasks:
            for name in ("red", "green", "blue"):
                tasks.start_soon(one, name)

    anyio.run(body)
    with Memory.open(db) as memory:
        assert len(memory.facts(subject="user:asha")) == 30


@pytest.mark.parametrize("rounds", [8, pytest.param(150, marks=pytest.mark.soak)])
def test_killed_at_any_time_it_keeps_what_it_acknowledged(db: Path, rounds: int) -> None:
    """The kill comes while the server works, at another moment each round: after so many lines were sent unread."""
    acknowledged: set[str] = set()
    files: set[str] = set()
    for n in range(rounds):
        with raw(db, *SPEAKS) as client:
            for k in range(n % 5):
                text = f"Asha owns kayak {k} of round {n}."
                if client.tool("remember", text=text)["status"] == "accepted":
                    acknowledged.add(text)
                path = f"/memories/{n}-{k}.md"
                made = client.tool("memory", command="create", path=path, file_text=text)
                if made["text"].startswith("File created"):
                    files.add(path)
            for k in range(1 + n % 3):
                call = {
                    "name": "remember",
                    "arguments": {"text": f"Asha sold kayak {k} of round {n}."},
                }
                client.send({"id": 1000 + k, "method": "tools/call", "params": call})
            client.process.kill()
            out, _ = client.process.communicate(timeout=30)
            for line in out.splitlines(keepends=True):
                if not line.endswith("\n"):
                    continue  # torn: nobody was told anything
                message = json.loads(line)
                if message["result"]["structuredContent"]["status"] == "accepted":
                    acknowledged.add(f"Asha sold kayak {message['id'] - 1000} of round {n}.")
    with Memory.open(db) as memory:
        assert acknowledged <= {fact.fact for fact in memory.facts(subject="user:asha")}
        assert files <= set(memory.files("user:asha").paths())
        assert memory.health().ok
    assert len(acknowledged) >= rounds


@pytest.mark.parametrize("how", ["eof", "term", "interrupt"])
def test_it_ends_in_order_and_says_nothing_but_the_protocol(db: Path, how: str) -> None:
    with raw(db, *SPEAKS) as client:
        assert client.tool("remember", text="Asha lives in Oslo.")["status"] == "accepted"
        code, out, err = client.end(how)
    assert (code, out) == ({"eof": 0, "term": 0, "interrupt": 130}[how], "")
    assert "Oslo" not in err
    assert "Traceback" not in err
    with Memory.open(db) as memory:
        assert len(memory.facts()) == 1


def test_told_to_end_it_answers_what_is_under_way_first(db: Path, tmp_path: Path) -> None:
    begun, go = tmp_path / "begun", tmp_path / "go"
    check = tmp_path / "check.py"
    check.write_text(
        "import pathlib, time\n"
        f"pathlib.Path({str(begun)!r}).touch()\n"
        f"while not pathlib.Path({str(go)!r}).exists(): time.sleep(0.02)\n"
    )
    command = f"{sys.executable} {check}"
    with raw(db, "--check", command) as client:
        client.tool("project_init", goal="Fly", items=["Build the wing"])
        ticking = {"name": "project_tick", "arguments": {"item": 1, "check": command}}
        client.send({"id": 99, "method": "tools/call", "params": ticking})
        until = monotonic() + 30
        while not begun.exists():
            assert monotonic() < until, "the check did not begin"
            sleep(0.02)
        client.process.send_signal(signal.SIGTERM)
        go.touch()
        assert client.process.stdout
        answer = json.loads(client.process.stdout.readline())
        assert answer["result"]["structuredContent"]["items"][0]["state"] == "done"
        assert client.process.wait(timeout=30) == 0


def test_lines_that_are_no_messages_do_not_end_it(db: Path) -> None:
    with raw(db, *SPEAKS) as client:
        assert client.process.stdin
        for line in (
            "",
            "not json",
            "[]",
            "{}",
            '{"jsonrpc": "2.0"}',
            '{"a": ' * 50,
            "\udcff".encode("utf-8", "surrogateescape").decode("latin-1"),
        ):
            client.process.stdin.write(line + "\n")
        client.n += 100
        answers = [client.ask("ping") for _ in range(8)]
        assert any(answer and answer.get("id", 0) > 100 for answer in answers)
        code, _, err = client.end()
    assert code == 0
    assert "Traceback" not in err


def test_what_it_logs_holds_nothing_of_what_was_said(db: Path) -> None:
    with raw(db, *SPEAKS) as client:
        client.ask("tools/call", name="remember", arguments={"text": ["zirconium"]})
        client.ask("tools/call", name="zirconium", arguments={})
        client.ask("resources/read", uri="memoranda://zirconium")
        client.ask("prompts/get", name="zirconium")
        client.ask("tools/call", name="why", arguments={"id": "zirconium"})
        client.ask(
            "tools/call",
            name="remember",
            arguments={"text": "The zirconium key is AKIAIOSFODNN7EXAMPLE."},
        )
        _, _, err = client.end()
    assert "zirconium" not in err
    assert "AKIA" not in err
