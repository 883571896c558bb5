"""What is remembered, as a plain list with search and filters, now or as it was; and of whom."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from memoranda.accounts import FactsPage
from memoranda.errors import UsageError
from memoranda.memory import Memory
from memoranda.server import sight
from memoranda.server.doors import Person, Reading, of_a_person
from memoranda.server.pages.render import page
from memoranda.server.pages.words import STATES
from memoranda.types import FactFilter, Kind

router = APIRouter()

SIZE = 50
ORIGINS = {
    "operator": "a person here",
    "user": "the user",
    "tool": "a trusted tool",
    "external": "outside",
    "model": "a model",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person asked the list for, as it stands in the address."""

    q: str = ""
    subject: str = ""
    status: str = "live"
    kind: str = ""
    origin: str = ""
    tag: str = ""
    as_of: str = ""

    @property
    def query(self) -> dict[str, str]:
        """What stands in the address of the other pages of the same list."""
        told = {name: getattr(self, name) for name in self.__slots__}
        return {
            name: value
            for name, value in told.items()
            if value and (name, value) != ("status", "live")
        }

    @property
    def then(self) -> datetime | None:
        """The moment it is asked of; None for now. A time without a zone is one of this machine."""
        if not self.as_of.strip():
            return None
        try:
            return datetime.fromisoformat(self.as_of.strip()).astimezone()
        except (ValueError, OverflowError):
            raise UsageError(
                "that is no date and time; write it like 2026-05-01 or 2026-05-01T09:30"
            ) from None


Wanted = Annotated[Asked, Depends()]


@router.get("/")
def front(
    request: Request,
    memory: Reading,
    who: Person,
    asked: Wanted,
    after: str = "",
    before: str = "",
) -> HTMLResponse:
    """Everything that is remembered, newest first."""
    found = _page(memory, who, asked, after, before)
    empty = not found.facts and not asked.query and not (after or before)
    return page(
        request,
        "facts.html",
        asked=asked,
        then=asked.then,
        now=datetime.now(UTC) if asked.then is None else asked.then,
        facts=[fact for fact in found.facts if sight.readable(fact, who)],
        after=found.after,
        before=found.before,
        begin=empty and not memory.facts_page(status="all", size=1).facts,
        states=STATES,
        kinds={kind.value: kind.value for kind in Kind},
        origins=ORIGINS,
    )


def _page(memory: Memory, who: str | None, asked: Asked, after: str, before: str) -> FactsPage:
    """A page of what was asked for, if whoever asks may read it."""
    if asked.status != "live" or asked.then is not None:
        of_a_person(who)
    status: FactFilter = asked.status  # type: ignore[assignment]  # the flow refuses any other
    return memory.facts_page(
        subject=asked.subject or None,
        status=status,
        kind=asked.kind or None,
        origin=asked.origin or None,
        tag=asked.tag or None,
        words=asked.q,
        as_of=asked.then,
        after=after or None,
        before=before or None,
        size=SIZE,
    )


@router.get("/subjects")
def subjects(
    request: Request, memory: Reading, who: Person, q: str = "", after: str = ""
) -> HTMLResponse:
    """Who and what is remembered, by name."""
    found = sight.subjects(memory.subjects_page(words=q, after=after or None, size=SIZE), who)
    return page(
        request,
        "subjects.html",
        q=q,
        first=not after,
        subjects=found.subjects,
        most=found.most,
        after=found.after,
    )
