"""The guard before every route: who is asked for (Host), who asks (Origin), how much, what an answer may load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memoranda.server import bodies
from memoranda.server.problems import own

ANSWER_HEADERS = {
    # Nothing inline, nothing from elsewhere, in nobody's frame.
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    # Not `no-referrer`: under that one a browser sends `Origin: null` with our own forms.
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
LONGEST_ADDRESS = 49_152  # eight subjects and a long question, each letter written as twelve
MOST_HEADERS = 100
MOST_HEADER_BYTES = 16_384
MOST_HEAD = LONGEST_ADDRESS + MOST_HEADER_BYTES


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a client is waited for: seconds until a request's header, its body and the reading of an answer are
    done; and how many connections there may be at once."""

    header_seconds: float = 10.0
    body_seconds: float = 10.0
    reading_seconds: float = 30.0
    connections: int = 200


class Guard:
    """Lets a request through that names one of `hosts` and comes from there, or from no page at all.

    A name that resolves to this machine by somebody else's hand is not in the list, and a page of another site is
    another origin: so no web page that a person visits reaches memory through their browser. The body is read here, so
    that a slow client holds no thread and no parser sees what is too large or too deep.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str], limits: Limits | None = None) -> None:
        self.app = app
        self.hosts = frozenset(hosts)
        self.limits = limits or Limits()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or pass it on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # a WebSocket: nothing here speaks it
        headers = Headers(scope=scope)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                answer.update(ANSWER_HEADERS)
                # What is remembered stays out of every cache; what never changes says so itself.
                answer.setdefault("cache-control", "no-store")
            await send(message)

        if (refused := self.refused(scope, headers)) is not None:
            await refused(scope, receive, guarded)
            return
        try:
            body = await bodies.read(headers, receive, self.limits.body_seconds)
            bodies.check(headers, body)
        except bodies.Unread as unread:
            await own(unread.problem)(scope, receive, guarded)
            return
        await self.app(scope, bodies.again(body, receive), guarded)

    def refused(self, scope: Scope, headers: Headers) -> Response | None:
        """The answer to a request that is not let through."""
        raw = scope["headers"]
        if len(raw) > MOST_HEADERS or sum(map(_size, raw)) > MOST_HEADER_BYTES:
            return own("HeadersTooLarge")
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) >= LONGEST_ADDRESS:
            return own("AddressTooLong")
        host = headers.get("host")
        # An address that names a host of its own outranks the header, and nobody needs one here.
        own_form = (scope.get("raw_path") or b"/").startswith(b"/")
        if headers.getlist("host") != [host] or host not in self.hosts or not own_form:
            return own("WrongHost")
        return own("ForeignOrigin") if foreign(scope["method"], headers) else None


def _size(field: tuple[bytes, bytes]) -> int:
    return len(field[0]) + len(field[1]) + 4


def foreign(method: str, headers: Headers) -> bool:
    """Whether a page of another origin asks. A browser says so; what is no browser says nothing of it.

    Another port of this machine is the same site and another origin, so a cookie alone proves nothing.
    """
    origins = headers.getlist("origin")
    if origins and origins != [f"http://{headers['host']}"]:
        return True
    sites = headers.getlist("sec-fetch-site")
    if not sites or sites in (["same-origin"], ["none"]):
        return False
    # A link from elsewhere may be followed: it shows a page to the person and nothing to the other site.
    return method not in SAFE or headers.get("sec-fetch-mode") != "navigate"
