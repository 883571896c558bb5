"""review: a person decides about what is held. A terminal or the reviewer's key opens it; no agent has either."""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from memoranda.cli import ask, codes, place, show
from memoranda.cli.options import Db, Json, Name, OneSubject, readable
from memoranda.errors import NotAllowed, UsageError
from memoranda.types import ReviewItem

if TYPE_CHECKING:
    from memoranda.reviewer import Reviewer

KEY = "MEMORANDA_REVIEWER_KEY"
BATCH = 10
HELP = (
    "a 1 2 (approve), r 3 (reject), e 4 (edit, then approve), a all, r all, Enter (next), q (stop)"
)
HEADINGS = ("no", "subject", "from", "run", "why held", "fact", "words", "would replace")
IdList = Annotated[list[str] | None, typer.Option(metavar="ID", help="An id; may be given again.")]


def review(
    subject: OneSubject = None,
    source: Annotated[
        str | None, typer.Option(metavar="SOURCE", help="Only from this source.")
    ] = None,
    run: Annotated[str | None, typer.Option(metavar="RUN", help="Only of this run.")] = None,
    approve: IdList = None,
    reject: IdList = None,
    reject_all: Annotated[
        bool, typer.Option("--reject-all", help="Reject all that --source or --run names.")
    ] = False,
    reason: Annotated[
        str, typer.Option(metavar="TEXT", help="Why, for rejected ones.", callback=readable)
    ] = "",
    name: Name = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Approve, edit or reject what is held."""
    admitted()
    with place.reviewer(db, name) as reviewer:
        if reject_all:
            done = reviewer.reject_all(source=source, run=run, why=reason)
            show.as_json({"rejected": done}) if json else show.say(f"rejected {done}")
        elif approve or reject:
            decide(reviewer, approve or [], reject or [], reason)
        elif json:
            show.as_json(reviewer.batch(subject=subject, source=source, run=run))
        else:
            converse(reviewer, reviewer.batch(subject=subject, source=source, run=run), reason)


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
            "this needs a terminal, for only a person may decide it, or in "
            f"{KEY} the key whose SHA-256 is the setting reviewer_key_sha256"
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


def converse(reviewer: Reviewer, waiting: Sequence[ReviewItem], reason: str) -> None:
    """Go through what is held in batches, oldest first."""
    if not waiting:
        show.say("nothing is held")
        return
    show.say(f"{len(waiting)} held. {HELP}")
    for batch in batches(waiting):
        if not Batch(reviewer, batch, reason).run():
            return


def batches(waiting: Sequence[ReviewItem]) -> Iterator[Sequence[ReviewItem]]:
    """`waiting` in pieces that fit a screen."""
    for start in range(0, len(waiting), BATCH):
        yield waiting[start : start + BATCH]


def row(number: int, item: ReviewItem) -> Sequence[object]:
    """One held fact in a line: whose, from where and how far believed, why it waits, what it would replace."""
    fact = item.fact
    return (
        number,
        fact.subject,
        f"{fact.origin.value}/{fact.trust.name.lower()}",
        fact.source_run,
        ", ".join((*item.reasons, *item.flags)) or None,
        fact.fact,
        fact.quote,
        "; ".join(f"{old.id} {old.fact}" for old in item.replaces) or None,
    )


class Batch:
    """Some held facts under their numbers, until each is decided on or passed over."""

    def __init__(self, reviewer: Reviewer, items: Sequence[ReviewItem], reason: str) -> None:
        self.reviewer = reviewer
        self.left = dict(enumerate(items, start=1))
        self.reason = reason
        self.verbs: dict[str, Callable[[list[int]], None]] = {
            "a": self.approve,
            "r": self.reject,
            "e": self.edit,
        }

    def run(self) -> bool:
        """Ask until nothing is left or the person goes on; False when they stop altogether."""
        while self.left:
            rows = [row(n, item) for n, item in self.left.items()]
            show.table(HEADINGS, rows, nothing="")
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
        results = (
            self.reviewer.approve_all([self.left[n].fact.id for n in numbers]) if numbers else []
        )
        for number, result in zip(numbers, results, strict=True):
            show.outcome(result, text=self.left.pop(number).fact.fact)

    def reject(self, numbers: list[int]) -> None:
        """Turn them down."""
        if numbers:
            done = self.reviewer.reject(
                [self.left.pop(n).fact.id for n in numbers], why=self.reason
            )
            show.say(f"rejected {done}")

    def edit(self, numbers: list[int]) -> None:
        """Ask for a better wording and approve that; an empty answer leaves the fact as it waits."""
        for number in numbers:
            text = ask.answer(f"{number}, better:")
            if text:
                show.outcome(self.reviewer.approve(self.left[number].fact.id, text=text), text=text)
                del self.left[number]
