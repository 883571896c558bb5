"""Facts by the page, newest first: of a state, of a subject, with some words, or as the store believed at a moment."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter

from memoranda.accounts import FactsPage
from memoranda.core import Core
from memoranda.errors import UsageError
from memoranda.facts.lifetimes import ended
from memoranda.facts.reading import EVERY, filtered
from memoranda.facts.rows import COLUMNS, State, fact_of
from memoranda.gate.draft import member, micros, name
from memoranda.paging import (
    LARGEST,
    LOOK,
    Walked,
    cursor,
    holds,
    page_size,
    place,
    walk,
    wanted_words,
)
from memoranda.ports import Row
from memoranda.types import Fact, Kind, Origin

AT = {column: n for n, column in enumerate(COLUMNS)}
KEY = itemgetter(AT["created_at"], AT["id"])
# The columns of a state stand last in a row (a test compares).
STATE = len(COLUMNS) - len(State.__slots__)
# A state as of a moment is looked up row by row.
LOOK_BACK = 2000
# Behind an id and before every other: ids hold no spaces.
BEHIND = " "
# A place between two rows: those from this key on are the newer ones, the others the older ones.
Key = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """Which facts are asked for; what is not given fits every fact. See `Memory.facts_page`."""

    subject: str | None = None
    status: str = "live"
    kind: Kind | str | None = None
    origin: Origin | str | None = None
    tag: str | None = None
    words: str = ""
    as_of: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Filter:
    """The same, checked. now: the moment at which a state counts; back: whether that is past."""

    subject: str | None
    states: tuple[str, ...]
    expired: bool | None
    kind: str | None
    origin: str | None
    tag: str | None
    words: tuple[str, ...]
    now: int
    back: bool

    @property
    def arms(self) -> tuple[str, ...]:
        """The states to look under. What has one now may have had another then."""
        return EVERY if self.back else self.states

    @property
    def start(self) -> Key:
        """In front of the newest fact that there was then."""
        return (min(self.now + 1, LARGEST) if self.back else LARGEST, "")

    def marked(self, row: Row) -> bool:
        """Whether what never changes of a row is as it was asked for."""
        return (
            (self.kind is None or row[AT["kind"]] == self.kind)
            and (self.origin is None or row[AT["origin"]] == self.origin)
            and (self.tag is None or self.tag in json.loads(row[AT["tags"]]))
            and (not self.words or holds(self.words, *_words_of(row)))
        )


def _words_of(row: Row) -> tuple[str | None, ...]:
    """What is searched of a row: text, subject, attribute, value and tags."""
    tags = row[AT["tags"]]
    told = "" if tags == "[]" else "\n".join(json.loads(tags))
    return (row[AT["fact"]], row[AT["subject"]], row[AT["attribute"]], row[AT["value"]], told)


def _filter(core: Core, asked: Asked) -> _Filter:
    states, expired = filtered(asked.status)
    then = micros("as_of", asked.as_of)
    return _Filter(
        None if asked.subject is None else name("subject", asked.subject),
        states,
        expired,
        None if asked.kind is None else member(Kind, asked.kind, "kind"),
        None if asked.origin is None else member(Origin, asked.origin, "origin"),
        None if asked.tag is None else name("tag", asked.tag),
        wanted_words(asked.words),
        core.clock.now() if then is None else then,
        then is not None,
    )


async def facts_page(
    core: Core,
    asked: Asked,
    *,
    after: str | None = None,
    before: str | None = None,
    size: int = 50,
) -> FactsPage:
    """See `Memory.facts_page`."""
    size, wanted = page_size(size), _filter(core, asked)
    if after is not None and before is not None:
        raise UsageError("give `after` or `before`, not both")
    if before is not None:
        at, fact_id = place("facts", before, int, str)
        walked = await _walked(core, wanted, (at, fact_id), size, newer=True)
        return FactsPage(tuple(reversed(walked.found)), before, _in_front(walked))
    at, fact_id = wanted.start if after is None else place("facts", after, int, str)
    walked = await _walked(core, wanted, (at, fact_id), size, newer=False)
    behind = None if walked.last is None else cursor("facts", *KEY(walked.last))
    return FactsPage(tuple(walked.found), behind, after)


def _in_front(walked: Walked[Row, Fact]) -> str | None:
    """Where the newer ones begin: with the next one, or right behind the last that was looked at."""
    if walked.next is not None:
        return cursor("facts", *KEY(walked.next))
    if walked.last is None:
        return None
    at, fact_id = KEY(walked.last)
    return cursor("facts", at, fact_id + BEHIND)


async def _walked(
    core: Core, wanted: _Filter, start: Key, size: int, *, newer: bool
) -> Walked[Row, Fact]:
    async def piece(last: Row | None, count: int) -> tuple[list[Row], bool]:
        at = start if last is None else KEY(last)
        if newer and last is not None:
            at = at[0], at[1] + BEHIND
        return await _piece(core, wanted, at, count, newer=newer)

    return await walk(piece, _picking(core, wanted), size, LOOK_BACK if wanted.back else LOOK)


async def _piece(
    core: Core, wanted: _Filter, start: Key, count: int, *, newer: bool
) -> tuple[list[Row], bool]:
    """The next rows in order, of every state: each has an index of its own, so they are merged here."""
    query = "newer_facts" if newer else "older_facts"
    given = {} if wanted.subject is None else {"subject": wanted.subject}
    query += "_of_subject" if given else ""
    rows: list[Row] = []
    more = False
    for status in wanted.arms:
        found = await core.store.rows(
            query, tenant=core.tenant, status=status, at=start[0], id=start[1], most=count, **given
        )
        more = more or len(found) == count
        rows += found
    if len(wanted.arms) > 1:
        rows.sort(key=KEY, reverse=not newer)
    # Where one state has more than was read, only so many rows are sure to come before all that was not.
    kept = rows[:count] if more else rows
    if wanted.back and newer:
        known = [row for row in kept if row[AT["created_at"]] <= wanted.now]
        return known, more and len(known) == len(kept)
    return kept, more


def _picking(core: Core, wanted: _Filter) -> Callable[[Row], Awaitable[Fact | None]]:
    async def pick(row: Row) -> Fact | None:
        if not wanted.marked(row):
            return None
        if wanted.back:
            then = await core.store.rows(
                "state_as_of", tenant=core.tenant, fact_id=row[AT["id"]], now=wanted.now
            )
            if not then:
                return None
            row = (*row[:STATE], *then[0])
        status = row[AT["status"]]
        over = ended(
            status, row[AT["created_at"]], row[AT["expires_at"]], core.settings, wanted.now
        )
        if status not in wanted.states or wanted.expired not in (None, over):
            return None
        return fact_of(row)

    return pick
