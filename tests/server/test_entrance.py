"""The entrance: a link works once and in time, and an agent with the port alone changes nothing."""

import itertools
import re

import pytest
from fastapi.routing import APIRoute, iter_route_contexts

from memoranda.server.doors import hands
from memoranda.server.entrance import COOKIE, LINK_SECONDS, SESSION_SECONDS, Entrance
from tests.server.serving import Served

SAFE = {"GET", "HEAD", "OPTIONS"}
# Ends the session of whoever asks, and there is nothing to end without one.
OPEN = {"/leave"}


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_link_works_once() -> None:
    entrance = Entrance()
    link = entrance.link()
    session = entrance.enter(link)
    assert entrance.knows(session)
    assert entrance.enter(link) is None
    entrance.leave(session)
    assert not entrance.knows(session)


def test_a_new_link_takes_the_place_of_the_one_before() -> None:
    entrance = Entrance()
    first, second = entrance.link(), entrance.link()
    assert entrance.enter(first) is None
    assert entrance.enter(second)


def test_links_and_sessions_end_in_time() -> None:
    clock = Clock()
    entrance = Entrance(clock)
    late = entrance.link()
    clock.now += LINK_SECONDS
    assert entrance.enter(late) is None
    session = entrance.enter(entrance.link())
    clock.now += SESSION_SECONDS - 1
    assert entrance.knows(session)
    clock.now += 1
    assert not entrance.knows(session)


def test_whoever_printed_the_link_is_told_that_it_was_used() -> None:
    entrance, told = Entrance(), []
    entrance.used = lambda: told.append(entrance.link())
    link = entrance.link()
    assert entrance.enter("another") is None
    assert told == []
    assert entrance.enter(link)
    assert entrance.enter(told[0])
    assert len(told) == 2


@pytest.mark.parametrize("odd", [None, "", "\ud800", "x" * 10_000, "*"])
def test_what_is_no_session_is_none(odd: str | None) -> None:
    entrance = Entrance()
    entrance.enter(entrance.link())
    assert not entrance.knows(odd)


def test_the_cookie_is_for_the_server_alone(site: Served) -> None:
    got = site.ask("GET", f"/enter/{site.doors.entrance.link()}")
    flags = got.headers["set-cookie"].lower()
    assert "httponly" in flags
    assert "samesite=strict" in flags
    assert "domain" not in flags


def unsafe(site: Served) -> list[tuple[str, str, APIRoute]]:
    """Every method and address that may change something, of the whole application."""
    return [
        (method, str(context.path), getattr(context, "original_route", None) or context)
        for context in iter_route_contexts(site.app.routes)
        for method in (context.methods or set()) - SAFE
    ]


def needed(dependant: object) -> set[object]:
    below = getattr(dependant, "dependencies", ())
    return {getattr(dependant, "call", None), *(call for one in below for call in needed(one))}


def test_every_route_that_changes_something_needs_the_session(site: Served) -> None:
    routes = unsafe(site)
    assert len(routes) > 15
    for method, path, route in routes:
        if path not in OPEN:
            assert hands in needed(getattr(route, "dependant", None)), (method, path)


def snapshot(site: Served) -> object:
    memory = site.memory
    return (
        memory.operations(limit=1000),
        memory.facts(status="all"),
        memory.subjects(),
        memory.sessions(),
        memory.files("user:me").paths(),
    )


def filled(site: Served) -> str:
    held = site.memory.remember("The page says that the door is open.", subject="user:me", run="r1")
    site.memory.remember("The user has a dog.", subject="user:me", origin="user", run="r1")
    site.memory.files("user:me").write("a.md", "milk\n")
    assert held.id is not None
    return held.id


PRETENCES = (
    {},
    {"cookie": f"{COOKIE}="},
    {"cookie": f"{COOKIE}=forged; {COOKIE}=again"},
    {"cookie": f"{COOKIE}=" + "A" * 43},
    {"cookie": f'{COOKIE}="*"'},
    {
        "x-http-method-override": "POST",
        "x-forwarded-for": "127.0.0.1",
        "authorization": "Basic YTph",
    },
    {"content-type": "text/plain"},
    {"content-type": "application/x-www-form-urlencoded"},
)


def test_the_port_alone_changes_nothing(site: Served) -> None:
    held = filled(site)
    before = snapshot(site)
    body = {"ids": [held], "id": held, "text": "The user has a cat.", "subject": "user:me"}
    for (method, path, _), headers in itertools.product(unsafe(site), PRETENCES):
        if path in OPEN:
            continue
        address = re.sub(r"\{[^}]*\}", held, path)
        got = site.ask(method, address, body, headers)
        assert got.status == 403, (method, path, got)
    assert snapshot(site) == before


METHODS = ("HEAD", "OPTIONS", "TRACE", "CONNECT", "PATCH", "POST", "PURGE", "post")
SPELLINGS = (
    "/v1/review/approve",
    "//v1/review/approve",
    "/v1//review/approve",
    "/v1/../v1/review/approve",
    "/v1/%2e%2e/v1/review/approve",
    "/v1/review%2fapprove",
    "/V1/REVIEW/APPROVE",
    "/v1/review/approve/",
    "/v1/review/approve;x=1",
    "/v1/review/approve?_method=POST",
    "/static/../v1/review/approve",
    "/static/..%2f..%2fapp.py",
    "/./v1/review/approve",
    "/v1/review/approve%00",
)


def test_no_spelling_of_an_address_opens_a_door(site: Served) -> None:
    held = filled(site)
    before = snapshot(site)
    for method, address in itertools.product(METHODS, SPELLINGS):
        assert site.ask(method, address, {"id": held}).status >= 400, (method, address)
    assert snapshot(site) == before


def test_reading_by_get_alone_changes_nothing(site: Served) -> None:
    filled(site)
    before = snapshot(site)
    for context in iter_route_contexts(site.app.routes):
        if "GET" in (context.methods or set()) and context.path != "/enter/{token}":
            site.ask(
                "GET",
                re.sub(r"\{[^}]*\}", "f_1", str(context.path)) + "?subject=user:other&path=a.md",
            )
    assert snapshot(site) == before


def test_a_person_changes_what_the_port_alone_cannot(desk: Served) -> None:
    held = filled(desk)
    assert desk.ask("POST", "/v1/review/approve", {"id": held}).json()["status"] == "accepted"
    leaving = desk.ask("POST", "/leave")
    assert leaving.status == 303
    assert desk.ask("POST", "/v1/undo", {}).status == 403
