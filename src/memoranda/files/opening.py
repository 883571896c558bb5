"""Open a subject's files: which tree, who writes, what is mounted; and the flows of the Python face over them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from memoranda.core import Core
from memoranda.errors import FileMissing, FileUnfit, UsageError
from memoranda.files import caps, ledger, notice, paths
from memoranda.files import desk as desks
from memoranda.files.desk import Change, Desk, Spot, Who
from memoranda.gate.draft import name
from memoranda.gate.items import FileVerb
from memoranda.types import FileText, FileVersion, Outcome


async def open_desk(
    core: Core,
    subject: str,
    *,
    folder: str | None = None,
    who: Callable[[], Who] | None = None,
    mounts: Mapping[str, Desk] | None = None,
    sdk: bool = False,
    overwrite: bool = False,
    make: bool = True,
) -> Desk:
    """See `Memory.files`. A folder is swept and compared with what is known of it."""
    subject = name("subject", subject)
    for mount in mounts or {}:
        if problem := paths.problem_of(mount):
            raise UsageError(f"no mount can be named {mount!r}: {problem}")
    if folder is None and core.settings.files_folder:
        folder = f"{core.settings.files_folder}/{folder_name(core.tenant, subject)}"
    tree = await core.open_tree(core, subject, folder, make=make)
    desk = Desk(core, tree, subject, who or (lambda: Who(core.actor)), mounts or {}, sdk, overwrite)
    await tree.sweep()
    await notice.sweep(core, tree, desk.key)
    return desk


def folder_name(tenant: str, subject: str) -> str:
    """The folder of a subject: readable, and another for every subject whatever its characters."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", subject).strip("-").lower()[:40] or "subject"
    return f"{plain}-{hashlib.sha256(f'{tenant}/{subject}'.encode()).hexdigest()[:12]}"


def file_spot(desk: Desk, path: str) -> Spot:
    """Where a path of the Python face leads: `/memories/a.md`, or `a.md` for short."""
    short = isinstance(path, str) and not path.startswith("/")
    return desks.spot(desk, f"{paths.ROOT}/{path}" if short else path)


async def read(desk: Desk, path: str) -> FileText:
    """See `Files.read`."""
    return await desks.read(file_spot(desk, path))


async def write(desk: Desk, path: str, text: str, *, if_sha256: str | None = None) -> Outcome:
    """See `Files.write`."""
    if type(text) is not str:
        raise UsageError("the text of a file must be a str")
    place = file_spot(desk, path)
    if not place.path:
        raise UsageError("a file needs a name below /memories")
    return await desks.write(place, text, if_sha256=if_sha256)


async def rewrite(desk: Desk, file: FileText, text: str) -> Outcome:
    """Write an edit of a file over what was read of it. What marks it stays: part of its text is what it was."""
    mark = file.mark.removesuffix("secret").strip()
    return await desks.write(file_spot(desk, file.path), text, if_sha256=file.sha256, mark=mark)


async def listed(desk: Desk, path: str = paths.ROOT) -> list[str]:
    """See `Files.paths`."""
    place = file_spot(desk, path)
    node = await desks.node_at(place)
    if not node.folder:
        return [paths.spelt(place.parts)]
    above = place.parts[:1] if place.mounted else ()
    found = await place.desk.tree.walk(place.path, desk.core.settings.file_depth)
    names = [tuple(n.path.split("/")) for n in found if not n.folder]
    own = [paths.spelt((*above, *parts)) for parts in names if all(map(paths.is_name, parts))]
    if place.parts:
        return own
    inner = [await listed(desk, f"{paths.ROOT}/{mount}") for mount in desk.mounts]
    return own + [path for found_there in inner for path in found_there]


async def gone(desk: Desk) -> list[str]:
    """See `Files.gone`."""
    rows = await desk.core.store.rows("version_names", **desk.key.columns())
    found = await desk.tree.walk("", desk.core.settings.file_depth)
    names = {row[0] for row in rows} - {node.path for node in found}
    return [paths.spelt(tuple(name.split("/"))) for name in sorted(names)]


