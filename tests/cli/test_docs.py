"""What the command and its settings can do stands in docs/, and nothing else does."""

import dataclasses
import inspect
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from memoranda import errors
from memoranda.cli import app, codes
from memoranda.cli.chat import HELP
from memoranda.settings import LIFETIMES, SCREENING, Settings, settings_from

DOCS = Path(__file__).resolve().parents[2] / "docs"
COMMANDS = (DOCS / "commands.md").read_text("utf-8")
SETTINGS = (DOCS / "settings.md").read_text("utf-8")
GROUP: Any = get_command(app.build())
# The commands of a group stand beside the others, under both names: "files ls".
EVERY: dict[str, Any] = {}
for _name, _command in GROUP.commands.items():
    _inner = getattr(_command, "commands", None)
    EVERY.update({f"{_name} {n}": c for n, c in _inner.items()} if _inner else {_name: _command})


def section(name: str) -> str:
    found = re.search(
        rf"^## {re.escape(name)}$(.*?)(?=^## |\Z)", COMMANDS, re.MULTILINE | re.DOTALL
    )
    assert found, f"docs/commands.md has no section for {name}"
    return found[1]


def rows(text: str) -> dict[str, list[str]]:
    lines = re.findall(r"^\| (.+) \|$", text, re.MULTILINE)
    return {first.strip("`"): rest for first, *rest in (line.split(" | ") for line in lines)}


def options(command: Any) -> set[str]:
    return {
        name for p in command.params for name in p.opts if name.startswith("-") and name != "--help"
    }


@pytest.mark.parametrize("name", sorted(EVERY))
def test_every_option_is_documented_with_its_command_and_no_other(name: str) -> None:
    text = section(name)
    documented = set(re.findall(r"`(--?[a-z][a-z-]*)[` ]", text))
    assert options(EVERY[name]) <= documented
    listed = set(re.findall(r"^\| `(--?[a-z][a-z-]*)`", text, re.MULTILINE))
    assert listed <= options(EVERY[name])


@pytest.mark.parametrize("name", sorted(EVERY))
def test_every_command_and_option_says_what_it_is_in_its_help(name: str) -> None:
    command = EVERY[name]
    assert command.help
    assert [p.name for p in command.params if not p.help] == []


def test_no_command_is_documented_that_does_not_exist() -> None:
    sections = set(re.findall(r"^## (.+)$", COMMANDS, re.MULTILINE))
    assert sections - {"Exit codes", "memoranda"} == set(EVERY)


def test_reading_commands_speak_json() -> None:
    # What the second prints is JSON anyway; the third is for a browser, and has JSON of its own.
    silent = {"chat", "files handle", "serve"}
    assert [n for n, c in EVERY.items() if "--json" not in options(c) and n not in silent] == []


def test_exit_codes_are_those_of_the_table() -> None:
    table = rows(section("Exit codes"))
    assert {
        int(code): meaning for code, (meaning,) in table.items() if code.isdigit()
    } == codes.MEANING


def test_every_error_has_a_code() -> None:
    for _, kind in inspect.getmembers(errors, inspect.isclass):
        if issubclass(kind, errors.MemorandaError):
            error = kind.__new__(kind)
            assert codes.code_of(error) in codes.MEANING


def test_lines_of_a_conversation_are_those_of_its_help() -> None:
    documented = set(re.findall(r"^\| `(/\w+)", section("chat"), re.MULTILINE))
    assert documented == {name.split()[0] for name, _ in HELP}


def test_settings_are_those_of_the_table_with_their_defaults() -> None:
    table = rows(SETTINGS)
    for field in dataclasses.fields(Settings):
        default = getattr(Settings(), field.name)
        assert field.name in table, field.name
        if field.name not in ("lifetimes", "screening"):
            assert tomllib.loads(f"x = {table[field.name][0].strip('`')}")["x"] == default
    for kind, days in LIFETIMES.items():
        assert table[kind][0] == f"`{days}`"
    for kind, action in SCREENING.items():
        assert table[kind][0] == f'`"{action}"`'
    known = {f.name for f in dataclasses.fields(Settings)} | set(LIFETIMES) | set(SCREENING)
    assert set(table) - known == {"setting", "kind"}


def test_the_example_of_settings_is_one() -> None:
    example = re.search(r"```toml\n(.*?)```", SETTINGS, re.DOTALL)
    assert example
    assert settings_from(tomllib.loads(example[1])).lifetimes["preference"] == 365
