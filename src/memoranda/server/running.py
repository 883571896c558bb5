"""Run the application on this machine's own address until somebody stops it."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn

from memoranda.errors import UsageError
from memoranda.server.app import application
from memoranda.server.doors import Doors

HOST = "127.0.0.1"
DRAIN_SECONDS = 5


def bound(port: int) -> socket.socket:
    """A listening socket on loopback; port 0 takes a free one. Raises `UsageError` when it is taken."""
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((HOST, port))
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


def serve(doors: Doors, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Answer requests until SIGINT or SIGTERM; those that run are finished first, for a few seconds."""
    port = listening.getsockname()[1]
    config = uvicorn.Config(
        application(doors, hosts=hosts(port)),
        log_level="warning",
        access_log=False,  # addresses hold names of subjects and words that were searched
        server_header=False,
        timeout_graceful_shutdown=DRAIN_SECONDS,
    )
    server = uvicorn.Server(config)
    ready()
    server.run(sockets=[listening])
