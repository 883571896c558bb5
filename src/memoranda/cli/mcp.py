"""mcp: memory for any agent that speaks the Model Context Protocol, over standard input and output."""

from __future__ import annotations

import logging
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from memoranda.cli import place, project, show
from memoranda.cli.options import ME, Db, readable, subjects_here
from memoranda.errors import UsageError

if TYPE_CHECKING:
    from memoranda.aio import AsyncMemory
    from memoranda.mcp.grant import Grant


Granted = Annotated[
    list[str] | None,
    typer.Option(
        "--subject",
        metavar="KIND:NAME",
        help=f"Whose facts; may be given again, and the first is the default. Default: {ME}, or user:USER.",
    ),
]
SpeaksFor = Annotated[
    str | None,
    typer.Option(
        "--client-speaks-for",
        metavar="USER",
        help="The client passes on this person's words and answers. Without it all it says is held.",
        callback=readable,
    ),
]
AboutProject = Annotated[
    bool,
    typer.Option(
        "--project/--no-project",
        help="Know the project of the checkout around the working directory too.",
    ),
]
Checks = Annotated[
    list[str] | None,
    typer.Option(
        "--check",
        metavar="CMD",
        help="A command that the client may run to tick an item; may be given again.",
    ),
]
Client = Annotated[
    str, typer.Option(metavar="NAME", help="What to call the client beside what it writes.")
]
ReferenceNames = Annotated[
    bool,
    typer.Option(
        "--reference-names", help="Offer the reference memory server's tools by their names too."
    ),
]


def mcp(
    subject: Granted = None,
    speaks_for: SpeaksFor = None,
    about_project: AboutProject = True,
    folder: project.Dir = None,
    check: Checks = None,
    client: Client = "mcp",
    reference_names: ReferenceNames = False,
    db: Db = None,
) -> None:
    """Serve memory to an agent over standard input and output (Model Context Protocol)."""
    from memoranda.mcp import serve
    from memoranda.mcp.grant import Grant

    me = ME if speaks_for is None else f"user:{speaks_for}"
    here = subjects_here(me) if about_project else [me]
    grant = Grant(
        subjects=tuple(dict.fromkeys(subject or here)),
        speaks_for=speaks_for,
        client=client,
        checks={command: partial(ran, command) for command in check or ()},
        reference_names=reference_names,
        project=project.OURS,
        project_folder=None if folder is None else str(folder / "memories"),
    )
    if sys.stdin.isatty():
        show.warn("an agent starts this and talks to it; see docs/mcp.md (Ctrl-D ends it)")
    # Standard output carries the protocol alone.
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="memoranda: %(message)s")
    raise typer.Exit(serve(opener(db, grant), grant))


def opener(db: str | None, grant: Grant) -> Callable[[], Awaitable[AsyncMemory]]:
    """Opens the store for an event loop. Whatever is wrong with place or settings is told before."""
    from memoranda.aio import AsyncMemory

    where, chosen, embedder = place.prepared(db, create=True)

    async def opened() -> AsyncMemory:
        return await AsyncMemory.open(
            where.path, settings=chosen, actor=f"mcp:{grant.client}", embedder=embedder
        )

    return opened


def ran(command: str) -> str:
    """The proof of a granted check; `UsageError` when it fails."""
    status, proof = project.checked(command)
    if status:
        raise UsageError(f"the check ended with {status}; nothing was ticked")
    return proof
