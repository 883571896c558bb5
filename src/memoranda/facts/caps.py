"""How much one run, one source and one subject may leave behind: a flood must not bury what a person has to read."""

from __future__ import annotations

from memoranda.facts.lifetimes import patience
from memoranda.facts.rows import Pen
from memoranda.types import Draft, Origin, Trust


async def over_cap(ink: Pen, item: Draft, trust: Trust, *, hold: bool) -> str:
    """The reason why no further row may be added; "" when one may. What a person files themselves is not counted."""
    if item.origin is Origin.OPERATOR:
        return ""
    settings, tenant = ink.core.settings, ink.core.tenant
    if item.run:
        found = await ink.tx.rows("count_of_run", tenant=tenant, run=item.run)
        if found[0][0] >= settings.facts_per_run:
            return "too-many-of-run"
    if item.source_ref and trust < Trust.USER:
        found = await ink.tx.rows(
            "count_of_source", tenant=tenant, subject=item.subject, source=item.source_ref
        )
        if found[0][0] >= settings.facts_per_source:
            return "too-many-of-source"
    if hold:
        since = ink.now - patience(settings)
        found = await ink.tx.rows("count_pending", tenant=tenant, subject=item.subject, since=since)
        if found[0][0] >= settings.pending_per_subject:
            return "too-many-pending"
    return ""
