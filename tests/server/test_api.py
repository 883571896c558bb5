"""The JSON: what it answers, who may read what, and whether its description says all of that and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest

from memoranda import Memory
from memoranda.errors import MemorandaError
from memoranda.messages import Message, Text
from memoranda.server import sight
from memoranda.server.api.asked import Selection
from memoranda.server.api.description import examples, kinds_of
from memoranda.server.problems import MEDIA, OWN, PREFIX, STATUS, problem
from memoranda.types import Selection as Chosen
from tests.server.serving import WORDS, Served

ODD = (
    "\x00",
    "\ud800",
    "\u202eabc\u2066",
    "a\x1b[2J",
    "\ufeff",
    "'; DROP TABLE agent_facts; --",
    "é" * 200,
)


def told(site: Served, text: str = "The user has a dog.", **more: Any) -> str:
    out = site.memory.remember(text, subject="user:me", **{"origin": "user", **more})
    assert out.id is not None
    return out.id


# What it does


def test_a_person_adds_corrects_and_takes_back(desk: Served) -> None:
    body = {"text": "The user prefers the dark theme.", "subject": "user:me", "attribute": "theme"}
    added = desk.ask("POST", "/v1/facts", {**body, "value": "dark"}).json()
    assert added["status"] == "accepted"
    fact = desk.ask("GET", f"/v1/facts/{added['id']}").json()
    assert (fact["origin"], fact["trust"], fact["status"]) == ("operator", "operator", "live")
    address = f"/v1/facts/{added['id']}/correct"
    text = "The user prefers the light theme."
    better = desk.ask("POST", address, {"text": text, "value": "light"}).json()
    assert better["replaced"] == [added["id"]]
    trace = desk.ask("GET", f"/v1/facts/{better['id']}/why").json()
    assert [one["id"] for one in trace["chain"]] == [added["id"], better["id"]]
    done = desk.ask("POST", f"/v1/facts/{better['id']}/retire", {"why": "a joke"}).json()
    assert (done["verb"], done["why"], done["actor"]) == ("retire", "a joke", "page:asha")
    assert desk.ask("GET", "/v1/facts?subject=user:me").json()["facts"] == []
    undone = desk.ask("POST", "/v1/undo", {"operation": done["id"]}).json()
    assert undone["undo_of"] == done["id"]
    again = desk.ask("POST", "/v1/undo", {"operation": done["id"]})
    assert (again.status, again.problem) == (409, "UndoConflict")


def test_pin_and_unpin(desk: Served) -> None:
    fact = told(desk)
    assert desk.ask("POST", f"/v1/facts/{fact}/pin").json()["reasons"] == ["pinned"]
    block = desk.ask("GET", "/v1/standing?subject=user:me").json()
    assert block["why"] == {fact: "pinned"}
    assert desk.ask("POST", f"/v1/facts/{fact}/unpin").json()["status"] == "accepted"


def test_a_run_is_previewed_rolled_back_and_brought_again(desk: Served) -> None:
    fact = told(desk, run="a run/with ?signs&#", step=3)
    run = {"run": "a run/with ?signs&#", "steps": {"first": 1, "last": 5}}
    assert [one["run"] for one in desk.ask("GET", "/v1/runs").json()["runs"]] == [run["run"]]
    taken = desk.ask("POST", "/v1/runs/preview", run).json()["facts"]
    assert [one["id"] for one in taken] == [fact]
    done = desk.ask("POST", "/v1/runs/rollback", {"of_run": run, "why": "poisoned"}).json()
    assert done["facts"] == [fact]
    nothing = desk.ask("POST", "/v1/runs/rollback", {"of_run": {"run": "no such run"}})
    assert nothing.status == 409
    assert desk.ask("POST", "/v1/undo", {}).status == 200
    assert len(desk.ask("GET", "/v1/facts").json()["facts"]) == 1


def test_an_erasure_is_previewed_and_done(desk: Served) -> None:
    fact = told(desk, WORDS)
    chosen = {"selection": {"ids": [fact]}}
    seen = desk.ask("POST", "/v1/selections/preview", {**chosen, "erase": True}).json()["facts"]
    assert [one["id"] for one in seen] == [fact]
    done = desk.ask("POST", "/v1/selections/erase", chosen).json()
    assert done["ids"] == [fact]
    assert done["byte_hits"] == 0
    assert desk.ask("GET", f"/v1/facts/{fact}").problem == "UnknownFact"


def test_only_what_was_seen_is_erased(desk: Served) -> None:
    told(desk, WORDS, run="r")
    chosen = {"selection": {"of_run": {"run": "r"}}}
    seen = desk.ask("POST", "/v1/selections/preview", {**chosen, "erase": True}).json()
    told(desk, "The user said that the garden gate is green.", run="r")
    other = desk.ask("POST", "/v1/selections/erase", {**chosen, "digest": seen["digest"]})
    assert (other.status, other.problem) == (409, "UsageError")
    assert len(desk.memory.facts()) == 2
    again = desk.ask("POST", "/v1/selections/preview", {**chosen, "erase": True}).json()
    done = desk.ask("POST", "/v1/selections/erase", {**chosen, "digest": again["digest"]})
    assert len(done.json()["ids"]) == 2


def test_only_what_was_seen_is_approved(desk: Served) -> None:
    older, newer = [
        told(desk, f"The user lives in {town}.", attribute="home", value=town, origin="external")
        for town in ("Graz", "Wels")
    ]

    def digest() -> str:
        items = desk.ask("GET", "/v1/review").json()["items"]
        return next(one["digest"] for one in items if one["fact"]["id"] == newer)

    seen = digest()
    # Now approval of the newer one would replace something that was not shown.
    desk.doors.reviewer.approve(older)
    for address, body in (
        ("approve", {"id": newer, "digest": seen}),
        ("approve-many", {"ids": [newer], "digests": [seen]}),
        ("approve-many", {"ids": [newer], "digests": [seen, seen]}),
    ):
        assert desk.ask("POST", f"/v1/review/{address}", body).status == 409
    assert desk.memory.show(newer).status == "pending"
    done = desk.ask("POST", "/v1/review/approve", {"id": newer, "digest": digest()})
    assert done.json()["replaced"] == [older]


def test_the_queue_is_decided(desk: Served) -> None:
    ids = [
        told(desk, f"The page says door {n} is open.", origin="external", run="r") for n in range(5)
    ]
    waiting = desk.ask("GET", "/v1/review?run=r&size=3").json()["items"]
    assert [one["fact"]["id"] for one in waiting] == ids[:3]
    assert "external-origin" in waiting[0]["reasons"]
    edited = {"id": ids[0], "text": "The user's door 0 is open."}
    assert desk.ask("POST", "/v1/review/approve", edited).json()["status"] == "accepted"
    many = desk.ask("POST", "/v1/review/approve-many", {"ids": ids[1:3]}).json()["outcomes"]
    assert [one["status"] for one in many] == ["accepted", "accepted"]
    assert desk.ask("POST", "/v1/review/reject", {"ids": [ids[3]], "why": "no"}).json() == {
        "count": 1
    }
    assert desk.ask("POST", "/v1/review/reject-all", {"run": "r"}).json() == {"count": 1}
    assert desk.ask("GET", "/v1/review").json() == {"items": []}
    assert desk.memory.show(ids[1]).approved_by == "asha"


def test_files_are_written_compared_restored_and_deleted(desk: Served) -> None:
    at = {"subject": "user:me", "path": "notes/a b.md"}
    query = "?subject=user:me&path=notes/a%20b.md"
    assert desk.ask("PUT", "/v1/file", {**at, "text": "milk\n", "if_sha256": ""}).status == 200
    first = desk.ask("GET", "/v1/file" + query).json()
    assert (
        desk.ask("PUT", "/v1/file", {**at, "text": "tea\n", "if_sha256": ""}).problem
        == "FileChanged"
    )
    seen = {"if_sha256": first["sha256"]}
    assert desk.ask("PUT", "/v1/file", {**at, "text": "tea\n", **seen}).status == 200
    assert "+tea" in desk.ask("GET", "/v1/file/diff" + query).json()["diff"]
    versions = desk.ask("GET", "/v1/file/history" + query).json()["versions"]
    assert [one["n"] for one in versions] == [2, 1]
    assert versions[0]["actor"] == "page:asha"
    assert desk.ask("POST", "/v1/file/restore", {**at, "n": 1}).status == 200
    assert desk.ask("GET", "/v1/file" + query).json()["text"] == "milk\n"
    assert desk.ask("GET", "/v1/files/paths?subject=user:me").json()["paths"] == [
        "/memories/notes/a b.md"
    ]
    assert desk.ask("GET", "/v1/files").json()["subjects"][0]["subject"] == "user:me"
    assert desk.ask("DELETE", "/v1/file" + query).status == 204
    assert desk.ask("GET", "/v1/file" + query).problem == "FileMissing"
    up = desk.ask("GET", "/v1/file?subject=user:me&path=../../etc/passwd")
    assert (up.status, up.problem) == (409, "PathRefused")
    assert desk.ask("GET", "/v1/project?subject=user:me").problem == "FileMissing"


def test_looking_makes_no_folder(tmp_path: Path) -> None:
    from memoranda.errors import FileMissing
    from memoranda.server.api.files import opened
    from memoranda.settings import Settings

    folder = tmp_path / "files"
    with Memory.open(tmp_path / "m.db", settings=Settings(files_folder=str(folder))) as memory:
        with pytest.raises(FileMissing), opened(memory, "user:me"):
            pass
        assert not folder.exists()
        with opened(memory, "user:me", make=True) as files:
            files.write("a.md", "milk\n")
        with opened(memory, "user:me") as files:
            assert files.paths() == ["/memories/a.md"]


def test_a_session_is_read_and_its_window_is_built_again(desk: Served) -> None:
    memory = desk.memory
    told(desk, "The user prefers the dark theme.")
    window = memory.window(session="s/1 ?", subject="user:me", run="r")
    window.build("Which theme do I prefer?")
    window.append(Message("assistant", (Text("The dark one."),)))
    name = "s/1%20%3F"
    assert [one["session"] for one in desk.ask("GET", "/v1/sessions").json()["sessions"]] == [
        "s/1 ?"
    ]
    page = desk.ask("GET", f"/v1/messages?session={name}&size=1").json()
    assert [one["n"] for one in page["messages"]] == [1]
    rest = desk.ask("GET", f"/v1/messages?session={name}&after={page['after']}").json()
    assert [one["role"] for one in rest["messages"]] == ["assistant"]
    calls = desk.ask("GET", f"/v1/window?session={name}").json()["calls"]
    step = calls[0]["step"]
    built = desk.ask("GET", f"/v1/window/request?session={name}&step={step}").json()
    assert "Which theme do I prefer?" in json.dumps(built["messages"])
    small = desk.ask("GET", f"/v1/window/request?session={name}&step={step}&budget=1")
    assert small.status == 409
    receipts = desk.ask("GET", f"/v1/receipts?session={name}").json()["receipts"]
    found = desk.ask("GET", f"/v1/receipts/{receipts[0]['id']}").json()
    assert found["chosen"][0]["fact"]["fact"] == "The user prefers the dark theme."
    assert desk.ask("GET", "/v1/messages?session=none").problem == "UnknownSession"
    assert desk.ask("GET", "/v1/receipts/r_none").problem == "UnknownReceipt"


def test_recall_is_looked_at_and_leaves_no_receipt(site: Served) -> None:
    told(site, "The user prefers the dark theme.")
    found = site.ask("GET", "/v1/recall?subject=user:me&query=which+theme").json()
    assert [one["fact"] for one in found["facts"]] == ["The user prefers the dark theme."]
    assert found["chosen"][0]["id"] == found["facts"][0]["id"]
    assert site.memory.receipts() == []


def test_lists_go_on_where_the_page_before_ended(site: Served) -> None:
    for n in range(7):
        told(site, f"The user has visited {n + 2} towns.")
    seen, after = [], ""
    while True:
        page = site.ask("GET", f"/v1/facts?size=3{after}").json()
        seen += [one["id"] for one in page["facts"]]
        if page["after"] is None:
            break
        after = f"&after={page['after']}"
    assert seen == [fact.id for fact in site.memory.facts()]
    assert site.ask("GET", "/v1/facts?after=bm9uc2Vuc2U").status == 409


# Who may read what


def waiting(site: Served) -> list[str]:
    """Facts of every state that holds WORDS and is not believed, with their ids."""
    pending = told(site, WORDS, origin="external")
    rejected = told(site, WORDS.replace("cellar", "garden"), origin="external")
    site.doors.reviewer.reject([rejected])
    gone = told(site, WORDS.replace("cellar", "attic"))
    site.memory.retire(gone)
    told(site, "The user has a cat.", derived_from=[gone])
    site.memory.observe(
        [Message("user", (Text(WORDS),), origin="external")],
        subject="user:me",
        session="s1",
        run="r1",
    )
    return [pending, rejected, gone]


def test_what_waits_or_was_taken_back_is_for_a_person_alone(site: Served) -> None:
    ids = waiting(site)
    told(site)
    addresses = [
        "/v1/facts",
        *(
            f"/v1/facts?status={one}"
            for one in ("pending", "rejected", "retired", "superseded", "expired", "all")
        ),
        "/v1/facts?as_of=2100-01-01T00:00:00Z",
        "/v1/facts?words=blue+stone",
        *(f"/v1/facts/{one}{part}" for one in ids for part in ("", "/why", "/blast")),
        "/v1/review",
        "/v1/recall?subject=user:me&query=blue+stone",
        "/v1/recall?subject=user:me&query=blue+stone&as_of=2100-01-01T00:00:00Z",
        "/v1/standing?subject=user:me&as_of=2100-01-01T00:00:00Z",
        "/v1/messages?session=s1",
        "/v1/window?session=s1",
        "/v1/window/request?session=s1&step=1",
        "/v1/subjects",
        "/v1/runs",
        "/v1/operations",
        "/v1/receipts",
        "/v1/sessions",
        "/v1/health",
        "/openapi.json",
        "/health",
    ]
    for address in addresses:
        assert b"blue stone" not in site.ask("GET", address).body, address
    site.enter()
    seen = [address for address in addresses if b"blue stone" in site.ask("GET", address).body]
    assert len(seen) > 10


@pytest.mark.parametrize(
    ("question", "word"),
    [("Where is the cellar key?", "blue stone"), ("Who is the ibex of the user?", "Nepomuk")],
)
def test_a_receipt_tells_everybody_ids_and_a_person_the_words(
    site: Served, question: str, word: str
) -> None:
    fact = told(site, WORDS)
    site.memory.window(session="s1", subject="user:me").build("My ibex is called Nepomuk.")
    site.memory.window(session="s2", subject="user:me").build(question)
    site.memory.retire(fact)
    (entry,) = site.memory.receipts(session="s2")
    address = f"/v1/receipts/{entry.id}"
    seen = site.ask("GET", address)
    assert len(seen.json()["chosen"]) == entry.chosen
    assert word.encode() not in seen.body
    site.enter()
    assert word.encode() in site.ask("GET", address).body


@pytest.mark.parametrize(
    "address",
    [
        "/v1/facts?",
        "/v1/facts?subject=user:me&",
        "/v1/recall?subject=user:me&query=dog&",
        "/v1/standing?subject=user:me&",
    ],
)
def test_the_past_is_for_a_person(site: Served, address: str) -> None:
    fact = told(site)
    then = site.memory.show(fact).created_at.isoformat().replace("+00:00", "Z")
    site.memory.retire(fact)
    assert site.ask("GET", f"{address}as_of={then}").problem == "NotAllowed"
    site.enter()
    assert site.ask("GET", f"{address}as_of={then}").status == 200


def test_reading_what_is_believed_needs_nothing(site: Served) -> None:
    fact = told(site)
    for address in (
        "/",
        "/health",
        "/openapi.json",
        "/v1/facts?subject=user:me",
        f"/v1/facts/{fact}/why",
    ):
        assert site.ask("GET", address).status == 200, address


def test_looking_for_damage_reads_the_whole_store_and_is_for_a_person(site: Served) -> None:
    told(site)
    assert site.ask("GET", "/v1/health").json()["thorough"] is False
    for address in ("/v1/health/thorough", "/store/check"):
        assert site.ask("GET", address).status == 403, address
    site.enter()
    assert site.ask("GET", "/v1/health/thorough").json()["thorough"] is True
    assert b"every byte" in site.ask("GET", "/store/check").body


# What goes wrong


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_odd_text_is_answered_and_never_a_fault(desk: Served, odd: str) -> None:
    from urllib.parse import quote

    spelt = quote(odd, errors="surrogatepass")
    fact = told(desk)
    answers = [
        desk.ask(
            "POST",
            "/v1/facts",
            {"text": odd, "subject": odd, "tags": [odd], "value": odd, "attribute": odd},
        ),
        desk.ask("POST", "/v1/facts", {"text": f"The user has {odd} dogs.", "subject": "user:me"}),
        desk.ask("POST", "/v1/facts", {odd: odd}),
        desk.ask("POST", f"/v1/facts/{fact}/correct", {"text": odd, "value": odd}),
        desk.ask("POST", f"/v1/facts/{fact}/retire", {"why": odd}),
        desk.ask("POST", "/v1/undo", {"operation": odd}),
        desk.ask("POST", "/v1/runs/rollback", {"of_run": {"run": odd}}),
        desk.ask("POST", "/v1/selections/preview", {"selection": {"tag": odd, "source": odd}}),
        desk.ask("PUT", "/v1/file", {"subject": odd, "path": odd, "text": odd}),
        desk.ask("PUT", "/v1/file", {"subject": "user:me", "path": "a.md", "text": odd}),
        *(
            desk.ask("GET", f"/v1/{one}={spelt}")
            for one in (
                "facts?subject",
                "facts?words",
                "facts?tag",
                "facts?after",
                "messages?session",
                "recall?subject=user:me&query",
                "file?subject=user:me&path",
                "review?source",
                "subjects?words",
            )
        ),
        desk.ask("GET", f"/v1/facts/{spelt}"),
    ]
    for got in answers:
        assert got.status < 500, got
        assert got.body.isascii()
        json.loads(got.body)


def test_what_does_not_fit_is_told_without_what_was_sent(desk: Served) -> None:
    said = "hunter2"
    for body in (
        {"text": said, "subject": 7},
        {"text": [said], "subject": "user:me"},
        {"text": "x", "subject": "user:me", said: 1},
        {"text": "x", "subject": "user:me", "kind": said},
        {"text": "x", "subject": "user:me", "expires_at": said},
        {"text": "x", "subject": said + "\x00"},
        [said],
        said,
    ):
        got = desk.ask("POST", "/v1/facts", body)
        assert (got.status, got.problem) == (422, "Invalid")
        assert said.encode() not in got.body
        assert got.json()["errors"]
    got = desk.ask("POST", "/v1/facts", f'{{"text": {said}'.encode())
    assert (got.status, said.encode() in got.body) == (422, False)


def test_a_body_that_does_not_say_that_it_is_json_is_told_so(desk: Served) -> None:
    form = {"content-type": "application/x-www-form-urlencoded"}
    got = desk.ask("POST", "/v1/facts", {"text": "x", "subject": "user:me"}, form)
    assert (got.status, got.problem) == (422, "Invalid")
    assert "Content-Type: application/json" in got.json()["errors"][0]["problem"]


def test_an_address_or_method_that_is_not_there(site: Served) -> None:
    got = site.ask("GET", "/v1/nothing")
    assert (got.status, got.problem) == (404, "NotFound")
    got = site.ask("PATCH", "/v1/facts")
    assert (got.status, got.problem) == (405, "MethodNotAllowed")
    assert got.headers["allow"] == "GET, POST"
    page = site.ask("GET", "/nothing")
    assert (page.status, page.headers["content-type"]) == (404, "text/html; charset=utf-8")


def test_a_mistake_of_ours_is_told_without_contents(
    site: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError(WORDS)

    fact = told(site)
    monkeypatch.setattr(sight, "read_by", broken)
    got = site.ask("GET", f"/v1/facts/{fact}")
    assert (got.status, got.problem) == (500, "Unforeseen")
    assert b"blue stone" not in got.body
    (line,) = caplog.messages
    assert line.startswith("unforeseen RuntimeError at server/api/facts.py:")
    assert "blue stone" not in caplog.text
    assert site.ask("GET", "/health").status == 200


def test_a_closed_store_is_not_well(site: Served) -> None:
    site.memory.close()
    got = site.ask("GET", "/health")
    assert (got.status, got.json()["ok"]) == (503, False)
    assert site.ask("GET", "/v1/facts").problem == "StoreClosed"


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("2100-01-01T00:00:00Z", "2100-01-01T00:00:00Z"),
        ("2100-01-01T01:00:00.123456789+01:00", "2100-01-01T00:00:00.123456Z"),
        ("9999-12-31T23:59:59-12:00", "9999-12-31T23:59:59.999999Z"),
    ],
)
def test_times_have_a_zone_and_are_told_in_utc(desk: Served, said: str, kept: str) -> None:
    body = {"text": "The user has a dog.", "subject": "user:me", "expires_at": said}
    fact = desk.ask("POST", "/v1/facts", body).json()["id"]
    assert desk.ask("GET", f"/v1/facts/{fact}").json()["expires_at"] == kept


@pytest.mark.parametrize(
    "said", ["2100-01-01", "2100-01-01T00:00:00", "4102444800", "tomorrow", "2100-02-30T00:00:00Z"]
)
def test_a_time_without_a_zone_is_a_guess(desk: Served, said: str) -> None:
    body = {"text": "The user has a dog.", "subject": "user:me", "expires_at": said}
    assert desk.ask("POST", "/v1/facts", body).status == 422
    assert desk.ask("GET", f"/v1/facts?as_of={said}").status == 422


def test_a_whole_number_is_one_however_json_spells_it(desk: Served) -> None:
    for first, fits in (
        (3, True),
        (3.0, True),
        (3.5, False),
        ("3", False),
        (True, False),
        (2**60, False),
    ):
        body = {"run": "r", "steps": {"first": first, "last": 2**53 - 1}}
        assert (desk.ask("POST", "/v1/runs/preview", body).status == 200) is fits, first


def test_a_selection_names_something() -> None:
    every = set(Selection.model_fields) - {"of_run", "sought"}
    assert every | {"run", "steps", "query"} == set(Chosen.__slots__)


# The description


def described(site: Served) -> Any:
    return site.ask("GET", "/openapi.json").json()


def test_every_error_class_is_described_and_nothing_else(site: Served) -> None:
    schema = described(site)
    names = {
        kind.__name__ for kind in kinds_of(MemorandaError) if kind.__module__ == "memoranda.errors"
    }
    assert {kind.__name__ for kind, _ in STATUS} <= names
    assert set(schema["components"]["examples"]) == names | set(OWN)
    for name, example in schema["components"]["examples"].items():
        assert example["value"]["type"] == PREFIX + name
    used = json.dumps(schema["paths"])
    for name in names | set(OWN):
        assert f"#/components/examples/{name}" in used, name


def test_an_example_stands_at_its_own_status(site: Served) -> None:
    schema = described(site)
    values = schema["components"]["examples"]
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            for status, response in operation["responses"].items():
                content = response.get("content", {})
                for reference in content.get(MEDIA, {}).get("examples", {}).values():
                    name = reference["$ref"].rpartition("/")[2]
                    assert str(values[name]["value"]["status"]) == status, (path, method, name)


def test_every_route_is_described_whole(site: Served) -> None:
    from fastapi.routing import iter_route_contexts

    schema = described(site)
    routes = {
        (method.lower(), context.path)
        for context in iter_route_contexts(site.app.routes)
        if str(context.path).startswith(("/v1", "/health"))
        for method in context.methods or ()
    }
    said = {(method, path) for path, methods in schema["paths"].items() for method in methods}
    assert said == routes
    ids = [
        operation["operationId"]
        for methods in schema["paths"].values()
        for operation in methods.values()
    ]
    assert len(set(ids)) == len(ids)
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            where = (method, path)
            assert operation["tags"], where
            assert operation["summary"], where
            assert operation["description"], where
            assert (
                all("examples" in json.dumps(one) for one in operation.get("parameters", ()))
                or path
            ), where
            if method != "get":
                assert operation["security"] == [{"session": []}], where
            body = operation.get("requestBody")
            if body:
                name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
                assert schema["components"]["schemas"][name]["examples"], where
            for status in (
                "400",
                "403",
                "404",
                "405",
                "408",
                "409",
                "413",
                "414",
                "421",
                "422",
                "431",
                "500",
                "503",
            ):
                assert status in operation["responses"], (where, status)
    assert schema["components"]["securitySchemes"]["session"]["in"] == "cookie"


def test_the_examples_of_answers_are_answers(site: Served) -> None:
    from memoranda.server.api import asked, told, told_log
    from memoranda.server.api.fields import Answer, Body

    for module in (asked, told, told_log):
        for model in vars(module).values():
            if isinstance(model, type) and issubclass(model, Answer | Body):
                extra = model.model_config.get("json_schema_extra") or {}
                assert isinstance(extra, dict)
                for example in extra.get("examples", []):
                    model.model_validate(example)


def test_the_description_stays_the_same(site: Served) -> None:
    first = site.ask("GET", "/openapi.json").body
    assert site.ask("GET", "/openapi.json").body == first


def test_problems_are_of_one_form() -> None:
    for name, example in examples().items():
        assert {"type", "title", "status", "detail"} <= set(example["value"]), name
    assert "errors" not in problem(404, "x")
