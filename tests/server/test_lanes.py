"""Readers without a session wait for each other, and nobody with one waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from memoranda.server.entrance import COOKIE, Entrance
from memoranda.server.lanes import MOST, Lanes


class Slow:
    """An application that answers when it is told to. begun: the addresses that it works on, in order."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.go = asyncio.Event()
        self.answers = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.begun.append(scope["path"])
        assert (await receive())["body"] == b"body"
        await self.go.wait()
        await send({"type": "http.response.start"})
        await self.answers.wait()


def asking(lanes: Lanes, path: str, cookie: str = "", gone: bool = False) -> asyncio.Task[None]:
    headers = [(b"cookie", f"{COOKIE}={cookie}".encode())] if cookie else []
    scope = {"type": "http", "path": path, "method": "GET", "headers": headers}
    given = False

    async def receive() -> Message:
        nonlocal given
        if not given:
            given = True
            return {"type": "http.request", "body": b"body", "more_body": False}
        if not gone:
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def send(_: Message) -> None:
        return None

    return asyncio.create_task(lanes(scope, receive, send))


async def settled() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


def over(body: Callable[[Slow, Lanes, Entrance], Awaitable[Any]]) -> None:
    async def run() -> None:
        slow, entrance = Slow(), Entrance()
        await body(slow, Lanes(slow, entrance), entrance)

    asyncio.run(run())


def test_others_wait_and_the_person_does_not() -> None:
    async def body(slow: Slow, lanes: Lanes, entrance: Entrance) -> None:
        session = entrance.enter(entrance.link())
        tasks = [asking(lanes, f"/{n}", "forged") for n in range(MOST + 2)]
        await settled()
        assert slow.begun == [f"/{n}" for n in range(MOST)]
        tasks += [asking(lanes, "/health"), asking(lanes, "/mine", session or "")]
        await settled()
        assert slow.begun[MOST:] == ["/health", "/mine"]
        slow.go.set()  # answers begin, and nobody has read one yet
        await settled()
        assert slow.begun[MOST + 2 :] == [f"/{MOST}", f"/{MOST + 1}"]
        slow.answers.set()
        await asyncio.gather(*tasks)

    over(body)


def test_whoever_went_away_is_not_worked_for() -> None:
    async def body(slow: Slow, lanes: Lanes, _: Entrance) -> None:
        tasks = [asking(lanes, f"/{n}") for n in range(MOST)]
        await settled()
        tasks += [asking(lanes, "/gone", gone=True) for _ in range(10)] + [asking(lanes, "/last")]
        slow.go.set()
        slow.answers.set()
        await asyncio.gather(*tasks)
        assert slow.begun == [f"/{n}" for n in range(MOST)] + ["/last"]

    over(body)


def test_a_fault_frees_its_lane() -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise ZeroDivisionError

    async def run() -> None:
        lanes = Lanes(broken, Entrance())
        tasks = [asking(lanes, f"/{n}") for n in range(3 * MOST)]
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(one, ZeroDivisionError) for one in found)

    asyncio.run(run())
