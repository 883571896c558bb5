"""standing, pin, unpin: what is always before a model, and what a person keeps there."""

from __future__ import annotations

import typer

from memoranda.cli import codes, place, show
from memoranda.cli.options import Db, FactId, Json, Name, Subjects, subjects_here
from memoranda.cli.review import admitted
from memoranda.types import Outcome, Standing


def standing(subject: Subjects = None, db: Db = None, json: Json = False) -> None:
    """Show what is always before a model, and why each is there."""
    with place.memory(db) as memory:
        about = subject or subjects_here()
        found = memory.standing(about)
        left = [(one.id, one.reason, memory.show(one.id).fact) for one in found.left_out]
        most = memory.core.settings.standing_tokens
    if json:
        show.as_json(found)
        return
    shown(found)
    for fact_id, reason, text in left:
        show.say(f"left out {fact_id} ({reason}): {text}")
    show.say(f"{len(found.facts)} facts, {found.tokens} of {most} tokens, of {', '.join(about)}")


def shown(found: Standing) -> None:
    """One fact a line: id, why it stands, subject, text."""
    rows = [(fact.id, why(found, fact.id), fact.subject, fact.fact) for fact in found.facts]
    show.table(("id", "why", "subject", "fact"), rows, nothing="nothing stands there")


def why(found: Standing, fact_id: str) -> str:
    """Why a fact stands, with the person who decided it."""
    fact = next(one for one in found.facts if one.id == fact_id)
    told = found.why[fact_id]
    by = {"instruction": fact.approved_by, "pinned": fact.pinned_by}.get(told)
    return f"{told}, by {by}" if by else told


def pin(fact_id: FactId, name: Name = None, db: Db = None, json: Json = False) -> None:
    """Keep a fact before the model in every request. Only a person can."""
    admitted()
    with place.reviewer(db, name) as reviewer:
        told(reviewer.pin(fact_id), json=json)


def unpin(fact_id: FactId, name: Name = None, db: Db = None, json: Json = False) -> None:
    """Take a pin off a fact; it is remembered as before."""
    admitted()
    with place.reviewer(db, name) as reviewer:
        told(reviewer.unpin(fact_id), json=json)


def told(done: Outcome, *, json: bool) -> None:
    """What was done; when more is pinned than fits, what to do about it."""
    if json:
        show.as_json(done)
    else:
        show.outcome(done)
    if "over-cap" in done.reasons:
        show.warn(
            "more is pinned than fits; `memoranda standing` shows what is left out, `memoranda unpin` makes room"
        )
    raise typer.Exit(codes.code_of_outcome(done))
