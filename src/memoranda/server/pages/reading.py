"""Who may read what: everybody what is believed, a person everything."""

from __future__ import annotations

from memoranda.server.doors import of_a_person
from memoranda.server.sight import is_believed
from memoranda.types import Fact

# States to choose from, as a person means them.
STATES = {
    "live": "believed",
    "superseded": "replaced",
    "retired": "forgotten",
    "expired": "expired",
    "pending": "waiting for a person",
    "rejected": "turned down",
    "all": "all",
}


def readable(fact: Fact, who: str | None) -> bool:
    """Whether whoever looks may read this fact."""
    return who is not None or is_believed(fact)


def read_by(fact: Fact, who: str | None) -> Fact:
    """The fact, if whoever looks may read it; else `NotAllowed`."""
    if not readable(fact, who):
        of_a_person(who)
    return fact
