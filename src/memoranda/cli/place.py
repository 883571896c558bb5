"""Where the command keeps memory and settings: --db, then MEMORANDA_DB, then the platform's own folder."""

from __future__ import annotations

import getpass
import os
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from memoranda.cli import show
from memoranda.errors import SettingsError, StoreError, StoreMissing, UsageError
from memoranda.settings import Settings, settings_from

if TYPE_CHECKING:
    from memoranda.memory import Memory
    from memoranda.ports import Embedder
    from memoranda.reviewer import Reviewer

DB = "MEMORANDA_DB"
CONFIG = "MEMORANDA_CONFIG"


@dataclass(frozen=True)
class Place:
    """A path and who chose it."""

    path: Path
    how: str


def find(option: str | None) -> Place:
    """The store's place."""
    if option is not None:
        return Place(_file(option, "--db"), "--db")
    if os.environ.get(DB):
        return Place(_file(os.environ[DB], DB), DB)
    import platformdirs

    return Place(platformdirs.user_data_path("memoranda", appauthor=False) / "memory.db", "default")


def _file(text: str, source: str) -> Path:
    try:
        fit = bool(text.strip()) and text != ":memory:" and b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:  # half a character: no file has such a name
        fit = False
    if not fit:
        raise UsageError(f"{source} must name a file that memory can be kept in")
    return Path(text).expanduser()


def make_room(place: Place) -> None:
    """Make the default folder, for its owner alone. Other folders are the caller's business."""
    if place.how != "default":
        return
    try:
        place.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"cannot make the folder {place.path.parent} ({error.strerror}); name a place with --db"
        ) from None


def must_exist(place: Place) -> None:
    """Say in the command's own words that nothing was ever remembered here."""
    try:
        place.path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        raise StoreMissing(
            f"{place.path}: there is no memory here yet; begin one with memoranda chat or memoranda remember"
        ) from None
    except OSError:
        return  # there may be one that we may not look at: opening it tells


def config() -> Place:
    """The settings file's place, whether it exists or not."""
    if os.environ.get(CONFIG):
        return Place(Path(os.environ[CONFIG]).expanduser(), CONFIG)
    import platformdirs

    folder = platformdirs.user_config_path("memoranda", appauthor=False)
    return Place(folder / "settings.toml", "default")


def settings() -> Settings:
    """The settings of the one TOML file; the defaults where there is none."""
    place = config()
    try:
        table = tomllib.loads(place.path.read_bytes().decode())
        return settings_from(table)
    except FileNotFoundError:
        if place.how == "default":
            return Settings()
        raise SettingsError(f"{CONFIG} names {place.path}, and there is no such file") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{place.path} is not UTF-8; save it as UTF-8") from None
    except OSError as error:
        raise SettingsError(f"{place.path} cannot be read ({error.strerror})") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{place.path} is not TOML: {error}") from None
    except SettingsError as error:
        raise SettingsError(f"{place.path}: {error}") from None


@contextmanager
def memory(db: str | None, *, create: bool = False) -> Iterator[Memory]:
    """The memory at the chosen place. Only commands that write make a new one."""
    from memoranda.memory import Memory

    place, chosen, found = prepared(db, create=create)
    with Memory.open(
        place.path, settings=chosen, create=create, actor=f"command:{login()}", embedder=found
    ) as opened:
        yield opened


def prepared(db: str | None, *, create: bool) -> tuple[Place, Settings, Embedder | None]:
    """The place, made ready or there already; the settings to open it with; and the embedder that is to hand."""
    place, chosen = find(db), settings()
    if create:
        make_room(place)
    else:
        must_exist(place)
    found, why = embedder(chosen)
    if why and chosen.embedder not in ("", "none"):
        show.warn(f"recall goes by words alone: {why}")
    return place, replace(chosen, embedder="none"), found


def embedder(chosen: Settings) -> tuple[Embedder | None, str]:
    """What makes vectors for the command: as the settings say, else MiniLM where it is installed; or None and why."""
    from memoranda.embedders import to_hand
    from memoranda.models._switch import check_real_calls

    return to_hand(chosen, check_real_calls)


@contextmanager
def reviewer(db: str | None, name: str | None = None) -> Iterator[Reviewer]:
    """The same store for a named person who may approve."""
    from memoranda.reviewer import Reviewer

    place, chosen = find(db), settings()
    must_exist(place)
    with Reviewer.open(
        place.path, name=login() if name is None else name, settings=chosen
    ) as opened:
        yield opened


def login() -> str:
    """The login name of whoever runs this."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # no entry for this user id, as in many containers
        return f"user-{os.getuid()}" if hasattr(os, "getuid") else "somebody"
