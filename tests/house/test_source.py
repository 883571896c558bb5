"""Size and safety of the package's source, and what each room may know of the world outside."""

import ast
import re
import tomllib

import pytest

import memoranda
from tests.house import source

LONGEST_FUNCTION = 60
LONGEST_FILE = 500
GENERATED = {"aio.py"}

# Text must never become code, and no format may load one's own objects.
UNSAFE_CALLS = {"eval", "exec", "compile", "__import__", "yaml.load", "yaml.unsafe_load"}
UNSAFE_MODULES = {"pickle", "cPickle", "shelve", "marshal", "dill", "cloudpickle", "jsonpickle"}

# Rules and flows: they know no event loop, no driver, no provider, no screen. import-linter says the
# same for whole packages; this also sees `urllib.request`, and rooms too new to stand in the contract.
RULES = {
    *("errors", "types", "accounts", "settings", "attributes", "messages", "ports", "step"),
    *(
        "analysis",
        "paging",
        "stemmer",
        "irregular",
        "core",
        "window",
        "gate",
        "facts",
        "files",
        "sessions",
        "turn",
        "hearing",
        "ranking",
        "recall",
    ),
}
OUTSIDE = {
    *("asyncio", "threading", "concurrent", "multiprocessing", "queue", "select", "selectors"),
    *("sqlite3", "psycopg", "psycopg_pool", "socket", "http", "urllib.request", "subprocess"),
    *(
        "openai",
        "anthropic",
        "httpx",
        "httpx2",
        "requests",
        "typer",
        "rich",
        "platformdirs",
        "fastapi",
    ),
}
AGENT_MAY = {"asyncio"}


def imported(node: ast.AST) -> list[str]:
    """The absolute names that an import statement brings in, also as `package.module`."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


def under(name: str, roots: set[str]) -> bool:
    return any(name == root or name.startswith(f"{root}.") for root in roots)


def size(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from the `def` to the end, without the docstring."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    if ast.get_docstring(function, clean=False) is None:
        return lines
    text = function.body[0]
    return lines - ((text.end_lineno or text.lineno) - text.lineno + 1)


def long(module: source.Module) -> list[str]:
    if module.name in GENERATED:
        return []
    found = [
        f"{module.where(function)}: {function.name} has {size(function)} lines"
        for function in source.functions(module)
        if size(function) > LONGEST_FUNCTION
    ]
    lines = module.text.count("\n")
    return found + ([f"{module.name} has {lines} lines"] if lines > LONGEST_FILE else [])


def unsafe(module: source.Module) -> list[str]:
    found = []
    for node in ast.walk(module.tree):
        if any(under(name, UNSAFE_MODULES) for name in imported(node)):
            found.append(f"{module.where(node)}: loads objects")
        if not isinstance(node, ast.Call):
            continue
        if ast.unparse(node.func) in UNSAFE_CALLS:
            found.append(f"{module.where(node)}: {ast.unparse(node.func)}()")
        if any(
            word.arg == "shell" and ast.unparse(word.value) != "False" for word in node.keywords
        ):
            found.append(f"{module.where(node)}: a shell")
    return found


def outside(module: source.Module) -> list[str]:
    if module.room in RULES:
        banned = OUTSIDE
    elif module.room in {"agent", "tools"}:
        banned = OUTSIDE - AGENT_MAY
    else:
        return []
    return [
        f"{module.where(node)}: {name}"
        for node in ast.walk(module.tree)
        for name in imported(node)
        if under(name, banned)
    ]


@pytest.mark.parametrize("rule", [long, unsafe, outside], ids=lambda rule: rule.__name__)
def test_the_source_keeps_the_rule(rule: object) -> None:
    assert callable(rule)
    assert [fault for module in source.modules() for fault in rule(module)] == []


def test_length_counts_code_and_not_documentation() -> None:
    body = "    x = 1\n" * 59
    assert long(source.parse("a.py", f"def f():\n{body}")) == []
    assert long(source.parse("a.py", f"def f():\n{body}    y = 1\n")) != []
    assert long(source.parse("a.py", f'def f():\n    """A\n    b."""\n{body}')) == []
    assert long(source.parse("a.py", "x = 1\n" * 501)) != []
    assert long(source.parse("aio.py", "x = 1\n" * 501)) == []


@pytest.mark.parametrize(
    "text",
    ["import pickle", "from marshal import loads", "eval(x)", "yaml.load(x)", "run(x, shell=True)"],
)
def test_unsafe_code_is_seen(text: str) -> None:
    assert len(unsafe(source.parse("a.py", text))) == 1


@pytest.mark.parametrize(
    ("name", "text", "clean"),
    [
        ("gate/__init__.py", "import asyncio", False),
        ("gate/__init__.py", "def f():\n    from urllib import request", False),
        ("gate/__init__.py", "import urllib.parse", True),
        ("recall/flow.py", "import concurrent.futures", False),
        ("agent.py", "import asyncio", True),
        ("agent.py", "import sqlite3", False),
        ("stores/sqlite.py", "import sqlite3", True),
    ],
    ids=str,
)
def test_what_a_room_may_know_is_seen(name: str, text: str, clean: bool) -> None:
    assert (outside(source.parse(name, text)) == []) is clean


def test_every_room_of_rules_stands_in_the_contract() -> None:
    contracts = tomllib.loads((source.ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    named = {
        name for contract in contracts["contracts"] for name in contract.get("source_modules", [])
    }
    built = {module.room for module in source.modules()} & RULES
    assert {f"memoranda.{room}" for room in built} - named == set()


def floors() -> list[list[str]]:
    """The rooms of each floor as the contract has them, from the top; one that is not built is in parentheses."""
    contracts = tomllib.loads((source.ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    (rooms,) = (c["layers"] for c in contracts["contracts"] if c["name"] == "rooms")
    return [sorted(re.split(r" [|:] ", floor)) for floor in rooms]


def test_only_a_room_that_is_not_built_is_in_parentheses() -> None:
    # A room in parentheses may be missing without a word.
    named = {room for floor in floors() for room in floor}
    built = {module.room for module in source.modules()} - {"__init__"}
    assert {room for room in named if not room.startswith("(")} == built


def test_the_picture_in_architecture_is_the_contract() -> None:
    text = (source.ROOT / "ARCHITECTURE.md").read_text("utf-8")
    rows = re.findall(r"(?m)^\| (\d+) \| ([a-z, ]+) \|", text)
    shown = {int(number): sorted(rooms.split(", ")) for number, rooms in rows}
    kept = [sorted(room.strip("()") for room in floor) for floor in floors()]
    assert shown == dict(enumerate(kept, 1))


def test_public_names_say_what_they_are() -> None:
    # ruff asks the same of every definition; this asks it of what the package hands out.
    silent = [
        name for name in memoranda.__all__ if not getattr(getattr(memoranda, name), "__doc__", None)
    ]
    assert silent == []
