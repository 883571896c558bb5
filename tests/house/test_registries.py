"""Every table is accounted for, every durable write has one home, and only the gate and a reviewer say yes."""

import ast
import dataclasses
import re
import sqlite3
import typing

import pytest

from memoranda import wiring
from memoranda.facts import maintain, reembed, rows
from memoranda.files import upkeep
from memoranda.gate import items
from memoranda.memory import Memory
from memoranda.sessions import log, turns
from memoranda.settings import Settings
from memoranda.stores.queries import load
from memoranda.types import Draft, Fact
from tests.house import source

# Which modules may run the queries that write each durable table. Reading is free.
WRITERS: dict[str, set[str]] = {
    "agent_facts": {"facts/ledger.py", "facts/rows.py", "facts/erase.py", "facts/maintain.py"},
    "fact_states": {"facts/rows.py", "facts/erase.py"},
    "sightings": {"facts/ledger.py", "facts/erase.py"},
    "operations": {
        "facts/rows.py",
        "facts/bulk.py",
        "facts/erase.py",
        "files/projects.py",
        "sessions/log.py",
    },
    "session_log": {"sessions/log.py"},
    "receipts": {"sessions/log.py"},
    "receipt_facts": {"sessions/log.py"},
    "tombstones": {"facts/erase.py"},
    "subjects": {
        "gate/admit.py",
        "facts/rows.py",
        "sessions/log.py",
        "sessions/turns.py",
        "recall/loading.py",
        "files/desk.py",
        "files/projects.py",
        "trees/table.py",
    },
    "files": {"files/ledger.py", "files/notice.py", "files/upkeep.py"},
    "file_versions": {"files/ledger.py", "files/upkeep.py"},
    "tree_rows": {"trees/table.py", "files/ledger.py"},
    "turns": {"sessions/turns.py"},
    # Triggers and the store itself keep these, but for what a search of a large subject enters.
    "fact_numbers": set(),
    "sessions": set(),
    "indexed": {"recall/loading.py"},
    "facts_index": {"recall/loading.py", "stores/sqlite/care.py"},
    "turns_index": {"recall/loading.py", "stores/sqlite/care.py"},
    "index_gone": {"stores/sqlite/care.py"},
    "vectors": {
        "facts/vectors.py",
        "facts/reembed.py",
        "sessions/log.py",
        "sessions/turns.py",
    },
    "never_rules": {"facts/never.py"},
    # The store's own notes: an erasure to finish, the version that terms were made with.
    "memoranda_meta": {
        "sessions/turns.py",
        "facts/erase.py",
        "facts/maintain.py",
        "facts/never.py",
    },
}
# Of which the engine makes tables of its own.
INDEXES = ("facts_index", "turns_index")
WRITES = re.compile(r"\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+([a-z_]+)")
DDL = re.compile(r"CREATE TABLE ([a-z_]+)")
ROW = re.compile(r"^\| `([a-z_]+)` \|", re.MULTILINE)


def schema() -> set[str]:
    """The tables of every migration of every dialect."""
    files = (source.PACKAGE / "stores" / "sql").rglob("0*.sql")
    return {table for file in files for table in DDL.findall(file.read_text("utf-8"))}


def writing() -> dict[str, set[str]]:
    """Each named query that writes, with the tables it writes to."""
    found = {}
    for name, query in load("sqlite").items():
        text = re.sub(r"--[^\n]*", "", query.text)
        text = re.sub(r"ON CONFLICT.*", "", text, flags=re.DOTALL)
        if hit := set(WRITES.findall(text)):
            found[name] = hit
    return found


def test_the_schema_is_read_whole(tmp_path: object) -> None:
    path = f"{tmp_path}/memory.db"
    Memory.open(path).close()
    connection = sqlite3.connect(path)
    # The tables of the index of words are the engine's own.
    query = "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'"
    found = {name for (name,) in connection.execute(query)}
    connection.close()
    own = {name for name in found if name.startswith(INDEXES)}
    assert found - own == schema() == set(WRITERS) - set(INDEXES)


def test_every_table_is_erasable_maintained_or_kept_for_a_reason() -> None:
    maintained = {**maintain.MAINTAINED, **log.MAINTAINED, **upkeep.MAINTAINED}
    maintained |= reembed.MAINTAINED | turns.MAINTAINED
    assert set(maintained.values()) <= set(wiring.MAINTENANCE)
    assert set(maintained) | set(maintain.KEPT) == schema()
    assert not set(maintained) & set(maintain.KEPT)
    assert all(maintain.KEPT.values())
    # What may hold a fact's text or its id must be reached by an erasure.
    holds = {"agent_facts", "fact_states", "sightings", "operations", "session_log"}
    holds |= {"receipt_facts", "file_versions", "tree_rows", "vectors", "turns"}
    assert set(wiring.ERASABLE) == holds
    kept = {"memoranda_meta", "never_rules", "subjects", "receipts", "tombstones", "files"}
    # Numbers of facts go by a trigger with their rows.
    kept |= {"fact_numbers", "indexed", "index_gone"}
    # A name and numbers, as of the messages.
    kept |= {"sessions"}
    assert schema() - holds == kept


