"""What is written down of files: a version before a file changes, its end after that, and what is known of it now.

The only module that adds rows to `files` and `file_versions`. A version whose end is missing tells what a killed
writer was about to do: when the file has its text, it was done; else it never was.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memoranda.core import Core, Erased
from memoranda.gate.items import Admission, FileItem
from memoranda.ports import Row, Store, Tx
from memoranda.types import FileVersion, Outcome, Verdict, from_micros

DAY = 86_400_000_000


@dataclass(frozen=True, slots=True)
class Known:
    """A row of `files`: what we last saw and did of a file."""

    path: str
    n: int
    sha256: str
    size: int
    stamp: str
    mark: str
    approved_by: str | None
    approved_at: int | None
    written_at: int
    used_at: int
    due_at: int | None


@dataclass(frozen=True, slots=True)
class Key:
    """Which tree: its tenant and subject, and its root ("" for rows)."""

    tenant: str
    subject: str
    root: str

    def at(self, path: str) -> dict[str, Any]:
        """The key of one file in it."""
        return {**self.columns(), "path": path}

    def columns(self) -> dict[str, Any]:
        """The key of the tree as query parameters."""
        return {"tenant": self.tenant, "subject": self.subject, "root": self.root}


@dataclass(frozen=True, slots=True)
class Step:
    """A version that was begun and must be finished: where, which, and what is known of the file after it."""

    path: str
    n: int
    sha256: str = ""
    size: int = 0
    stamp: str = ""
    mark: str = ""
    gone: bool = False


def sha256_of(text: str) -> str:
    """The name of a text: the SHA-256 of its UTF-8 bytes."""
    return hashlib.sha256(text.encode()).hexdigest()


async def write_file(core: Core, tx: Tx, admission: Admission[FileItem]) -> Outcome:
    """The writer that the gate calls: the version, before the file is changed. `Outcome.fact` is the text to write."""
    item = admission.item
    key = Key(core.tenant, item.subject, item.root).at(item.path)
    n = (await tx.rows("next_version", **key))[0][0]
    data = (item.text or "").encode()
    await tx.run(
        "add_version",
        **key,
        n=n,
        verb=item.verb,
        sha256="" if item.text is None else item.sha256 or hashlib.sha256(data).hexdigest(),
        size=len(data),
        mark=item.mark,
        actor=item.actor,
        run=item.run,
        step=item.step,
        at=core.clock.now(),
        source=item.source,
        body=item.text,
    )
    return Outcome(Verdict.ACCEPTED, str(n), admission.reasons, fact=item.text)


async def finish(core: Core, tx: Tx, key: Key, steps: Sequence[Step]) -> None:
    """The log row: these versions are done, and this is what is known of the files now."""
    now, keep = core.clock.now(), max(core.settings.file_versions, 1)
    for step in steps:
        at = key.at(step.path)
        await tx.run("finish_version", **at, n=step.n)
        if step.gone:
            await tx.run("delete_file", **at)
        else:
            columns = {"sha256": step.sha256, "size": step.size, "stamp": step.stamp}
            await tx.run("put_file", **at, n=step.n, mark=step.mark, at=now, **columns)
        if step.n > keep:
            await tx.run("trim_versions", **at, before=step.n - keep)


async def drop(tx: Tx, key: Key, steps: Sequence[tuple[str, int]]) -> None:
    """Forget versions that were begun and never came to be."""
    for path, n in steps:
        await tx.run("drop_version", **key.at(path), n=n)


# What a rescan does


async def rewrite(tx: Tx, *, key: Key, path: str, n: int, body: str) -> None:
    """Another text in the place of a version's."""
    await tx.run("rewrite_version", **key.at(path), n=n, body=body)


async def rename_source(tx: Tx, *, key: Key, path: str, n: int, name: str) -> None:
    """Another name in the place of where a version came from, or went to."""
    await tx.run("rename_source", **key.at(path), n=n, source=name)


