"""The API by schemathesis, with all of its checks, against a running server: as anybody, and as the person."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.serving import Served

SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")


def checked(site: Served, folder: Path, *options: str) -> None:
    done = subprocess.run(
        [
            str(SCHEMATHESIS),
            *("run", f"http://{site.host}/openapi.json", "--checks", "all", "--no-color"),
            *("--seed", "7", "--workers", "2", *options),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2000:]


def filled(site: Served) -> None:
    for n in range(5):
        site.memory.remember(
            f"The user has visited {n + 2} towns.",
            subject="user:me",
            origin="user",
            run="r1",
            step=n,
        )
        site.memory.remember(
            f"The page says that door {n} is open.", subject="user:me", run="r1", step=n
        )
    site.memory.files("user:me").write("notes/a.md", "milk\n")


def as_person(site: Served, folder: Path) -> None:
    key = site.enter().partition("=")[2]
    (folder / "schemathesis.toml").write_text(f'[auth.openapi.session]\napi_key = "{key}"\n')
    site.cookie = None


@pytest.mark.slow
def test_a_person_finds_nothing_undocumented(site: Served, tmp_path: Path) -> None:
    filled(site)
    as_person(site, tmp_path)
    checked(site, tmp_path, "--max-examples", "3")
    assert site.ask("GET", "/health").status == 200


@pytest.mark.slow
def test_anybody_finds_nothing_undocumented(site: Served, tmp_path: Path) -> None:
    filled(site)
    before = site.memory.operations(limit=1000)
    checked(site, tmp_path, "--phases", "examples,fuzzing", "--max-examples", "3")
    assert site.memory.operations(limit=1000) == before


@pytest.mark.soak
@pytest.mark.parametrize("person", [True, False])
def test_at_length(site: Served, tmp_path: Path, person: bool) -> None:
    filled(site)
    if person:
        as_person(site, tmp_path)
    checked(site, tmp_path, "--max-examples", "150")
