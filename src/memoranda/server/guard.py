"""The guard before every route: who is asked for (Host), who asks (Origin), and what the answer may load."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memoranda.server.problems import problem

ANSWER_HEADERS = {
    # Nothing inline, nothing from elsewhere, in nobody's frame.
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """Lets a request through that names one of `hosts` and comes from there, or from no page at all.

    A name that resolves to this machine by somebody else's hand is not in the list, and a page of another site is
    another origin: so no web page that a person visits reaches memory through their browser.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        self.app = app
        self.hosts = frozenset(hosts)
        self.origins = frozenset(f"http://{host}" for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or pass it on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(ANSWER_HEADERS)
            await send(message)

        refused = self.refused(headers)
        await (refused or self.app)(scope, receive, guarded)

    def refused(self, headers: Headers) -> JSONResponse | None:
        """The answer to a request that is not let through."""
        if (
            headers.getlist("host") != [headers.get("host")]
            or headers.get("host") not in self.hosts
        ):
            return _refusal(421, "this server answers to its own address alone")
        origins = headers.getlist("origin")
        if any(origin not in self.origins for origin in origins):
            return _refusal(403, "this request comes from another site's page")
        return None


def _refusal(status: int, detail: str) -> JSONResponse:
    return JSONResponse(problem(status, detail), status, media_type="application/problem+json")
