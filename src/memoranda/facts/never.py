"""A person's own rules: add, list, remove. What they match is refused everywhere, under the rule's name."""

from __future__ import annotations

from memoranda.core import Core
from memoranda.errors import UsageError
from memoranda.facts.rows import pen
from memoranda.gate.draft import name as named
from memoranda.gate.rules import mark_key, never_rules, refresh
from memoranda.gate.screen import never
from memoranda.gate.screening import clean_name
from memoranda.ports import NeverRule, Tx


async def add(
    core: Core, name: str, *, words: str | None, pattern: str | None, kind: str | None
) -> NeverRule:
    """See `Memory.never_add`."""
    name = named("a rule's name", name)
    clean_name("a rule's name", name, core.screens, core.settings.screening)
    form, value = never.checked(words=words, pattern=pattern, kind=kind)

    async def body(tx: Tx) -> bool:
        ink = pen(core, tx)
        await tx.run("set_meta", key=mark_key(core), value=ink.operation)
        added = await tx.run(
            "add_never_rule",
            tenant=core.tenant,
            name=name,
            form=form,
            value=value,
            added_at=ink.now,
            added_by=core.actor,
        )
        await ink.sign("never-add", why=name)
        return bool(added)

    if any(rule.name == name for rule in await never_rules(core, core.store)):
        raise UsageError(
            "a rule of this name is there already; remove it first, or choose another name"
        )
    if not await core.store.atomic(body):
        raise UsageError(
            "a rule of this name is there already; remove it first, or choose another name"
        )
    await refresh(core, core.store)
    return next(rule for rule in await listed(core) if rule.name == name)


async def listed(core: Core) -> list[NeverRule]:
    """See `Memory.never_list`."""
    return await never_rules(core, core.store)


async def remove(core: Core, name: str) -> None:
    """See `Memory.never_remove`."""
    name = named("a rule's name", name)

    async def body(tx: Tx) -> int:
        ink = pen(core, tx)
        await tx.run("set_meta", key=mark_key(core), value=ink.operation)
        removed = await tx.run("remove_never_rule", tenant=core.tenant, name=name)
        if removed:
            await ink.sign("never-remove")
        return removed

    if not await core.store.atomic(body):
        raise UsageError("there is no rule of this name; `never list` shows them")
    await refresh(core, core.store)
