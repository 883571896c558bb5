"""One connection: how long its client is waited for, and who has to go when there are too many."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from memoranda.server.guard import ANSWER_HEADERS, MOST_HEAD, Limits
from memoranda.server.problems import own


def connection(limits: Limits) -> type[asyncio.Protocol]:
    """The protocol of the library with these limits."""
    return type("Limited", (Connection,), {"limits": limits})


class Connection(H11Protocol):
    """Closed when a request's header is not whole in time, or an answer is not read.

    The library waits for both for good. When there are too many connections, the one goes that has been waited for
    longest, so that whoever opens many and says nothing keeps nobody else out.
    """

    limits = Limits()

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.since = monotonic()
        self.hurry: asyncio.TimerHandle | None = None
        self.stuck: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client is there."""
        super().connection_made(transport)
        self.wait()
        if len(self.connections) > self.limits.connections:
            others = [
                one
                for one in self.connections
                if isinstance(one, Connection) and one is not self and one.idle
            ]
            min(others, key=lambda one: one.since, default=self).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client went, or was sent away."""
        self.waited()
        self.read()
        super().connection_lost(exc)

    @property
    def idle(self) -> bool:
        """Whether the client has the next word: it has no request here that waits for an answer."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def wait(self) -> None:
        """From now on a request has to come."""
        self.waited()
        self.since = monotonic()
        self.hurry = self.loop.call_later(self.limits.header_seconds, self.transport.abort)

    def waited(self) -> None:
        """A request came."""
        if self.hurry is not None:
            self.hurry.cancel()
            self.hurry = None

    def handle_events(self) -> None:
        """Take what was received."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self.waited()

    def on_response_complete(self) -> None:
        """An answer is sent: the next request may come, and what is left of this one is not waited for long."""
        self.wait()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """The client does not read."""
        super().pause_writing()
        self.stuck = self.loop.call_later(self.limits.reading_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """It does again."""
        super().resume_writing()
        self.read()

    def read(self) -> None:
        """The answer is read."""
        if self.stuck is not None:
            self.stuck.cancel()
            self.stuck = None

    def send_400_response(self, msg: str) -> None:
        """What is no request is answered like everything else."""
        long = len(self.conn.trailing_data[0]) > MOST_HEAD
        answer = own("HeadersTooLarge" if long else "BadRequest")
        ours = [(name.encode(), value.encode()) for name, value in ANSWER_HEADERS.items()]
        headers = [*answer.raw_headers, *ours, (b"connection", b"close")]
        start = h11.Response(status_code=answer.status_code, headers=headers)
        try:
            for event in (start, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        except h11.LocalProtocolError:
            self.transport.abort()  # in the middle of an answer there is no room for another
        self.transport.close()
