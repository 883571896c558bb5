"""What the owner of a store grants a client when they start the server: plain data, checked once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from memoranda.errors import UsageError
from memoranda.gate.draft import name, names

LABEL = re.compile(r"[A-Za-z0-9][\w .-]{0,39}")


@dataclass(frozen=True, slots=True)
class Grant:
    """What a client may reach, and in whose name it speaks. Nothing that a model sends widens it.

    subjects: whose facts it may read and offer, the first where none is named; its files are those of the first.
    speaks_for: the person whose words it passes on and who answers its questions; None: nobody, and all it says
    comes from outside. client: the owner's name for it, which stands beside what it wrote. checks: by command, what
    runs it and gives the proof of a tick, or raises `UsageError`. reference_names: offer the tools under the names of
    the reference memory server too. project: the subject whose files hold the project; project_folder: the folder they
    are in, None for rows in the store.
    """

    subjects: tuple[str, ...] = ("user:me",)
    speaks_for: str | None = None
    client: str = "mcp"
    checks: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    reference_names: bool = False
    project: str = "agent:project"
    project_folder: str | None = None

    def __post_init__(self) -> None:
        if not names("subjects", self.subjects):
            raise UsageError("a client needs a subject, e.g. 'user:me'")
        if not LABEL.fullmatch(self.client):
            raise UsageError("a client's name is 1 to 40 letters, digits, spaces, dots or dashes")
        name("project", self.project)
        if self.speaks_for is None:
            return
        if name("client-speaks-for", self.speaks_for) != self.speaks_for:
            raise UsageError(
                "the name of whom a client speaks for is taken as it is: one line, no spaces around it"
            )
        if not any(self.own_words(subject) for subject in self.subjects):
            raise UsageError(
                f"a client that speaks for somebody needs the subject user:{self.speaks_for} or a project:NAME"
            )

    def own_words(self, subject: str) -> bool:
        """Whether what the client says of this subject counts as the person's own words."""
        person = self.speaks_for
        return person is not None and (
            subject == f"user:{person}" or subject.startswith("project:")
        )

    def chosen(self, subject: str) -> str:
        """The subject that an argument names, among those granted; the first for none. Raises `UsageError`."""
        if not subject:
            return self.subjects[0]
        if subject not in self.subjects:
            raise UsageError(f"subject must be one of: {', '.join(self.subjects)}")
        return subject

    def among(self, subject: str) -> tuple[str, ...]:
        """All granted subjects, or the one that an argument names."""
        return (self.chosen(subject),) if subject else self.subjects
