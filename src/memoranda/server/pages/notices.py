"""What a change did, told once on the page that follows it, with what takes it back.

The words stay on the server and the address holds a random name for them: so nobody can write an address that makes a
page say something, or offer to undo something, that did not happen.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Literal

from fastapi import Request
from fastapi.responses import RedirectResponse

from memoranda.server.pages.going import address
from memoranda.types import Erasure

NOTICE_SECONDS = 600.0
MOST = 500


@dataclass(frozen=True, slots=True)
class Notice:
    """What to say, and how it is meant. undo: the operation that can be taken back; back: where to be after that.

    report: of an erasure, what its own page tells. kept: a fact's id, and the words for it that were not taken.
    """

    says: str
    kind: Literal["good", "warn"] = "good"
    undo: str | None = None
    back: str = "/"
    report: Erasure | None = None
    kept: tuple[str, str] | None = None


class Notices:
    """The last notices by their random names. Several threads may ask at once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[str, tuple[float, Notice]] = OrderedDict()

    def keep(self, notice: Notice) -> str:
        """A name for this notice; the oldest makes room."""
        name = secrets.token_urlsafe(12)
        with self._lock:
            self._kept[name] = (monotonic() + NOTICE_SECONDS, notice)
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)
        return name

    def named(self, name: str) -> Notice | None:
        """The notice of this name, while it is not old."""
        with self._lock:
            until, notice = self._kept.get(name, (0.0, None))
        return notice if until > monotonic() else None


_LOCK = Lock()


def notices(request: Request) -> Notices:
    """The notices of this application."""
    with _LOCK:
        kept: Notices | None = getattr(request.app.state, "notices", None)
        if kept is None:
            kept = request.app.state.notices = Notices()
    return kept


def noticed(request: Request) -> Notice | None:
    """What this page has to tell of the change before it."""
    name = request.query_params.get("note")
    return notices(request).named(name) if name else None


def told(
    request: Request, notice: Notice, path: str, anchor: str = "", /, **query: object
) -> RedirectResponse:
    """On to the page that tells what was done, at one of its elements. A query may use any name but `note`."""
    at = address(path, **query, note=notices(request).keep(notice))
    return RedirectResponse(f"{at}#{anchor}" if anchor else at, 303)
