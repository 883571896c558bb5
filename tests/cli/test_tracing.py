"""blast, rollback, maintain, export and the marks of forget and erase, from the command line."""

import json
from pathlib import Path

import pytest

from memoranda.cli.codes import INPUT, NOT_DONE, USAGE
from tests.cli.running import Inside

KEY = "sk-" + "a1B2" * 8


def live(cli: Inside) -> set[str]:
    return {fact["id"] for fact in cli("facts", "--json").json()}


def test_rollback_previews_takes_and_is_undone(cli: Inside) -> None:
    home = ("--attribute", "home", "--value")
    old = cli.remember("The user lives in Rome.", *home, "Rome")
    new = cli.remember("The user lives in Oslo.", *home, "Oslo", "--run", "bad")
    shown = cli("rollback", "--run", "bad", "--dry-run")
    assert (shown.code, "Oslo" in shown.out, live(cli)) == (0, True, {new})
    assert [f["id"] for f in cli("rollback", "--run", "bad", "--dry-run", "--json").json()] == [new]
    assert cli("rollback", "--run", "bad").code == USAGE  # nobody there to ask
    done = cli("rollback", "--run", "bad", "--yes", "--reason", "it guessed", "--json").json()
    assert (done["verb"], done["run"], done["why"]) == ("rollback", "bad", "it guessed")
    assert live(cli) == {old}
    assert cli("undo").code == 0
    assert live(cli) == {new}
    assert cli("rollback", "--run", "none", "--yes").code == NOT_DONE
    assert cli("rollback", "--run", "bad", "--steps", "1-x", "--yes").code == USAGE
    assert cli("rollback", "--run", "bad", "--steps", "7", "--yes").code == NOT_DONE


@pytest.mark.parametrize("verb", ["forget", "erase"])
@pytest.mark.parametrize(
    "marks",
    [
        ("--origin", "tool"),
        ("--kind", "plan"),
        ("--attribute", "city"),
        ("--since", "2020-01-01", "--run", "r"),
        ("--run", "r", "--until", "2099-01-01"),
    ],
    ids=str,
)
def test_marks_select(cli: Inside, verb: str, marks: tuple[str, ...]) -> None:
    home = ("--attribute", "home", "--value", "Oslo")
    kind = ("--kind", "plan", "--origin", "tool")
    cli.remember("The user lives in Oslo.", *home, *kind, "--run", "r")
    kept = cli.remember("The user has a dog.")
    assert "Oslo" in cli(verb, *marks, "--dry-run").out
    assert len(live(cli)) == 2
    assert cli(verb, *marks, "--yes").code == 0
    assert live(cli) == {kept}


def test_erase_lists_what_is_much_like_it(cli: Inside) -> None:
    cli("chat", "--session", "s1", stdin=b"My zirconium kayak is so red!\n")
    near = cli.remember("The user paints the kayak of zirconium red.")
    gone = cli.remember("The user keeps a red zirconium kayak.")
    done = cli("erase", gone, "--yes", "--json").json()
    assert done["byte_hits"] == 0
    assert {near, "s1#1"} <= set(done["similar"])
    assert any(name.endswith("memory.db") for name in done["searched"])


def test_blast_shows_the_path(cli: Inside) -> None:
    fact = cli.remember("The user owns a kayak.")
    cli("chat", "--session", "s1", stdin=b"What about the kayak?\nI live in Oslo.\n")
    (home,) = live(cli) - {fact}
    done = cli("blast", fact)
    assert "recalled" in done.out
    assert "session s1, run chat-" in done.out
    assert f"{home} live: The user lives in Oslo. [run chat-" in done.out
    (reached,) = cli("blast", fact, "--json").json()["reached"]
    assert reached["path"][-1]["fact"] == home
    assert cli("blast", "f_none").code == NOT_DONE


def test_export_says_all_and_no_secret(cli: Inside, tmp_path: Path) -> None:
    fact = cli.remember("The user owns a kayak.")
    cli("forget", fact, "--yes", "--reason", "sold")
    cli("chat", "--session", "s1", stdin=f"the key is {KEY}, kayak?\n".encode())
    text = cli("export").out
    for part in ("The user owns a kayak.", "retired", "retire by command:asha (sold)", "s1#1 user"):
        assert part in text
    assert KEY not in text
    found = cli("export", "--json").json()
    assert found["facts"][0]["fact"]["id"] == fact
    out = tmp_path / "me.json"
    assert cli("export", "--json", "--out", str(out)).code == 0
    assert json.loads(out.read_text())["subject"] == "user:me"
    assert out.stat().st_mode & 0o077 == 0
    assert cli("export", "--out", str(out)).code == USAGE
    nowhere = cli("export", "--out", str(tmp_path / "none" / "me.txt"))
    assert (nowhere.code, "cannot be written" in nowhere.err) == (INPUT, True)
    nobody = cli("export", "--subject", "user:nobody")
    assert (nobody.code, "nothing is known" in nobody.err) == (0, True)


def test_maintain_says_what_it_did(cli: Inside) -> None:
    cli.remember("The user owns a kayak.")
    assert cli("maintain").out == "1 vectors were made that were missing\n"
    assert cli("maintain").out == "nothing was due\n"
    done = cli("maintain", "--json").json()
    assert done["done"]["pending"] == 0
    assert done["findings"] == []
    settings = cli.home.folder / "s.toml"
    settings.write_text("pending_days = 0")
    cli.patch.setenv("MEMORANDA_CONFIG", str(settings))
    cli("remember", "The page says so.", "--origin", "external")
    assert "1 held facts that waited too long were turned down" in cli("maintain").out


def test_nothing_is_logged_for_a_model_that_is_not_there(cli: Inside) -> None:
    done = cli("chat", "--session", "s1", stdin=b"I live in Oslo.\n/window\n")
    assert "accepted" in done.out
    assert "tokens: about " in done.out
    assert [s["messages"] for s in cli("sessions", "--json").json()] == [1]
