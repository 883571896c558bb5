"""A person's own rules, as the gate uses them: read from the store, and read again when they changed."""

from __future__ import annotations

from typing import Any, Protocol

from memoranda.core import Core
from memoranda.ports import NeverRule, Row
from memoranda.types import from_micros


class Rows(Protocol):
    """A store or an open transaction."""

    async def rows(self, name: str, /, **params: Any) -> list[Row]:
        """The rows of a named query."""
        ...


def mark_key(core: Core) -> str:
    """Under which name the store notes that a tenant's rules changed."""
    return f"never/{core.tenant}"


async def refresh(core: Core, source: Rows) -> None:
    """Let the screen of a person's rules have the present ones: one small read when nothing changed."""
    rows = await source.rows("meta", key=mark_key(core))
    mark = str(rows[0][0]) if rows else ""
    if core.never.mark != mark:
        core.never.take(mark, await never_rules(core, source))


async def never_rules(core: Core, source: Rows) -> list[NeverRule]:
    """All rules of the tenant, by name."""
    rows = await source.rows("never_rules", tenant=core.tenant)
    return [
        NeverRule(name, form, value, from_micros(added_at), added_by)
        for name, form, value, added_at, added_by in rows
    ]
