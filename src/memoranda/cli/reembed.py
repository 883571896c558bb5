"""reembed: make the vectors that are missing of the present model, and drop those of others."""

from __future__ import annotations

import sys

from memoranda.cli import complain, place, show
from memoranda.cli.options import Db, Json, OneSubject
from memoranda.errors import EmbedderError, MissingExtra


def reembed(subject: OneSubject = None, db: Db = None, json: Json = False) -> None:
    """Make every missing vector of the present model, then drop other models'. Goes on where it was interrupted."""
    with place.memory(db) as memory:
        if memory.core.embedder is None:
            _nothing_to_do_it_with()
        progress = Progress()
        done = memory.reembed(subject=subject, progress=progress)
        progress.end()
    if json:
        show.as_json(done)
        return
    show.say(f"{done.texts} texts have a vector of {done.model}; {done.made} were made now")
    if done.left_out:
        show.say(
            f"{done.left_out} were left out: they hold what may not be kept (memoranda rescan)"
        )
    if done.dropped:
        show.say(f"{done.dropped} vectors of other models were dropped")


def _nothing_to_do_it_with() -> None:
    chosen = place.settings()
    _, why = place.embedder(chosen)
    if chosen.embedder not in ("", "none"):  # one is named, and its own words say what it lacks
        raise EmbedderError(f"there is no embedder: {why}")
    show.warn(f"there is no embedder: {why}")
    raise MissingExtra("embed", "making vectors")


class Progress:
    """How far it is, for a person who watches."""

    def __init__(self) -> None:
        self.shown = False

    def __call__(self, done: int, total: int) -> None:
        """Tell how many of how many are done."""
        if sys.stderr.isatty():
            self.shown = True
            complain(f"\r{done} of {total}")

    def end(self) -> None:
        """Leave the line."""
        if self.shown:
            complain("\n")
