"""What files hold of facts that are erased, for a person to look at. Folders are searched, and never changed."""

from __future__ import annotations

from collections.abc import AsyncIterator

from memoranda.core import Core, Erased
from memoranda.errors import FilesError, StoreError
from memoranda.files.paths import ROOT

NOT_SEARCHED = "(could not be searched)"


async def similar(core: Core, erased: Erased) -> list[str]:
    """Files of the same subjects with a line that may be a paraphrase; and versions, by number, unless the file is
    as it was then.
    """
    found: list[str] = []
    for subject in erased.subjects:
        now: set[tuple[str, str, str]] = set()
        for path, text in await core.store.rows("tree_bodies", tenant=core.tenant, subject=subject):
            if _resembles(erased, text):
                now.add(("", path, text))
                found.append(spelt(subject, "", path))
        async for root, path, held in _in_folders(core, subject):
            if held is not None and _resembles(erased, held):
                now.add((root, path, held))
                found.append(spelt(subject, root, path))
        for root, path, n, text in await core.store.rows(
            "version_bodies", tenant=core.tenant, subject=subject
        ):
            if (root, path, text) not in now and _resembles(erased, text):
                found.append(f"{spelt(subject, root, path)}#{n}")
    return found


async def outside(core: Core, erased: Erased) -> list[str]:
    """The files in folders of the same subjects that hold the wording, or could not be searched."""
    found: list[str] = []
    for subject in erased.subjects:
        async for root, path, text in _in_folders(core, subject):
            name = f"{root}/{path}".rstrip("/")
            if text is None:
                found.append(f"{name} {NOT_SEARCHED}")
            elif erased.without(text) != text:
                found.append(name)
    return found


async def _in_folders(core: Core, subject: str) -> AsyncIterator[tuple[str, str, str | None]]:
    """Root, path and text of every file in the folders of a subject; None for the text where it cannot be read."""
    for (root,) in await core.store.rows("folders_of_subject", tenant=core.tenant, subject=subject):
        try:
            tree = await core.open_tree(core, subject, root, make=False)
        except StoreError:
            yield root, "", None
            continue
        try:
            nodes = await tree.walk("", core.settings.file_depth)
            for path in [node.path for node in nodes if not node.folder]:
                try:
                    text: str | None = (await tree.read(path, core.settings.file_bytes))[1]
                except FilesError:
                    text = None
                yield root, path, text
        except FilesError:
            yield root, "", None
        finally:
            await tree.close()


def _resembles(erased: Erased, text: str) -> bool:
    return any(map(erased.resembles, text.splitlines()))


def spelt(subject: str, root: str, path: str) -> str:
    """How a report names a file."""
    return f"{root}/{path}" if root else f"{subject}:{ROOT}/{path}"


SIMILAR = {"files": similar}
OUTSIDE = {"folders": outside}
