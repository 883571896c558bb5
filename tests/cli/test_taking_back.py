"""forget, erase, undo: previewed, asked for, and exact."""

import pytest

from memoranda.cli.codes import NOT_DONE, USAGE
from tests.cli.running import Inside

SECRET = "The user once lived in Xanadu."


def live(cli: Inside) -> list[str]:
    return [fact["id"] for fact in cli("facts", "--json").json()]


def test_forget_takes_what_it_showed_and_undo_gives_it_back(cli: Inside) -> None:
    kept, gone = cli.remember("The user has a dog."), cli.remember(SECRET)
    done = cli("forget", gone, "--yes", "--reason", "asked for")
    assert done.code == 0
    assert SECRET in done.out
    assert "forgot 1 fact; take it back with: memoranda undo o_" in done.out
    assert live(cli) == [kept]
    assert cli("show", gone, "--json").json()["retired_why"] == "asked for"
    assert cli("undo").code == 0
    assert set(live(cli)) == {kept, gone}


@pytest.mark.parametrize("verb", ["forget", "erase"])
@pytest.mark.parametrize(
    "selection",
    [
        ("--tag", "t"),
        ("--run", "r1"),
        ("--query", "Xanadu"),
        ("--subject", "user:me", "--tag", "t"),
    ],
    ids=str,
)
def test_selections(cli: Inside, verb: str, selection: tuple[str, ...]) -> None:
    cli.remember(SECRET, "--tag", "t", "--run", "r1")
    kept = cli.remember("The user has a dog.")
    assert cli(verb, *selection, "--yes").code == 0
    assert live(cli) == [kept]


@pytest.mark.parametrize("verb", ["forget", "erase"])
def test_without_a_terminal_and_yes_nothing_is_done(cli: Inside, verb: str) -> None:
    fact_id = cli.remember(SECRET)
    done = cli(verb, fact_id, stdin=b"y\n")
    assert done.code == USAGE
    assert SECRET in done.out  # the preview
    assert "--yes" in done.err
    assert live(cli) == [fact_id]


@pytest.mark.parametrize("verb", ["forget", "erase"])
@pytest.mark.parametrize(
    ("selection", "code"),
    [
        ((), USAGE),
        (("f_none",), NOT_DONE),
        (("--tag", "none"), NOT_DONE),
        (("--tag", ""), USAGE),
        (("--run", ""), USAGE),
        (("--subject", ""), USAGE),
    ],
    ids=str,
)
def test_nothing_to_take(cli: Inside, verb: str, selection: tuple[str, ...], code: int) -> None:
    fact_id = cli.remember(SECRET)
    done = cli(verb, *selection, "--yes")
    assert done.code == code, done
    assert done.err
    assert live(cli) == [fact_id]


def test_a_forgotten_run_leaves_what_it_had_replaced(cli: Inside) -> None:
    home = ("--attribute", "home", "--value")
    old = cli.remember("The user lives in Rome.", *home, "Rome")
    cli.remember("The user lives in Oslo.", *home, "Oslo", "--run", "bad")
    done = cli("forget", "--run", "bad", "--yes", "--json")
    assert done.json()["run"] == "bad"
    assert live(cli) == [old]
    assert cli("undo", done.json()["id"]).code == 0
    assert [fact["value"] for fact in cli("facts", "--json").json()] == ["Oslo"]


def test_erase_leaves_no_byte(cli: Inside) -> None:
    fact_id = cli.remember(SECRET)
    done = cli("erase", fact_id, "--yes")
    assert done.code == 0
    assert "erased 1 fact" in done.out
    assert "backups" in done.out
    files = [path.read_bytes() for path in cli.home.folder.glob("memory.db*")]
    assert files
    assert not any(b"Xanadu" in content for content in files)
    assert cli("show", fact_id).code == NOT_DONE
    assert cli("undo").code in (NOT_DONE, USAGE)


def test_erase_as_json_reports(cli: Inside) -> None:
    fact_id = cli.remember(SECRET)
    report = cli("erase", fact_id, "--yes", "--json").json()
    assert report["ids"] == [fact_id]
    assert report["byte_hits"] == 0


def test_undo_of_what_is_unknown_or_undone(cli: Inside) -> None:
    fact_id = cli.remember(SECRET)
    operation = cli("forget", fact_id, "--yes", "--json").json()["id"]
    assert cli("undo", "o_none").code == NOT_DONE
    assert cli("undo", operation).code == 0
    again = cli("undo", operation)
    assert again.code == NOT_DONE
    assert "undone already" in again.err


def test_undo_after_an_erasure_touches_nothing_older(cli: Inside) -> None:
    kept = cli.remember("The user has a dog.")
    cli("erase", cli.remember(SECRET), "--yes")
    done = cli("undo")
    assert done.code == NOT_DONE
    assert "is an erasure" in done.err
    assert cli("show", kept, "--json").json()["status"] == "live"
