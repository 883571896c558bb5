"""remember, recall, facts, show, why, correct."""

import dataclasses
from datetime import UTC, datetime, timedelta

import pytest

from memoranda.cli.codes import NOT_DONE, STORE, USAGE
from memoranda.types import Fact, FactFilter
from tests.cli.running import Inside

THEME = "The user prefers the dark theme."


def test_what_one_process_remembers_another_recalls(cli: Inside) -> None:
    fact = cli.home.run("remember", THEME, "--json").json()
    got = cli.home.run("recall", "which theme?", "--json").json()
    assert fact["status"] == "accepted"
    assert [found["id"] for found in got["facts"]] == [fact["id"]]


def test_remember_says_what_the_gate_did(cli: Inside) -> None:
    first = cli("remember", THEME)
    assert first.code == 0
    assert first.out.startswith("accepted f_")
    again = cli("remember", THEME)
    assert (again.code, again.out.split()[0]) == (0, "confirmed")


def test_what_is_held_is_done_and_said(cli: Inside) -> None:
    held = cli("remember", THEME, "--origin", "external")
    assert held.code == 0
    assert held.out.startswith("held f_")
    assert "external-origin" in held.out
    assert "memoranda review" in held.out
    assert cli("recall", "theme", "--json").json()["facts"] == []


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((THEME, "--origin", "model"), "model-origin"),
        (("The user's key is AKIAIOSFODNN7EXAMPLE.",), "secret"),
        (("   ",), "empty"),
    ],
    ids=str,
)
def test_refused_is_not_done_and_has_a_reason(
    cli: Inside, arguments: tuple[str, ...], reason: str
) -> None:
    done = cli("remember", *arguments)
    assert done.code == NOT_DONE
    assert done.out.startswith("refused")
    assert reason in done.out
    assert "AKIA" not in done.out + done.err
    assert cli("facts", "--status", "all", "--json").json() == []


def test_every_option_of_remember_arrives(cli: Inside) -> None:
    fact_id = cli.remember(
        "User 8812 has a flight to Oslo.",
        *("--subject", "user:8812", "--kind", "plan", "--tag", "travel", "--tag", "work"),
        *("--origin", "user", "--run", "r1", "--expires", "2w"),
    )
    fact = cli("show", fact_id, "--json").json()
    assert fact["subject"] == "user:8812"
    assert fact["kind"] == "plan"
    assert fact["tags"] == ["travel", "work"]
    assert (fact["origin"], fact["source_run"]) == ("user", "r1")
    until = datetime.fromisoformat(fact["expires_at"])
    assert abs(until - datetime.now(UTC) - timedelta(weeks=2)) < timedelta(minutes=5)


def test_a_fact_can_be_kept_for_a_reason(cli: Inside) -> None:
    fact_id = cli.remember("The user is allergic to nuts.", "--durable", "a matter of life")
    fact = cli("show", fact_id, "--json").json()
    assert (fact["expires_at"], fact["durable_reason"]) == (None, "a matter of life")


@pytest.mark.parametrize(
    "options",
    [
        ("--durable", "why", "--expires", "3d"),
        ("--durable", " "),
        ("--expires", "yesterday"),
        ("--expires", "2001-01-01"),
        ("--origin", "nobody"),
        ("--kind", "nothing"),
        ("--subject", ""),
        ("--nonsense",),
    ],
    ids=str,
)
def test_wrong_options_touch_nothing(cli: Inside, options: tuple[str, ...]) -> None:
    done = cli("remember", THEME, *options)
    assert done.code == USAGE, done
    assert done.out == ""
    assert options[0].lstrip("-") in done.err


def test_a_new_value_of_an_attribute_replaces_the_old(cli: Inside) -> None:
    home = ("--attribute", "home", "--value")
    old = cli.remember("The user lives in Rome.", *home, "Rome")
    new = cli("remember", "The user lives in Oslo.", *home, "Oslo")
    assert f"[replaces {old}]" in new.out
    assert [f["fact"] for f in cli("facts", "--json").json()] == ["The user lives in Oslo."]
    assert [f["id"] for f in cli("facts", "--status", "superseded", "--json").json()] == [old]


def test_facts_as_json_have_the_columns_of_the_table(cli: Inside) -> None:
    assert cli.remember(THEME)
    (fact,) = cli("facts", "--json").json()
    assert list(fact) == [field.name for field in dataclasses.fields(Fact)]


