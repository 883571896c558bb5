"""The caps on files, and names that would clash elsewhere. A full directory says what can be deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoranda.errors import FilesFull, FileUnfit, PathRefused
from memoranda.files.paths import spelt
from memoranda.ports import Shelf
from memoranda.types import FileText

if TYPE_CHECKING:
    from memoranda.files.desk import Change


def check_text(text: str) -> None:
    """Refuse a text that no store and no UTF-8 file can hold as it is."""
    if "\x00" in text:
        raise FileUnfit("the text holds a NUL character")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise FileUnfit("the text holds half a character (a lone surrogate)") from None


async def check_room(now: Change, path: str, text: str, old: FileText | None) -> None:
    """Refuse what is over a cap, and say what can be deleted. A new name must differ from its neighbours'."""
    settings, size = now.desk.core.settings, len(text.encode())
    if size > settings.file_bytes:
        raise FilesFull(
            f"the file would have {size} bytes, and {settings.file_bytes} are the most; "
            "keep it shorter, or put part of it in another file"
        )
    grown = size - (len(old.text.encode()) if old else 0)
    if old is None:
        await check_neighbours(now.shelf, path)
        await check_folders(now, path)
    if old is not None and grown <= 0:
        return
    source = now.tx or now.desk.core.store
    count, total = (await source.rows("file_totals", **now.desk.key.columns()))[0]
    if old is None and count >= settings.file_count:
        raise FilesFull(f"there are {count} files, the most there may be; {await _spare(now)}")
    if total + grown > settings.file_total_bytes:
        raise FilesFull(
            f"the files would have {total + grown} bytes together, and {settings.file_total_bytes} are the most; "
            f"{await _spare(now)}"
        )


async def check_folders(now: Change, path: str) -> None:
    """Refuse a path that needs one more directory than there may be. They are counted only when one is to be made."""
    above, settings = path.rpartition("/")[0], now.desk.core.settings
    if not above or await now.shelf.node(above) is not None:
        return
    nodes = await now.shelf.walk("", settings.file_depth)
    count = sum(node.folder for node in nodes)
    if count >= settings.file_count:
        raise FilesFull(
            f"there are {count} directories, the most there may be; delete those that are no longer needed"
        )


async def _spare(now: Change) -> str:
    source = now.tx or now.desk.core.store
    rows = await source.rows("files_longest_unused", **now.desk.key.columns(), most=5)
    names = ", ".join(spelt(tuple(path.split("/"))) for path, *_ in rows)
    return f"delete what is no longer needed; longest unused: {names or 'none'}"


async def check_neighbours(shelf: Shelf, path: str, *, moved: str | None = None) -> None:
    """Refuse a name that differs from a neighbour's only in case: on other systems they are one file."""
    parts = path.split("/")
    for depth in range(1, len(parts) + 1):
        here = "/".join(parts[:depth])
        if [twin for twin in await shelf.twins(here) if twin != moved]:
            raise PathRefused("a name beside it differs only in upper and lower case")
        if depth < len(parts) and await shelf.node(here) is None:
            return
