"""review: a person decides about what is held. A terminal or the reviewer's key opens it; no agent has either."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from memoranda.cli import ask, codes, place, show
from memoranda.cli.options import Db, Json, OneSubject, readable
from memoranda.errors import NotAllowed, UsageError
from memoranda.types import Fact

if TYPE_CHECKING:
    from memoranda.reviewer import Reviewer

KEY = "MEMORANDA_REVIEWER_KEY"
BATCH = 10
HELP = (
    "a 1 2 (approve), r 3 (reject), e 4 (edit, then approve), a all, r all, Enter (next), q (stop)"
)
IdList = Annotated[list[str] | None, typer.Option(metavar="ID", help="An id; may be given again.")]


def review(
    subject: OneSubject = None,
    approve: IdList = None,
    reject: IdList = None,
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="Why, for rejected ones.", callback=readable)
    ] = "",
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who decides. Default: your login name.")
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Approve, edit or reject what is held."""
    admitted()
    with place.reviewer(db, name) as reviewer:
        if json and not (approve or reject):
            show.as_json(reviewer.pending(subject=subject))
        elif approve or reject:
            decide(reviewer, approve or [], reject or [], reason)
        else:
            converse(reviewer, subject, reason)


def admitted() -> None:
    """Let a person at a terminal in, or whoever brings the key; raise `NotAllowed` for all others."""
    if ask.somebody_there():
        return
    expected = place.settings().reviewer_key_sha256.strip().lower()
    key = os.environ.get(KEY, "")
    given = hashlib.sha256(key.encode(errors="surrogateescape")).hexdigest()
    # No key is never the right one, also where somebody has set the digest of nothing.
    if not key or not hmac.compare_digest(given.encode(), expected.encode(errors="replace")):
        raise NotAllowed(
            f"review needs a terminal, or in {KEY} the key whose SHA-256 is the setting reviewer_key_sha256"
        )


def decide(reviewer: Reviewer, approve: Sequence[str], reject: Sequence[str], reason: str) -> None:
    """Decide as the options say."""
    outcomes = reviewer.approve_all(approve) if approve else []
    for result in outcomes:
        show.outcome(result)
    if reject:
        show.say(f"rejected {reviewer.reject(reject, why=reason)}")
    raise typer.Exit(
        max((codes.code_of_outcome(result) for result in outcomes), default=codes.DONE)
    )


def converse(reviewer: Reviewer, subject: str | None, reason: str) -> None:
    """Go through what is held in batches, oldest first."""
    waiting = reviewer.pending(subject=subject)
    if not waiting:
        show.say("nothing is held")
        return
    show.say(f"{len(waiting)} held. {HELP}")
    for batch in batches(waiting):
        if not Batch(reviewer, batch, reason).run():
            return


def batches(waiting: Sequence[Fact]) -> Iterator[Sequence[Fact]]:
    """`waiting` in pieces that fit a screen."""
    for start in range(0, len(waiting), BATCH):
        yield waiting[start : start + BATCH]


class Batch:
    """Some held facts under their numbers, until each is decided on or passed over."""

    def __init__(self, reviewer: Reviewer, facts: Sequence[Fact], reason: str) -> None:
        self.reviewer = reviewer
        self.left = dict(enumerate(facts, start=1))
        self.reason = reason
        self.verbs: dict[str, Callable[[list[int]], None]] = {
            "a": self.approve,
            "r": self.reject,
            "e": self.edit,
        }

    def run(self) -> bool:
        """Ask until nothing is left or the person goes on; False when they stop altogether."""
        while self.left:
            rows = [
                (n, f.subject, f.origin.value, f.source_run, f.fact) for n, f in self.left.items()
            ]
            show.table(("no", "subject", "from", "run", "fact"), rows, nothing="")
            line = ask.answer("review>")
            if line in ("", "s", "skip"):
                return True
            if line in ("q", "quit"):
                return False
            self.carry_out(line)
        return True

    def carry_out(self, line: str) -> None:
        """Do what one answer says; a faulty answer does nothing and says what would."""
        verb, *rest = line.split()
        try:
            self.verbs[verb[0]](
                [self.number(word) for word in rest] if rest != ["all"] else list(self.left)
            )
        except (KeyError, UsageError) as fault:
            show.say(f"{fault}. {HELP}" if isinstance(fault, UsageError) else HELP)

    def number(self, word: str) -> int:
        """The number that `word` means."""
        if word.isascii() and word.isdigit() and int(word) in self.left:
            return int(word)
        raise UsageError(f"there is no number {word!r} here")

    def approve(self, numbers: list[int]) -> None:
        """Make them live, in one transaction."""
        results = self.reviewer.approve_all([self.left[n].id for n in numbers]) if numbers else []
        for number, result in zip(numbers, results, strict=True):
            show.outcome(result, text=self.left.pop(number).fact)

    def reject(self, numbers: list[int]) -> None:
        """Turn them down."""
        if numbers:
            done = self.reviewer.reject([self.left.pop(n).id for n in numbers], why=self.reason)
            show.say(f"rejected {done}")

    def edit(self, numbers: list[int]) -> None:
        """Ask for a better wording and approve that; an empty answer leaves the fact as it waits."""
        for number in numbers:
            text = ask.answer(f"{number}, better:")
            if text:
                show.outcome(self.reviewer.approve(self.left[number].id, text=text), text=text)
                del self.left[number]
