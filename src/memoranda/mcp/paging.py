"""A page of live facts. The one place that knows how pages are read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memoranda.errors import UsageError
from memoranda.types import Fact, to_micros

if TYPE_CHECKING:
    from memoranda.aio import AsyncMemory

CURSOR = re.compile(r"(\d{1,18})\.([a-z]_\w{1,40})")
MOST = 50


async def page(
    memory: AsyncMemory, subjects: Sequence[str], cursor: str, limit: int
) -> tuple[list[Fact], str | None]:
    """Up to `limit` live facts of the subjects, newest first, after the one of `cursor`, and the next cursor."""
    before = _read(cursor)
    found = [fact for subject in subjects for fact in await memory.facts(subject=subject)]
    rows = sorted(found, key=_key, reverse=True)
    rest = [fact for fact in rows if before is None or _key(fact) < before]
    shown = rest[:limit]
    return shown, _written(shown[-1]) if len(rest) > limit else None


def _key(fact: Fact) -> tuple[int, str]:
    return to_micros(fact.created_at), fact.id


def _written(fact: Fact) -> str:
    return "{}.{}".format(*_key(fact))


def _read(cursor: str) -> tuple[int, str] | None:
    if not cursor:
        return None
    found = CURSOR.fullmatch(cursor)
    if found is None:
        raise UsageError(
            "this is no cursor; take `next` of the page before, or none for the first page"
        )
    return int(found[1]), found[2]
