"""SQL lives in .sql files, where it can be read, compared between dialects and never glued together."""

import ast
import re

import pytest

from tests.house import source

STATEMENT = re.compile(
    r"\s*(select\b.+\bfrom\b|insert\s+(or\s+\w+\s+)?into\b|replace\s+into\b|update\s+\w+\s+set\b"
    r"|delete\s+from\b|(create|drop|alter)\s+(virtual\s+|temp\s+|unique\s+)?(table|index|trigger|view)\b"
    r"|with\s+(recursive\s+)?\w+\s*(\(.*?\))?\s+as\b|explain\b)",
    re.IGNORECASE | re.DOTALL,
)
# What steers a connection. In capitals only, and with what follows: these are words of other trades as well.
STEERING = re.compile(
    r"\s*(PRAGMA\s+\w|ATTACH\s+\w|SAVEPOINT\s+\w|RELEASE\s+\w"
    r"|(BEGIN|COMMIT|ROLLBACK|VACUUM|ANALYZE)(\s+(IMMEDIATE|EXCLUSIVE|DEFERRED|TRANSACTION|TO|INTO)\b|\s*;|\s*$))"
)
EXECUTES = {"execute", "executemany", "executescript"}


def glued(node: ast.AST) -> bool:
    """Is this text put together at run time?"""
    formatted = (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"format", "join", "replace"}
    )
    return isinstance(node, (ast.JoinedStr, ast.BinOp)) or formatted


def executes(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in EXECUTES


def faults(module: source.Module) -> list[str]:
    found = []
    documentation = source.docstrings(module)
    for node in ast.walk(module.tree):
        if node in documentation:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if STATEMENT.match(node.value) or STEERING.match(node.value):
                found.append(f"{module.where(node)}: a statement outside the .sql files")
        elif isinstance(node, ast.Call) and executes(node) and any(map(glued, node.args[:1])):
            found.append(f"{module.where(node)}: SQL glued together")
    return found


def test_there_is_no_sql_outside_sql_files() -> None:
    assert [fault for module in source.modules() for fault in faults(module)] == []


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("recall/flow.py", "x = 'SELECT fact FROM agent_facts'", 1),
        ("stores/sqlite.py", "x = '  insert into t values (1)'", 1),
        ("stores/sqlite.py", "x = 'with a as (values (1)) values (2)'", 1),
        ("stores/sqlite.py", "c.execute('BEGIN IMMEDIATE')", 1),
        ("stores/sqlite.py", "c.execute('COMMIT')", 1),
        ("gate/screen.py", "x = 'BEGIN RSA PRIVATE KEY'", 0),
        ("stores/sqlite.py", "c.execute(f'PRAGMA user_version = {n}')", 2),
        ("stores/sqlite.py", "c.execute(head + tail)", 1),
        ("stores/sqlite.py", "c.execute(head.format(tail))", 1),
        ("stores/sqlite.py", "c.execute(queries[name], params)", 0),
        ("recall/flow.py", "'''Select from what is there.'''", 0),
        ("recall/flow.py", "x = 'Select a fact'", 0),
    ],
    ids=str,
)
def test_the_rule_sees_the_difference(name: str, text: str, count: int) -> None:
    assert len(faults(source.parse(name, text))) == count
