"""serve: the page where memory is read, traced, corrected and taken back."""

from __future__ import annotations

import os
import signal
import sys
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from memoranda.cli import place, show
from memoranda.cli.options import Db, Name
from memoranda.errors import MissingExtra, NotAllowed

if TYPE_CHECKING:
    from collections.abc import Callable

    from memoranda.server.entrance import Entrance

PORT = 8722
NO_LINK = (
    "read only: to change memory here, start this in a terminal, "
    "or with the reviewer's key in MEMORANDA_REVIEWER_KEY"
)


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

    # A page of nothing says what to do next; a path that somebody named and that is not there is a slip of the hand.
    new = place.find(db).how == "default"
    with (
        running.bound(port) as listening,
        place.memory(db, create=new) as memory,
        place.reviewer(db, name) as reviewer,
    ):
        settings = replace(memory.core.settings, embedder="none")
        actor = f"page:{reviewer.name}"
        with Memory.open(memory.core.store.place, settings=settings, actor=actor) as desk:
            at = f"http://{running.HOST}:{listening.getsockname()[1]}"
            entrance = Entrance()
            if hasattr(signal, "SIGTTIN"):
                # Started with `&`, reading from the terminal would stop the whole process: an error is enough.
                signal.signal(signal.SIGTTIN, signal.SIG_IGN)
            running.serve(
                Doors(memory, desk, reviewer, entrance), listening, lambda: greet(at, entrance)
            )


def greet(at: str, entrance: Entrance) -> None:
    """Say where the page is and, to a person alone, how they come in."""
    from memoranda.cli.ask import somebody_there
    from memoranda.cli.review import admitted

    show.say(f"memory is at {at}/ (Ctrl-C stops)")
    try:
        admitted()
    except NotAllowed:
        show.say(NO_LINK)
        return

    def tell() -> None:
        show.say(f"to change it, open within ten minutes, once: {at}/enter/{entrance.link()}")

    tell()
    # Who came in by it may need another browser, and who did not come in must see that somebody else did.
    entrance.used = lambda: used(tell)
    if somebody_there():
        show.say("(Enter shows a new link)")
        threading.Thread(target=at_enter, args=(tell,), daemon=True).start()


def used(tell: Callable[[], None]) -> None:
    """Say that somebody came in, and show the next link."""
    show.say("the link was used; if it was not by you, stop this now")
    tell()


def at_enter(tell: Callable[[], None]) -> None:
    """Show a new link whenever somebody presses Enter, until the input ends."""
    # The descriptor and not the stream, whose lock a thread that waits would hold at the end of the process.
    while True:
        try:
            read = os.read(sys.stdin.fileno(), 1024)
        except (OSError, ValueError):  # moved to the background, or the terminal is gone
            return
        if not read:
            return
        tell()
