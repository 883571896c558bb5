"""Runs: what each wrote, and taking one back."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from memoranda.errors import UsageError
from memoranda.server import sight
from memoranda.server.doors import Changing, Person, Reading
from memoranda.server.pages.notices import Notice, told
from memoranda.server.pages.render import page
from memoranda.types import Selection

router = APIRouter()

SIZE = 50
SHOWN = 200
Text = Annotated[str, Form()]


@router.get("/runs")
def runs(request: Request, memory: Reading, who: Person, after: str = "") -> HTMLResponse:
    """The runs that wrote facts, the latest first."""
    found = sight.runs(memory.runs_page(after=after or None, size=SIZE), who)
    return page(request, "runs.html", runs=found.runs, after=found.after, first=not after)


@router.get("/runs/one")
def run(
    request: Request, memory: Reading, who: Person, run: str = "", first: str = "", last: str = ""
) -> HTMLResponse:
    """What a run wrote and what came of it: what taking it back would take."""
    steps = span(first, last)
    goes = memory.select(Selection(run=run or None, steps=steps)) if run else []
    told = [fact for fact in goes if sight.readable(fact, who)]
    wrote = memory.select(Selection(run=run, steps=steps), erase=True) if run and not goes else []
    return page(
        request,
        "run.html",
        run=run,
        first=first,
        last=last,
        wrote=[fact for fact in told if fact.source_run == run],
        derived=[fact for fact in told if fact.source_run != run],
        gone=[fact for fact in wrote if fact.source_run == run and sight.readable(fact, who)],
        count=len(told),
        shown=SHOWN,
    )


def span(first: str, last: str) -> tuple[int, int] | None:
    """The steps that two fields name; one alone stands for both."""
    first, last = first.strip(), last.strip()
    if not (first or last):
        return None
    try:
        return int(first or last), int(last or first)
    except ValueError:
        raise UsageError("steps are numbers, such as 3 and 7") from None


@router.post("/runs/rollback")
def rollback(
    request: Request,
    hands: Changing,
    run: Text = "",
    first: Text = "",
    last: Text = "",
    why: Text = "",
) -> Response:
    """Take a run back, with all that came of it; what it had replaced holds again."""
    steps = span(first, last)
    before = {fact.id for fact in hands.memory.select(Selection(run=run or None, steps=steps))}
    done = hands.memory.rollback(run, steps=steps, why=why)
    again = [one for one in done.facts if one not in before]
    taken = len(done.facts) - len(again)
    says = f"Rolled back: {taken} {'fact is' if taken == 1 else 'facts are'} forgotten"
    says += f", and {len(again)} from before changed with them." if again else "."
    back = {"run": run, "first": first, "last": last}
    query = {name: value for name, value in back.items() if value}
    return told(request, Notice(says, undo=done.id, back="/runs"), "/runs/one", **query)
