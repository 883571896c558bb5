"""Projects: what each is for, what is done with what proves it, what is next, and what is remembered of it."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from memoranda.errors import FileMissing, FilesError
from memoranda.files.project import FILE, Project
from memoranda.memory import Memory
from memoranda.server import sight
from memoranda.server.doors import Person, Reading
from memoranda.server.files import opened
from memoranda.server.pages.files import Subject
from memoranda.server.pages.render import page

router = APIRouter()
KIND = "project:"
FACTS = 50


@dataclass(frozen=True, slots=True)
class Work:
    """A subject with its project (None: it has no file of one) and why that cannot be read ("": it can)."""

    subject: str
    project: Project | None
    trouble: str = ""

    @property
    def done(self) -> int:
        """How many items are done, with a proof."""
        return sum(item.state == "x" for item in self.project.items) if self.project else 0


@router.get("/projects")
def projects(
    request: Request, memory: Reading, who: Person, after: str | None = None
) -> HTMLResponse:
    """Every subject that is a project by its name or by a file of it."""
    listed = sight.subjects(memory.subjects_page(words=KIND, after=after), who)
    named = [subject for subject, _ in listed.subjects if subject.startswith(KIND)]
    filed = [] if after else _with_files(memory)
    found = [work_of(memory, subject) for subject in sorted({*named, *filed})]
    shown = [one for one in found if one.project or one.trouble or one.subject.startswith(KIND)]
    return page(request, "projects.html", projects=shown, after=listed.after)


def _with_files(memory: Memory) -> list[str]:
    """The subjects with files, the first few hundred."""
    return [one.subject for one in memory.files_of(size=200).subjects]


def work_of(memory: Memory, subject: str) -> Work:
    """A subject's project as its file says."""
    try:
        with opened(memory, subject) as found:
            return Work(subject, found.project_status())
    except FileMissing:
        return Work(subject, None)
    except FilesError as error:
        return Work(subject, None, str(error))


@router.get("/projects/one")
def one(request: Request, memory: Reading, subject: Subject) -> HTMLResponse:
    """A project."""
    facts = memory.facts_page(subject=subject, size=FACTS)
    return page(
        request,
        "project.html",
        subject=subject,
        one=work_of(memory, subject),
        file=FILE,
        facts=facts.facts,
        more=facts.after,
    )
