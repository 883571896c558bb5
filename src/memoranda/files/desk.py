"""One subject's files at work: look, read, change, with versions, the gate and the caps. Flows over a tree.

A change is: look and read, under the lock or in the transaction; make the new text; ask the gate, which writes the
version; change the tree; finish the version. What happened to a folder behind our back is noticed at each of these.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from memoranda.core import Core
from memoranda.errors import (
    FileChanged,
    FileExists,
    FileMissing,
    FileRefused,
    FilesUnavailable,
    FileUnfit,
    PathRefused,
    StoreError,
)
from memoranda.files import caps, ledger, notice
from memoranda.files.ledger import Key, Step, sha256_of
from memoranda.files.paths import is_name, parts_of, spelt
from memoranda.gate.admit import admit_all, admit_within
from memoranda.gate.files import judge_name, masked
from memoranda.gate.items import FileItem, FileVerb
from memoranda.gate.rules import refresh
from memoranda.ports import Node, Shelf, Tree, Tx
from memoranda.types import FileText, Outcome, Verdict

log = logging.getLogger(__name__)
EXTERNAL = "external"


@dataclass(frozen=True, slots=True)
class Who:
    """Who writes: actor, run and step, and whether external text is in the window meanwhile."""

    actor: str
    run: str | None = None
    step: int | None = None
    external: bool = False


@dataclass(slots=True)
class Desk:
    """The files of one subject, as a caller has them before him.

    who: asked at each write. mounts: other desks, by the name of the folder they appear as; they are only read.
    sdk: answer in the words of the SDK. overwrite: `create` may replace a file. seen: a marked file was viewed,
    so text from outside stands in the window from now on.
    """

    core: Core
    tree: Tree
    subject: str
    who: Callable[[], Who]
    mounts: Mapping[str, Desk] = field(default_factory=dict)
    sdk: bool = False
    overwrite: bool = False
    seen: bool = False

    @property
    def key(self) -> Key:
        """The key of its rows."""
        return Key(self.core.tenant, self.subject, self.tree.root)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a path leads: the desk, the path below its root, whether it is a mount, and the path as given."""

    desk: Desk
    path: str
    mounted: bool
    parts: tuple[str, ...]


def spot(desk: Desk, path: object) -> Spot:
    """The one check that every path passes. Raises `PathRefused`."""
    parts = parts_of(path, desk.core.settings.file_depth)
    if parts and parts[0] in desk.mounts:
        return Spot(desk.mounts[parts[0]], "/".join(parts[1:]), True, parts)
    return Spot(desk, "/".join(parts), False, parts)


# Reading


async def node_at(place: Spot) -> Node:
    """What is at a path; `FileMissing`."""
    found = await place.desk.tree.node(place.path)
    if found is None:
        raise FileMissing("there is nothing at this path")
    return found


async def read(place: Spot, *, use: bool = False) -> FileText:
    """A file as it stands. What was changed from outside is noticed first; with `use` the day of use is noted."""
    desk = place.desk
    if not place.path:
        raise FileUnfit("a directory is at this path")
    node, text = await desk.tree.read(place.path, desk.core.settings.file_bytes)
    known = await ledger.known(desk.core.store, desk.key, place.path)
    if known is None or known.stamp != node.stamp:
        known = await notice.of_one(desk.core, desk.tree, desk.key, node, text)
    elif use and known.used_at + ledger.DAY <= desk.core.clock.now():
        await notice.used(desk.core, desk.key, place.path)
    if "secret" in known.mark:
        text = masked(text, desk.core.screens)
    return FileText(place.path, text, known.sha256, known.n, known.mark, known.approved_by)


# Changing


