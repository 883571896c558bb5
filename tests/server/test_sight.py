"""What the port alone shows: every address is asked, and nothing of what waits or was taken back is there."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import pytest
from fastapi.routing import iter_route_contexts

from tests.server.serving import Served

# Each is a word that stands in one place alone.
HIDDEN = (
    *("HELDTEXT", "HELDREF", "HELDTAG", "HELDVALUE", "HELDQUOTE", "HELDSUBJECT", "HELDTOWN"),
    *("DENIEDTEXT", "DENIEDSUBJECT", "DENIEDREASON"),
    *("GONETEXT", "GONESUBJECT", "GONEREASON", "OLDTEXT", "OLDFILE", "GONEFILE"),
    *("NEVERNAME", "NEVERWORDS", "SAIDWORDS"),
)


def filled(site: Served) -> dict[str, list[str]]:
    """Something of every kind that is not for everybody; the ids by what stands in addresses."""
    memory, ids = site.memory, []

    def said(text: str, **named: object) -> str:
        done = memory.remember(text, **{"subject": "user:me", "origin": "user", **named})  # type: ignore[arg-type]
        assert done.id is not None, done.reasons
        ids.append(done.id)
        return done.id

    live = said("Asha lives in Linz.", attribute="home", value="Linz", run="r1", step=1)
    outside = {"origin": "external", "run": "r1"}
    said(
        "The page says HELDTEXT is true.",
        **outside,
        source_ref="https://HELDREF/",
        tags=["HELDTAG"],
        attribute="page",
        value="HELDVALUE",
        quote="HELDQUOTE it said",
    )
    said("The page says HELDTEXT too.", **outside, subject="user:HELDSUBJECT", derived_from=[live])
    said("Asha lives in HELDTOWN.", **outside, attribute="home", value="HELDTOWN")
    turned = said("The page says DENIEDTEXT.", **outside, subject="user:DENIEDSUBJECT")
    site.doors.reviewer.reject([turned], why="DENIEDREASON")
    gone = said("Asha owns GONETEXT.", run="r1", subject="user:GONESUBJECT", derived_from=[live])
    memory.retire(gone, why="GONEREASON")
    back = said("Asha has a dog.", run="r1")
    memory.undo(memory.retire(back, why="GONEREASON").id)
    old = said("Asha works at OLDTEXT.", attribute="job", value="OLDTEXT", run="r1")
    ids.append(memory.correct(old, "Asha works at Newco.", value="Newco").id or "")
    with closing(memory.files("user:me")) as files:
        files.write("a.md", "OLDFILE\nmilk\n")
        files.write("a.md", "milk\ntea\n")
        files.write("GONEFILE.md", "GONEFILE\n")
        files.remove("GONEFILE.md")
    memory.never_add("NEVERNAME", words="NEVERWORDS")
    memory.window(session="s1", subject="user:me", budget=8000, run="r1").build(
        "SAIDWORDS: where does Asha live?"
    )
    return {
        "fact_id": ids,
        "operation_id": [one.id for one in memory.operations(limit=100)],
        "receipt_id": [one.id for one in memory.receipts()],
        "receipt": [one.id for one in memory.receipts()],
        "token": ["none"],
    }


def addresses(site: Served, ids: dict[str, list[str]]) -> Iterator[str]:
    """Every address that is read, with each id, and with whatever a query can name."""
    common = {"subject": "user:me", "session": "s1", "run": "r1", "query": "where", "step": "1"}
    more = ({}, {"old": 1, "new": 2}, {"new": 1}, {"q": "Asha", "words": "e"})
    queries = [
        urlencode({**common, "path": path, **extra})
        for path, extra in itertools.product(("a.md", "GONEFILE.md"), more)
    ]
    for context in iter_route_contexts(site.app.routes):
        path = str(context.path)
        if "GET" not in (context.methods or ()):
            continue
        named = re.search(r"\{(\w+)\}", path)
        for one in ids[named[1]] if named else [""]:
            plain = path.replace(f"{{{named[1]}}}", one) if named else path
            yield plain
            if not named:
                yield from (f"{plain}?{query}" for query in queries)


def test_nothing_that_waits_or_was_taken_back_is_shown(site: Served) -> None:
    ids = filled(site)
    seen = {}
    for address in addresses(site, ids):
        got = site.ask("GET", address)
        assert got.status < 500, address
        text = got.body.decode()
        found = [word for word in HIDDEN if word in text and word not in address]
        if found:
            seen[address] = found
    assert seen == {}


def test_a_person_finds_all_of_it(desk: Served) -> None:
    ids = filled(desk)
    texts = [desk.ask("GET", address).body.decode() for address in addresses(desk, ids)]
    assert [word for word in HIDDEN if not any(word in text for text in texts)] == []


@pytest.mark.parametrize("address", ["/v1/subjects", "/v1/runs", "/v1/operations"])
def test_what_is_believed_stays_in_the_lists(site: Served, address: str) -> None:
    filled(site)
    text = site.ask("GET", address).body.decode()
    assert ("user:me" in text) or ('"run":"r1"' in text)


def test_what_has_expired_is_not_believed_and_not_for_everybody(site: Served) -> None:
    soon = datetime.now(UTC) + timedelta(seconds=1)
    done = site.memory.remember(
        "Asha has a guest.", subject="user:me", origin="user", expires_at=soon
    )
    address = (f"/v1/facts/{done.id}", f"/facts/{done.id}")
    while datetime.now(UTC) <= soon:
        assert site.memory.show(str(done.id)).status == "live"
    assert [site.ask("GET", one).status for one in address] == [403, 403]
    site.enter()
    assert [site.ask("GET", one).status for one in address] == [200, 200]
