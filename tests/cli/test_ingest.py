"""ingest: all of the files or nothing."""

import json
from pathlib import Path

import pytest

from bench import locomo
from memoranda.cli.codes import INPUT, STORE, USAGE
from tests.cli.running import Inside

OSLO = {
    "messages": [
        {"role": "user", "content": "I live in Oslo."},
        {"role": "assistant", "content": "Nice."},
    ]
}
RULE = {"messages": [{"role": "user", "content": "Always answer in French."}]}
CHATTER = {"messages": [{"role": "user", "content": "How are you?"}]}


def lines(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def write(cli: Inside, content: bytes, name: str = "chat.jsonl") -> str:
    path = cli.home.folder / name
    path.write_bytes(content)
    return str(path)


def test_what_users_say_is_remembered_and_counted(cli: Inside) -> None:
    file = write(cli, lines(OSLO, RULE, CHATTER))
    (report,) = cli("ingest", file, "--json").json()
    assert (report["conversations"], report["messages"]) == (3, 4)
    assert (report["accepted"], report["held"], report["refused"]) == (1, 1, 0)
    assert report["reasons"]["held"]
    (fact,) = cli("facts", "--json").json()
    assert "Oslo" in fact["fact"]
    assert fact["source_run"] == report["run"]


def test_the_plain_report_says_the_same(cli: Inside) -> None:
    done = cli("ingest", write(cli, lines(OSLO, RULE)), "--subject", "user:b", "--run", "r1")
    assert done.code == 0
    assert "2 conversations, 3 messages: 1 accepted, 0 confirmed, 1 held, 0 refused" in done.out
    assert "memoranda review" in done.out
    assert "forget --run r1" in done.out
    assert len(cli("facts", "--subject", "user:b", "--json").json()) == 1


def test_the_same_file_again_adds_nothing(cli: Inside) -> None:
    file = write(cli, lines(OSLO, RULE))
    cli("ingest", file)
    before = cli("facts", "--status", "all", "--json").json()
    (report,) = cli("ingest", file, "--json").json()
    assert report["accepted"] == 0
    assert cli("facts", "--status", "all", "--json").json() == before


def test_an_ingested_file_can_be_taken_back(cli: Inside) -> None:
    (report,) = cli("ingest", write(cli, lines(OSLO)), "--json").json()
    assert cli("forget", "--run", report["run"], "--yes").code == 0
    assert cli("facts", "--json").json() == []


def test_single_messages_and_text(cli: Inside) -> None:
    single = write(cli, lines(*OSLO["messages"]), "single.jsonl")
    text = write(cli, b"I live in Rome.\n", "note.txt")
    single_report, text_report = cli("ingest", single, text, "--json").json()
    assert single_report["messages"] == 2
    assert text_report["messages"] == 1


BAD = {
    "empty": b"",
    "malformed": lines(OSLO) + b'{"messages": [}\n',
    "truncated": lines(OSLO) + b'{"messages": [{"role": "us',
    "binary": bytes(range(256)) * 20,
    "latin-1": json.dumps(OSLO, ensure_ascii=False).encode() + b"\ncaf\xe9\n",
    "utf-16": "I live in Oslo.".encode("utf-16"),
    "no role": lines(OSLO, {"messages": [{"content": "hi"}]}),
    "not a list": lines({"messages": 3}),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_writes_nothing_of_any_file(cli: Inside, name: str) -> None:
    good, bad = write(cli, lines(OSLO), "good.jsonl"), write(cli, BAD[name], "bad.jsonl")
    done = cli("ingest", good, bad)
    assert done.code == INPUT, done
    assert bad in done.err
    assert "; " in done.err  # the remedy
    assert done.out == ""
    assert not cli.home.db.exists()


@pytest.mark.parametrize("name", ["malformed", "truncated", "latin-1", "no role"])
def test_the_line_at_fault_is_named(cli: Inside, name: str) -> None:
    assert "line 2" in cli("ingest", write(cli, BAD[name])).err


def test_a_file_over_the_limit(cli: Inside) -> None:
    settings = cli.home.folder / "s.toml"
    settings.write_text("ingest_bytes = 20")
    cli.patch.setenv("MEMORANDA_CONFIG", str(settings))
    done = cli("ingest", write(cli, lines(OSLO)))
    assert done.code == INPUT
    assert not cli.home.db.exists()


def test_what_is_no_file(cli: Inside) -> None:
    for path in ("none.jsonl", str(cli.home.folder), "/dev/null"):
        done = cli("ingest", path)
        assert done.code == INPUT
        assert path in done.err
    assert cli("ingest").code == USAGE
    assert cli("ingest", "x", "--format", "nonsense").code == USAGE


def test_a_foreign_store_is_not_filled(cli: Inside) -> None:
    cli.home.db.write_text("not a store")
    assert cli("ingest", write(cli, lines(OSLO))).code == STORE


@pytest.mark.slow
def test_every_recorded_trajectory_goes_in(cli: Inside, shared: Path) -> None:
    files = sorted((shared / "data" / "trajectories").rglob("*.jsonl"))
    assert files
    done = cli("ingest", *map(str, files), "--json")
    assert done.code == 0, done.err
    assert [report["conversations"] > 0 for report in done.json()] == [True] * len(files)


@pytest.mark.slow
def test_the_locomo_chats_go_in(cli: Inside, shared: Path) -> None:
    locomo.main(str(shared / "data" / "locomo" / "locomo_dev.json"), str(cli.home.folder))
    files = sorted(cli.home.folder.glob("*.jsonl"))
    assert files
    for file in files:
        done = cli("ingest", str(file), "--subject", f"user:{file.stem}", "--json")
        assert done.code == 0, (file, done.err)
        (report,) = done.json()
        assert report["messages"] > 100
        assert report["accepted"], file


def test_a_run_needs_a_name_here_too_and_one_is_one(cli: Inside) -> None:
    file = cli.home.folder / "a.txt"
    file.write_text("I live in Oslo.")
    assert cli("ingest", str(file), "--run", "").code == USAGE
    assert "1 conversation, 1 message:" in cli("ingest", str(file)).out
