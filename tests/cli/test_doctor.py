"""doctor works on whatever it finds, changes none of it, and says what helps."""

import sqlite3
from collections.abc import Callable

import pytest

from memoranda.cli.codes import STORE, USAGE
from tests.cli.running import Home, Inside


def test_a_healthy_store(cli: Inside) -> None:
    cli.remember("The user has a dog.")
    report = cli("doctor", "--json").json()
    assert report["ok"] is True
    assert report["place"] == str(cli.home.db)
    assert report["chosen_by"] == "MEMORANDA_DB"
    assert report["schema"] >= 1
    assert report["bytes"]
    assert {"extra": "cli", "installed": True, "for": "this command"} in report["optional_parts"]
    plain = cli("doctor")
    assert plain.code == 0
    assert f"place: {cli.home.db}" in plain.out
    assert "ok: yes" in plain.out


def test_bad_habits_are_named(cli: Inside) -> None:
    cli.remember("The user is allergic to nuts.", "--durable", "a matter of life")
    assert "never expire" in cli("doctor").out


def foreign(home: Home) -> None:
    home.db.write_text("a letter to a friend, long enough to be looked at" * 10)


def empty(home: Home) -> None:
    home.db.touch()


def other(home: Home) -> None:
    with sqlite3.connect(home.db) as database:
        database.execute("CREATE TABLE t (x)")
    database.close()


def newer(home: Home) -> None:
    home.run("remember", "The user has a dog.")
    with sqlite3.connect(home.db) as database:
        database.execute("PRAGMA user_version = 999")
        database.execute("UPDATE memoranda_meta SET value = '999' WHERE name = 'schema'")
    database.close()


def corrupt(home: Home) -> None:
    home.run("remember", "The user has a dog.")
    content = bytearray(home.db.read_bytes())
    content[100:8000] = b"\xff" * 7900
    home.db.write_bytes(content)


def folder(home: Home) -> None:
    home.db.mkdir()


def missing(home: Home) -> None:
    assert not home.db.exists()


@pytest.mark.parametrize("made", [foreign, empty, other, newer, corrupt, folder, missing])
@pytest.mark.parametrize("command", [("doctor",), ("facts",), ("remember", "The user has a cat.")])
def test_what_is_no_store_is_told_and_left_alone(
    cli: Inside, made: Callable[[Home], None], command: tuple[str, ...]
) -> None:
    made(cli.home)
    before = cli.home.db.read_bytes() if cli.home.db.is_file() else None
    if made is missing and command[0] == "remember":
        return
    done = cli(*command)
    assert done.code == STORE, done
    said = done.out + done.err
    assert str(cli.home.db) in said
    assert ";" in said or ":" in said
    assert "Traceback" not in said
    assert (cli.home.db.read_bytes() if cli.home.db.is_file() else None) == before


def test_doctor_as_json_without_a_store(cli: Inside) -> None:
    done = cli("doctor", "--json")
    assert done.code == STORE
    assert done.json()["ok"] is False
    assert done.json()["findings"]


def test_faulty_settings_are_a_finding(cli: Inside) -> None:
    cli.remember("The user has a dog.")
    file = cli.home.folder / "s.toml"
    file.write_text("recall_q = 3")
    cli.patch.setenv("MEMORANDA_CONFIG", str(file))
    done = cli("doctor", "--json")
    assert done.code == USAGE
    assert "recall_q" in done.json()["findings"][0]
    other = cli("facts")
    assert other.code == USAGE
    assert str(file) in other.err


def test_the_place_is_told_in_full(cli: Inside) -> None:
    cli.patch.chdir(cli.home.folder)
    cli.remember("The user has a dog.")
    assert cli("doctor", "--db", cli.home.db.name, "--json").json()["place"] == str(cli.home.db)


def settings(cli: Inside, text: str) -> None:
    path = cli.home.folder / "settings.toml"
    path.write_text(text)
    cli.patch.setenv("MEMORANDA_CONFIG", str(path))


def test_which_embedder_there_is_and_how_many_vectors(cli: Inside) -> None:
    cli.remember("The user has a dog.")
    settings(cli, 'embedder = "hashing"')
    report = cli("doctor", "--json").json()
    assert report["embedder"] == "hashing-1, 256 numbers"
    assert report["counts"]["facts without a vector"] == 1
    cli("reembed")
    report = cli("doctor", "--json").json()
    assert report["counts"]["vectors of facts"] == 1
    assert report["findings"] == []


def test_minilm_is_the_commands_own_choice(cli: Inside) -> None:
    pytest.importorskip("onnxruntime")
    cli.remember("The user has a dog.")
    assert cli("doctor", "--json").json()["embedder"].startswith("all-MiniLM-L6-v2-int8, 384")


def test_why_words_alone_count(cli: Inside) -> None:
    cli.remember("The user has a dog.")
    settings(cli, 'embedder = "none"')
    report = cli("doctor", "--json").json()
    assert report["embedder"] == "none, so recall goes by words alone: the settings say so"
    assert report["findings"] == []
    settings(cli, 'embedder = "onnx:/nowhere"')
    done = cli("doctor", "--json")
    assert "no model.onnx" in done.json()["embedder"]
    assert "does not work" in done.json()["findings"][0]
    assert done.code == 0
    # A command that needs none works all the same, and says what it goes without.
    done = cli("facts")
    assert done.code == 0
    assert "words alone" in done.err


def test_an_endpoint_that_is_not_there_is_a_finding(cli: Inside) -> None:
    cli.remember("The user has a dog.")
    settings(
        cli,
        'embedder = "openai"\nembedder_url = "http://127.0.0.1:9/v1"\nembedder_model = "m"\n'
        "embedder_dim = 3\nembedder_seconds = 0.1",
    )
    report = cli("doctor", "--json").json()
    assert "is it running" in report["embedder"]
    assert len(report["findings"]) == 1
