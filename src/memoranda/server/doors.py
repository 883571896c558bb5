"""What a request may use: everybody reads, and whoever came in by the link of the terminal changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyCookie

from memoranda.errors import NotAllowed
from memoranda.memory import Memory
from memoranda.reviewer import Reviewer
from memoranda.server.entrance import COOKIE, Entrance

NO_SESSION = "only a person changes memory here: open the link that `memoranda serve` printed in its terminal"
# Told in the description of the API; what it is worth, the entrance knows.
SCHEME = APIKeyCookie(
    name=COOKIE,
    scheme_name="session",
    description="Set by the link that `memoranda serve` prints in its terminal: once, for twelve hours.",
    auto_error=False,
)


@dataclass(frozen=True, slots=True)
class Doors:
    """The faces that the routes stand over. All of them are blocking, and a route works on a thread of its own.

    memory: to read. desk: to change, in the name of the person; a connection of its own, so that a long erasure keeps
    nobody from reading. reviewer: to decide about what is held. entrance: who is let in to the last two.
    """

    memory: Memory
    desk: Memory
    reviewer: Reviewer
    entrance: Entrance


@dataclass(frozen=True, slots=True)
class Hands:
    """What a person who came in by the link works with."""

    name: str
    memory: Memory
    reviewer: Reviewer


def doors(request: Request) -> Doors:
    """The faces behind this application: where keys and tenants would choose others, nothing else needs to know."""
    found: Doors = request.app.state.doors
    return found


def memory(behind: Annotated[Doors, Depends(doors)]) -> Memory:
    """The memory to read."""
    return behind.memory


def person(request: Request, behind: Annotated[Doors, Depends(doors)]) -> str | None:
    """The name of whoever came in by the link; None for everybody else."""
    known = behind.entrance.knows(request.cookies.get(COOKIE))
    return behind.reviewer.name if known else None


def hands(
    name: Annotated[str | None, Depends(person)],
    behind: Annotated[Doors, Depends(doors)],
    cookie: Annotated[str | None, Security(SCHEME)] = None,
) -> Hands:
    """What changes memory. Raises `NotAllowed` for whoever did not come in by the link."""
    if name is None:
        raise NotAllowed(NO_SESSION)
    return Hands(name, behind.desk, behind.reviewer)


def of_a_person(name: str | None) -> None:
    """Raise `NotAllowed` unless a person came in by the link: what waits for them, or was taken back, is for them."""
    if name is None:
        raise NotAllowed(
            "without the link of the terminal one reads what is believed now, and nothing that waits, was turned down "
            "or was taken back"
        )


Reading = Annotated[Memory, Depends(memory)]
Person = Annotated[str | None, Depends(person)]
Changing = Annotated[Hands, Depends(hands)]
