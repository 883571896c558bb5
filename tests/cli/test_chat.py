"""chat from a pipe: a line is a turn, and what was said is on disk before the reply is printed."""

import subprocess

import pytest

from memoranda.cli import ask, chat, place
from memoranda.cli.codes import INPUT, USAGE
from memoranda.cli.lines import LONGEST
from memoranda.cli.voices import Nobody
from memoranda.types import Outcome, Verdict
from tests.cli.running import Home, Inside


def talk(cli: Inside, *lines: str, options: tuple[str, ...] = ()) -> str:
    done = cli("chat", *options, stdin="\n".join(lines).encode())
    assert done.code == 0, done
    return done.out


def test_what_is_said_in_one_process_is_known_in_the_next(home: Home) -> None:
    first = home.run("chat", stdin=b"I live in Oslo.\n")
    assert first.code == 0
    assert "accepted f_" in first.out
    second = home.run("chat", stdin=b"Which city do I live in?\n")
    assert "a model would be told" in second.out
    assert "Oslo" in second.out


def test_a_process_that_is_killed_after_its_reply_loses_nothing(home: Home) -> None:
    process = subprocess.Popen(
        home.command("chat"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=home.environment,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(b"I live in Oslo.\n")
    process.stdin.flush()
    assert process.stdout.readline()  # the first line of the reply
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()
    facts = home.run("facts", "--json").json()
    assert any("Oslo" in fact["fact"] for fact in facts)
    assert "Oslo" in home.run("recall", "Which city do I live in?").out


def test_it_says_what_the_gate_did(cli: Inside) -> None:
    assert "accepted f_" in talk(cli, "I live in Oslo.")
    assert "confirmed f_" in talk(cli, "I live in Oslo.")
    assert "gate: nothing to remember in that" in talk(cli, "Nice weather, is it not?")


def test_a_correction_replaces(cli: Inside) -> None:
    talk(cli, "I live in Oslo.")
    assert "[replaces f_" in talk(cli, "I live in Rome.")
    assert "Oslo" not in talk(cli, "Which city do I live in?")


def test_from_a_pipe_what_is_held_stays_pending_and_that_is_said(cli: Inside) -> None:
    out = talk(cli, "Always answer in French.")
    assert "held f_" in out
    assert "memoranda review" in out
    assert "[y/N" not in out
    assert len(cli("facts", "--status", "pending", "--json").json()) == 1


def test_sessions(cli: Inside) -> None:
    talk(cli, "hello", options=("--session", "s1"))
    talk(cli, "hello again", options=("--session", "s1"))
    talk(cli, "hello")
    talk(cli, "hello")
    counts = {s["session"]: s["messages"] for s in cli("sessions", "--json").json()}
    assert counts.pop("s1") == 2
    assert list(counts.values()) == [1, 1]


def test_commands(cli: Inside) -> None:
    out = talk(cli, "I live in Oslo.", "/facts", "Which city do I live in?", "/why", "/window")
    assert "chosen" in out
    assert "session: chat-" in out
    fact_id = cli("facts", "--json").json()[0]["id"]
    assert f"{fact_id}\tlive" in out
    assert "by command:asha" in talk(cli, f"/why {fact_id}")
    asked = talk(cli, "Which city do I live in?", "/request")
    assert "user: Which city do I live in?" in asked
    assert "(recalled): " in asked
    assert "/forget ID" in talk(cli, "/help")
    assert "forgot 1 fact" in talk(cli, f"/forget {fact_id}")
    assert cli("facts", "--json").json() == []
    assert cli("undo").code == 0


def test_commands_that_go_wrong_do_not_end_it(cli: Inside) -> None:
    out = talk(
        cli,
        "/nonsense",
        "/forget",
        "/forget f_none",
        "/why f_none",
        "/why",
        "/request",
        "/window",
        "/facts",
        "bye",
    )
    assert "no such command" in out
    assert "needs an id" in out
    assert "'f_none'" in out
    assert "gate:" in out


def test_quit_ends_it_and_two_slashes_say_one(cli: Inside) -> None:
    assert "recalled" not in talk(cli, "/quit", "hello")
    assert "user: /quit is a word" in talk(cli, "//quit is a word", "/request")


def test_a_faulty_line_is_passed_over_and_the_others_are_heard(cli: Inside) -> None:
    lines = [
        b"I live in Oslo.",
        b"caf\xe9",
        b"x" * (LONGEST + 1),
        b"x" * (3 * LONGEST),
        b"\xed\xa0\x80",
        b"",
        b"/facts",
    ]
    done = cli("chat", stdin=b"\n".join(lines))
    assert done.code == INPUT
    assert [line.split()[2] for line in done.err.splitlines()] == ["2", "3", "4", "5"]
    assert "iconv" in done.err
    assert "memoranda ingest" in done.err
    assert "Oslo" in done.out


@pytest.mark.parametrize(
    "line",
    [
        "nul \0 here",
        "x" * LONGEST,
        "\x1b[2Jgone",
        "a \u202e b",
        "'; DROP TABLE agent_facts; --",
        'NEAR( * - "',
        "👩\u200d🔬 日本語",
    ],
    ids=lambda line: ascii(line[:12]),
)
def test_any_line_is_safe(cli: Inside, line: str) -> None:
    done = cli("chat", stdin=f"{line}\r\n/request\n".encode())
    assert done.code == 0, done.err
    assert not set(done.out) & set("\x1b\0\u202e\r")


def test_no_input_at_all_is_fine(cli: Inside) -> None:
    done = cli("chat")
    assert (done.code, done.out, done.err) == (0, "", "")


def test_a_byte_order_mark_is_no_word(cli: Inside) -> None:
    assert "user: hello" in cli("chat", stdin=b"\xef\xbb\xbfhello\n/request\n").out


def test_a_base_url_needs_a_model(cli: Inside) -> None:
    assert cli("chat", "--base-url", "http://localhost:1").code == USAGE
    assert not cli.home.db.exists()


def test_a_session_needs_a_name(cli: Inside) -> None:
    assert cli("chat", "--session", "").code == USAGE
    assert cli("chat", "--subject", " ").code == USAGE


def test_at_most_one_question_a_turn(cli: Inside) -> None:
    rules = ("The assistant should always be brief.", "The assistant should never shout.")
    for rule in rules:
        cli("remember", rule, "--kind", "procedure", "--origin", "user")
    asked: list[str] = []
    cli.patch.setattr(ask, "somebody_there", lambda: True)
    cli.patch.setattr(ask, "answer", lambda question: asked.append(question) or "y")
    with place.memory(None) as memory:
        window = memory.window(session="s1")
        names = {"db": None, "subject": "user:me", "session": "s1", "run": "r1"}
        talk = chat.Chat(memory, window, Nobody(), **names)  # type: ignore[arg-type]
        held = memory.facts(status="pending")
        talk.gate([Outcome(Verdict.HELD, fact.id, ("procedure",)) for fact in held])
    assert len(asked) == 1
    assert "1 held, pending until a person decides" in cli.capture.readouterr().out
    assert len(cli("facts", "--json").json()) == 1
