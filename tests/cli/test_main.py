"""The edge: what is missing, what is unforeseen, who stops reading, and how quickly it starts."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memoranda.cli import codes, lists, main
from tests.cli.running import SOURCE, Home, Inside


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    # -S: no site packages, as on a machine where only `pip install memoranda` was run.
    program = (
        f"import sys; sys.path.insert(0, {str(SOURCE)!r})\n"
        "from memoranda.cli import main\nsys.exit(main(['facts']))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == codes.PART
    assert done.stdout == ""
    assert "pip install 'memoranda[cli]'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_version(cli: Inside) -> None:
    done = cli("--version")
    assert done.code == 0
    assert done.out.startswith("memoranda ")


def test_help_is_plain_in_a_pipe(cli: Inside) -> None:
    for arguments in (("--help",), ("recall", "--help"), ("recall",), ("nonsense",), ()):
        done = cli(*arguments)
        said = done.out + done.err
        assert not set(said) & set("╭╮╰╯│─\x1b"), said
        assert "Usage" in said


def test_an_unknown_command_is_a_usage_error(cli: Inside) -> None:
    assert cli("nonsense").code == codes.USAGE
    assert cli("recall").code == codes.USAGE


def test_the_unforeseen_is_a_type_and_a_place_and_no_content(
    cli: Inside, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the user lives in Xanadu")

    monkeypatch.setattr(lists.place, "memory", broken)
    done = cli("subjects")
    assert done.code == codes.BUG
    assert "report" in done.err
    assert "Traceback" not in done.err
    assert "Xanadu" not in done.err + caplog.text
    assert "RuntimeError at cli/lists.py:" in caplog.text


def test_ctrl_c_is_130(cli: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(lists.place, "memory", interrupted)
    assert cli("subjects").code == codes.INTERRUPTED


def test_a_reader_who_goes_away_is_no_error_message(home: Home) -> None:
    for n in range(3):
        home.run("remember", f"The user has a dog number {n}.")
    reader, writer = os.pipe()
    os.close(reader)
    for arguments in (["facts"], ["facts", "--json"], ["chat"]):
        done = subprocess.run(
            home.command(*arguments),
            input=b"I live in Oslo\n",
            stdout=writer,
            stderr=subprocess.PIPE,
            env=home.environment,
            check=False,
        )
        assert (done.returncode, done.stderr) == (codes.PIPE, b"")
    os.close(writer)


def test_terminated_by_ctrl_c_in_the_middle_of_a_chat(home: Home) -> None:
    process = subprocess.Popen(
        home.command("chat"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=home.environment,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(b"hello\n")
    process.stdin.flush()
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == codes.INTERRUPTED
    assert b"Traceback" not in err


def test_a_terminal_that_knows_few_characters_gets_escapes(home: Home) -> None:
    home.run("remember", "The user likes 日本 very much.")
    done = home.run("facts", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.code == 0
    assert "\\u65e5" in done.out


def test_help_loads_nothing_that_it_does_not_need(home: Home) -> None:
    program = (
        "import json, sys\nfrom memoranda.cli import main\ncode = main(['--version'])\n"
        "print(json.dumps([code, sorted(sys.modules)]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, env=home.environment, check=True
    )
    code, loaded = json.loads(done.stdout.decode().splitlines()[-1])
    assert code == 0
    heavy = {
        "sqlite3",
        "asyncio",
        "rich",
        "rich.console",
        "memoranda.memory",
        "platformdirs",
        "tomllib",
    }
    assert heavy & set(loaded) <= {"tomllib"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
@pytest.mark.parametrize("arguments", [["facts"], ["facts", "--json"], ["doctor"]])
def test_an_output_that_is_full_is_told(home: Home, arguments: list[str]) -> None:
    home.run("remember", "The user has a dog.")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            home.command(*arguments),
            stdout=full,
            stderr=subprocess.PIPE,
            env=home.environment,
            check=False,
        )
    assert done.returncode == codes.INPUT
    assert b"the output cannot be written" in done.stderr


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
@pytest.mark.parametrize("command", ["facts", "chat", "show f_none"])
def test_a_closed_stream_is_an_empty_one(home: Home, closed: str, command: str) -> None:
    home.run("remember", "The user has a dog.")
    line = f"{sys.executable} -m memoranda.cli {command} {closed}"
    done = subprocess.run(
        ["/bin/sh", "-c", line], input=b"", capture_output=True, env=home.environment, check=False
    )
    assert done.returncode == (codes.NOT_DONE if "none" in command else codes.DONE)
    assert b"mistake" not in done.stderr


def test_an_error_that_nobody_reads_keeps_its_code(home: Home) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(home.command("facts"), stderr=writer, env=home.environment, check=False)
    os.close(writer)
    assert done.returncode == codes.STORE


def test_json_is_json_where_the_output_is_not_utf8(home: Home) -> None:
    home.run("remember", "The user lives in Tromsø and likes 日本.")
    for encoding in ("ascii", "latin-1", "utf-8"):
        done = home.run("facts", "--json", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
        assert done.json()[0]["fact"] == "The user lives in Tromsø and likes 日本.", encoding


def test_ctrl_c_while_loading_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("memoranda.cli.run", interrupted)
    assert main(["facts"]) == codes.INTERRUPTED
    program = "import sys, memoranda.cli; print('memoranda.errors' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": str(SOURCE)},
        capture_output=True,
        check=True,
    )
    assert done.stdout.split() == [b"False"], (
        "what takes time is loaded inside, where Ctrl-C is heard"
    )
