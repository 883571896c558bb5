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


# Words that PostgreSQL takes as a name nowhere without quotes. SQLite takes most of them.
RESERVED = frozenset(
    """
    all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create default
    deferrable desc distinct do else end except false fetch for foreign from grant group having in initially intersect
    into lateral leading limit localtime localtimestamp not null offset on only or order placing primary references
    returning select some symmetric table then to trailing true union unique user using variadic when where window with
    """.split()
)
NAMED = re.compile(r"\bas\s+(\w+)|\b(\w+)\s+as\s+(?:materialized\s*)?\(", re.IGNORECASE)
COMMENT = re.compile(r"--.*")


def reserved(text: str) -> list[str]:
    """The names in statements that every dialect reads and one of them does not take."""
    names = [name for pair in NAMED.findall(COMMENT.sub("", text)) for name in pair]
    return [name for name in names if name.lower() in RESERVED]


def test_names_in_common_statements_are_names_in_every_dialect() -> None:
    common = sorted((source.PACKAGE / "stores" / "sql" / "common").glob("*.sql"))
    assert common
    assert {path.name: reserved(path.read_text()) for path in common} == {
        path.name: [] for path in common
    }


def test_a_reserved_name_is_seen() -> None:
    assert reserved("SELECT count(*) FROM (SELECT 1) AS some -- AS user") == ["some"]
    assert reserved("WITH window AS (SELECT 1) SELECT a AS b FROM c AS d") == ["window"]
