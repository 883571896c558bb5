"""forget, rollback, erase, undo: each shows what it would take, and takes exactly what it showed."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from memoranda.cli import ask, codes, place, show, times
from memoranda.cli.options import ME, Db, Json, OneSubject, Yes, readable
from memoranda.errors import UsageError
from memoranda.types import Erasure, Fact, Kind, Operation, Origin, Selection

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
Steps = Annotated[str | None, typer.Option(metavar="FIRST-LAST", help="Only these steps of --run.")]
Source = Annotated[
    str | None,
    typer.Option(metavar="SOURCE", help="Everything from this source, such as session:NAME."),
]
FromOrigin = Annotated[Origin | None, typer.Option("--origin", help="Everything of this origin.")]
OfKind = Annotated[Kind | None, typer.Option("--kind", help="Everything of this kind.")]
Attribute = Annotated[
    str | None, typer.Option(metavar="NAME", help="Everything about this attribute, such as home.")
]
Since = Annotated[
    str | None, typer.Option(metavar="TIME", help="What was taken in at this time or later.")
]
Until = Annotated[
    str | None, typer.Option(metavar="TIME", help="What was taken in before this time.")
]
Reason = Annotated[str, typer.Option(metavar="TEXT", help="Why, for the trace.", callback=readable)]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would be taken.")]


def forget(
    ids: Ids = None,
    tag: Tag = None,
    query: Query = None,
    run: Run = None,
    steps: Steps = None,
    source: Source = None,
    origin: FromOrigin = None,
    kind: OfKind = None,
    attribute: Attribute = None,
    since: Since = None,
    until: Until = None,
    subject: OneSubject = None,
    reason: Reason = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Never recall these facts again. They are kept for the trace, and `undo` takes it back."""
    wanted = selection(ids, query, subject, steps, since, until, **marks(locals()))
    with place.memory(db) as memory:
        chosen = previewed(memory.select(wanted), "forget", json=json, last=dry_run)
        consent(f"Forget {count(chosen)}?", yes=yes)
        if run and wanted == Selection(run=run, steps=wanted.steps):
            done = memory.rollback(run, steps=wanted.steps, why=reason)
        else:
            done = memory.retire(Selection(ids=chosen), why=reason)
    forgotten(done, json=json)


def rollback(
    run: Annotated[str, typer.Option(metavar="RUN", help="The run to take back.")],
    steps: Steps = None,
    reason: Reason = "",
    dry_run: DryRun = False,
    yes: Yes = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Take a run back: forget what it wrote and all that came of it; what it replaced holds again."""
    wanted = Selection(run=run, steps=span(steps))
    with place.memory(db) as memory:
        chosen = previewed(memory.select(wanted), "roll back", json=json, last=dry_run)
        consent(f"Roll back {count(chosen)} of run {run} and what came of it?", yes=yes)
        done = memory.rollback(run, steps=wanted.steps, why=reason)
    forgotten(done, json=json)


def forgotten(done: Operation, *, json: bool) -> None:
    """What was forgotten, and how to take that back."""
    if json:
        show.as_json(done)
    else:
        show.say(f"forgot {count(done.facts)}; take it back with: memoranda undo {done.id}")


def erase(
    ids: Ids = None,
    tag: Tag = None,
    query: Query = None,
    run: Run = None,
    steps: Steps = None,
    source: Source = None,
    origin: FromOrigin = None,
    kind: OfKind = None,
    attribute: Attribute = None,
    since: Since = None,
    until: Until = None,
    subject: OneSubject = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Remove these facts from the bytes of the store: rows, log, receipts. There is no undo."""
    wanted = selection(ids, query, subject, steps, since, until, **marks(locals()))
    with place.memory(db) as memory:
        chosen = previewed(memory.select(wanted, erase=True), "erase", json=json, last=dry_run)
        consent(f"Erase {count(chosen)} for good?", yes=yes)
        done = memory.erase(Selection(ids=chosen))
    if json:
        show.as_json(done)
    else:
        erased(done)


def marks(given: dict[str, Any]) -> dict[str, Any]:
    """The options that are marks of a selection under their own names."""
    names = ("tag", "run", "source", "origin", "kind", "attribute")
    return {name: given[name] for name in names}


def selection(
    ids: list[str] | None,
    query: str | None,
    subject: str | None,
    steps: str | None,
    since: str | None,
    until: str | None,
    **marks: Any,
) -> Selection:
    """What the options select. A query is a recall, and asks of oneself unless it says of whom."""
    return Selection(
        ids=tuple(ids or ()),
        subject=ME if query is not None and subject is None else subject,
        query=query,
        steps=span(steps),
        since=times.moment(since, "--since") if since is not None else None,
        until=times.moment(until, "--until") if until is not None else None,
        **marks,
    )


def span(steps: str | None) -> tuple[int, int] | None:
    """The first and last step of "3-7", or of "5"."""
    if steps is None:
        return None
    first, _, last = steps.partition("-")
    try:
        return int(first), int(last or first)
    except ValueError:
        raise UsageError(f"--steps {steps!r} are no steps; write 3-7, or 5 for one") from None


def previewed(found: list[Fact], verb: str, *, json: bool, last: bool = False) -> tuple[str, ...]:
    """Show what would be taken and return its ids; end here when there is nothing, or when this is all (`last`)."""
    if not found:
        show.warn(f"nothing to {verb}")
        raise typer.Exit(codes.NOT_DONE)
    if last and json:
        show.as_json(found)
    elif not json:
        show.facts(found, nothing="")
    if last:
        raise typer.Exit(codes.DONE)
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
            "another process was reading, so old pages may still hold the text: `memoranda maintain` clears them "
            "when it has ended"
        )
    elif done.byte_hits:
        show.warn(f"the text is still found {done.byte_hits} times in the store's files")
    for name in done.elsewhere:
        show.say(f"the same words were also said by or of somebody else: {name}")
    for name in done.files:
        show.warn(f"a file in a folder, edit it yourself: {name}")
    for name in done.similar:
        show.say(f"much like it, look yourself: {name}")
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
