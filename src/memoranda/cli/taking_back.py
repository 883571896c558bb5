"""forget, erase, undo: each shows what it would take, and takes exactly what it showed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memoranda.cli import ask, codes, place, show
from memoranda.cli.options import ME, Db, Json, OneSubject, Yes, readable
from memoranda.types import Erasure, Fact, Operation, Selection

if TYPE_CHECKING:
    from memoranda.memory import Memory

Ids = Annotated[
    list[str] | None, typer.Argument(metavar="ID", help="Ids, as `memoranda facts` shows them.")
]
Tag = Annotated[str | None, typer.Option(metavar="TAG", help="Everything with this tag.")]
Query = Annotated[
    str | None,
    typer.Option(
        metavar="WORDS",
        help=f"What a recall of these words finds, of --subject (default: {ME}).",
        callback=readable,
    ),
]
Run = Annotated[str | None, typer.Option(metavar="RUN", help="Everything that this run wrote.")]


def forget(
    ids: Ids = None,
    tag: Tag = None,
    query: Query = None,
    run: Run = None,
    subject: OneSubject = None,
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="Why, for the trace.", callback=readable)
    ] = "",
    yes: Yes = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Never recall these facts again. They are kept for the trace, and `undo` takes it back."""
    wanted = selection(ids, tag, query, run, subject)
    with place.memory(db) as memory:
        chosen = previewed(memory.select(wanted), "forget", json=json)
        consent(f"Forget {count(chosen)}?", yes=yes)
        if wanted == Selection(run=run) and run:
            done = rolled_back(memory, run)
        else:
            done = memory.retire(Selection(ids=chosen), why=reason)
    if json:
        show.as_json(done)
    else:
        show.say(f"forgot {count(done.facts)}; take it back with: memoranda undo {done.id}")


def erase(
    ids: Ids = None,
    tag: Tag = None,
    query: Query = None,
    run: Run = None,
    subject: OneSubject = None,
    yes: Yes = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Remove these facts from the bytes of the store: rows, log, receipts. There is no undo."""
    wanted = selection(ids, tag, query, run, subject)
    with place.memory(db) as memory:
        chosen = previewed(memory.select(wanted, erase=True), "erase", json=json)
        consent(f"Erase {count(chosen)} for good?", yes=yes)
        done = memory.erase(Selection(ids=chosen))
    if json:
        show.as_json(done)
    else:
        erased(done)


def selection(
    ids: list[str] | None, tag: str | None, query: str | None, run: str | None, subject: str | None
) -> Selection:
    """What the options select. A query is a recall, and asks of oneself unless it says of whom."""
    return Selection(
        tuple(ids or ()), tag, run, subject or (ME if query is not None else None), query
    )


def rolled_back(memory: Memory, run: str) -> Operation:
    """Forget a whole run: what it had replaced holds again, as if the run had not been."""
    memory.rollback(run)
    return next(done for done in memory.operations() if done.verb == "rollback" and done.run == run)


def previewed(found: list[Fact], verb: str, *, json: bool) -> tuple[str, ...]:
    """Show what would be taken and return its ids; end here when there is nothing."""
    if not found:
        show.warn(f"nothing to {verb}")
        raise typer.Exit(codes.NOT_DONE)
    if not json:
        show.facts(found, nothing="")
    return tuple(fact.id for fact in found)


def consent(question: str, *, yes: bool) -> None:
    """Ask; a no ends the command with nothing done."""
    if not ask.agreed(question, yes=yes):
        show.say("nothing was done")
        raise typer.Exit(codes.NOT_DONE)


def erased(done: Erasure) -> None:
    """What an erase removed, and what it leaves to a person."""
    show.say(f"erased {count(done.ids)}")
    for where, number in done.removed.items():
        show.say(f"removed from {where}: {number}")
    if done.blocked_by_reader:
        show.warn(
            "another process was reading, so old pages may still hold the text: erase again when it has ended"
        )
    elif done.byte_hits:
        show.warn(
            f"the text is still found {done.byte_hits} times in the store's files: see `memoranda doctor`"
        )
    for what in done.out_of_reach:
        show.say(f"out of reach, look yourself: {what}")


def undo(
    operation: Annotated[
        str | None,
        typer.Argument(metavar="OPERATION", help="Its id; default: the latest that is not undone."),
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Take back an operation: a forget, a correction, an approval, a roll-back."""
    with place.memory(db) as memory:
        done = memory.undo(operation)
    if json:
        show.as_json(done)
    else:
        undone(done)


def undone(done: Operation) -> None:
    """What was taken back."""
    show.say(f"undone: {done.undo_of or done.verb} ({count(done.facts)})")


def count(ids: tuple[str, ...]) -> str:
    """ "1 fact", "2 facts"."""
    return f"{len(ids)} fact" + ("" if len(ids) == 1 else "s")
