"""How many readers without a session are worked for at once, so that none of them keeps the person waiting.

A list that is searched, or the trace of a fact that came far, costs tenths of a second in a large store. Whoever asks
for sixty of them at once would hold every thread; so they wait here, which costs none, and the person passes by.
"""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memoranda.server import bodies
from memoranda.server.entrance import COOKIE, Entrance

MOST = 4
# Quick, and asked by whoever wants to know whether the server is there.
QUICK = ("/health", "/static/", "/enter/")


class Lanes:
    """Lets `MOST` requests of readers without a session in at once, and everybody else as they come.

    A lane is free again when an answer begins to be sent: its sending waits for its reader, and nobody else should.
    """

    def __init__(self, app: ASGIApp, entrance: Entrance) -> None:
        self.app, self.entrance = app, entrance
        self.free = asyncio.Semaphore(MOST)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on, when it is its turn."""
        if scope["type"] != "http" or self._passes(scope):
            await self.app(scope, receive, send)
            return
        first = await receive()  # the whole body, as the guard gives it
        await self.free.acquire()
        held = True

        def leave() -> None:
            nonlocal held
            if held:
                held = False
                self.free.release()

        async def sent(message: Message) -> None:
            leave()
            await send(message)

        try:
            # Whoever went away while they waited is not worked for.
            if not await Request(scope, receive).is_disconnected():
                await self.app(scope, bodies.again(first.get("body", b""), receive), sent)
        finally:
            leave()

    def _passes(self, scope: Scope) -> bool:
        quick = scope["path"].startswith(QUICK)
        return quick or self.entrance.knows(Request(scope).cookies.get(COOKIE))
