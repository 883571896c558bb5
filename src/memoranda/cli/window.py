"""window: replay a recorded run through a window, and say what each call held, lost and cost."""

from __future__ import annotations

import json as json_text
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memoranda.cli import place, show
from memoranda.cli.options import Json
from memoranda.errors import UsageError

if TYPE_CHECKING:
    from memoranda.messages import Message
    from memoranda.window.bill import Bill
    from memoranda.window.policy import Policy

LEAST_BUDGET = 100


def window(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recorded run: JSON or JSONL.")],
    budget: Annotated[int, typer.Option(metavar="N", help="Tokens of a request, at most.")] = 8000,
    policy: Annotated[
        str,
        typer.Option(metavar="P", help="default, faithful, HIGH/LOW (marks, as 0.9/0.5), last:N."),
    ] = "default",
    run: Annotated[
        int, typer.Option(metavar="N", help="Which run of a file with several; from 1.")
    ] = 1,
    html: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Write a page with a picture there.")
    ] = None,
    at: Annotated[
        int | None, typer.Option(metavar="STEP", help="Print the exact request of this step.")
    ] = None,
    json: Json = False,
) -> None:
    """Show what a window would have held, left out and cost over a recorded run."""
    from memoranda.window.bill import bill
    from memoranda.window.peers import PEERS, peer_bill
    from memoranda.window.tokens import EstimateCounter
    from memoranda.window.totals import totals

    if budget < LEAST_BUDGET:
        raise UsageError(f"--budget must be at least {LEAST_BUDGET}")
    chosen, counter = policy_of(policy), EstimateCounter()
    messages = messages_of(file, run)
    if at is not None:
        print_request(messages, at, budget, chosen)
        return
    ours = bill(messages, budget, chosen, name=f"window ({policy})", counter=counter)
    others = [peer_bill(messages, budget, name, counter=counter) for name in PEERS]
    if html is not None:
        from memoranda.cli.window_page import page

        try:
            html.write_text(page(file.name, budget, ours, others), encoding="utf-8")
        except OSError as error:
            raise show.unwritten(html, error) from None
    if json:
        show.as_json(
            {
                "file": str(file),
                "budget": budget,
                "bills": [totals(b, budget) for b in [ours, *others]],
                "calls": list(ours.calls),
            }
        )
        return
    tell(ours, others, budget)
    if html is not None:
        show.warn(f"wrote {html}")


def policy_of(text: str) -> Policy:
    """The policy that a word on the command line names."""
    from memoranda.window.policy import named_policy

    try:
        return named_policy(text)
    except ValueError as fault:
        raise UsageError(f"--policy must be {fault}") from None


def messages_of(file: Path, run: int) -> list[Message]:
    """The messages of one run of the file."""
    from memoranda.readers import read_conversations

    number = 0
    found: list[Message] = []
    for part in read_conversations(file, "auto", place.settings().ingest_bytes):
        number += not part.continues
        found += part.messages if number == run else ()
    if not found:
        raise UsageError(f"the file holds {number} runs; --run must be from 1 to {number}")
    return found


def print_request(messages: Sequence[Message], step: int, budget: int, policy: Policy) -> None:
    """The request of a step as a model's service would get it, in one JSON document."""
    from memoranda.messages.openai_chat import to_openai
    from memoranda.window.bill import request_at
    from memoranda.window.tokens import EstimateCounter

    built = request_at(messages, step, budget, policy, counter=EstimateCounter())
    if built is None:
        raise UsageError(f"the run has no step {step} that a request comes before")
    request = {
        "step": step,
        "tokens": built.tokens,
        "budget": budget,
        "system": built.system,
        "messages": to_openai(list(built.messages)),
    }
    show.as_json(json_text.loads(json_text.dumps(request)))


def tell(ours: Bill, others: Sequence[Bill], budget: int) -> None:
    """The calls, then the bills."""
    from memoranda.window.totals import totals, what_went

    show.table(
        ("step", "history", "sent", "read", "written", "what went"),
        [(c.step, c.history, c.sent, c.read, c.written, what_went(c)) for c in ours.calls],
        nothing="the run has no model call",
    )
    rows = [totals(found, budget) for found in [ours, *others]]
    show.table(tuple(rows[0]), [tuple(row.values()) for row in rows], nothing="")
    show.warn("cost is in input-token equivalents; what is over the budget would have failed")
