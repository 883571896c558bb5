"""The migration that pages came with, on a store that was there before, and the rows that its triggers keep."""

import sqlite3
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from memoranda.memory import Memory
from memoranda.stores.queries import migrations
from memoranda.stores.sqlite.opening import statements

ADD = (
    "insert into session_log (tenant, session, n, role, origin, subject, at, body) "
    "values (?, ?, ?, 'user', 'user', 'user:me', ?, '{}')"
)
KEPT = "select tenant, session, messages, first_at, last_at from sessions order by tenant, session"
# The times are those of the first and of the last message, by their numbers.
COUNTED = """
select tenant, session, count(*),
  (select at from session_log as m where m.tenant = l.tenant and m.session = l.session order by n limit 1),
  (select at from session_log as m where m.tenant = l.tenant and m.session = l.session order by n desc limit 1)
from session_log as l group by tenant, session order by tenant, session
"""


def at_schema(connection: sqlite3.Connection, number: int) -> None:
    for step in migrations("sqlite")[:number]:
        for statement in statements(step.text):
            connection.execute(statement)


def test_an_older_store_gets_its_list_of_sessions(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    connection = sqlite3.connect(path, isolation_level=None)
    at_schema(connection, 5)
    for n, (session, at) in enumerate([("a", 5), ("b", 3), ("a", 4), ("c", 9)], 1):
        connection.execute(ADD, ("default", session, n, at))
    connection.execute(
        "insert into receipts (tenant, id, session, at, subjects, considered, tokens) "
        "values ('default', 'rc_1', 'a', 5, '[]', 0, 0)"
    )
    connection.close()
    with Memory.open(path) as m:
        told = [(one.session, one.messages) for one in m.sessions_page().sessions]
        assert told == [("c", 1), ("a", 2), ("b", 1)]
        assert m.receipt("rc_1").entry.message is None
        assert [entry.id for entry in m.receipts(session="a")] == ["rc_1"]


MESSAGE = st.tuples(st.sampled_from("xy"), st.sampled_from("ab"), st.integers(0, 9))


@given(st.lists(st.tuples(st.booleans(), MESSAGE), max_size=20))
def test_the_list_of_sessions_is_what_counting_would_give(
    moves: list[tuple[bool, tuple[str, str, int]]],
) -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    at_schema(connection, len(migrations("sqlite")))
    for n, (adds, (tenant, session, at)) in enumerate(moves):
        if adds:
            connection.execute(ADD, (tenant, session, n, at))
        else:
            connection.execute("delete from session_log where tenant = ? and at < ?", (tenant, at))
        assert connection.execute(KEPT).fetchall() == connection.execute(COUNTED).fetchall()
    connection.close()


def work(messages: int) -> int:
    """How much the engine does (in hundreds of its steps) to forget all messages of a session but ten."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    at_schema(connection, len(migrations("sqlite")))
    connection.executemany(ADD, [("default", "a", n, n) for n in range(messages)])
    done = 0

    def counted() -> int:
        nonlocal done
        done += 1
        return 0

    connection.set_progress_handler(counted, 100)
    connection.execute("delete from session_log where at < ?", (messages - 10,))
    connection.close()
    return done


def test_to_forget_a_long_session_costs_no_more_a_message_than_a_short_one() -> None:
    assert work(2000) < 6 * work(500)
