"""A real server for tests: the application behind its own sockets, on a thread of this process."""

import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from memoranda import Memory, Reviewer
from memoranda.server import running
from memoranda.server.doors import Doors
from memoranda.server.entrance import COOKIE, Entrance
from memoranda.server.guard import Limits

WORDS = "The user said that the cellar key is under the blue stone."


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The document."""
        return json.loads(self.body)

    @property
    def problem(self) -> str:
        """The name of the problem."""
        assert self.headers["content-type"] == "application/problem+json", self
        found: str = self.json()["type"]
        assert found.startswith("urn:memoranda:problem:")
        return found.rpartition(":")[2]


class Served:
    """A running server, and how to ask it."""

    def __init__(self, port: int, doors: Doors, app: FastAPI) -> None:
        self.port, self.doors, self.app = port, doors, app
        self.host = f"127.0.0.1:{port}"
        self.cookie: str | None = None

    @property
    def memory(self) -> Memory:
        """The memory behind it."""
        return self.doors.memory

    def enter(self) -> str:
        """Come in by the link; from now on requests carry the session."""
        answer = self.ask("GET", f"/enter/{self.doors.entrance.link()}")
        assert answer.status == 303
        self.cookie = answer.headers["set-cookie"].partition(";")[0]
        assert self.cookie.startswith(COOKIE + "=")
        return self.cookie

    def ask(
        self,
        method: str,
        address: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """One request on a connection of its own; a body that is not bytes is sent as JSON."""
        given = dict(headers or {})
        if self.cookie is not None:
            given.setdefault("cookie", self.cookie)
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if body is not None:
            given.setdefault("content-type", "application/json")
        link = HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            link.request(method, address, body, given)
            got = link.getresponse()
            found = {name.lower(): value for name, value in got.getheaders()}
            return Answer(got.status, found, got.read())
        finally:
            link.close()

    def raw(self, request: bytes) -> bytes:
        """What comes back for these bytes until the server has nothing more to say for now."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as link:
            link.sendall(request)
            return first_answer(link)


def first_answer(link: socket.socket) -> bytes:
    """An answer with its whole body; what came until then if the server hangs up."""
    got = b""
    try:
        while b"\r\n\r\n" not in got:
            more = link.recv(65536)
            if not more:
                return got
            got += more
        head, _, body = got.partition(b"\r\n\r\n")
        length = next(
            (
                int(line.partition(b":")[2])
                for line in head.lower().split(b"\r\n")
                if line.startswith(b"content-length:")
            ),
            0,
        )
        while len(body) < length:
            more = link.recv(65536)
            if not more:
                break
            body += more
        return head + b"\r\n\r\n" + body
    except ConnectionError:
        return got


def status(answer: bytes) -> int:
    """The status of a raw answer; 0 for none."""
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/") else 0


@contextmanager
def served(db: Path, limits: Limits | None = None) -> Iterator[Served]:
    """A server over the store at `db`, which is made if it is not there."""
    with (
        Memory.open(db, actor="command:asha") as memory,
        Memory.open(db, actor="page:asha") as desk,
        Reviewer.open(db, name="asha") as reviewer,
        running.bound(0) as listening,
    ):
        doors, up = Doors(memory, desk, reviewer, Entrance()), threading.Event()
        server = running.server(doors, listening, up.set, limits)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            assert up.wait(20)
            app = server.config.app
            assert isinstance(app, FastAPI)
            yield Served(listening.getsockname()[1], doors, app)
        finally:
            server.should_exit = True
            thread.join(30)
            assert not thread.is_alive()
