"""ingest --format memory-server."""

import json

import pytest

from memoranda.cli.codes import DONE, INPUT, USAGE
from tests.cli.running import Inside

ALICE = {"type": "entity", "name": "Alice", "entityType": "person", "observations": ["likes tea"]}
KNOWS = {"type": "relation", "from": "Alice", "to": "Bob", "relationType": "knows"}
ASKED = ("--format", "memory-server")


def written(cli: Inside, *lines: str) -> str:
    path = cli.home.folder / "memory.json"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_what_nobody_answers_for_is_held(cli: Inside) -> None:
    path = written(cli, json.dumps(ALICE), json.dumps(KNOWS))
    done = cli("ingest", path, *ASKED)
    assert done.code == DONE
    assert "3 statements: 0 accepted, 0 confirmed, 3 held" in done.out
    assert "memoranda review" in done.out
    assert cli("facts", "--json").json() == []


def test_the_same_file_twice_adds_nothing(cli: Inside) -> None:
    path = written(cli, json.dumps(ALICE), json.dumps(KNOWS))
    first = cli("ingest", path, *ASKED, "--origin", "user", "--json").json()
    second = cli("ingest", path, *ASKED, "--origin", "user", "--json").json()
    assert (first[0]["accepted"], second[0]["accepted"], second[0]["confirmed"]) == (3, 0, 3)
    assert {fact["fact"] for fact in cli("facts", "--json").json()} == {
        "Alice is of the type person.",
        "Alice: likes tea",
        "Alice knows Bob.",
    }
    run = first[0]["run"]
    assert cli("forget", "--run", run, "--yes").code == DONE
    assert cli("facts", "--json").json() == []


def test_a_torn_line_stops_all_or_is_passed_over(cli: Inside) -> None:
    path = written(cli, json.dumps(ALICE), '{"type": "ent', json.dumps(KNOWS))
    done = cli("ingest", path, *ASKED)
    assert done.code == INPUT
    assert "line 2" in done.err
    assert not cli.home.db.exists()
    done = cli("ingest", path, *ASKED, "--skip-faulty", "--origin", "user")
    assert done.code == INPUT
    assert "line 2" in done.err
    assert "3 accepted" in done.out


@pytest.mark.parametrize("option", [("--origin", "user"), ("--skip-faulty",)], ids=" ".join)
def test_its_options_are_for_it_alone(cli: Inside, option: tuple[str, ...]) -> None:
    path = written(cli, '{"role": "user", "content": "I live in Oslo."}')
    done = cli("ingest", path, *option)
    assert done.code == USAGE
    assert "memory-server" in done.err
    assert not cli.home.db.exists()