@dataclass(frozen=True, slots=True)
class Change:
    """One change under way: the desk, the tree as it may be changed, and the transaction if that is one."""

    desk: Desk
    shelf: Shelf
    tx: Tx | None

    async def text(self, path: str) -> FileText:
        """The file as it stands now; an edit from outside gets its own version first."""
        desk = self.desk
        node, text = await self.shelf.read(path, desk.core.settings.file_bytes)
        known = await ledger.known(self.tx or desk.core.store, desk.key, path)
        if known is None or known.stamp != node.stamp:
            known = await notice.recorded(desk.core, desk.key, self.tx, node, text)
        return FileText(path, text, known.sha256, known.n, known.mark)

    async def put(
        self, path: str, text: str, verb: FileVerb, mark: str, *, old: FileText | None
    ) -> Outcome:
        """Take the text through the gate and write it over `old`, or as a new file."""
        new = old is None
        item = self._item(path, text, verb, mark)
        if old is not None and "secret" not in old.mark:
            item = replace(item, clean=old.text)
        outcome = (await self._admitted([item]))[0]
        kept = outcome.fact if outcome.fact is not None else text
        step = (path, int(outcome.id or 0))

        async def act() -> list[Step]:
            node = await self.shelf.put(path, kept, new=new)
            return [Step(*step, sha256_of(kept), node.size, node.stamp, item.mark)]

        await self._done([step], act)
        return outcome

    async def remove(self, path: str) -> None:
        """Take a file or a folder away; every file in it gets a last version."""
        items = [self._item(file, None, FileVerb.DELETED, "") for file in await self._inside(path)]
        steps = [
            (item.path, int(outcome.id or 0))
            for item, outcome in zip(items, await self._admitted(items), strict=True)
        ]

        async def act() -> list[Step]:
            await self.shelf.remove(path)
            return [Step(*step, gone=True) for step in steps]

        await self._done(steps, act)

    async def move(self, old: str, new: str) -> None:
        """Rename a file or a folder; every file in it gets a version at both paths."""
        files = [await self.text(path) for path in await self._inside(old)]
        came = [new + file.path[len(old) :] for file in files]
        left = [
            self._item(f.path, None, FileVerb.RENAMED, "", to)
            for f, to in zip(files, came, strict=True)
        ]
        arrived = [self._renamed(f, to) for f, to in zip(files, came, strict=True)]
        outcomes = await self._admitted(left + arrived)
        steps = [(i.path, int(o.id or 0)) for i, o in zip(left + arrived, outcomes, strict=True)]

        async def act() -> list[Step]:
            await self.shelf.move(old, new)
            done = [Step(*step, gone=True) for step in steps[: len(left)]]
            for step, file, item in zip(steps[len(left) :], files, arrived, strict=True):
                node = await self.shelf.node(step[0])
                stamp = node.stamp if node else ""
                done.append(Step(*step, file.sha256, len(file.text.encode()), stamp, item.mark))
            return done

        await self._done(steps, act)

    def _renamed(self, file: FileText, to: str) -> FileItem:
        mark = file.mark.removesuffix("secret").strip()
        item = self._item(to, file.text, FileVerb.RENAMED, mark, file.path)
        return item if "secret" in file.mark else replace(item, clean=file.text)

    async def _inside(self, path: str) -> list[str]:
        """The readable files at or below a path."""
        node = await self.shelf.node(path)
        if node is None:
            raise FileMissing("there is nothing at this path")
        if not node.folder:
            return [path] if node.plain and await self._readable(path) else []
        found = await self.shelf.walk(path, self.desk.core.settings.file_depth)
        return [n.path for n in found if not n.folder and await self._readable(n.path)]

    async def _readable(self, path: str) -> bool:
        try:
            await self.text(path)
        except (FileUnfit, FileMissing, FilesUnavailable):
            return False
        return True

    def _item(
        self, path: str, text: str | None, verb: FileVerb, mark: str, source: str | None = None
    ) -> FileItem:
        who, key = self.desk.who(), self.desk.key
        external = who.external or self.desk.seen
        if external and text is not None and verb in (FileVerb.CREATED, FileVerb.MODIFIED):
            mark = mark or EXTERNAL
        return FileItem(
            key.subject, key.root, path, text, verb, who.actor, mark, who.run, who.step, source
        )

    async def _admitted(self, items: Sequence[FileItem]) -> list[Outcome]:
        core = self.desk.core
        if self.tx is not None:
            outcomes = await admit_within(core, self.tx, items)
        else:
            outcomes = await admit_all(core, items) if items else []
        if refused := [outcome for outcome in outcomes if not outcome.ok]:
            await self._undone(
                [(i.path, int(o.id)) for i, o in zip(items, outcomes, strict=True) if o.id]
            )
            raise refusal(refused[0].reasons)
        return outcomes

    async def _done(
        self, begun: list[tuple[str, int]], act: Callable[[], Awaitable[list[Step]]]
    ) -> None:
        """Change the tree, and then finish the versions that were begun for it."""
        core, key = self.desk.core, self.desk.key
        if self.tx is not None:
            await ledger.finish(core, self.tx, key, await act())
            return
        acted = False
        try:
            steps = await act()
            acted = True
        finally:
            if not acted:
                await self._undone(begun)

        async def body(tx: Tx) -> None:
            await tx.rows("bump_subject", tenant=core.tenant, subject=f"files of {key.subject}")
            await ledger.finish(core, tx, key, steps)

        try:
            await core.store.atomic(body)
        except StoreError as error:
            # The file is changed and on disk. The next look at it finds the version that was begun for it.
            log.warning("a version of a file was not finished: %s", type(error).__name__)

    async def _undone(self, begun: list[tuple[str, int]]) -> None:
        if self.tx is not None or not begun:
            return

        async def body(tx: Tx) -> None:
            await ledger.drop(tx, self.desk.key, begun)

        try:
            await self.desk.core.store.atomic(body)
        except StoreError as error:
            log.warning("a version of a file was not dropped: %s", type(error).__name__)


