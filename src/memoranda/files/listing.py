"""Which subjects have files in the store, by the page."""

from __future__ import annotations

from memoranda.accounts import FilesOf, FilesPage
from memoranda.core import Core
from memoranda.paging import cursor, page_size, place, walk
from memoranda.ports import Row
from memoranda.types import from_micros


async def files_page(core: Core, *, after: str | None = None, size: int = 50) -> FilesPage:
    """See `Memory.files_of`."""
    size = page_size(size)
    start = "" if after is None else place("files", after, str)[0]

    async def piece(last: Row | None, count: int) -> tuple[list[Row], bool]:
        behind, rows = start if last is None else last[0], list[Row]()
        while len(rows) < count:
            # From one name to the next: how much lies under each does not matter.
            found = await core.store.rows("next_with_files", tenant=core.tenant, after=behind)
            if not found:
                return rows, False
            behind = found[0][0]
            rows += found
        return rows, True

    async def pick(row: Row) -> FilesOf | None:
        found = await core.store.rows("file_summary", tenant=core.tenant, subject=row[0])
        count, total, written = found[0]
        at = None if written is None else from_micros(written)
        return FilesOf(row[0], count, total, at) if count else None

    walked = await walk(piece, pick, size)
    behind = None if walked.last is None else cursor("files", walked.last[0])
    return FilesPage(tuple(walked.found), behind)
