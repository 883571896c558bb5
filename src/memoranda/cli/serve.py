"""serve: the page where memory is read, traced, corrected and taken back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from memoranda.cli import place, show
from memoranda.cli.options import Db, Name
from memoranda.errors import MissingExtra, NotAllowed

if TYPE_CHECKING:
    from memoranda.server.entrance import Entrance

PORT = 8722
NO_LINK = "read only: a person who shall change memory here starts this in a terminal, or brings the reviewer's key"


def serve(
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="N", help="On this machine only; 0: any free.")
    ] = PORT,
    name: Name = None,
    db: Db = None,
) -> None:
    """Open a page on this machine where memory is read, traced, corrected and taken back."""
    try:
        from memoranda.server import running
        from memoranda.server.doors import Doors
        from memoranda.server.entrance import Entrance
    except ModuleNotFoundError as missing:
        raise MissingExtra("server", "memoranda serve") from missing
    from memoranda.memory import Memory

    listening = running.bound(port)
    at = f"http://{running.HOST}:{listening.getsockname()[1]}"
    with place.memory(db, create=True) as memory, place.reviewer(db, name) as reviewer:
        settings = replace(memory.core.settings, embedder="none")
        actor = f"page:{reviewer.name}"
        with Memory.open(memory.core.store.place, settings=settings, actor=actor) as desk:
            entrance = Entrance()
            running.serve(
                Doors(memory, desk, reviewer, entrance),
                listening,
                lambda: greet(at, entrance),
            )


def greet(at: str, entrance: Entrance) -> None:
    """Say where the page is and, to a person alone, how they come in."""
    from memoranda.cli.review import admitted

    show.say(f"memory is at {at}/ (Ctrl-C stops)")
    try:
        admitted()
    except NotAllowed:
        show.say(NO_LINK)
    else:
        show.say(f"to change it, open within ten minutes, once: {at}/enter/{entrance.link()}")