def test_architecture_says_of_every_table_when_it_is_written_read_and_goes_away() -> None:
    text = (source.ROOT / "ARCHITECTURE.md").read_text("utf-8")
    start = text.index("| table | written | read back into the context | goes away |")
    part = text[start:].split("\n\n")[0]
    assert sorted(ROW.findall(part)) == sorted(schema())
    for line in part.splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        assert len(cells) == 4, line
        assert all(cells), line


def test_a_durable_table_is_written_by_its_named_modules_only() -> None:
    writing_to = writing()
    found: dict[str, set[str]] = {table: set() for table in WRITERS}
    used = set()
    for module in source.modules():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Constant) and node.value in writing_to:
                used.add(node.value)
                for table in writing_to[node.value] if module.room != "testing" else ():
                    found[table].add(module.name)
    assert found == WRITERS
    assert set(writing_to) - used == set()


def test_a_fact_has_the_columns_of_its_table_in_order() -> None:
    fields = [field.name for field in dataclasses.fields(Fact)]
    text = (source.PACKAGE / "stores/sql/sqlite/0001_spine.sql").read_text("utf-8")
    body = text[text.index("CREATE TABLE agent_facts") :].split(");")[0]
    columns = re.findall(r"^  ([a-z_]+) ", body, re.MULTILINE)
    assert columns == [*fields, "terms"]
    assert list(rows.COLUMNS) == fields
    state = [field.name for field in dataclasses.fields(rows.State)]
    assert fields[-len(state) :] == state
    for name in (
        *("fact", "facts_of_subject", "facts_of_tenant", "facts_of_run"),
        *("pending_facts", "pending_facts_of_subject", "believed", "standing_facts"),
        *("older_facts", "newer_facts"),
        *("older_facts_of_subject", "newer_facts_of_subject"),
    ):
        picked = load("sqlite")[name].text.partition("FROM")[0].replace("SELECT", "")
        assert [word.strip() for word in picked.split(",")] == fields, name


def test_every_kind_of_item_has_a_writer() -> None:
    assert set(typing.get_args(items.Item)) == {Draft, items.LogItem, items.FileItem}
    assert set(wiring.WRITERS) == set(typing.get_args(items.Item))


def calls(name: str) -> set[str]:
    """The modules in which something of this name is made, under whatever alias or module it is reached."""
    return {module.name for module in source.modules() if makes(module, name)}


def makes(module: source.Module, name: str) -> bool:
    aliases = {name} | {
        alias.asname
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name == name and alias.asname
    }
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call):
            called = node.func.value if isinstance(node.func, ast.Subscript) else node.func
            last = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if last in aliases:
                return True
    return False


def test_only_the_gate_admits() -> None:
    assert calls("Admission") == {"gate/admit.py", "gate/files.py", "gate/policy.py"}
    # An admission may be changed where it is made, and nowhere else is one written but through a writer.
    assert {m.name for m in source.modules() if "core.writers[" in m.text} == {"gate/admit.py"}


def test_only_a_review_approves_and_only_a_reviewer_reviews() -> None:
    assert calls("Approval") == {"facts/review.py"}
    users = {
        module.name
        for module in source.modules()
        if re.search(r"facts import (?:\([^)]*|.*)\breview\b|facts\.review import", module.text)
    }
    assert users == {"reviewer.py", "aio.py"}


@pytest.mark.parametrize(
    ("text", "makes_one"),
    [
        ("Admission(item, trust)", True),
        ("items.Admission(item, trust)", True),
        ("Admission[Draft](item, trust)", True),
        ("from memoranda.gate.items import Admission as A\nA(item, trust)", True),
        ("def f(a: Admission) -> Admission: ...", False),
        ("isinstance(x, Admission)", False),
    ],
)
def test_the_rule_sees_the_difference(text: str, makes_one: bool) -> None:
    assert makes(source.parse("a.py", text), "Admission") is makes_one


def test_every_setting_is_used() -> None:
    text = "\n".join(
        module.text for module in source.modules() if module.name not in ("settings.py", "aio.py")
    )
    names = [field.name for field in dataclasses.fields(Settings)]
    unused = [name for name in names if not re.search(rf"\.{name}\b", text)]
    assert unused == []
