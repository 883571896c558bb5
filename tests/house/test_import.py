"""Importing memoranda touches nothing: no file of anybody else, no network, no third party."""

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, assert_type

import memoranda

ROOT = Path(__file__).resolve().parents[2]

# Run without site packages (-S), so that what is not of the standard library fails or shows, and
# with a hook that sees each file that is opened, each socket and each program that is started.
PROBE = """
import json, os, sys
source, package = sys.argv[1:]
sys.path.insert(0, source)
before = set(sys.modules)
inside = (package, os.path.dirname(os.__file__))
touched = []

def watch(event, args):
    if event in ("open", "os.listdir", "os.scandir", "os.mkdir", "os.rename", "os.remove"):
        name = str(args[0])
        # Looking a module up lists the folders on the path: that is Python's, not ours.
        if not name.startswith(inside) and not (event == "os.listdir" and name in (source, "")):
            touched.append([event, name])
    elif event.startswith(("socket.", "subprocess.", "os.exec", "os.system", "sqlite3.")):
        touched.append([event, ""])

sys.addaudithook(watch)
import memoranda
exec(sys.stdin.read())
loaded = sorted(set(sys.modules) - before)
known = {*sys.stdlib_module_names, "memoranda"}
foreign = [name for name in loaded if name.partition(".")[0] not in known]
print(json.dumps({"touched": touched, "foreign": foreign, "loaded": loaded}))
"""


def probe(more: str = "") -> dict[str, list[Any]]:
    source = ROOT / "src"
    command = [
        sys.executable,
        "-I",
        "-S",
        "-B",
        "-c",
        PROBE,
        str(source),
        str(source / "memoranda"),
    ]
    done = subprocess.run(command, input=more, capture_output=True, text=True, check=True)
    answer: dict[str, list[Any]] = json.loads(done.stdout)
    return answer


def test_importing_touches_nothing_and_loads_nobody_else() -> None:
    seen = probe()
    assert seen["touched"] == []
    assert seen["foreign"] == []
    assert "asyncio" not in seen["loaded"]  # it alone multiplies the import time


def test_the_probe_sees_what_it_looks_for(tmp_path: Path) -> None:
    seen = probe(f"import asyncio, socket; open({str(tmp_path / 'x')!r}, 'w'); socket.socket()")
    assert ["open", str(tmp_path / "x")] in seen["touched"]
    assert ["socket.__new__", ""] in seen["touched"]
    assert "asyncio" in seen["loaded"]


def test_the_package_says_what_it_is() -> None:
    assert memoranda.__doc__


def test_type_checkers_see_every_public_name() -> None:
    # What a lazy look-up alone hands out is of any type: nobody would be told of a wrong argument.
    tree = ast.parse(Path(memoranda.__file__).read_text("utf-8"))
    seen = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("memoranda.")
        for alias in node.names
    }
    assert seen == set(memoranda.__all__)
    assert all(getattr(memoranda, name) for name in memoranda.__all__)


def a_user_is_told_the_types(memory: memoranda.Memory, function: Callable[..., str]) -> None:
    """Read by the type checker alone: what users write down must not be of any type."""
    assert_type(memory.remember("A tree is tall.", subject="s:1"), memoranda.Outcome)
    assert_type(memory.recall("tall?", subjects=["s:1"]), memoranda.Recall)
    assert_type(memory.window(session="s1"), memoranda.Window)
    assert_type(memoranda.tool(function), memoranda.Tool)
    assert_type(memoranda.said("user", "Hello."), memoranda.Message)


async def an_async_user_too(memory: memoranda.AsyncMemory, agent: memoranda.Agent) -> None:
    """The same for the other colour."""
    assert_type(await memory.remember("A tree is tall.", subject="s:1"), memoranda.Outcome)
    assert_type(await memory.window(session="s1"), memoranda.AsyncWindow)
    assert_type(await agent.run("Hello."), memoranda.AgentReply)


def test_type_checkers_hear_of_a_name_that_there_is_not() -> None:
    # A `__getattr__` that they see makes every name of the module exist for them.
    seen = [
        path
        for path in sorted((ROOT / "src").rglob("*.py"))
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef) and node.name == "__getattr__"
    ]
    assert seen == []


OPENS = """
from memoranda import Memory
with Memory.open(":memory:") as m:
    m.remember("The user owns a kayak.", subject="user:me", origin="user")
    assert m.recall("kayak", subjects=["user:me"]).facts
    m.maintain()
"""


def test_opening_without_an_embedder_loads_none() -> None:
    seen = probe(OPENS)
    assert seen["foreign"] == []
    assert [name for name in seen["loaded"] if name.startswith("memoranda.embedders")] == []
