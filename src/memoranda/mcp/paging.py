"""A page of live facts over the granted subjects: their pages, read from one place and merged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memoranda.errors import UsageError
from memoranda.paging import cursor as cursor_at
from memoranda.paging import place
from memoranda.types import Fact, to_micros

if TYPE_CHECKING:
    from memoranda.aio import AsyncMemory

MOST = 50


async def page(
    memory: AsyncMemory, subjects: Sequence[str], cursor: str, limit: int
) -> tuple[list[Fact], str | None]:
    """Up to `limit` live facts of the subjects, newest first, after the one of `cursor`, and the next cursor."""
    after = _after(cursor)
    found: list[Fact] = []
    more = False
    for subject in subjects:
        rows, goes_on = await _of(memory, subject, after, limit)
        found += rows
        more = more or goes_on
    shown = sorted(found, key=_key, reverse=True)[:limit]
    more = more or len(found) > limit
    return shown, cursor_at("facts", *_key(shown[-1])) if shown and more else None


def _after(cursor: str) -> str | None:
    """The cursor as pages take it, or `UsageError` in the words of these tools."""
    if not cursor:
        return None
    try:
        place("facts", cursor, int, str)
    except UsageError:
        raise UsageError(
            "this is no cursor; take `next` of the page before, or none for the first page"
        ) from None
    return cursor


async def _of(
    memory: AsyncMemory, subject: str, after: str | None, limit: int
) -> tuple[list[Fact], bool]:
    """The first `limit` of one subject, and whether there are more; a page may stop early where many are expired."""
    rows: list[Fact] = []
    while True:
        found = await memory.facts_page(subject=subject, after=after, size=limit - len(rows))
        rows += found.facts
        after = found.after
        if after is None or len(rows) == limit:
            return rows, after is not None


def _key(fact: Fact) -> tuple[int, str]:
    return to_micros(fact.created_at), fact.id
