"""Hostile strings as filters, orders, tags, subjects and attributes: no error but a named one, no leak, no change.

Made by a grammar of our own; `MEMORANDA_STRINGS` says how many (20,000; the suite tries fewer).
"""

from __future__ import annotations

import os
import random

from memoranda.errors import UsageError
from memoranda.memory import Memory
from memoranda.types import Fact, Selection

MOST = int(os.environ.get("MEMORANDA_STRINGS", "200"))
MINE, OTHERS = "user:mine", "user:other"
SECRET = "zanzibar"
QUOTES = (
    "'",
    '"',
    "`",
    "''",
    "\\'",
    "\u2019",
    "\uff07",
    "%27",
    "$$",
    "[",
    "]",
    ")",
    "))",
    "};",
    "*/",
)
JOINS = (
    " OR ",
    " AND ",
    "||",
    " UNION SELECT ",
    " UNION ALL SELECT ",
    "; ",
    " LIKE ",
    " IN (",
    " GLOB ",
    " MATCH ",
    ",",
)
TRUTHS = (
    "1=1",
    "'a'='a",
    "true",
    "1",
    "subject='user:other'",
    "tenant<>''",
    "fact LIKE '%zanzibar%'",
    "NULL IS NULL",
)
TABLES = (
    "agent_facts",
    "session_log",
    "sqlite_schema",
    "pg_catalog.pg_tables",
    "fact_states",
    "memoranda_meta",
)
VERBS = (
    "DROP TABLE ",
    "DELETE FROM ",
    "UPDATE ",
    "INSERT INTO ",
    "ATTACH DATABASE ",
    "PRAGMA ",
    "VACUUM INTO ",
    "SELECT * FROM ",
)
ENDS = ("--", "#", "/*", ";--", "\x00", "\n", "", " LIMIT 1000", " ORDER BY 1", "\u2028", ";")
NAMES = (
    "user:other",
    "user:mine",
    "home",
    "other",
    "*",
    "%",
    "_",
    "?",
    ":subject",
    ":tenant",
    "$1",
    "{tenant}",
    "%(tenant)s",
    "$.tags[0]",
    "tags->>'x'",
)
TREES = (
    '{"$ne": null}', '{"$gt": ""}', '{"$where": "1"}', '["user:other"]', '{"origin": "user"}', "NEAR(a b)", "a* OR b",
    "user:mine' OR subject='user:other", "}) MATCH (n) DETACH DELETE n //", "^x", "__class__", "{0.__class__}",
    "${jndi:ldap://x}", "{{7*7}}", "../../etc/passwd",
)  # fmt: skip


def attack(chance: random.Random) -> str:
    """One string out of the grammar, now and then cased, padded, doubled or cut."""

    def pick(*kinds: tuple[str, ...]) -> str:
        return "".join(chance.choice(kind) for kind in kinds)

    made = chance.choice(
        (
            lambda: pick(NAMES, QUOTES, JOINS, TRUTHS, ENDS),
            lambda: pick(QUOTES, ENDS, VERBS, TABLES, ENDS),
            lambda: pick(NAMES, JOINS, TABLES, ENDS),
            lambda: pick(TREES, QUOTES, ENDS),
            lambda: pick(QUOTES, JOINS, VERBS, TABLES, JOINS, TRUTHS),
            lambda: pick(NAMES, ENDS) + "".join(chr(chance.randrange(1, 0x3000)) for _ in range(4)),
            lambda: "user:other" + chance.choice(("\x00", "\u200b", "\ufeff", "%00", "\ud800", "\u202e", "\u00ad")),
        )
    )()  # fmt: skip
    change = chance.randrange(8)
    if change == 0:
        return made.swapcase()
    if change == 1:
        return made * chance.randint(2, 60)
    if change == 2:
        return f" {made}\t"
    return made[chance.randrange(len(made) or 1) :] if change == 3 else made


def doors(m: Memory, text: str):
    """Every way that a string of a stranger's can come in as a name, a filter, an order or a question."""
    yield lambda: m.recall(text, subjects=[MINE]).facts
    yield lambda: m.recall("parrot", subjects=[text]).facts
    yield lambda: m.recall("parrot", subjects=[MINE], tags=[text]).facts
    yield lambda: m.facts(subject=text)
    yield lambda: m.facts(subject=MINE, tag=text)
    yield lambda: m.facts(subject=MINE, status=text)
    yield lambda: m.operations(limit=text)
    yield lambda: [m.show(text)]
    yield lambda: [m.why(text).fact]
    yield lambda: m.log(text)
    yield lambda: m.select(Selection(subject=MINE, query=text))
    yield lambda: m.select(Selection(subject=MINE, tag=text, run=text))
    yield lambda: m.select(Selection(ids=(text,), subject=MINE))
    yield lambda: m.undo(text)
    yield lambda: m.blast(text)
    yield lambda: m.export(text).facts


def writes(m: Memory, text: str):
    """The same as parts of a statement that is offered."""
    for named in (
        {"subject": text},
        {"subject": MINE, "attribute": text},
        {"subject": MINE, "attribute": "home", "value": text},
        {"subject": MINE, "tags": [text]},
        {"subject": MINE, "run": text, "step": 1},
        {"subject": MINE, "derived_from": [text]},
        {"subject": MINE, "kind": text},
        {"subject": MINE, "origin": text},
        {"subject": MINE, "source_ref": text, "quote": text, "durable_reason": text},
    ):
        yield lambda named=named: m.remember("A note of little weight.", **named)


def test_no_error_no_leak_and_nothing_of_anybody_else_changes():
    chance = random.Random(20261130)
    m = fresh()
    for n in range(MOST):
        if n % 500 == 499:
            m.close()
            m = fresh()
        text = attack(chance)
        every = [*doors(m, text), *writes(m, text)]
        # In a big run each string goes in at some doors, so that every door sees thousands of them.
        for call in every if MOST <= 1000 else chance.sample(every, 6):
            try:
                found = call()
            except UsageError as error:
                found = str(error)
            assert SECRET not in str(found if isinstance(found, str) else "")
            for one in found if isinstance(found, list | tuple) else ():
                theirs = isinstance(one, Fact) and one.subject == OTHERS
                assert not theirs or reads_as_other(text), (text, one)
        theirs = [f.fact for f in m.facts(subject=OTHERS)]
        assert f"The other keeps a {SECRET} parrot." in theirs, text
    m.close()


def reads_as_other(text: str) -> bool:
    """Whether the name is, white space folded, the other's own."""
    return " ".join(text.split()) == OTHERS


def fresh() -> Memory:
    m = Memory.open(":memory:")
    m.remember(
        f"The other keeps a {SECRET} parrot.",
        subject=OTHERS,
        origin="user",
        tags=[SECRET],
        run="other",
    )
    m.remember("The user keeps a parrot.", subject=MINE, origin="user")
    return m
