"""What a person does to a file: edit it over what they read, restore, delete, approve it as it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from memoranda.errors import FileChanged, FileRefused, FileUnfit
from memoranda.files.ledger import difference
from memoranda.server.doors import Changing
from memoranda.server.files import opened
from memoranda.server.pages.diffs import rows_of
from memoranda.server.pages.files import Path, Subject
from memoranda.server.pages.notices import Notice, told
from memoranda.server.pages.render import page
from memoranda.types import FileText

router = APIRouter()

Name = Annotated[str, Form(max_length=1000)]
Text = Annotated[str, Form()]
Sha = Annotated[str, Form(pattern="^[0-9a-f]{64}$")]
# What a text field of a browser does not give back as it was.
LOST = re.compile("\0|\r(?!\n)")


@router.get("/files/edit")
def edit(request: Request, hands: Changing, subject: Subject, path: Path) -> HTMLResponse:
    """The text of a file, to be changed."""
    with opened(hands.memory, subject) as found:
        file = found.read(path)
    if LOST.search(file.text):
        raise FileUnfit("it holds characters that a browser would lose; use `memoranda files edit`")
    return page(
        request,
        "file_edit.html",
        subject=subject,
        path=path,
        text=file.text,
        sha256=file.sha256,
        now=None,
        rows=[],
        trouble="",
    )


@router.post("/files/edit")
def write(
    request: Request, hands: Changing, subject: Name, path: Name, sha256: Sha, text: Text = ""
) -> Response:
    """Write the changed text, if the file is still the one that was read. Else nothing is lost: both are shown."""
    with opened(hands.memory, subject) as found:
        now = found.read(path)
        wanted = as_typed(text, now.text)
        if now.sha256 != sha256:
            return _again(request, subject, now, wanted, "", status=409)
        try:
            done = found.rewrite(now, wanted)
        except FileChanged:
            return _again(request, subject, found.read(path), wanted, "", status=409)
        except FileRefused as refused:
            return _again(request, subject, now, wanted, str(refused), status=422)
    return told(request, Notice(_written(done.reasons)), "/files/one", subject=subject, path=path)


def _written(reasons: Sequence[str]) -> str:
    if "unchanged" in reasons:
        return "Nothing had changed, so nothing was written."
    masked = any(reason.startswith("masked:") for reason in reasons)
    return "Your text was written" + (
        "; personal data in it gave way to a placeholder." if masked else "."
    )


def as_typed(text: str, old: str) -> str:
    """The text of the field with the file's own ends of lines: a form sends every one as CR and LF."""
    plain = text.replace("\r\n", "\n")
    crlf = "\r\n" in old and "\n" not in old.replace("\r\n", "")
    return plain.replace("\n", "\r\n") if crlf else plain


def _again(
    request: Request, subject: str, now: FileText, text: str, trouble: str, *, status: int
) -> HTMLResponse:
    """The form with what the person wrote, and how it differs from the file as it stands."""
    compared = difference(now.path, now.text, text, ("as it stands", "yours"))
    return page(
        request,
        "file_edit.html",
        status,
        subject=subject,
        path=now.path,
        text=text,
        sha256=now.sha256,
        now=None if trouble else now,
        rows=rows_of(compared),
        trouble=trouble,
    )


@router.post("/files/restore")
def restore(
    request: Request,
    hands: Changing,
    subject: Name,
    path: Name,
    n: Annotated[int, Form(ge=1, le=2**53)],
) -> Response:
    """Write the text of a version again, as a new one."""
    with opened(hands.memory, subject) as found:
        found.restore(path, n)
    says = Notice(f"Version {n} was restored, as a new one.")
    return told(request, says, "/files/one", subject=subject, path=path)


@router.post("/files/delete")
def delete(request: Request, hands: Changing, subject: Name, path: Name, sha256: Sha) -> Response:
    """Delete a file, if it is still the one that was read; a version brings it back."""
    with opened(hands.memory, subject) as found:
        if found.read(path).sha256 != sha256:
            raise FileChanged("the file is not what you last saw; look at it again")
        found.remove(path)
    says = Notice("The file was deleted. A version below brings it back.")
    return told(request, says, "/files/one", subject=subject, path=path)


@router.post("/files/approve")
def approve(request: Request, hands: Changing, subject: Name, path: Name, sha256: Sha) -> Response:
    """Let a file be read as rules, or without a mark, as it was shown."""
    with opened(hands.memory, subject) as found:
        found.read(path)  # to approve makes no folder either
    if not hands.reviewer.approve_file(subject, path, sha256=sha256):
        raise FileChanged(
            "it was not approved: it is not the text that you saw, or it holds a secret"
        )
    says = Notice("You approved this text. Any later change takes that back.")
    return told(request, says, "/files/one", subject=subject, path=path)
