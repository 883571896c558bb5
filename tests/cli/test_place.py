"""Where memory and settings are."""

import stat
from pathlib import Path

import pytest

from memoranda.cli import place
from memoranda.errors import SettingsError, UsageError
from memoranda.settings import Settings


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (place.DB, place.CONFIG):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_the_option_comes_first_then_the_variable_then_the_data_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert place.find(None).how == "default"
    monkeypatch.setenv(place.DB, "/elsewhere/a.db")
    assert place.find(None) == place.Place(Path("/elsewhere/a.db"), "MEMORANDA_DB")
    assert place.find("b.db") == place.Place(Path("b.db"), "--db")
    monkeypatch.setenv(place.DB, "")
    assert place.find(None).how == "default"


def test_a_tilde_is_the_home(tmp_path: Path) -> None:
    assert place.find("~/x.db").path == tmp_path / "x.db"


@pytest.mark.parametrize("text", ["", " ", "a\0b", ":memory:", "\ud800"])
def test_a_place_must_be_a_file(text: str) -> None:
    with pytest.raises(UsageError, match="--db"):
        place.find(text)


def test_the_default_folder_is_for_its_owner(tmp_path: Path) -> None:
    found = place.find(None)
    place.make_room(found)
    place.make_room(found)
    assert stat.S_IMODE(found.path.parent.stat().st_mode) == 0o700
    assert tmp_path in found.path.parents


def test_no_other_folder_is_made(tmp_path: Path) -> None:
    place.make_room(place.find(str(tmp_path / "none" / "x.db")))
    assert not (tmp_path / "none").exists()


def test_no_settings_file_means_defaults() -> None:
    assert place.settings() == Settings()


def test_settings_are_read(tmp_path: Path) -> None:
    config = place.config().path
    config.parent.mkdir(parents=True)
    config.write_text("recall_k = 3\n[lifetimes]\nplan = 2\n")
    assert place.settings().recall_k == 3
    assert place.settings().lifetimes["plan"] == 2
    assert tmp_path in config.parents


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a = 1\nb = = 2\n", "is not TOML: .*line 2"),
        (b"\xff\xfe", "not UTF-8"),
        (b"recal_k = 3", "unknown setting 'recal_k'"),
        (b"recall_k = 'three'", "must be int"),
        (b"recall_k = -1", "negative"),
        (b"[lifetimes]\ndream = 3", "unknown kind"),
    ],
    ids=str,
)
def test_a_fault_in_settings_names_the_file(
    content: bytes, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "own.toml"
    file.write_bytes(content)
    monkeypatch.setenv(place.CONFIG, str(file))
    with pytest.raises(SettingsError, match=said) as caught:
        place.settings()
    assert str(file) in str(caught.value)


def test_a_named_settings_file_must_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(place.CONFIG, str(tmp_path / "none.toml"))
    with pytest.raises(SettingsError, match="no such file"):
        place.settings()
    monkeypatch.setenv(place.CONFIG, str(tmp_path))
    with pytest.raises(SettingsError, match="cannot be read"):
        place.settings()


def test_a_folder_that_may_not_be_looked_into_is_not_an_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(_: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "lstat", forbidden)
    place.must_exist(place.find(str(tmp_path / "x.db")))
