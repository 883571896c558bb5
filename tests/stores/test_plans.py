"""No query reads more of a tenant than it needs: what it costs must not grow with the store."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoranda.memory import Memory
from memoranda.stores.queries import load

# What has to look at every row of a tenant, and why that is no fault.
WHOLE_TENANT = {
    "bad_habits": "doctor counts",
    "bodies": "after an erasure that left copies: a person is told where they are",
    "drop_other_spaces": "after a change of models: the answer is nearly all of them",
    "every_subject": "the answer is all of them",
    "dead_facts": "upkeep, and only with a retention set",
    "facts_by_marks": "a cohort by marks that no index leads to",
    "facts_of_tenant": "the answer is all of them",
    "forget_deleted_files": "upkeep",
    "forget_messages_before": "upkeep, and only with a retention set",
    "forget_receipt_facts_before": "upkeep, and only with a retention set",
    "forget_receipts_before": "upkeep, and only with a retention set",
    "forget_turns_before": "upkeep, and only with a retention set",
    "subjects_of_old_turns": "upkeep, and only with a retention set",
    "last_undoable": "newest first, and ends at the first that fits",
    "log_counts": "doctor counts",
    "never_rules": "a person's own rules, read when they change",
    "operations": "newest first, and ends at the limit",
    "sessions": "the answer is all of them",
    "status_counts": "doctor counts",
    "subject_counts": "the answer is all of them",
    "trees_of_tenant": "a rescan looks at every file",
    "unused_files": "upkeep",
    "vector_counts": "doctor counts",
    "wordings_of_facts": "after an erasure that left copies: a person is told where they are",
}
# A partial index that is small by what it leaves out needs no further column.
PARTIAL = re.compile(r"INDEX (?:agent_facts_derived|operations_why)\b")
ONLY_TENANT = re.compile(r"\(tenant=\?\)")
ROWS = re.compile(r"(?:SELECT|UPDATE|DELETE)\b", re.IGNORECASE)
# A list in a parameter and the index of words are no tables; `found` is what a query in brackets gave.
SCAN = re.compile(r"SCAN (?!CONSTANT ROW|found\b|\w+ VIRTUAL TABLE)")


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    path = tmp_path / "memory.db"
    Memory.open(path).close()
    connection = sqlite3.connect(path)
    yield connection
    connection.close()


def plan(connection: sqlite3.Connection, text: str, params: frozenset[str]) -> list[str]:
    rows = connection.execute(f"EXPLAIN QUERY PLAN {text}", dict.fromkeys(params)).fetchall()
    return [row[3] for row in rows]


def wide(steps: list[str]) -> list[str]:
    """The steps of a plan that read a table or all that a tenant has in it."""
    return [
        step
        for step in steps
        if SCAN.match(step) or (ONLY_TENANT.search(step) and not PARTIAL.search(step))
    ]


def test_only_what_must_reads_all_that_a_tenant_has(connection: sqlite3.Connection) -> None:
    found = {
        name: steps
        for name, query in load("sqlite").items()
        if ROWS.match(query.text)
        and "tenant" in query.params
        and (steps := wide(plan(connection, query.text, query.params)))
    }
    assert [name for name, steps in found.items() if any(map(SCAN.match, steps))] == []
    assert {name: steps for name, steps in found.items() if name not in WHOLE_TENANT} == {}
    assert set(WHOLE_TENANT) == set(found)


PAGES = (
    *("older_facts", "newer_facts", "older_facts_of_subject", "newer_facts_of_subject"),
    *("subjects_after", "older_of_runs", "newest_of_run", "oldest_of_run", "operations_before"),
    *("sessions_before", "messages_from", "messages_up_to", "receipts_before"),
    *("receipts_of_session", "receipts_of_messages", "next_with_files", "facts_of_operation"),
    *("pending_facts", "pending_facts_of_subject"),
)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_read_in_order_and_never_sorted(
    connection: sqlite3.Connection, name: str
) -> None:
    query = load("sqlite")[name]
    steps = plan(connection, query.text, query.params)
    assert [step for step in steps if "TEMP B-TREE" in step or SCAN.match(step)] == []


def test_what_waits_is_found_without_the_rest(connection: sqlite3.Connection) -> None:
    for name, columns in (("pending_facts", ""), ("pending_facts_of_subject", "subject=? AND ")):
        query = load("sqlite")[name]
        (step,) = plan(connection, query.text, query.params)
        assert step.endswith(f"(tenant=? AND {columns}status=?)"), name


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("SELECT id FROM agent_facts WHERE value = :x", 1),
        ("SELECT id FROM agent_facts WHERE tenant = :x AND value = :x", 1),
        ("SELECT id FROM agent_facts WHERE tenant = :x AND id = :x", 0),
        ("SELECT id FROM agent_facts WHERE tenant = :x AND subject = :x", 0),
    ],
)
def test_the_rule_sees_the_difference(
    connection: sqlite3.Connection, text: str, count: int
) -> None:
    assert len(wide(plan(connection, text, frozenset({"x"})))) == count
