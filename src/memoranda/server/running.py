"""Run the application on this machine's own address until somebody stops it."""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from memoranda.errors import UsageError
from memoranda.server.app import application
from memoranda.server.connection import connection
from memoranda.server.doors import Doors
from memoranda.server.guard import MOST_HEAD, Limits

HOST = "127.0.0.1"
DRAIN_SECONDS = 10
STOPS = (signal.SIGINT, signal.SIGTERM)


def bound(port: int) -> socket.socket:
    """A socket on loopback; port 0 takes a free one. Raises `UsageError` when it is taken or may not be used."""
    # The protocol is named so that asyncio knows it for TCP and sends at once: else an answer's body waits 40 ms for
    # the client to acknowledge its header.
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((HOST, port))
        # From now on nobody else gets this port, and who comes early waits.
        opened.listen(128)
    except OSError as error:
        opened.close()
        raise UsageError(
            f"port {port} cannot be used ({error.strerror}); name another with --port"
        ) from None
    return opened


def hosts(port: int) -> tuple[str, ...]:
    """The names that this server answers to."""
    names = (HOST, "localhost")
    return tuple(f"{name}:{port}" for name in names) + (names if port == 80 else ())


def serve(
    doors: Doors,
    listening: socket.socket,
    ready: Callable[[], None],
    limits: Limits | None = None,
) -> None:
    """Answer requests until SIGINT or SIGTERM; those that run are finished first, for `DRAIN_SECONDS` at most."""
    server(doors, listening, ready, limits).run(sockets=[listening])


def server(
    doors: Doors,
    listening: socket.socket,
    ready: Callable[[], None],
    limits: Limits | None = None,
) -> Server:
    """The same, not yet running; `should_exit` ends it."""
    limits = limits or Limits()
    port = listening.getsockname()[1]
    config = uvicorn.Config(
        application(doors, hosts=hosts(port), limits=limits),
        http=connection(limits),
        ws="none",
        lifespan="off",
        # What the library would log holds addresses, and the texts of errors; ours says type and place.
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=MOST_HEAD,
        timeout_graceful_shutdown=DRAIN_SECONDS,
    )
    return Server(config, ready)


class Server(uvicorn.Server):
    """The library's server, which says when it answers and ends with the command's own exit code."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        # On a thread: whoever reads the line may be slow, or stopped.
        await asyncio.to_thread(self.ready)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at the first signal. The library would raise it again at the end, and that is no exit code of ours."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {sign: signal.signal(sign, self.handle_exit) for sign in STOPS}
        try:
            yield
        finally:
            for sign, handler in before.items():
                signal.signal(sign, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop. A second signal ends the process at once: what was acknowledged is on the disk."""
        self.should_exit = True
        for sign in STOPS:
            signal.signal(sign, signal.SIG_DFL)
