"""standing, pin, unpin, and the project that chat and recall are about."""

from pathlib import Path

import pytest

from memoranda.cli import ask
from tests.cli.running import Inside
from tests.cli.test_checkout import URLS, checkout


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ask, "somebody_there", lambda: True)


@pytest.fixture
def boat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = checkout(tmp_path / "boat", URLS[0])
    monkeypatch.chdir(folder)
    return folder


def test_it_shows_what_stands_and_why(cli: Inside, person: None, boat: Path) -> None:
    home = cli.remember("The user lives in Oslo.", "--attribute", "home", "--value", "Oslo")
    kayak = cli.remember("The user owns a kayak.")
    assert cli("pin", kayak).out.startswith(f"accepted {kayak} (pinned): The user owns a kayak.")
    out = cli("standing").out
    assert f"{home}\tidentity\tuser:me\tThe user lives in Oslo." in out
    assert f"{kayak}\tpinned, by asha\tuser:me\tThe user owns a kayak." in out
    assert "of 800 tokens, of user:me, project:boat~" in out
    found = cli("standing", "--subject", "user:me", "--json").json()
    assert found["why"] == {kayak: "pinned", home: "identity"}
    assert cli("standing", "--subject", "user:x", "--json").json()["facts"] == []


def test_pin_and_unpin_are_shown_and_undone(cli: Inside, person: None) -> None:
    kayak = cli.remember("The user owns a kayak.")
    assert cli("pin", kayak, "--name", "bo").code == 0
    assert f"{kayak}\tlive, pinned\t" in cli("facts").out
    assert "pinned_by: bo" in cli("show", kayak).out
    told = cli("why", kayak).out
    assert "pinned by bo" in told
    assert "pin by reviewer:bo" in told
    assert "already-pinned" in cli("pin", kayak).out
    assert cli("undo").code == 0
    assert cli("show", kayak, "--json").json()["pinned_by"] is None
    assert "not-pinned" in cli("unpin", kayak).out
    assert cli("pin", "f_none").code == 1


def test_only_a_person_pins(cli: Inside) -> None:
    kayak = cli.remember("The user owns a kayak.")
    for verb in ("pin", "unpin"):
        done = cli(verb, kayak)
        assert done.code == 1
        assert "needs a terminal" in done.err
    assert cli("show", kayak, "--json").json()["pinned_by"] is None


def test_more_pins_than_fit_are_told(
    cli: Inside, person: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "settings.toml").write_text("standing_tokens = 120\n", "utf-8")
    monkeypatch.setenv("MEMORANDA_CONFIG", str(tmp_path / "settings.toml"))
    for n in range(5):
        done = cli("pin", cli.remember(f"The user owns kayak number {n}."))
    assert done.code == 0
    assert "memoranda unpin" in done.err
    assert "left out f_" in cli("standing").out


def chat(cli: Inside, *lines: str, options: tuple[str, ...] = ()) -> str:
    done = cli("chat", *options, stdin="\n".join(lines).encode())
    assert done.code == 0, done
    return done.out


def test_chat_keeps_what_names_the_project_with_the_project(cli: Inside, boat: Path) -> None:
    out = chat(cli, "This project uses pnpm.", "I live in Oslo.", "/facts", "/window")
    assert "also: project:boat~" in out
    assert out.count("\tlive\t") == 2
    facts = {fact["fact"]: fact["subject"] for fact in cli("facts", "--json").json()}
    assert facts["The user lives in Oslo."] == "user:me"
    assert facts["The boat project uses pnpm."].startswith("project:boat~")
    assert "pnpm" in chat(cli, "Which package manager does the project use?")
    assert "pnpm" in cli("recall", "Which package manager does the project use?").out
    assert "Oslo" in cli("recall", "Where does the user live?").out
    only = cli("recall", "Which package manager does the project use?", "--subject", "user:me")
    assert "pnpm" not in only.out


def test_without_the_project_everything_is_the_persons(cli: Inside, boat: Path) -> None:
    out = chat(cli, "The build needs Java 21.", "/window", options=("--no-project",))
    assert "also:" not in out
    assert {fact["subject"] for fact in cli("facts", "--json").json()} == {"user:me"}


def test_outside_of_a_checkout_there_is_no_project(
    cli: Inside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "also:" not in chat(cli, "I live in Oslo.", "/window")
