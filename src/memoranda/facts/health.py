"""What `doctor` reports: place, schema, sizes, counts, and findings that say what to do."""

from __future__ import annotations

from memoranda.analysis import TERMS_VERSION
from memoranda.core import Core
from memoranda.facts.erase import UNFINISHED
from memoranda.facts.maintain import terms_version
from memoranda.facts.rescan import rescan_key, rules_mark
from memoranda.facts.vectors import columns, space_of
from memoranda.gate.rules import refresh
from memoranda.ports import Space
from memoranda.types import Health

PASSED = ("allow", "ask")
WEEK = 7 * 86_400_000_000


async def health(core: Core, *, thorough: bool = True) -> Health:
    """See `Memory.health`."""
    faults = await core.store.check() if thorough else []
    findings = [f"{fault}: restore from a copy" for fault in faults] + await _habits(core)
    return Health(
        place=core.store.place,
        schema=(await core.store.rows("schema_version"))[0][0],
        bytes=await core.store.measure(),
        counts=await _counts(core),
        findings=tuple(findings),
        ok=not faults,
        thorough=thorough,
        embedder=_named(core),
    )


async def _counts(core: Core) -> dict[str, int]:
    counts = {
        f"facts {status}": count
        for status, count in await core.store.rows("status_counts", tenant=core.tenant)
    }
    messages, receipts = (await core.store.rows("log_counts", tenant=core.tenant))[0]
    counts |= {"logged messages": messages, "receipts": receipts}
    return {**counts, **await _vectors(core)}


async def _vectors(core: Core) -> dict[str, int]:
    """How many vectors there are of the present embedder, of others, and how many facts lack one."""
    counted = await core.store.rows("vector_counts", tenant=core.tenant)
    space = space_of(core)
    found = {f"vectors of {place}s": 0 for place in core.embeddable} if space else {}
    for model, dim, weights, place, count in counted:
        mine = Space(model, dim, weights) == space
        name = f"vectors of {place}s" if mine else "vectors of other models"
        found[name] = found.get(name, 0) + count
    if space is not None:
        rows = await core.store.rows(
            "facts_without_vector", tenant=core.tenant, now=core.clock.now(), **columns(space)
        )
        found["facts without a vector"] = rows[0][0]
    return found


def _named(core: Core) -> str:
    if core.embedder is None:
        return "none: recall goes by words alone"
    space = space_of(core)
    if space is None:
        return "its model cannot be loaded: recall goes by words alone"
    weights = f", weights {space.weights[:12]}" if space.weights else ""
    return f"{space.model}, {space.dim} numbers{weights}"


async def _habits(core: Core) -> list[str]:
    unreasoned, endless, waiting = (
        await core.store.rows("bad_habits", tenant=core.tenant, before=core.clock.now() - WEEK)
    )[0]
    found = []
    if unreasoned:
        found.append(
            f"{unreasoned} live facts never expire and say no reason: correct them, or forget them"
        )
    elif endless:
        found.append(
            f"{endless} live facts never expire, with a reason: look now and then whether it still holds"
        )
    if waiting:
        found.append(
            f"{waiting} held facts have waited for more than a week: run `memoranda review`"
        )
    if await core.store.rows("meta", key=UNFINISHED):
        found.append(
            "an erasure could not clear old pages because somebody was reading: run `memoranda maintain`"
        )
    if await terms_version(core) != TERMS_VERSION:
        found.append("facts were analysed by an older version: run `memoranda maintain`")
    return found + await _screens(core)


async def _screens(core: Core) -> list[str]:
    """Whether rows were looked at with the present rules, and whether secrets are let pass."""
    await refresh(core, core.store)
    found = []
    mark = await core.store.rows("meta", key=rescan_key(core))
    if mark and mark[0][0] != rules_mark(core):
        found.append(
            "the rules of screening changed since rows were last looked at: run `memoranda rescan`"
        )
    if core.settings.secrets_allowed_because and core.settings.screening["secret"] in PASSED:
        found.append(f"secrets are kept, because: {core.settings.secrets_allowed_because}")
    return found
