"""Whatever is typed, every command ends with one of the documented codes and a sentence."""

import pytest

from memoranda.cli import app
from memoranda.cli.codes import BUG, MEANING, USAGE
from tests.cli.running import Home, Inside

ODD = {
    "empty": "",
    "blank": " \t ",
    "signs": "'\"; DROP TABLE agent_facts; -- NEAR( * - a AND %s {0} %(x)s [red]x[/red] [/nothing]",
    "orders": "\x1b[2J\x07\x9b31m \u202eabc\u2066",
    "scripts": "👩\u200d🔬 東京 العربية",
    "long": "word " * 20_000,
    "half": "\ud800",
}
# Where free text goes in; what is chosen from a list is refused by the list.
DOORS = (
    ("remember", "{}"),
    ("remember", "The user has a dog.", "--subject", "{}"),
    ("remember", "The user has a dog.", "--tag", "{}"),
    ("remember", "The user has a dog.", "--attribute", "{}", "--value", "{}"),
    ("remember", "The user has a dog.", "--run", "{}"),
    ("remember", "The user has a dog.", "--expires", "{}"),
    ("remember", "The user has a dog.", "--durable", "{}"),
    ("recall", "{}"),
    ("recall", "dog", "--subject", "{}"),
    ("recall", "dog", "--tag", "{}"),
    ("recall", "dog", "--as-of", "{}"),
    ("facts", "--subject", "{}"),
    ("facts", "--tag", "{}"),
    ("facts", "--status", "{}"),
    ("show", "{}"),
    ("why", "{}"),
    ("blast", "{}"),
    ("standing", "--subject", "{}"),
    ("pin", "{}"),
    ("pin", "{id}", "--name", "{}"),
    ("unpin", "{}"),
    ("unpin", "{id}", "--name", "{}"),
    ("correct", "{id}", "{}"),
    ("correct", "{}", "The user has a cat."),
    ("forget", "{}", "--yes"),
    ("forget", "--tag", "{}", "--yes"),
    ("forget", "--run", "{}", "--yes"),
    ("forget", "--source", "{}", "--yes"),
    ("forget", "--attribute", "{}", "--yes"),
    ("forget", "--since", "{}", "--yes"),
    ("forget", "--run", "r1", "--steps", "{}", "--yes"),
    ("rollback", "--run", "{}", "--yes"),
    ("export", "--subject", "{}"),
    ("export", "--subject", "user:me", "--out", "{}/no/such/folder"),
    ("maintain", "--db", "{}"),
    ("forget", "--query", "{}", "--yes"),
    ("forget", "{id}", "--reason", "{}", "--yes"),
    ("erase", "--query", "{}", "--subject", "{}", "--yes"),
    ("erase", "{}", "--yes"),
    ("undo", "{}"),
    ("chat", "--session", "{}"),
    ("chat", "--subject", "{}"),
    ("ingest", "{}"),
    ("window", "{}"),
    ("review", "--name", "{}"),
    ("review", "--approve", "{}"),
    ("operations", "--limit", "{}"),
    ("never", "add", "{}", "--words", "bluebird"),
    ("never", "add", "birds", "--words", "{}"),
    ("never", "add", "birds", "--pattern", "{}"),
    ("never", "add", "birds", "--kind", "{}"),
    ("never", "remove", "{}"),
    ("never", "{}"),
    ("rescan", "--db", "{}"),
    ("reembed", "--subject", "{}"),
    ("subjects", "--db", "{}"),
    ("sessions", "{}"),
    ("serve", "--port", "{}"),
    ("serve", "--db", "{}"),
    ("doctor", "--db", "{}"),
)


def test_every_command_has_a_door_here() -> None:
    assert {door[0] for door in DOORS} == set(app.COMMANDS)


@pytest.mark.parametrize("door", DOORS, ids=" ".join)
def test_odd_text_at_every_door(cli: Inside, door: tuple[str, ...]) -> None:
    cli.patch.chdir(cli.home.folder)
    fact_id = cli.remember("The user has a dog.")
    for name, odd in ODD.items():
        arguments = [part.replace("{id}", fact_id).replace("{}", odd) for part in door]
        done = cli(*arguments, stdin=b"hello\n")
        assert done.code in set(MEANING) - {BUG}, (name, done)
        said = done.out + done.err
        assert "Traceback" not in said
        if done.code == 0 and "--json" not in door:
            assert not set(said) & set("\x1b\x07\x9b\u202e"), name
        assert done.code == 0 or done.err or done.out, name


def test_an_argument_that_is_not_utf8_is_a_usage_error(home: Home) -> None:
    done = home.run("remember", b"The user likes caf\xe9.")
    assert (done.code, done.out) == (USAGE, "")
    assert "not valid UTF-8" in done.err
    assert not home.db.exists()
