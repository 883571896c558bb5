"""The migration that recall came with, on a store that was there before."""

import sqlite3
from pathlib import Path

from memoranda.memory import Memory
from memoranda.stores.queries import migrations
from memoranda.stores.sqlite.opening import statements

ADD = (
    "insert into agent_facts (tenant, id, subject, fact, kind, origin, trust, confidence, created_at, observed_at, "
    "digest, status, terms) values ('default', ?, 'user:me', ?, 'fact', 'user', 3, 1.0, 1, 1, ?, ?, 'nothing |')"
)


def test_an_older_store_is_numbered_and_its_terms_are_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    connection = sqlite3.connect(path, isolation_level=None)
    for step in migrations("sqlite")[:4]:
        for statement in statements(step.text):
            connection.execute(statement)
    connection.execute(ADD, ("f_1", "The user bought a kayak.", "d1", "live"))
    connection.execute(ADD, ("f_2", "The user bought a canoe.", "d2", "retired"))
    connection.close()
    with Memory.open(path) as m:
        assert any("older version" in finding for finding in m.health().findings)
        assert not m.recall("What did I buy?", subjects=["user:me"])
        done = m.maintain()
        assert done["terms"] == 2
        assert [f.id for f in m.recall("What did I buy?", subjects=["user:me"]).facts] == ["f_1"]
        assert not any("older version" in finding for finding in m.health().findings)
    connection = sqlite3.connect(path)
    assert connection.execute("select id, subject from fact_numbers").fetchall() == [
        ("f_1", "user:me")
    ]
    connection.close()


def test_a_new_store_has_nothing_to_make_anew(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "memory.db") as m:
        m.remember("The user owns a kayak.", subject="user:me", origin="user")
        assert m.health().findings == ()
        assert m.maintain()["terms"] == 0
