"""Who may read what: everybody what is or was believed, a person also what waits and what was turned down."""

from __future__ import annotations

from memoranda.errors import NotAllowed
from memoranda.types import Fact, Status

HELD_BACK = (Status.PENDING, Status.REJECTED)
# States to choose from, as a person means them.
BY_STATE = {
    "live": "believed",
    "superseded": "replaced",
    "retired": "forgotten",
    "expired": "expired",
}
STATES = {**BY_STATE, "pending": "waiting for a person", "rejected": "turned down", "all": "all"}


def for_everybody() -> str:
    """What somebody without a session is told who asks for more."""
    return (
        "what waits for a person, or was turned down, is shown to a person alone: open the link that "
        "`memoranda serve` printed in its terminal"
    )


def readable(fact: Fact, who: str | None) -> bool:
    """Whether whoever looks may read this fact: nobody has vouched for what waits or was turned down."""
    return who is not None or fact.status not in HELD_BACK


def read_by(fact: Fact, who: str | None) -> Fact:
    """The fact, if whoever looks may read it; else `NotAllowed`."""
    if not readable(fact, who):
        raise NotAllowed(for_everybody())
    return fact
