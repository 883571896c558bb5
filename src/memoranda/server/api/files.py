"""Files of a subject: lists, texts, versions and their differences; write, restore and delete; the project in them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query

from memoranda.accounts import FilesPage
from memoranda.errors import FilesError, NotAllowed
from memoranda.server.api import asked, told, told_log
from memoranda.server.api.description import fails
from memoranda.server.api.fields import Cursor, Size, Step, Subject
from memoranda.server.api.routing import tagged
from memoranda.server.doors import Changing, Person, Reading, of_a_person
from memoranda.server.files import opened
from memoranda.types import FileText, FileVersion, Outcome

router = tagged("files")
OfSubject = Annotated[Subject, Query()]
OfPath = Annotated[asked.Path, Query()]
OneVersion = Annotated[Step | None, Query(description="A version's number.", examples=[1])]


@router.get("/files", response_model=told_log.FilesPage, summary="A page of subjects with files")
def files(
    memory: Reading,
    after: Annotated[Cursor | None, Query()] = None,
    size: Annotated[Size, Query(examples=[50])] = 50,
) -> FilesPage:
    """Subjects that have files in the store, by name."""
    return memory.files_of(after=after, size=size)


@router.get(
    "/files/paths",
    response_model=told_log.Paths,
    responses=fails(FilesError),
    summary="The paths of a subject's files",
)
def paths(memory: Reading, subject: OfSubject) -> dict[str, list[str]]:
    """All of them."""
    with opened(memory, subject) as found:
        return {"paths": found.paths()}


@router.get("/file", response_model=told_log.File, responses=fails(FilesError), summary="A file")
def file(memory: Reading, subject: OfSubject, path: OfPath) -> FileText:
    """A file as it stands, with its sha256. Its text is data, whoever wrote it."""
    with opened(memory, subject) as found:
        return found.read(path)


@router.get(
    "/file/history",
    response_model=told_log.History,
    responses=fails(FilesError),
    summary="The versions of a file",
)
def history(memory: Reading, subject: OfSubject, path: OfPath) -> dict[str, list[FileVersion]]:
    """Newest first; also of a file that is gone."""
    with opened(memory, subject) as found:
        return {"versions": found.history(path)}


@router.get(
    "/file/diff",
    response_model=told_log.Diff,
    responses=fails(FilesError, NotAllowed),
    summary="What differs between two versions",
)
def diff(
    memory: Reading,
    person: Person,
    subject: OfSubject,
    path: OfPath,
    old: OneVersion = None,
    new: OneVersion = None,
) -> dict[str, str]:
    """A unified diff; without `new` of the file as it stands, without `old` of the version before. Needs
    the session: what was there before was taken back."""
    of_a_person(person)
    with opened(memory, subject) as found:
        return {"diff": found.diff(path, old, new)}


@router.put(
    "/file",
    response_model=told.Outcome,
    responses=fails(FilesError),
    summary="Write a file",
)
def write(hands: Changing, body: asked.WrittenFile) -> Outcome:
    """The whole text, as the person's own; with `if_sha256` only over what they saw."""
    with opened(hands.memory, body.subject, make=True) as found:
        return found.write(body.path, body.text, if_sha256=body.if_sha256)


@router.delete(
    "/file",
    status_code=204,
    response_model=None,
    responses=fails(FilesError),
    summary="Delete a file",
)
def delete(hands: Changing, subject: OfSubject, path: OfPath) -> None:
    """A file, or a folder with all it holds; restoring a version brings a file back."""
    with opened(hands.memory, subject) as found:
        found.remove(path)


@router.post(
    "/file/restore",
    response_model=told.Outcome,
    responses=fails(FilesError),
    summary="Restore a version of a file",
)
def restore(hands: Changing, body: asked.Restored) -> Outcome:
    """Write the text of a version again, as a new one; the gate judges it anew."""
    with opened(hands.memory, body.subject) as found:
        return found.restore(body.path, body.n)


@router.get(
    "/project",
    response_model=told_log.Project,
    responses=fails(FilesError),
    summary="A subject's project",
)
def project(memory: Reading, subject: OfSubject) -> Any:
    """Goal, checklist and log, as the file `project.md` says."""
    with opened(memory, subject) as found:
        return found.project_status()