async def history(desk: Desk, path: str) -> list[FileVersion]:
    """See `Files.history`."""
    place = file_spot(desk, path)
    found = await ledger.history(desk.core, place.desk.key, place.path)
    if not found and await place.desk.tree.node(place.path) is None:
        raise FileMissing("there is nothing at this path, and never was as far as is known")
    return found


async def diff(desk: Desk, path: str, old: int | None = None, new: int | None = None) -> str:
    """See `Files.diff`."""
    place = file_spot(desk, path)
    if new is None:
        now = await desks.read(place)
        later, name_of_new, last = now.text, "now", now.n
    else:
        later, name_of_new, last = await version_text(place, new), f"version {new}", new
    if old is None:
        versions = await ledger.history(desk.core, place.desk.key, place.path)
        before = next((v for v in versions if v.n < last), None)
        old = before.n if before is not None and before.sha256 else 0
    earlier = await version_text(place, old) if old else ""
    return ledger.difference(
        paths.spelt(place.parts),
        earlier,
        later,
        (f"version {old}" if old else "nothing", name_of_new),
    )


async def version_text(place: Spot, n: int) -> str:
    """The text of a version; `FileMissing`."""
    text = await ledger.body(place.desk.core, place.desk.key, place.path, n)
    if text is None:
        raise FileMissing(
            f"no text is kept of version {n}: it is a deletion, too old, erased, or never was"
        )
    return text


async def restore(desk: Desk, path: str, n: int) -> Outcome:
    """See `Files.restore`. The gate judges the old text anew: what is a secret may have been learnt since."""
    place = file_spot(desk, path)
    text = await version_text(place, n)
    marks = {v.n: v.mark for v in await ledger.history(desk.core, place.desk.key, place.path)}

    async def body(now: Change) -> Outcome:
        node = await now.shelf.node(place.path)
        if node is not None and (node.folder or not node.plain):
            raise FileUnfit("it is not an ordinary file of one name")
        old = None if node is None else await now.text(place.path)
        await caps.check_room(now, place.path, text, old)
        mark = marks.get(n, "").removesuffix("secret").strip()
        return await now.put(place.path, text, FileVerb.RESTORED, mark, old=old)

    outcome = await desks.change(place, body)
    assert outcome is not None
    return outcome


async def remove(desk: Desk, path: str) -> None:
    """See `Files.remove`."""
    place = file_spot(desk, path)
    if not place.path:
        raise UsageError("the directory of all files is not removed")

    async def body(now: Change) -> None:
        await now.remove(place.path)

    await desks.change(place, body)


async def move(desk: Desk, old: str, new: str) -> None:
    """See `Files.move`."""
    await desks.move(file_spot(desk, old), file_spot(desk, new))


async def rules(desk: Desk) -> list[FileText]:
    """See `Files.rules`. What a person did not approve as it stands now is not read, unless the settings say so."""
    found = []
    names: Sequence[str] = [
        n.strip() for n in desk.core.settings.file_rules.split(",") if n.strip()
    ]
    for rule in names:
        place = file_spot(desk, rule)
        if await place.desk.tree.node(place.path) is None:
            continue
        file = await desks.read(place)
        known = await ledger.known(desk.core.store, place.desk.key, place.path)
        approved = known is not None and known.approved_by and known.sha256 == file.sha256
        if approved or (not desk.core.settings.file_rules_approved and not file.mark):
            found.append(
                replace(file, approved_by=known.approved_by if approved and known else None)
            )
    return found


async def approve(desk: Desk, reviewer: str, path: str, *, sha256: str) -> bool:
    """See `Reviewer.approve_file`. Only the text that the person read is approved."""
    place = file_spot(desk, path)
    file = await desks.read(place)
    if file.sha256 != sha256 or "secret" in file.mark:
        return False
    return await ledger.approve(desk.core, place.desk.key, place.path, sha256, reviewer)
