"""What happened to files behind our back: edited by a person, removed, or left half noted by a writer that was killed.

A version whose end is missing and whose text the file has is finished as what it was. Anything else that differs from
what we know is an edit from outside: it gets a version without secrets, and a mark, until a person approves it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from memoranda.core import Core
from memoranda.errors import FileMissing, FilesError, FileUnfit, StoreError
from memoranda.files import ledger
from memoranda.files.ledger import Key, Known, Step, sha256_of
from memoranda.gate.admit import admit_all, admit_within
from memoranda.gate.items import FileItem, FileVerb
from memoranda.ports import Node, Shelf, Tree, Tx
from memoranda.types import FileVersion

log = logging.getLogger(__name__)
OUTSIDE = "outside"
BATCH = 200


async def of_one(core: Core, tree: Tree, key: Key, node: Node, text: str) -> Known:
    """What is known of a file whose stamp is new to us. Looked at again under the lock: a writer may be at work."""
    sha256 = sha256_of(text)
    known = await ledger.known(core.store, key, node.path)
    if known is not None and known.sha256 == sha256:
        return known
    if not tree.writable:
        return _unrecorded(node, sha256)

    async def body(shelf: Shelf, tx: Tx | None) -> Known:
        now, current = await shelf.read(node.path, core.settings.file_bytes)
        return await recorded(core, key, tx, now, current)

    try:
        return await tree.change(body)
    except (StoreError, FilesError) as error:
        # It can still be read: what cannot be written down is told as what it is, from outside.
        log.warning("an outside edit of a file was not recorded: %s", type(error).__name__)
        return _unrecorded(node, sha256)


def _unrecorded(node: Node, sha256: str) -> Known:
    return Known(node.path, 0, sha256, node.size, node.stamp, OUTSIDE, None, None, 0, 0, None)


async def recorded(core: Core, key: Key, tx: Tx | None, node: Node, text: str) -> Known:
    """Write down what a file is now; call it under the lock or in the transaction of its tree."""
    source = tx or core.store
    known = await ledger.known(source, key, node.path)
    sha256 = sha256_of(text)
    if known is not None and known.sha256 == sha256:
        if known.stamp != node.stamp:
            await _write(core, key, tx, [], [(node, sha256)], [])
        return known
    open_ones = (await ledger.begun(source, key)).get(node.path, [])
    steps, items, stale = _sorted(key, {node.path: (node, text, sha256)}, {node.path: open_ones})
    await _write(core, key, tx, steps, [], stale, items=items, nodes={node.path: node})
    after = await ledger.known(source, key, node.path)
    return after or _unrecorded(node, sha256)


def _sorted(
    key: Key, changed: dict[str, tuple[Node, str, str]], begun: dict[str, list[FileVersion]]
) -> tuple[list[Step], list[FileItem], list[tuple[str, int]]]:
    """Which begun versions came to be, which files were edited from outside, and which versions never happened."""
    steps: list[Step] = []
    items: list[FileItem] = []
    stale: list[tuple[str, int]] = []
    for path, (node, text, sha256) in changed.items():
        ours = next((v for v in begun.get(path, []) if v.sha256 == sha256), None)
        stale += [(path, v.n) for v in begun.get(path, []) if v is not ours]
        if ours is not None:
            steps.append(Step(path, ours.n, sha256, node.size, node.stamp, ours.mark))
        else:
            items.append(
                FileItem(
                    key.subject,
                    key.root,
                    path,
                    text,
                    FileVerb.OUTSIDE,
                    OUTSIDE,
                    OUTSIDE,
                    sha256=sha256,
                )
            )
    return steps, items, stale


async def _write(
    core: Core,
    key: Key,
    tx: Tx | None,
    steps: Sequence[Step],
    touched: Sequence[tuple[Node, str]],
    stale: Sequence[tuple[str, int]],
    *,
    items: Sequence[FileItem] = (),
    nodes: dict[str, Node] | None = None,
) -> None:
    """One pass of notes. Items go through the gate first: it alone lets anything be kept, masked where it must be."""
    nodes, more = nodes or {}, list(steps)
    if items:
        outcomes = await (admit_within(core, tx, items) if tx else admit_all(core, items))
        for item, outcome in zip(items, outcomes, strict=True):
            node = nodes.get(item.path)
            mark = f"{OUTSIDE} secret" if outcome.reasons else OUTSIDE
            gone = item.text is None or node is None
            size, stamp = (0, "") if node is None else (node.size, node.stamp)
            more.append(Step(item.path, int(outcome.id or 0), item.sha256, size, stamp, mark, gone))

    async def body(now: Tx) -> None:
        await ledger.drop(now, key, stale)
        await ledger.finish(core, now, key, more)
        for node, sha256 in touched:
            await now.run("restamp_file", **key.at(node.path), stamp=node.stamp, sha256=sha256)

    await (body(tx) if tx else core.store.atomic(body))


async def used(core: Core, key: Key, path: str) -> None:
    """Note that a file was viewed; at most once a day, so that reading does not write each time."""

    async def body(tx: Tx) -> None:
        await tx.run("note_view", **key.at(path), at=core.clock.now())

    try:
        await core.store.atomic(body)
    except StoreError as error:
        log.warning("a view of a file was not noted: %s", type(error).__name__)


async def sweep(core: Core, tree: Tree, key: Key) -> int:
    """Compare a folder with what is known of it, at open: edits, removals and interrupted writes are written down.

    Returns how many files differed. Rows need no comparing: they change in the transaction of their notes.
    """
    if not tree.root or not tree.writable:
        return 0

    async def body(shelf: Shelf, tx: Tx | None) -> int:
        known = await ledger.all_known(core.store, key)
        begun = await ledger.begun(core.store, key)
        found = {n.path: n for n in await shelf.walk("", core.settings.file_depth) if not n.folder}
        changed = await _changed(core, shelf, found, known, begun)
        total = 0
        for at in range(0, len(changed), BATCH):
            total += await _swept(core, key, known, begun, changed[at : at + BATCH])
        return total + await _gone(core, key, known, begun, found)

    return await tree.change(body)


async def _changed(
    core: Core,
    shelf: Shelf,
    found: dict[str, Node],
    known: dict[str, Known],
    begun: dict[str, list[FileVersion]],
) -> list[tuple[Node, str, str]]:
    changed = []
    for path, node in found.items():
        if path in known and known[path].stamp == node.stamp and path not in begun:
            continue
        try:
            now, text = await shelf.read(path, core.settings.file_bytes)
        except (FileUnfit, FileMissing):
            continue
        changed.append((now, text, sha256_of(text)))
    return changed


async def _swept(
    core: Core,
    key: Key,
    known: dict[str, Known],
    begun: dict[str, list[FileVersion]],
    changed: Sequence[tuple[Node, str, str]],
) -> int:
    same = [(n, s) for n, _, s in changed if n.path in known and known[n.path].sha256 == s]
    differ = {n.path: (n, t, s) for n, t, s in changed if (n, s) not in same}
    steps, items, stale = _sorted(key, differ, begun)
    # A version that was begun for a file which is as it was: the change never happened.
    stale += [(n.path, v.n) for n, _ in same for v in begun.get(n.path, [])]
    nodes = {path: node for path, (node, _, _) in differ.items()}
    await _write(core, key, None, steps, same, stale, items=items, nodes=nodes)
    return len(differ)


async def _gone(
    core: Core,
    key: Key,
    known: dict[str, Known],
    begun: dict[str, list[FileVersion]],
    found: dict[str, Node],
) -> int:
    """Files that are no longer there, by our own hand or another's; and versions of files that never came."""
    steps: list[Step] = []
    items: list[FileItem] = []
    stale: list[tuple[str, int]] = []
    for path in sorted((known.keys() | begun.keys()) - found.keys()):
        left = [v for v in begun.get(path, []) if not v.sha256]
        stale += [(path, v.n) for v in begun.get(path, []) if v.sha256 or v is not left[-1]]
        if path in known and left:
            steps.append(Step(path, left[-1].n, gone=True))
        elif path in known:
            items.append(FileItem(key.subject, key.root, path, None, FileVerb.DELETED, OUTSIDE))
        else:
            stale += [(path, v.n) for v in left]
    if steps or items or stale:
        await _write(core, key, None, steps, [], stale, items=items)
    return len(steps) + len(items)
