"""The loader of named queries."""

import sqlite3

import pytest

from memoranda.errors import UsageError
from memoranda.stores import queries
from memoranda.stores.sqlite.opening import statements


def one(text):
    [query] = queries.parse(f"-- name: x\n{text}", "here")
    return query


def test_parameters_are_found_and_what_only_looks_like_one_is_not():
    query = one("""
        SELECT ':no', "a:no", x::text, '12:30', 'it''s :no' -- :no
        /* :no ; */ FROM t WHERE a = :yes AND b > CAST(:also_2 AS text);
    """)
    assert query.params == {"yes", "also_2"}
    assert "--" not in query.text
    assert "/*" not in query.text
    assert not query.text.endswith(";")


def test_comments_between_queries_are_no_part_of_them():
    found = queries.parse(
        "-- A file.\n\n-- name: a\nSELECT 1;\n\n-- About b.\n-- name: b\nSELECT 2", "here"
    )
    assert [(q.name, q.text) for q in found] == [("a", "SELECT 1"), ("b", "SELECT 2")]


@pytest.mark.parametrize(
    ("text", "writes"),
    [
        ("SELECT 1", False),
        ("SELECT replace(updated, 'delete', 'insert') FROM t", False),
        ("INSERT INTO t VALUES (1) RETURNING a", True),
        ("WITH n AS (SELECT 1) UPDATE t SET a = 1", True),
        ("delete from t", True),
    ],
    ids=["select", "looks like", "insert", "with", "lower"],
)
def test_writing_queries_are_known(text, writes):
    assert one(text).writes is writes


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1;\n-- name: a\nSELECT 2",
        "-- name: a\nSELECT 1; SELECT 2",
        "-- name: a\n-- nothing",
        "-- name: A-b\nSELECT 1",
    ],
    ids=["before the heading", "two statements", "empty", "odd name"],
)
def test_malformed_files_are_refused(text):
    with pytest.raises(UsageError, match="here"):
        queries.parse(text, "here")


@pytest.fixture
def files(tmp_path, monkeypatch):
    def write(**named):
        for name, text in named.items():
            file = tmp_path / name.replace("__", "/")
            file.parent.mkdir(exist_ok=True)
            file.with_suffix(".sql").write_text(text)

    monkeypatch.setattr(queries, "_SQL", tmp_path)
    queries.load.cache_clear()
    queries.migrations.cache_clear()
    yield write
    queries.load.cache_clear()
    queries.migrations.cache_clear()


def test_common_and_dialect_are_read_together_and_migrations_are_left_out(files):
    files(
        common__a="-- name: a\nSELECT 1",
        mine__b="-- name: b\nSELECT 2",
        mine__0001_first="CREATE TABLE t (a)",
        other__c="-- name: c\nSELECT 3",
    )
    assert set(queries.load("mine")) == {"a", "b"}
    assert [(m.number, m.name) for m in queries.migrations("mine")] == [(1, "first")]


def test_a_name_in_two_files_is_refused(files):
    files(common__a="-- name: a\nSELECT 1", mine__b="-- name: a\nSELECT 2")
    with pytest.raises(UsageError, match="twice"):
        queries.load("mine")


def test_a_gap_in_the_numbers_is_refused(files):
    files(mine__0001_a="SELECT 1", mine__0003_c="SELECT 1")
    with pytest.raises(UsageError, match="numbered"):
        queries.migrations("mine")


def test_every_query_fits_the_schema():
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for migration in queries.migrations("sqlite"):
        for statement in statements(migration.text):
            connection.execute(statement)
    for query in queries.load("sqlite").values():
        if not query.text.startswith(("BEGIN", "COMMIT", "ROLLBACK", "VACUUM", "PRAGMA")):
            connection.execute(f"EXPLAIN {query.text}", dict.fromkeys(query.params))
    connection.close()


def test_the_last_statement_of_a_migration_records_its_number():
    for migration in queries.migrations("sqlite"):
        *_, last = statements(migration.text)
        assert last.split() == ["PRAGMA", "user_version", "=", f"{migration.number};"]


def test_a_trigger_stays_one_statement():
    script = "CREATE TABLE t (a);\n-- why; really\nCREATE TRIGGER r AFTER INSERT ON t BEGIN\n  SELECT 1;\nEND;\n"
    assert len(list(statements(script))) == 2