def test_facts_in_a_pipe_are_lines_with_tabs(cli: Inside) -> None:
    fact_id = cli.remember(THEME)
    assert cli("facts").out == f"{fact_id}\tlive\tuser:me\toperator\t{THEME}\n"


def test_nothing_found_is_an_answer(cli: Inside) -> None:
    assert cli.remember(THEME)
    for command in (("facts", "--tag", "none"), ("recall", "weather in Lima")):
        done = cli(*command)
        assert (done.code, done.out) == (0, "")
        assert done.err


def test_the_states_are_those_of_the_library(cli: Inside) -> None:
    assert cli.remember(THEME)
    for status in FactFilter.__args__:  # type: ignore[attr-defined]
        assert cli("facts", "--status", status, "--json").code == 0


def test_recall_asks_of_all_subjects_that_are_named(cli: Inside) -> None:
    cli.remember(THEME, "--subject", "user:a")
    cli.remember("The team prefers the light theme.", "--subject", "team:b")
    both = ("--subject", "user:a", "--subject", "team:b")
    assert len(cli("recall", "theme", *both, "--json").json()["facts"]) == 2
    assert len(cli("recall", "theme", *both, "-k", "1", "--json").json()["facts"]) == 1
    assert cli("recall", "theme", "--json").json()["facts"] == []


def test_recall_answers_as_of_a_time(cli: Inside) -> None:
    cli.remember(THEME)
    before = cli("recall", "theme", "--as-of", "2020-01-01", "--json")
    assert before.json()["facts"] == []
    now = datetime.now(UTC).isoformat()
    assert len(cli("recall", "theme", "--as-of", now, "--json").json()["facts"]) == 1
    assert cli("recall", "theme", "--as-of", "then").code == USAGE


def test_recall_says_why(cli: Inside) -> None:
    fact_id = cli.remember(THEME)
    out = cli("recall", "theme", "--why").out
    assert f"chosen\t{fact_id}\t0." in out
    assert "considered 1" in out


def test_why_tells_the_story_of_a_fact(cli: Inside) -> None:
    fact_id = cli.remember(THEME, "--run", "r7")
    cli("recall", "theme")
    new = cli("correct", fact_id, "The user prefers the light theme.", "--json").json()
    out = cli("why", new["id"]).out
    assert "The user prefers the light theme." in out
    assert f"version {fact_id} superseded: {THEME}" in out
    assert "by command:asha" in out
    assert "run r7" in cli("why", fact_id).out
    assert cli("why", fact_id, "--json").json()["fact"]["id"] == fact_id


def test_correct_replaces_and_keeps_the_trace(cli: Inside) -> None:
    fact_id = cli.remember(THEME)
    done = cli("correct", fact_id, "The user prefers the light theme.")
    assert done.code == 0
    assert f"[replaces {fact_id}]" in done.out
    assert [f["fact"] for f in cli("facts", "--json").json()] == [
        "The user prefers the light theme."
    ]
    assert cli("show", fact_id, "--json").json()["status"] == "superseded"


def test_show_prints_what_is_there(cli: Inside) -> None:
    fact_id = cli.remember(THEME)
    lines = cli("show", fact_id).out.splitlines()
    assert f"id: {fact_id}" in lines
    assert f"fact: {THEME}" in lines
    assert "trust: operator" in lines
    assert not any(line.endswith(": -") for line in lines)


@pytest.mark.parametrize("command", [("show",), ("why",), ("correct", "A better text.")], ids=str)
def test_an_unknown_id_is_not_found(cli: Inside, command: tuple[str, ...]) -> None:
    cli.remember(THEME)
    done = cli(command[0], "f_none", *command[1:])
    assert done.code == NOT_DONE
    assert done.out == ""
    assert "'f_none'" in done.err


def test_reading_makes_no_store(cli: Inside) -> None:
    commands = [
        ("recall", "x"),
        ("facts",),
        ("show", "f_1"),
        ("why", "f_1"),
        ("undo",),
        ("doctor",),
    ]
    commands += [("correct", "f_1", "x"), ("forget", "f_1"), ("erase", "f_1"), ("subjects",)]
    commands += [("sessions",), ("operations",)]
    for command in commands:
        done = cli(*command)
        assert done.code == STORE, (command, done)
        assert f"{cli.home.db}: there is no memory here yet" in done.out + done.err
    assert not cli.home.db.exists()
