"""remember, recall, facts, show, why, correct: the life of one fact from the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

import typer

from memoranda.cli import codes, place, show, times
from memoranda.cli.options import (
    ME,
    Db,
    FactId,
    Json,
    OneSubject,
    Subject,
    Subjects,
    readable,
    subjects_here,
)
from memoranda.errors import UsageError
from memoranda.types import (
    Fact,
    FactFilter,
    Kind,
    Origin,
    Outcome,
    Recall,
    RecalledTurn,
    Trace,
    Verdict,
)

FILTERS: tuple[str, ...] = get_args(FactFilter)
Tags = Annotated[
    list[str] | None, typer.Option("--tag", metavar="TAG", help="A tag; may be given again.")
]


def remember(
    text: Annotated[str, typer.Argument(help="One self-contained sentence.", callback=readable)],
    subject: Subject = ME,
    attribute: Annotated[
        str | None, typer.Option(help="What it says, e.g. home; a new value replaces the old one.")
    ] = None,
    value: Annotated[
        str | None, typer.Option(help="The attribute's value; else it is found in TEXT.")
    ] = None,
    kind: Annotated[Kind | None, typer.Option(help="Decides how long it is kept.")] = None,
    tag: Tags = None,
    origin: Annotated[
        Origin, typer.Option(help="Where it came from; decides trust.")
    ] = Origin.OPERATOR,
    run: Annotated[
        str | None, typer.Option(metavar="RUN", help="The run that it belongs to.")
    ] = None,
    expires: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="ISO date or time (local without a zone), or 30d, 12h, 2w."
        ),
    ] = None,
    durable: Annotated[
        str | None, typer.Option(metavar="REASON", help="Keep it without expiry, for this reason.")
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Offer one statement to the gate."""
    if durable is not None and (expires is not None or not durable.strip()):
        raise UsageError("--durable needs a reason and goes without --expires")
    until = times.deadline(expires, "--expires") if expires is not None else None
    with place.memory(db, create=True) as memory:
        result = memory.remember(
            text,
            subject=subject,
            attribute=attribute,
            value=value,
            kind=kind,
            tags=tag or (),
            origin=origin,
            run=run,
            expires_at=until,
            durable_reason=durable,
        )
    finish(result, json=json)


def finish(result: Outcome, *, json: bool) -> None:
    """Tell an outcome and end with its exit code."""
    if json:
        show.as_json(result)
    else:
        show.outcome(result)
        if result.status is Verdict.HELD:
            show.say("It waits for a person: memoranda review")
    raise typer.Exit(codes.code_of_outcome(result))


def recall(
    query: Annotated[str, typer.Argument(help="A question or a few words.", callback=readable)],
    subject: Subjects = None,
    k: Annotated[int | None, typer.Option("-k", min=1, help="At most this many facts.")] = None,
    tag: Tags = None,
    as_of: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="What would have been answered then (local without a zone)."
        ),
    ] = None,
    why: Annotated[bool, typer.Option("--why", help="Show scores, and what was left out.")] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Show the few facts that answer a question."""
    then = times.moment(as_of, "--as-of") if as_of is not None else None
    with place.memory(db) as memory:
        got = memory.recall(
            query, subjects=subject or subjects_here(), k=k, as_of=then, tags=tag or ()
        )
    if json:
        show.as_json(got)
    else:
        recalled(got, why=why)


def recalled(got: Recall, *, why: bool) -> None:
    """The facts and turns of a recall and, on request, its receipt."""
    if got.facts or not got.turns:
        show.facts(got.facts, nothing="nothing that is remembered answers this")
    if got.turns:
        rows = [(turn.id, turn.at.date(), turn.speaker, _said(turn)) for turn in got.turns]
        show.table(("turn", "said on", "by", "what"), rows, nothing="")
    if why:
        reasons(got)


def _said(turn: RecalledTurn) -> str:
    return f"({turn.before}) {turn.text}" if turn.before else turn.text


# What made a score, in this order, under these heads.
PARTS = ("words", "meaning", "tag", "text", "speaker", "time", "turn", "evidence", "rerank")


def reasons(got: Recall) -> None:
    """The receipt as a table: what each part gave, what was left out and why, the cost."""
    receipt = got.receipt
    rows = [("chosen", one.id, one.score, one.parts) for one in receipt.chosen]
    rows += [(one.reason, one.id, one.score, one.parts) for one in receipt.left_out]
    shown = [name for name in PARTS if any(name in parts for *_, parts in rows)]
    told = [
        (reason, name, f"{score:.2f}", *(_part(parts, part) for part in shown))
        for reason, name, score, parts in rows
    ]
    if told:
        show.table(("why", "id", "score", *shown), told, nothing="")
    show.say(f"considered {receipt.considered}, {got.tokens} tokens, receipt {receipt.id}")


def _part(parts: Mapping[str, float], name: str) -> str:
    return f"{parts[name]:.2f}" if name in parts else "-"


def facts(
    subject: OneSubject = None,
    status: Annotated[
        Literal["live", "pending", "superseded", "expired", "retired", "rejected", "all"],
        typer.Option(help="Only facts of this state."),
    ] = "live",
    tag: Annotated[str | None, typer.Option(metavar="TAG", help="Only with this tag.")] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """List what is remembered, newest first."""
    with place.memory(db) as memory:
        found = memory.facts(subject=subject, status=status, tag=tag)
    if json:
        show.as_json(found)
    else:
        show.facts(found, nothing="there are none")


def show_fact(fact_id: FactId, db: Db = None, json: Json = False) -> None:
    """Show everything about one fact."""
    with place.memory(db) as memory:
        fact = memory.show(fact_id)
    if json:
        show.as_json(fact)
    else:
        described(fact)


def described(fact: Fact) -> None:
    """A fact's columns, one a line; the empty ones are left out."""
    for name, value in vars_of(fact):
        if value not in (None, (), ""):
            show.pairs([(name, value)])


