"""The extra: nothing of it is loaded before it is used, and what is missing or too old is said in a sentence."""

import subprocess
import sys
from pathlib import Path

import pytest

from memoranda.errors import MissingExtra, OutdatedExtra
from tests.cli.running import SOURCE, Home

LIGHT = """
import sys
import memoranda.mcp
import memoranda.cli.app
loaded = {name.partition('.')[0] for name in sys.modules} & {'mcp', 'mcp_types', 'pydantic', 'anyio', 'starlette'}
assert not loaded, loaded
"""
ASKS = """
import memoranda.mcp
from memoranda.errors import MissingExtra
try:
    memoranda.mcp.build(None, memoranda.mcp.Grant())
except MissingExtra as error:
    print(type(error).__name__, error)
"""


def python(code: str, *paths: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": ":".join(map(str, (*paths, SOURCE)))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_the_room_loads_no_sdk() -> None:
    python(LIGHT)


@pytest.mark.parametrize(
    ("package", "kind", "words"),
    [
        (
            "raise ModuleNotFoundError(\"No module named 'mcp'\", name='mcp')",
            "MissingExtra",
            "memoranda[mcp]",
        ),
        ("", "OutdatedExtra", "mcp>=2.3"),
        ("from mcp_types import NoSuchName", "OutdatedExtra", "mcp>=2.3"),
    ],
    ids=["missing", "old", "other"],
)
def test_what_is_needed_is_said(tmp_path: Path, package: str, kind: str, words: str) -> None:
    folder = tmp_path / "mcp"
    folder.mkdir()
    # Where the SDK of version 1 has `mcp.server` and no `mcp.server.mcpserver`.
    (folder / "server").mkdir()
    (folder / "server/__init__.py").write_text("")
    (folder / "__init__.py").write_text(package)
    said = python(ASKS, tmp_path)
    assert said.startswith(f"{kind} ")
    assert words in said


def test_both_are_missing_parts() -> None:
    assert issubclass(OutdatedExtra, MissingExtra)
    assert OutdatedExtra("mcp", "memoranda mcp", "mcp>=2.3").extra == "mcp"


def test_the_command_says_it_too(home: Home, tmp_path: Path) -> None:
    (tmp_path / "old/mcp/server").mkdir(parents=True)
    for name in ("mcp/__init__.py", "mcp/server/__init__.py"):
        (tmp_path / "old" / name).write_text("")
    done = home.run("mcp", "--no-project", PYTHONPATH=f"{tmp_path / 'old'}:{SOURCE}")
    assert (done.code, done.out) == (5, "")
    assert "needs a newer optional part" in done.err


def test_bad_options_are_usage_errors(home: Home) -> None:
    for options in (
        ("--subject", "user:bob", "--client-speaks-for", "asha"),
        ("--client", "a\nb"),
        ("--client-speaks-for", ""),
        ("--subject", " "),
        ("--db", ""),
    ):
        done = home.run("mcp", *options)
        assert (done.code, done.out) == (2, ""), options
        assert done.err.startswith("memoranda: ")
    assert not home.db.exists()
