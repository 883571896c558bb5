"""The ports that every flow is given, in one value. Faces assemble it (`wiring.py`); rules never see it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from memoranda.attributes import Attributes
from memoranda.ports import Clock, Ids, Screen, Store, TokenCounter, Tx
from memoranda.settings import Settings
from memoranda.types import Draft, NeverRule, Rescreened

# wipe(core, tx, needles of text, ids of facts) -> how many places were cleaned
Wipe = Callable[["Core", Tx, "Erased"], Awaitable[int]]
# job(core) -> how many rows were touched
Job = Callable[["Core"], Awaitable[int]]
# rescreen(core, dry) -> what of a place the present rules would not have kept; unless dry, it is gone or replaced
Rescreen = Callable[["Core", bool], Awaitable["Looked"]]
# writer(core, tx, admission) -> Outcome; the admission is made by the gate alone
Writer = Callable[["Core", Tx, Any], Awaitable[Any]]


ERASED = "[erased]"


class Extractor(Protocol):
    """Finds what a user's message says of its subject. Must be fast and must not wait: it runs inside a flow."""

    def __call__(
        self, text: str, *, subject: str, said_at: int, previous: Sequence[Draft] = ()
    ) -> list[Draft]:
        """Drafts from `text`, said at `said_at` (microseconds); `previous` is what was said and believed before."""
        ...


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erasure takes: the facts' ids, the subjects they are of, and every text that must not be left."""

    ids: tuple[str, ...]
    subjects: tuple[str, ...]
    needles: tuple[str, ...]

    def without(self, text: str) -> str:
        """The text with every wording of the erased facts replaced, in any case, as the bytes are searched."""
        for needle in self.needles:
            text = re.sub(re.escape(needle), ERASED, text, flags=re.IGNORECASE)
        return text


@dataclass(frozen=True, slots=True)
class Looked:
    """What looking at a place again gave: the rows that would not be kept now, how many were looked at, the values
    whose bytes must be gone, and what a person must look at.
    """

    found: tuple[Rescreened, ...] = ()
    rows: int = 0
    needles: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


class NeverRules(Protocol):
    """The screen of a person's own rules, which are read anew when they change."""

    mark: str | None

    def take(self, mark: str | None, rules: Sequence[NeverRule]) -> None:
        """Screen by these rules from now on."""
        ...


@dataclass(frozen=True, slots=True)
class Core:
    """The ports behind a face, its tenant and settings, and the registries of the places.

    writers: by type of item, who stores what the gate admits. erasable: by table, how to wipe what it holds of
    a fact. rescreens: by place, how to look at it again with the present rules. maintenance: by name, jobs of
    upkeep; `tables` of both cover the schema (a test compares).
    """

    store: Store
    clock: Clock
    ids: Ids
    tenant: str
    actor: str
    settings: Settings
    attributes: Attributes
    counter: TokenCounter
    screens: Sequence[Screen]
    never: NeverRules
    extract: Extractor
    writers: Mapping[type, Writer]
    erasable: Mapping[str, Wipe]
    maintenance: Mapping[str, Job]
    rescreens: Mapping[str, Rescreen]
