"""What waits for a person: read it in batches, approve, edit or turn down, and think better of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import HTMLResponse, Response

from memoranda.errors import UsageError
from memoranda.server import digests
from memoranda.server.doors import Changing, Hands, Person, doors
from memoranda.server.pages.fact import meanings
from memoranda.server.pages.going import address
from memoranda.server.pages.notices import Notice, told
from memoranda.server.pages.render import page
from memoranda.types import Outcome, ReviewItem, Status

router = APIRouter()

BATCH = 20
MOST = 200
Text = Annotated[str, Form()]
Many = Annotated[list[str], Form()]


@dataclass(frozen=True, slots=True)
class Marks:
    """What the queue is narrowed to, as it stands in the address of the page and of its forms."""

    subject: str = ""
    source: str = ""
    run: str = ""
    most: int = BATCH

    @property
    def query(self) -> dict[str, str | int]:
        """The same for the address of a page."""
        told = {"subject": self.subject, "source": self.source, "run": self.run}
        most = {"most": self.most} if self.most != BATCH else {}
        return {name: value for name, value in told.items() if value} | most

    def waiting(self, hands: Hands, most: int | None = None) -> list[ReviewItem]:
        """What waits of this, oldest first."""
        return hands.reviewer.batch(
            subject=self.subject or None,
            source=self.source or None,
            run=self.run or None,
            limit=most,
        )


Narrowed = Annotated[Marks, Depends()]


@router.get("/review")
def review(request: Request, who: Person, marks: Narrowed) -> HTMLResponse:
    """The queue; for whoever has no session, how to get one."""
    if who is None:
        return page(request, "review.html", 403, items=None, marks=marks)
    behind = doors(request)
    hands = Hands(who, behind.desk, behind.reviewer)
    most = min(max(marks.most, 1), MOST)
    items = marks.waiting(hands, most + 1)
    return page(
        request,
        "review.html",
        marks=marks,
        items=[_shown(item) for item in items[:most]],
        more=len(items) > most,
        wider=min(most * 5, MOST),
        most=most,
    )


def _shown(item: ReviewItem) -> dict[str, object]:
    """An item as the page tells it."""
    return {
        "fact": item.fact,
        "sign": digests.of_item(item),
        "reasons": meanings(item.reasons),
        "flagged": bool(item.flags),
        "replaces": item.replaces,
        "forgets": (item.fact.source_ref or "").startswith("forget:"),
    }


@router.post("/review/{fact_id}/approve")
def approve(
    request: Request,
    fact_id: str,
    hands: Changing,
    marks: Narrowed,
    sign: Text = "",
    then: Text = "",
    text: Text = "",
) -> Response:
    """Believe what waits, as it was shown or in the words that the person put in its place."""
    if not digests.unchanged(hands, [(fact_id, sign)]):
        return _changed(request, marks)
    edited = " ".join(text.split())
    done = hands.reviewer.approve(fact_id, text=edited or None)
    holds = done.id is not None and hands.memory.show(done.id).status is Status.LIVE
    notice = _approved(done, edited=bool(edited), holds=holds)
    if edited and not done.ok:
        notice = replace(notice, kept=(fact_id, edited))
    # What was not taken is still where it was.
    return _back(request, marks, notice, then if done.ok else fact_id, fact_id)


@router.post("/review/{fact_id}/reject")
def reject(
    request: Request,
    fact_id: str,
    hands: Changing,
    marks: Narrowed,
    sign: Text = "",
    then: Text = "",
    why: Text = "",
) -> Response:
    """Turn one down."""
    if not digests.unchanged(hands, [(fact_id, sign)]):
        return _changed(request, marks)
    hands.reviewer.reject([fact_id], why=why)
    return _back(request, marks, _rejected(hands, [fact_id], 1), then, fact_id)


@router.post("/review/all")
def decide_all(
    request: Request,
    hands: Changing,
    marks: Narrowed,
    shown: Many,
    verb: Text = "",
    why: Text = "",
) -> Response:
    """Approve, or turn down, all that was shown."""
    if verb not in ("approve", "reject"):
        raise UsageError("approve or turn down? The page did not say; go back and choose again")
    pairs = [(one, sign) for one, _, sign in (entry.partition("=") for entry in shown)]
    if not digests.unchanged(hands, pairs):
        return _changed(request, marks)
    ids = [fact_id for fact_id, _ in pairs]
    if verb == "approve":
        notice = _approved_all(hands.reviewer.approve_all(ids))
    else:
        notice = _rejected(hands, ids, hands.reviewer.reject(ids, why=why))
    return _back(request, marks, notice)


@router.post("/review/from")
def reject_from(
    request: Request, hands: Changing, source: Text = "", run: Text = "", why: Text = ""
) -> Response:
    """Turn down all that waits from one source or run, shown or not."""
    everything = Marks(source=source, run=run)
    # One of them is enough to find the operation by.
    ids = [item.fact.id for item in everything.waiting(hands, 1)] if source or run else []
    done = hands.reviewer.reject_all(source=source or None, run=run or None, why=why)
    return _back(request, Marks(), _rejected(hands, ids, done))


def _changed(request: Request, marks: Marks) -> HTMLResponse:
    return page(request, "review_changed.html", 409, marks=marks)


def _back(
    request: Request, marks: Marks, notice: Notice, anchor: str = "", decided: str = ""
) -> Response:
    """Back to the queue, at the next one; whoever takes the decision back is at what was `decided`."""
    safe = anchor if anchor.replace("_", "").isalnum() and anchor.isascii() else ""
    queue = address("/review", **marks.query)
    at = replace(notice, back=f"{queue}#{decided}" if decided else queue)
    return told(request, at, "/review", safe, **marks.query)


def _approved(done: Outcome, *, edited: bool, holds: bool) -> Notice:
    """What an approval did; `holds`: whether the fact is believed now."""
    if not done.ok:
        why = "; ".join(meanings(done.reasons))
        return Notice(f"Not approved. It still waits, because: {why}.", "warn")
    if "already-known" in done.reasons:
        return Notice("It was known already, so one of the two is enough.", undo=done.operation)
    if "forgotten" in done.reasons:
        return Notice("Approved: the fact is forgotten.", undo=done.operation)
    if not holds:
        says = "Approved, and kept as history: what was said later holds."
        return Notice(says, "warn", undo=done.operation)
    replaced = f", in place of {len(done.replaced)}" if done.replaced else ""
    says = f"Approved{' in your words' if edited else ''}{replaced}. It is believed now."
    return Notice(says, undo=done.operation)


def _approved_all(outcomes: list[Outcome]) -> Notice:
    done = [one for one in outcomes if one.ok]
    left = len(outcomes) - len(done)
    undo = next((one.operation for one in done if one.operation), None)
    says = f"Approved: {len(done)}."
    if left:
        says += f" {left} could not be approved as they are; they still wait, to be edited or turned down."
    return Notice(says, "warn" if left else "good", undo=undo)


def _rejected(hands: Hands, ids: list[str], count: int) -> Notice:
    """What was turned down, with its operation: the face tells the number alone."""
    if not count:
        return Notice("There was nothing to turn down.", "warn")
    last = hands.memory.why(ids[0]).changes[-1]
    undo = last.operation if last.verb == "reject" else None
    return Notice(f"Turned down: {count}. It will not be recalled.", undo=undo)
