"""Files: whose there are, one subject's tree, one file with its versions, and what changed between two of them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from memoranda.errors import FileMissing, FilesError, FileUnfit
from memoranda.filing import Files
from memoranda.memory import Memory
from memoranda.server.doors import Person, Reading, of_a_person
from memoranda.server.files import opened
from memoranda.server.pages.diffs import rows_of
from memoranda.server.pages.render import page
from memoranda.types import FileText, FileVersion

router = APIRouter()

Subject = Annotated[str, Query(max_length=1000)]
Path = Annotated[str, Query(max_length=1000)]
Number = Annotated[int | None, Query(ge=1, le=2**53)]
DOINGS = {
    "created": "written for the first time",
    "modified": "changed",
    "renamed": "given another name",
    "restored": "restored from an earlier one",
    "deleted": "deleted",
    "outside": "changed by somebody else's hand, and noticed",
}


@router.get("/files")
def subjects(request: Request, memory: Reading, after: str | None = None) -> HTMLResponse:
    """Every subject that has files."""
    return page(request, "files.html", listed=memory.files_of(after=after))


@router.get("/files/of")
def tree(request: Request, memory: Reading, who: Person, subject: Subject) -> HTMLResponse:
    """The files of a subject, and to a person those that are gone."""
    with opened(memory, subject) as found:
        return page(
            request,
            "files_of.html",
            subject=subject,
            files=[_row(found, path) for path in found.paths()],
            gone=[short(path) for path in found.gone()] if who else [],
            kept_days=memory.core.settings.file_deleted_days,
        )


def short(path: str) -> str:
    """A path without the folder that all are in."""
    return path.removeprefix("/memories/")


def _row(found: Files, path: str) -> tuple[str, FileText | None]:
    """A file of the list; one that cannot be read must not hide the others."""
    try:
        return short(path), found.read(path)
    except FilesError:
        return short(path), None


@router.get("/files/one")
def one(request: Request, memory: Reading, subject: Subject, path: Path) -> HTMLResponse:
    """A file as it stands, and its versions."""
    path = short(path)
    with opened(memory, subject) as found:
        versions = found.history(path)
        file, trouble = looked_at(found, path)
        return page(
            request,
            "file.html",
            subject=subject,
            path=path,
            file=file,
            trouble=trouble,
            versions=versions,
            with_text=kept(versions),
            doings=DOINGS,
            rules=rule_names(memory),
        )


def looked_at(found: Files, path: str) -> tuple[FileText | None, str]:
    """The file, or why it cannot be shown."""
    try:
        return found.read(path), ""
    except FileMissing:
        return None, "It was deleted. A version of it can be restored."
    except FileUnfit as error:
        return None, f"It cannot be shown: {error}."


def rule_names(memory: Memory) -> frozenset[str]:
    """The names of the files that are read as rules."""
    return frozenset(map(str.strip, memory.core.settings.file_rules.split(",")))


@router.get("/files/diff")
def diff(
    request: Request,
    memory: Reading,
    who: Person,
    subject: Subject,
    path: Path,
    old: Number = None,
    new: Number = None,
) -> HTMLResponse:
    """What changed between two versions; without `new` up to now, without `old` since the one before.

    To a person: what was there before was taken back.
    """
    of_a_person(who)
    with opened(memory, subject) as found:
        versions = kept(found.history(path))
        old = old or before(versions, new)
        rows = rows_of(found.diff(path, old, new))
        return page(
            request,
            "file_diff.html",
            subject=subject,
            path=path,
            rows=rows,
            old=old,
            new=new,
            versions=versions,
        )


def before(versions: list[FileVersion], new: int | None) -> int | None:
    """The version that `new` (None: the file as it stands) is compared with when none is named: the one before."""
    older = [v.n for v in versions if v.n < new] if new else [v.n for v in versions[1:]]
    return older[0] if older else None


def kept(versions: list[FileVersion]) -> list[FileVersion]:
    """The versions that have a text."""
    return [version for version in versions if version.sha256]
