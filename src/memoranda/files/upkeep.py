"""Upkeep of files: those that nobody used for long are announced, and a week later deleted; old versions go."""

from __future__ import annotations

from memoranda.core import Core
from memoranda.errors import FileMissing, FilesError, StoreError
from memoranda.files import desk as desks
from memoranda.files.desk import Change, Desk, Spot, Who
from memoranda.files.ledger import DAY, Key
from memoranda.ports import Tx
from memoranda.types import UnusedFile, from_micros

NOTICE_DAYS = 7


async def unused(core: Core, *, days: int | None = None) -> list[UnusedFile]:
    """See `Memory.unused_files`: the list that stands before anything is deleted."""
    days = core.settings.file_unused_days if days is None else days
    if not days:
        return []
    before = core.clock.now() - days * DAY
    rows = await core.store.rows("unused_files", tenant=core.tenant, before=before)
    return [
        UnusedFile(
            subject, path, size, from_micros(used), None if due is None else from_micros(due)
        )
        for subject, _, path, size, used, due in rows
    ]


async def expire(core: Core) -> int:
    """Announce what is unused; delete what was announced a week ago and is unused still. Counts the deleted."""
    if not core.settings.file_unused_days:
        return 0
    now = core.clock.now()
    before = now - core.settings.file_unused_days * DAY
    rows = await core.store.rows("unused_files", tenant=core.tenant, before=before)
    fresh = [(subject, root, path) for subject, root, path, _, _, due in rows if due is None]

    async def body(tx: Tx) -> None:
        for subject, root, path in fresh:
            key = Key(core.tenant, subject, root).at(path)
            await tx.run("announce_file", **key, due=now + NOTICE_DAYS * DAY)

    if fresh:
        await core.store.atomic(body)
    due = [(subject, root, path) for subject, root, path, _, _, at in rows if at and at <= now]
    return sum([await _removed(core, *place, before) for place in due])


async def _removed(core: Core, subject: str, root: str, path: str, before: int) -> int:
    try:
        tree = await core.open_tree(core, subject, root or None, make=False)
    except StoreError:
        return 0  # the folder is not here now; another time
    desk = Desk(core, tree, subject, lambda: Who("maintenance"))

    async def body(now: Change) -> None:
        # Looked at again under the lock: somebody may have used it in this very moment.
        source = now.tx or core.store
        rows = await source.rows("unused_files", tenant=core.tenant, before=before)
        if (subject, root, path) not in {row[:3] for row in rows}:
            raise FileMissing("it was used meanwhile")
        await now.remove(path)

    try:
        await desks.change(Spot(desk, path, False, ()), body)
    except FilesError:
        return 0
    finally:
        await tree.close()
    return 1


async def forget_deleted(core: Core) -> int:
    """The versions of files that are gone, after `file_deleted_days` (0 keeps them)."""
    if not core.settings.file_deleted_days:
        return 0
    before = core.clock.now() - core.settings.file_deleted_days * DAY

    async def body(tx: Tx) -> int:
        return await tx.run("forget_deleted_files", tenant=core.tenant, before=before)

    return await core.store.atomic(body)


MAINTENANCE = {"unused-files": expire, "deleted-files": forget_deleted}
MAINTAINED = {
    "files": "unused-files",
    "tree_rows": "unused-files",
    "file_versions": "deleted-files",
}
