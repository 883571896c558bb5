"""Look at stored files again when the rules have changed: in what went through the gate, placeholders take the place of
what would not be kept now. A text that a person wrote into a folder is hers to correct: it is named, and shown covered.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from memoranda.core import Core, Looked
from memoranda.errors import FilesError, StoreError
from memoranda.files import desk as desks
from memoranda.files import ledger
from memoranda.files.desk import Change, Desk, Spot, Who
from memoranda.files.ledger import Key
from memoranda.files.notice import OUTSIDE
from memoranda.files.traces import NOT_SEARCHED, spelt
from memoranda.gate.files import in_name, masked, masked_name
from memoranda.gate.items import FileVerb
from memoranda.gate.screening import action, taken_out
from memoranda.ports import Finding, Rescreened, Tree, Tx
from memoranda.types import FileVersion, Outcome

Done = Literal["erased", "replaced", "left"]
PLACE = "files"
WHO = "rescan"
# Shorter values stand in other texts by chance.
SHORTEST_VALUE = 8
# However low the setting is now, older files may lie deeper.
DEEPEST = 64


@dataclass(slots=True)
class _Look:
    """One rescan of one tree: what was found so far."""

    core: Core
    key: Key
    dry_run: bool
    found: list[Rescreened] = field(default_factory=list)
    needles: dict[str, None] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    rows: int = 0

    def screened(self, text: str) -> str:
        """The first rule by which a text would not be kept now, a secret before all others; "" if there is none."""
        found = taken_out(text, self.core.screens, self.core.settings.screening)
        self.needles.update(dict.fromkeys(_values(self, text, found)))
        return _rule(found)

    def named(self, path: str) -> str:
        """The same for the name of a file."""
        return _rule(in_name(path, self.core.screens, self.core.settings.screening))

    def masked(self, text: str) -> str:
        """The text with placeholders."""
        return masked(text, self.core.screens, self.core.settings.screening)

    def masked_name(self, path: str) -> str:
        """The name with placeholders."""
        return masked_name(path, self.core.screens, self.core.settings.screening)

    def id_of(self, path: str, n: int | None = None) -> str:
        """How a report names a file or a version; a name that may not be kept is not told either."""
        name = spelt(self.key.subject, self.key.root, self.masked_name(path)).rstrip("/")
        return name if n is None else f"{name}#{n}"

    def note(self, path: str, rule: str, done: Done, n: int | None = None) -> None:
        """One line of the report."""
        self.found.append(Rescreened(PLACE, self.id_of(path, n), rule, done))


def _values(look: _Look, text: str, found: Iterable[Finding]) -> Iterable[str]:
    for finding in found:
        value = text[finding.start : finding.end]
        refused = action(finding, look.core.settings.screening) == "refuse"
        if finding.group == "secret" and refused and len(value) >= SHORTEST_VALUE:
            yield value


def _rule(found: Iterable[Finding]) -> str:
    rules = (f"{finding.group}:{finding.rule}" for finding in found)
    return min(rules, key=lambda rule: not rule.startswith("secret:"), default="")


async def rescreen_files(core: Core, dry_run: bool) -> Looked:
    """The files of all trees that are known here, their versions, and their names."""
    looks = []
    for subject, root in await core.store.rows("trees_of_tenant", tenant=core.tenant):
        look = _Look(core, Key(core.tenant, subject, root), dry_run)
        looks.append(look)
        # As they are before the files change: a new version of ours needs no look. One file's texts at a time.
        before = await core.store.rows("version_names", **look.key.columns())
        there = await _files(look)
        newest = {path: n for path, n, _ in before}
        for path, n in newest.items():
            for text_n, text in await core.store.rows("version_texts", **look.key.at(path), last=n):
                await _version(look, path, text_n, text)
        if there is not None:
            await _names(look, there)
    return Looked(
        tuple(row for look in looks for row in look.found),
        sum(look.rows for look in looks),
        tuple(dict.fromkeys(needle for look in looks for needle in look.needles)),
        tuple(line for look in looks for line in look.left),
    )


# Files as they are now


async def _files(look: _Look) -> set[str] | None:
    """Look at the files that are there; returns all paths of the tree, or None where it cannot be opened."""
    core, key = look.core, look.key
    try:
        tree = await core.open_tree(core, key.subject, key.root or None, make=False)
    except StoreError:
        look.left.append(f"{look.id_of('')} {NOT_SEARCHED}")
        return None
    desk = Desk(core, tree, key.subject, lambda: Who(WHO))
    try:
        nodes = await tree.walk("", DEEPEST)
        for node in nodes:
            if not node.folder:
                await _file(look, desk, node.path)
        return {node.path for node in nodes}
    except FilesError:
        look.left.append(f"{look.id_of('')} {NOT_SEARCHED}")
        return None
    finally:
        await tree.close()


async def _file(look: _Look, desk: Desk, path: str) -> None:
    try:
        _, text = await desk.tree.read(path, look.core.settings.file_bytes)
    except FilesError:
        look.left.append(f"{look.id_of(path)} {NOT_SEARCHED}")
        return
    look.rows += 1
    if not (rule := look.screened(text)):
        return
    ours = await _is_ours(look, desk.tree, path, text)
    if not look.dry_run:
        ours = await _replaced(look, desk, path) if ours else await _covered(look, desk, path)
    look.note(path, rule, "replaced" if ours else "left")


async def _is_ours(look: _Look, tree: Tree, path: str, text: str) -> bool:
    """Whether this text went through the gate, and no person put it there."""
    if not tree.root:
        return True
    known = await ledger.known(look.core.store, look.key, path)
    if known is None or known.sha256 != ledger.sha256_of(text) or OUTSIDE in known.mark:
        return False
    versions: list[FileVersion] = await ledger.history(look.core, look.key, path)
    return next((v.verb for v in versions if v.n == known.n), "") != FileVerb.OUTSIDE


async def _replaced(look: _Look, desk: Desk, path: str) -> bool:
    """A new version with placeholders. False when a person changed the file in this moment, or it cannot be written."""

    async def body(now: Change) -> Outcome | None:
        old = await now.text(path)
        if now.desk.tree.root and OUTSIDE in old.mark:
            return None
        text, mark = look.masked(old.text), old.mark.removesuffix("secret").strip()
        # The old text went through other rules than those of now: so nothing of it is taken for clean.
        seen = replace(old, mark=f"{mark} secret")
        return await now.put(path, text, FileVerb.MODIFIED, mark, old=seen)

    try:
        return await desks.change(Spot(desk, path, False, ()), body) is not None
    except FilesError:
        return False


async def _covered(look: _Look, desk: Desk, path: str) -> bool:
    """Make sure that a file which stays as it is is shown covered. Always False: it was not replaced."""
    try:
        file = await desks.read(Spot(desk, path, False, ()))
    except FilesError:
        return False
    if "secret" not in file.mark:
        mark = f"{file.mark or OUTSIDE} secret"
        await _write(
            look, partial(ledger.mark, key=look.key, path=path, sha256=file.sha256, mark=mark)
        )
    return False


# What is kept of them


async def _version(look: _Look, path: str, n: int, text: str) -> None:
    look.rows += 1
    if rule := look.screened(text):
        look.note(path, rule, "replaced", n)
        clean = look.masked(text)
        await _write(look, partial(ledger.rewrite, key=look.key, path=path, n=n, body=clean))


async def _names(look: _Look, there: set[str]) -> None:
    """Names: one that stands there is left to a person; of one that is gone nothing is kept."""
    inner = {path.rpartition("/")[0] for path in there}
    for path in sorted(there - inner):
        if rule := look.named(path):
            look.note(path, rule, "left")
    rows = await look.core.store.rows("version_names", **look.key.columns())
    bad = {path: rule for path, *_ in rows if path not in there and (rule := look.named(path))}
    for path, rule in bad.items():
        look.note(path, rule, "erased")
        await _write(look, partial(ledger.forget, key=look.key, path=path))
    for path, n, source in rows:
        if source and path not in bad and (rule := look.named(source)):
            look.note(path, rule, "replaced", n)
            name = look.masked_name(source)
            await _write(
                look, partial(ledger.rename_source, key=look.key, path=path, n=n, name=name)
            )


async def _write(look: _Look, body: Callable[[Tx], Awaitable[object]]) -> None:
    if not look.dry_run:
        await look.core.store.atomic(body)


RESCREENS = {PLACE: rescreen_files}
