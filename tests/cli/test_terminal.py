"""What a person at a terminal sees and answers: a real process on a pseudo-terminal."""

import json
import os
import re
import sys

import pexpect
import pytest

from memoranda.cli.codes import DONE, INTERRUPTED, NOT_DONE
from tests.cli.running import Inside

EVIL = "The user likes \x1b]0;owned\x07 and [red]markup[/red] :smile: a lot."


class Terminal:
    """One command on a terminal, and what appears there."""

    def __init__(self, cli: Inside, *arguments: str) -> None:
        command, *rest = cli.home.command(*arguments)
        environment = {**cli.home.environment, "TERM": "xterm"}
        self.child = pexpect.spawn(
            command,
            rest,
            env=environment,
            encoding="utf-8",
            codec_errors="replace",
            timeout=20,
            dimensions=(40, 160),
        )

    def see(self, text: str) -> None:
        self.child.expect_exact(text)

    def type(self, text: str) -> None:
        self.child.sendline(text)

    def end(self) -> tuple[int | None, str]:
        """The exit code, and what was left to see."""
        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.exitstatus, str(self.child.before)


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals"),
]


def held(cli: Inside, text: str = "The page says that plan A is best.") -> str:
    done = cli("remember", text, "--origin", "external", "--json")
    return str(done.json()["id"])


def facts(cli: Inside, status: str = "live") -> list[str]:
    done = cli("facts", "--status", status, "--json")
    return [fact["fact"] for fact in json.loads(done.out)]


def test_a_held_item_of_ones_own_words_is_asked_about_once_a_turn(cli: Inside) -> None:
    person = Terminal(cli, "chat")
    person.see("/quit or Ctrl-D leaves")
    person.type("Always answer in French.")
    person.see("held f_")
    person.see("[y/N/edit]")
    person.type("y")
    person.see("accepted f_")
    person.see("> ")
    person.type("/quit")
    code, rest = person.end()
    assert code == DONE
    assert "[y/N" not in rest
    assert len(facts(cli)) == 1
    (fact,) = cli("facts", "--json").json()
    assert fact["approved_by"] == "asha"


@pytest.mark.parametrize("answer", ["", "n", "what?"])
def test_only_a_clear_yes_keeps_it(cli: Inside, answer: str) -> None:
    person = Terminal(cli, "chat")
    person.type("Always answer in French.")
    person.see("[y/N/edit]")
    person.type(answer)
    person.see("it stays pending")
    person.child.sendeof()
    assert person.end()[0] == DONE
    assert facts(cli) == []
    assert len(facts(cli, "pending")) == 1


def test_an_edited_item_is_kept_in_the_new_words(cli: Inside) -> None:
    person = Terminal(cli, "chat")
    person.type("Always answer in French.")
    person.see("[y/N/edit]")
    person.type("e")
    person.see("Better:")
    person.type("The assistant should always answer in Norwegian.")
    person.see("accepted f_")
    person.type("/quit")
    assert person.end()[0] == DONE
    assert facts(cli) == ["The assistant should always answer in Norwegian."]


def test_ctrl_c_and_ctrl_d_leave_quietly(cli: Inside) -> None:
    for leave, code in (("sendintr", INTERRUPTED), ("sendeof", DONE)):
        person = Terminal(cli, "chat")
        person.see("> ")
        getattr(person.child, leave)()
        status, rest = person.end()
        assert (status, "Traceback" in rest) == (code, False)


def test_a_byte_that_is_not_utf8_is_passed_over(cli: Inside) -> None:
    person = Terminal(cli, "chat")
    person.see("> ")
    os.write(person.child.child_fd, b"caf\xe9\n")
    person.see("not UTF-8")
    person.type("/quit")
    assert person.end()[0] == 4


@pytest.mark.parametrize("verb", ["forget", "erase"])
def test_taking_back_shows_and_asks(cli: Inside, verb: str) -> None:
    cli("remember", "The user has a dog.", "--tag", "pets")
    for answer, code, left in (("n", NOT_DONE, 1), ("", NOT_DONE, 1), ("y", DONE, 0)):
        person = Terminal(cli, verb, "--tag", "pets")
        person.see("The user has a dog.")
        person.see("[y/N]")
        person.type(answer)
        assert person.end()[0] == code
        assert len(facts(cli)) == left


def test_review_on_a_terminal(cli: Inside) -> None:
    first, second = held(cli), held(cli, "The page says that plan B is best.")
    person = Terminal(cli, "review")
    person.see("2 held")
    person.see("review>")
    person.type("a 1")
    person.see(f"accepted {first}")
    person.see("review>")
    person.type("r 2")
    person.see("rejected 1")
    assert person.end()[0] == DONE
    assert facts(cli) == ["The page says that plan A is best."]
    assert second in cli("facts", "--status", "rejected").out


@pytest.mark.parametrize(
    "command",
    [("facts",), ("recall", "likes markup"), ("forget", "--query", "likes markup")],
    ids=str,
)
def test_stored_text_cannot_draw_on_the_terminal(cli: Inside, command: tuple[str, ...]) -> None:
    cli("remember", EVIL)
    person = Terminal(cli, *command)
    if command[0] == "forget":
        person.see("[y/N]")
        shown = str(person.child.before)
        person.type("n")
        shown += person.end()[1]
    else:
        shown = person.end()[1]
    assert "[red]markup[/red] :smile:" in re.sub(
        r"\s+", " ", re.sub("\x1b\\[[0-9;?]*[a-zA-Z]", "", shown)
    )
    assert "\x1b]" not in shown
    assert "\x07" not in shown


def test_tables_are_for_people(cli: Inside) -> None:
    cli("remember", "The user has a dog.")
    shown = Terminal(cli, "facts").end()[1]
    assert "state" in shown
    assert "─" in shown
    assert "state" not in cli("facts").out


def test_progress_is_for_people(cli: Inside) -> None:
    file = cli.home.folder / "chat.jsonl"
    file.write_text('{"messages": [{"role": "user", "content": "I live in Oslo."}]}\n' * 50)
    shown = Terminal(cli, "ingest", str(file)).end()[1]
    assert re.search(r"50 conversations \d:\d\d:\d\d", re.sub("\x1b\\[[0-9;?]*[a-zA-Z]", "", shown))
    assert cli("ingest", str(file)).err == ""


def test_a_narrow_terminal_gets_whole_texts_and_its_own_line_after_ctrl_c(cli: Inside) -> None:
    cli.home.environment["COLUMNS"] = "46"
    cli.remember("The user lives in a small town by the sea.")
    person = Terminal(cli, "facts")
    code, seen = person.end()
    assert code == DONE
    assert "\r\n    The user lives in a small town by the sea.\r\n" in seen
    chat = Terminal(cli, "chat")
    chat.see("> ")
    chat.child.sendintr()
    code, seen = chat.end()
    assert code == INTERRUPTED
    assert seen.endswith("\r\n")
