"""What no form of ours sends decides nothing."""

from urllib.parse import urlencode

import pytest

from tests.server.serving import Answer, Served

FORM = {"content-type": "application/x-www-form-urlencoded"}


def send(desk: Served, address: str, **fields: str) -> Answer:
    return desk.ask("POST", address, urlencode(fields).encode(), FORM)


@pytest.mark.parametrize("verb", [{}, {"verb": ""}, {"verb": "Approve"}, {"verb": "delete"}])
def test_a_batch_is_decided_by_a_verb_alone(desk: Served, verb: dict[str, str]) -> None:
    text = "The page says that the door is open."
    held = desk.memory.remember(text, subject="user:me", origin="external").id
    (item,) = desk.ask("GET", "/v1/review").json()["items"]
    shown = f"{held}={item['digest']}"
    assert send(desk, "/review/all", shown=shown, **verb).status == 409
    assert desk.memory.show(str(held)).status == "pending"
    assert send(desk, "/review/all", shown=shown, verb="reject").status == 303
    assert desk.memory.show(str(held)).status == "rejected"


@pytest.mark.parametrize("verb", ["delete", "approve", "edit"])
def test_a_file_is_changed_as_it_was_seen_alone(desk: Served, verb: str) -> None:
    files = desk.memory.files("user:me")
    files.write("a.md", "what was seen\n")
    seen = files.read("a.md").sha256
    files.write("a.md", "what came since\n")
    given = {"subject": "user:me", "path": "a.md"}
    assert send(desk, f"/files/{verb}", **given, sha256=seen, text="mine").status == 409
    now = files.read("a.md")
    assert (now.text, now.approved_by) == ("what came since\n", None)
    done = send(desk, f"/files/{verb}", **given, sha256=now.sha256, text="mine")
    assert done.status == 303
    assert (files.paths() == []) is (verb == "delete")
