"""The entrance: a link that works once, printed where only a person looks, opens a session for them.

Both are random names that the server keeps in memory as digests, so neither a store nor a log can give one away. An
agent that knows the port alone has no link, and without a session nothing can be changed.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from threading import Lock
from time import monotonic

COOKIE = "memoranda_session"
LINK_SECONDS = 600.0
SESSION_SECONDS = 12 * 3600.0


class Entrance:
    """Who is let in. `now` counts seconds. Several threads may ask at once.

    link_seconds: how long a link waits to be used. session_seconds: how long a session lasts, used or not. `used` is
    called after a link was used, so that whoever printed it can print the next one. `linked` is whether there ever was
    a link: where nobody was there to see one, none is made.
    """

    used: Callable[[], None] | None = None
    linked = False

    def __init__(
        self,
        now: Callable[[], float] = monotonic,
        link_seconds: float = LINK_SECONDS,
        session_seconds: float = SESSION_SECONDS,
    ) -> None:
        self._now, self._lock = now, Lock()
        self._link_seconds, self._session_seconds = link_seconds, session_seconds
        self._links: dict[str, float] = {}
        self._sessions: dict[str, float] = {}

    def link(self) -> str:
        """A new token for a link, in place of all that were not used."""
        with self._lock:
            self.linked = True
            self._links.clear()
            return _given(self._links, self._now() + self._link_seconds)

    def enter(self, token: str) -> str | None:
        """The session that this link opens, the first time; None when it was used, is too old or was never given."""
        with self._lock:
            until = self._links.pop(_digest(token), 0.0)
            if until <= self._now():
                return None
            over = [name for name, end in self._sessions.items() if end <= self._now()]
            for name in over:
                del self._sessions[name]
            session = _given(self._sessions, self._now() + self._session_seconds)
        if self.used is not None:
            self.used()
        return session

    def knows(self, session: str | None) -> bool:
        """Whether this is a session that lasts."""
        if not session:
            return False
        with self._lock:
            return self._sessions.get(_digest(session), 0.0) > self._now()

    def leave(self, session: str | None) -> None:
        """End a session. One that is not there is ended already."""
        with self._lock:
            self._sessions.pop(_digest(session or ""), None)


def _given(kept: dict[str, float], until: float) -> str:
    name = secrets.token_urlsafe(32)
    kept[_digest(name)] = until
    return name


def _digest(name: str) -> str:
    # Looked up by digest, so that the time a look-up takes tells nothing of the name.
    return hashlib.sha256(name.encode(errors="replace")).hexdigest()