def vars_of(fact: Fact) -> list[tuple[str, object]]:
    """Column names and values in their order, the state as a person means it."""
    named = [(name, getattr(fact, name)) for name in Fact.__dataclass_fields__]
    words = {"status": show.state(fact), "trust": fact.trust.name.lower()}
    return [(name, words.get(name, value)) for name, value in named]


def why(fact_id: FactId, db: Db = None, json: Json = False) -> None:
    """Show where a fact came from, what was done to it and where it was recalled."""
    with place.memory(db) as memory:
        trace = memory.why(fact_id)
    if json:
        show.as_json(trace)
    else:
        traced(trace)


def traced(trace: Trace) -> None:
    """A fact's story in the order in which a person asks for it."""
    fact = trace.fact
    show.say(f"{fact.id} {show.state(fact)}: {fact.fact}")
    source = [fact.origin.value, fact.source_run, fact.source_step, fact.source_ref]
    names = ["from", "run", "step", "source"]
    show.say(
        ", ".join(
            f"{n} {show.cell(v)}" for n, v in zip(names, source, strict=True) if v is not None
        )
    )
    if fact.pinned_by:
        show.say(f"pinned by {fact.pinned_by}")
    if fact.quote:
        show.say(f'said: "{fact.quote}"')
    for change in trace.changes:
        reason = f" ({change.why})" if change.why else ""
        show.say(
            f"{show.cell(change.at)} {change.verb} by {change.actor}{reason}: {change.status.value}"
        )
    for version in trace.chain:
        if version.id != fact.id:
            show.say(f"version {version.id} {show.state(version)}: {version.fact}")
    for source_fact in trace.sources:
        show.say(f"derived from {source_fact.id} {show.state(source_fact)}: {source_fact.fact}")
    for time in trace.recalled:
        session = f" in session {time.session}" if time.session else ""
        show.say(f"recalled {show.cell(time.at)}{session}, score {time.score:.2f}")


def blast(fact_id: FactId, db: Db = None, json: Json = False) -> None:
    """Show how far a fact came: where it was recalled, and what was written there and derived since."""
    with place.memory(db) as memory:
        found = memory.blast(fact_id)
    if json:
        show.as_json(found)
        return
    show.say(f"{found.fact.id} {show.state(found.fact)}: {found.fact.fact}")
    for time in found.recalled:
        show.say(f"recalled {show.cell(time.at)}, session {time.session}, run {time.run}")
    for reached in found.reached:
        path = " > ".join(
            f"run {hop.run}: {hop.fact}" if hop.run else f"derived: {hop.fact}"
            for hop in reached.path
        )
        show.say(f"{reached.fact.id} {show.state(reached.fact)}: {reached.fact.fact} [{path}]")


def correct(
    fact_id: FactId,
    text: Annotated[str, typer.Argument(help="The sentence as it should be.", callback=readable)],
    value: Annotated[str | None, typer.Option(help="The attribute's new value.")] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Replace a fact by a corrected one; the old one is kept for the trace."""
    with place.memory(db) as memory:
        result = memory.correct(fact_id, text, value=value)
    finish(result, json=json)