async def forget(tx: Tx, *, key: Key, path: str) -> None:
    """Nothing is known any more of a file that is gone, not even its name."""
    await tx.run("forget_versions", **key.at(path))
    await tx.run("delete_file", **key.at(path))


async def mark(tx: Tx, *, key: Key, path: str, sha256: str, mark: str) -> None:
    """Mark a file as it stands."""
    await tx.run("mark_file", **key.at(path), sha256=sha256, mark=mark)


# Reading


async def known(source: Store | Tx, key: Key, path: str) -> Known | None:
    """What is known of one file."""
    found = await source.rows("file_known", **key.at(path))
    return Known(*found[0]) if found else None


async def all_known(source: Store | Tx, key: Key) -> dict[str, Known]:
    """What is known of every file of a tree, by path."""
    return {row[0]: Known(*row) for row in await source.rows("files_known", **key.columns())}


async def begun(source: Store | Tx, key: Key) -> dict[str, list[FileVersion]]:
    """The versions that were begun and not finished, by path, oldest first."""
    found: dict[str, list[FileVersion]] = {}
    for row in await source.rows("open_versions", **key.columns()):
        found.setdefault(row[0], []).append(version_of(row))
    return found


async def history(core: Core, key: Key, path: str) -> list[FileVersion]:
    """The versions of a path, newest first."""
    return [version_of(row) for row in await core.store.rows("versions", **key.at(path))]


async def body(core: Core, key: Key, path: str, n: int) -> str | None:
    """The text of a version; None when there is no such version, or its text is gone."""
    found = await core.store.rows("version_body", **key.at(path), n=n)
    return found[0][0] if found else None


def version_of(row: Row) -> FileVersion:
    """The version of a row of the queries that name its columns."""
    path, n, verb, sha256, size, mark, actor, run, step, at, source = row
    return FileVersion(path, n, verb, sha256, size, mark, actor, run, step, from_micros(at), source)


def difference(path: str, old: str, new: str, names: tuple[str, str]) -> str:
    """What a person reads: a unified diff, "" when the texts are the same."""
    lines = difflib.unified_diff(
        old.splitlines(keepends=True),
        new.splitlines(keepends=True),
        f"{path} ({names[0]})",
        f"{path} ({names[1]})",
    )
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


# What is held of a fact


async def wipe_versions(core: Core, tx: Tx, erased: Erased) -> int:
    """Every wording of the erased facts in the versions of their subjects' files."""
    cleaned = 0
    for subject in erased.subjects:
        for root, path, n, text in await tx.rows(
            "version_bodies", tenant=core.tenant, subject=subject
        ):
            if (new := erased.without(text)) != text:
                key = Key(core.tenant, subject, root).at(path)
                cleaned += await tx.run("rewrite_version", **key, n=n, body=new)
    return cleaned


async def wipe_rows(core: Core, tx: Tx, erased: Erased) -> int:
    """Every wording of the erased facts in files that are rows. What is known of a file follows its text."""
    cleaned = 0
    for subject in erased.subjects:
        for path, text in await tx.rows("tree_bodies", tenant=core.tenant, subject=subject):
            if (new := erased.without(text)) != text:
                data = new.encode()
                seal = {"size": len(data), "stamp": sha256_of(new)}
                key = {"tenant": core.tenant, "subject": subject, "path": path}
                cleaned += await tx.run("rewrite_tree_row", **key, body=new, **seal)
                await tx.run("reseal_file", **key, root="", sha256=seal["stamp"], **seal)
    return cleaned


ERASABLE = {"file_versions": wipe_versions, "tree_rows": wipe_rows}


async def approve(core: Core, key: Key, path: str, sha256: str, name: str) -> bool:
    """A person's word that this text may be read as it stands. Any later change takes it away again."""

    async def body(tx: Tx) -> int:
        at = core.clock.now()
        return await tx.run("approve_file", **key.at(path), sha256=sha256, name=name, at=at)

    return bool(await core.store.atomic(body))
