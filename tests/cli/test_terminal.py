"""What a person at a terminal sees and answers: a real process on a pseudo-terminal."""

import json
import os
import re
import sys

import pexpect
import pytest

from memoranda.cli.codes import DONE, INTERRUPTED, NOT_DONE
from tests.cli.running import Home

EVIL = "The user likes \x1b]0;owned\x07 and [red]markup[/red] :smile: a lot."


class Terminal:
    """One command on a terminal, and what appears there."""

    def __init__(self, home: Home, *arguments: str) -> None:
        command, *rest = home.command(*arguments)
        environment = {**home.environment, "TERM": "xterm"}
        self.child = pexpect.spawn(
            command, rest, env=environment, encoding="utf-8", timeout=20, dimensions=(40, 160)
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


def held(home: Home, text: str = "The page says that plan A is best.") -> str:
    done = home.run("remember", text, "--origin", "external", "--json")
    return str(done.json()["id"])


def facts(home: Home, status: str = "live") -> list[str]:
    done = home.run("facts", "--status", status, "--json")
    return [fact["fact"] for fact in json.loads(done.out)]


def test_a_held_item_of_ones_own_words_is_asked_about_once_a_turn(home: Home) -> None:
    person = Terminal(home, "chat")
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
    assert len(facts(home)) == 1
    (fact,) = home.run("facts", "--json").json()
    assert fact["approved_by"] == "asha"


@pytest.mark.parametrize("answer", ["", "n", "what?"])
def test_only_a_clear_yes_keeps_it(home: Home, answer: str) -> None:
    person = Terminal(home, "chat")
    person.type("Always answer in French.")
    person.see("[y/N/edit]")
    person.type(answer)
    person.see("it stays pending")
    person.child.sendeof()
    assert person.end()[0] == DONE
    assert facts(home) == []
    assert len(facts(home, "pending")) == 1


def test_an_edited_item_is_kept_in_the_new_words(home: Home) -> None:
    person = Terminal(home, "chat")
    person.type("Always answer in French.")
    person.see("[y/N/edit]")
    person.type("e")
    person.see("Better:")
    person.type("The assistant should always answer in Norwegian.")
    person.see("accepted f_")
    person.type("/quit")
    assert person.end()[0] == DONE
    assert facts(home) == ["The assistant should always answer in Norwegian."]


def test_ctrl_c_and_ctrl_d_leave_quietly(home: Home) -> None:
    for leave, code in (("sendintr", INTERRUPTED), ("sendeof", DONE)):
        person = Terminal(home, "chat")
        person.see("> ")
        getattr(person.child, leave)()
        status, rest = person.end()
        assert (status, "Traceback" in rest) == (code, False)


def test_a_byte_that_is_not_utf8_is_passed_over(home: Home) -> None:
    person = Terminal(home, "chat")
    person.see("> ")
    os.write(person.child.child_fd, b"caf\xe9\n")
    person.see("not UTF-8")
    person.type("/quit")
    assert person.end()[0] == 4


@pytest.mark.parametrize("verb", ["forget", "erase"])
def test_taking_back_shows_and_asks(home: Home, verb: str) -> None:
    home.run("remember", "The user has a dog.", "--tag", "pets")
    for answer, code, left in (("n", NOT_DONE, 1), ("", NOT_DONE, 1), ("y", DONE, 0)):
        person = Terminal(home, verb, "--tag", "pets")
        person.see("The user has a dog.")
        person.see("[y/N]")
        person.type(answer)
        assert person.end()[0] == code
        assert len(facts(home)) == left


def test_review_on_a_terminal(home: Home) -> None:
    first, second = held(home), held(home, "The page says that plan B is best.")
    person = Terminal(home, "review")
    person.see("2 held")
    person.see("review>")
    person.type("a 1")
    person.see(f"accepted {first}")
    person.see("review>")
    person.type("r 2")
    person.see("rejected 1")
    assert person.end()[0] == DONE
    assert facts(home) == ["The page says that plan A is best."]
    assert second in home.run("facts", "--status", "rejected").out


@pytest.mark.parametrize(
    "command",
    [("facts",), ("recall", "likes markup"), ("forget", "--query", "likes markup")],
    ids=str,
)
def test_stored_text_cannot_draw_on_the_terminal(home: Home, command: tuple[str, ...]) -> None:
    home.run("remember", EVIL)
    person = Terminal(home, *command)
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


def test_tables_are_for_people(home: Home) -> None:
    home.run("remember", "The user has a dog.")
    shown = Terminal(home, "facts").end()[1]
    assert "state" in shown
    assert "─" in shown
    assert "state" not in home.run("facts").out


def test_progress_is_for_people(home: Home) -> None:
    file = home.folder / "chat.jsonl"
    file.write_text('{"messages": [{"role": "user", "content": "I live in Oslo."}]}\n' * 50)
    shown = Terminal(home, "ingest", str(file)).end()[1]
    assert "50 conversations" in shown
    assert home.run("ingest", str(file)).err == ""