async def change(
    place: Spot, body: Callable[[Change], Awaitable[Outcome | None]]
) -> Outcome | None:
    """Run `body` while nobody else who uses these files changes them."""
    if place.mounted:
        raise FilesUnavailable("this folder is read-only")

    async def whole(shelf: Shelf, tx: Tx | None) -> Outcome | None:
        return await body(Change(place.desk, shelf, tx))

    return await place.desk.tree.change(whole)


async def write(
    place: Spot,
    text: str,
    *,
    if_sha256: str | None = None,
    verb: FileVerb | None = None,
    mark: str = "",
) -> Outcome:
    """Write a whole file. `if_sha256`: only over the text with this sha256 ("": only where no file is)."""
    caps.check_text(text)

    async def body(now: Change) -> Outcome | None:
        node = await now.shelf.node(place.path)
        if node is not None and (node.folder or not place.path):
            raise FileExists("a folder is at this path")
        old = None if node is None else await now.text(place.path)
        if if_sha256 is not None and (old.sha256 if old else "") != if_sha256:
            raise FileChanged("the file is not what you last saw; read it again")
        await caps.check_room(now, place.path, text, old)
        if old is not None and sha256_of(text) == old.sha256 and not old.mark:
            return Outcome(Verdict.CONFIRMED, str(old.n), ("unchanged",), fact=text)
        how = verb or (FileVerb.CREATED if old is None else FileVerb.MODIFIED)
        try:
            return await now.put(place.path, text, how, mark, old=old)
        except FileMissing:
            raise FileUnfit(f"part of the path {spelt(place.parts)} is not a directory") from None

    outcome = await change(place, body)
    assert outcome is not None
    return outcome


async def move(old: Spot, new: Spot) -> None:
    """Give a file or folder another path. `FileMissing` is always about the old one, `FileExists` about the new one."""
    if not new.path or new.mounted != old.mounted:
        raise FileExists("something is at this path already")
    if not old.path:
        raise FileUnfit("the directory of all files cannot be moved")
    if new.path.startswith(f"{old.path}/"):
        raise FileUnfit(f"{spelt(old.parts)} cannot be moved into itself")

    async def body(now: Change) -> None:
        node = await now.shelf.node(old.path)
        if node is None:
            raise FileMissing("there is nothing at this path")
        if await now.shelf.node(new.path) is not None:
            raise FileExists("something is at this path already")
        await caps.check_neighbours(now.shelf, new.path, moved=old.path)
        await caps.check_folders(now, new.path)
        await _check_names(now, old, new)
        if node.folder:
            await _check_fit(now, old, new)
        try:
            await now.move(old.path, new.path)
        except FileMissing:
            raise FileUnfit(f"part of the path {spelt(new.parts)} is not a directory") from None

    await change(old, body)


async def _check_names(now: Change, old: Spot, new: Spot) -> None:
    """Refuse a name that may not be kept, of a folder too: a folder without files has no version that the gate sees."""
    core, depth = now.desk.core, now.desk.core.settings.file_depth
    await refresh(core, now.tx or core.store)
    node = await now.shelf.node(old.path)
    inner = await now.shelf.walk(old.path, depth) if node is not None and node.folder else []
    for path in (new.path, *(new.path + n.path[len(old.path) :] for n in inner if n.folder)):
        if reasons := judge_name(path, core.screens, core.settings.screening):
            raise refusal(reasons)


async def _check_fit(now: Change, old: Spot, new: Spot) -> None:
    """Refuse a move after which something inside could not be named any more."""
    deepest = now.desk.core.settings.file_depth
    for node in await now.shelf.walk(old.path, deepest):
        if all(map(is_name, node.path.split("/"))):
            try:
                parts_of(spelt(new.parts) + node.path[len(old.path) :], deepest)
            except PathRefused as error:
                raise FileUnfit(
                    f"something in it would get a path that is refused: {error}"
                ) from None


def refusal(reasons: Sequence[str]) -> FileRefused:
    """The gate's no in words that a model can act on. Never what was found."""
    rules = ", ".join(dict.fromkeys(reason.partition(":")[2] for reason in reasons))
    where = "the name" if any("-in-name:" in r for r in reasons) else "the file"
    secret = any(r.startswith("secret") for r in reasons)
    told = (
        f"a secret ({rules}); leave the secret out and say where it is kept instead"
        if secret
        else f"what is never to be kept here ({rules}); leave it out"
    )
    return FileRefused(f"{where} would hold {told}", tuple(reasons))
