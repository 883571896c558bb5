"""subjects, sessions, operations: what there is, in lists."""

from __future__ import annotations

from typing import Annotated

import typer

from memoranda.cli import place, show
from memoranda.cli.options import Db, Json


def subjects(db: Db = None, json: Json = False) -> None:
    """List who is remembered, with the number of live facts."""
    with place.memory(db) as memory:
        found = memory.subjects()
    if json:
        show.as_json([{"subject": name, "facts": number} for name, number in found])
    else:
        show.table(("subject", "facts"), found, nothing="there are none")


def sessions(db: Db = None, json: Json = False) -> None:
    """List the conversations, newest first."""
    with place.memory(db) as memory:
        found = memory.sessions()
    if json:
        show.as_json(
            [{"session": name, "messages": number, "last": last} for name, number, last in found]
        )
    else:
        show.table(("session", "messages", "last"), found, nothing="there are none")


def operations(
    limit: Annotated[int, typer.Option(min=1, help="At most this many.")] = 50,
    db: Db = None,
    json: Json = False,
) -> None:
    """List what was done to memory, by whom and why, newest first."""
    with place.memory(db) as memory:
        found = memory.operations(limit=limit)
    if json:
        show.as_json(found)
        return
    rows = [(o.id, o.at, o.verb, o.actor, len(o.facts), o.undone_by, o.why) for o in found]
    headings = ("operation", "when", "what", "who", "facts", "undone by", "why")
    show.table(headings, rows, nothing="there are none")
