"""What the window held at a step of a session: the request as it would be sent, and how full it was at every call."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from memoranda.errors import BudgetTooSmall
from memoranda.memory import Memory
from memoranda.messages import Message, Recalled
from memoranda.server.doors import Person, Reading, of_a_person
from memoranda.server.pages.messages import Shown, shown
from memoranda.server.pages.render import page
from memoranda.server.pages.sessions import Session
from memoranda.server.pages.words import FILLED
from memoranda.window.bill import Bill, Call
from memoranda.window.build import Built
from memoranda.window.compact import note_of
from memoranda.window.picture import COLOURS, COMPACTION, area
from memoranda.window.slot import Slot
from memoranda.window.stubs import is_stub
from memoranda.window.tokens import message_tokens
from memoranda.window.totals import taken

router = APIRouter()

LEAST, LARGEST = 100, 10_000_000
KEPT = 8
LISTED = 200
"""Messages of a request that the page shows; the rest is counted."""


class Replays:
    """The last few replays, so that the steps of a long session are walked through without replaying it each time.

    A replay holds numbers and no text. It is made anew when the session has grown. Several threads may ask at once.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[tuple[object, ...], Bill] = OrderedDict()

    def of(self, memory: Memory, session: str, subject: str | None, budget: int) -> Bill:
        """The replay of a session with this budget."""
        key = (memory.log_page(session, size=1).session, subject, budget)
        with self._lock:
            found = self._kept.get(key)
        if found is None:
            found = memory.replay(session, subject=subject, budget=budget)
            with self._lock:
                self._kept[key] = found
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
        return found


def _replays(request: Request) -> Replays:
    state = request.app.state
    if not hasattr(state, "replays"):
        state.replays = Replays()
    kept: Replays = state.replays
    return kept


@dataclass(frozen=True, slots=True)
class Held:
    """A message of the request. what: what it is there, in words. step: None for what the window wrote itself."""

    what: str
    kind: str
    role: str
    step: int | None
    tokens: int
    parts: list[Shown]


@router.get("/sessions/window")
def window(
    request: Request,
    memory: Reading,
    who: Person,
    session: Session,
    step: Annotated[int | None, Query(ge=0, le=2**31)] = None,
    budget: Annotated[int | None, Query(ge=LEAST, le=LARGEST)] = None,
    subject: Annotated[str | None, Query(max_length=1000)] = None,
) -> HTMLResponse:
    """The window before the answer of a step (the last one, when none is named), replayed from the log."""
    of_a_person(who)
    room, about = budget or memory.core.settings.window_budget, subject or None
    found = _replays(request).of(memory, session, about, room)
    at = _at(found, step)
    built, trouble = _built(memory, session, at, about, room)
    steps = [call.step for call in found.calls]
    return page(
        request,
        "window.html",
        session=session,
        subject=about,
        budget=room,
        call=at,
        calls=len(steps),
        before=_beside(steps, at, -1),
        after=_beside(steps, at, 1),
        held=held(built)[:LISTED] if built else [],
        left=max(len(built.messages) - LISTED, 0) if built else 0,
        system=built.system if built else "",
        tokens=built.tokens if built else 0,
        trouble=trouble,
        # Numbers, and words of ours that are escaped there.
        picture=Markup(area(room, found, at=at.step if at else None)),  # noqa: S704
        compactions=[call for call in found.calls if call.compaction or call.refused],
        exact=memory.core.counter.exact,
        kinds=[(kind, words, COLOURS[kind]) for kind, words in FILLED],
        compaction=COMPACTION,
        taken=taken,
    )


def _at(found: Bill, step: int | None) -> Call | None:
    """The call of this step, else the nearest one before it; the last one when none is named."""
    calls = [call for call in found.calls if step is None or call.step <= step]
    return calls[-1] if calls else next(iter(found.calls), None)


def _beside(steps: list[int], at: Call | None, by: int) -> int | None:
    """The step of the call before or after."""
    place = steps.index(at.step) + by if at else -1
    return steps[place] if 0 <= place < len(steps) else None


def _built(
    memory: Memory, session: str, at: Call | None, subject: str | None, budget: int
) -> tuple[Built | None, str]:
    """The request, or why there is none."""
    if at is None:
        return None, ""
    try:
        return memory.window_at(session, at.step, subject=subject, budget=budget), ""
    except BudgetTooSmall as error:
        return None, str(error)


def held(built: Built) -> list[Held]:
    """The messages of the request in order, each with what it is and its tokens."""
    slots = {id(slot.message): slot for slot in built.buffer.slots}
    note = note_of(built.buffer)
    return [_held(built, message, slots.get(id(message)), note) for message in built.messages]


def _held(built: Built, message: Message, slot: Slot | None, note: Message | None) -> Held:
    kind, what = _what(built, message, slot, note)
    tokens = slot.tokens if slot else message_tokens(message, built.buffer.counter)
    return Held(what, kind, message.role, slot.step if slot else None, tokens, shown(message))


def _what(
    built: Built, message: Message, slot: Slot | None, note: Message | None
) -> tuple[str, str]:
    """What a message of the request is: its colour in the picture, and the words for it."""
    if slot is None:
        return "notes", "notes on what was left out" if message == note else "a block of the window"
    if message.results:
        stubs = all(map(is_stub, message.results))
        return ("stubs", "a result, as a stub") if stubs else ("results", "a result")
    if slot.made:
        return "notes", "written by the window"
    if message.role == "assistant":
        return "assistant", "the model"
    if slot.n == built.buffer.task_n:
        return "user", "the task"
    recalled = any(isinstance(part, Recalled) for part in message.parts)
    newest = "the newest of the user" if slot.n == built.buffer.user_n else "the user"
    return "user", newest + (", with what was recalled" if recalled else "")
