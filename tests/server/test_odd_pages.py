"""Pages over odd values: what was kept, or is sent by hand, is never a mistake of ours. No browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import urlencode

import pytest

from memoranda.cli.show import cell
from memoranda.moments import local
from tests.server.serving import Served

FORM = {"content-type": "application/x-www-form-urlencoded"}
ENDS = (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC))
needs_zones = pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone is the system's here")


@pytest.fixture(params=["UTC", "Etc/GMT+12", "Etc/GMT-14"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This machine somewhere else."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@needs_zones
@pytest.mark.usefixtures("zone")
def test_a_time_at_the_end_of_the_calendar_is_shown_in_every_zone(desk: Served) -> None:
    first, last = ENDS
    for moment in ENDS:
        assert local(moment) == moment
        assert cell(moment)
    for origin, text in (
        ("user", "Asha was born long ago."),
        ("external", "The page is very old."),
    ):
        done = desk.memory.remember(text, subject="user:me", origin=origin, observed_at=first)
        desk.memory.remember(f"{text[:-1]} too.", subject="user:me", origin=origin, expires_at=last)
        assert done.id is not None, done.reasons
        assert desk.ask("GET", f"/facts/{done.id}").status == 200
    for fact in desk.memory.facts(status="all"):
        assert desk.ask("GET", f"/facts/{fact.id}").status == 200
    for address in ("/", "/review", "/?as_of=0001-01-01", "/?as_of=9999-12-31T23:59:59"):
        assert desk.ask("GET", address).status in (200, 409), address


@pytest.mark.parametrize("name", ["anchor", "path", "request", "notice", "note", "query", "self"])
def test_back_to_an_address_with_any_name_in_its_query(desk: Served, name: str) -> None:
    done = desk.memory.remember("Asha has a dog.", subject="user:me", origin="user")
    form = urlencode({"operation": done.operation or "", "back": f"/?{name}=x"}).encode()
    got = desk.ask("POST", "/undo", form, FORM)
    assert got.status == 303
    assert got.headers["location"].startswith("/?")
