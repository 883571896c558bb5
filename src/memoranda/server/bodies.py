"""The body of a request, read whole and looked at before anything parses it: how long, how slow, how deep."""

from __future__ import annotations

import asyncio
import re

from starlette.datastructures import Headers
from starlette.types import Message, Receive

MOST_BYTES = 1 << 20
DEEPEST = 32
FORMS = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})
# A whole string, an unfinished one too (then it is what is left), so that brackets inside of one are passed over.
# Possessive: nothing is tried twice, whatever the text.
STRINGS = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
NOT_BRACKETS = bytes(sorted(set(range(256)) - set(b"[]{}")))
OPENING = frozenset(b"[{")


class Unread(Exception):
    """The body is not taken. `problem`: the name of what is wrong with it."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


async def read(headers: Headers, receive: Receive, seconds: float) -> bytes:
    """The whole body, at most `MOST_BYTES`, or `Unread`. What is said to be too large is not waited for."""
    said = headers.get("content-length", "")
    if said.isdigit() and (len(said) > 9 or int(said) > MOST_BYTES):
        raise Unread("BodyTooLarge")
    try:
        async with asyncio.timeout(seconds):
            return await _counted(receive)
    except TimeoutError:
        raise Unread("BodyTooSlow") from None


async def _counted(receive: Receive) -> bytes:
    kept = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Unread("BodyTooSlow")  # the client went away: nobody reads the answer
        kept += message.get("body", b"")
        if len(kept) > MOST_BYTES:
            raise Unread("BodyTooLarge")
        if not message.get("more_body"):
            return bytes(kept)


def check(headers: Headers, body: bytes) -> None:
    """Raise `Unread` for a body that no parser should see: not UTF-8, with NUL, or nested too deep.

    Another encoding would hide from the scanner what the parser then finds. Forms have no depth.
    """
    if not body:
        return
    if b"\0" in body or not _is_text(body):
        raise Unread("BodyNotText")
    # The whole type: a name that only begins like a form's may end in `+json`.
    said = headers.get("content-type", "").partition(";")[0].strip().lower()
    if said not in FORMS and deep(body):
        raise Unread("BodyTooDeep")


def _is_text(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def deep(body: bytes) -> bool:
    """Whether brackets outside of strings are nested deeper than `DEEPEST`. Linear, and no parser."""
    depth = 0
    for sign in STRINGS.sub(b"", body).translate(None, NOT_BRACKETS):
        depth += 1 if sign in OPENING else -1
        if depth > DEEPEST:
            return True
    return False


def again(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body once more, in one piece."""
    given = False

    async def replayed() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed
