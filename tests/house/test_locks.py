"""The locks in requirements/ fit what they were made from, and tie every file to a hash."""

import re
from pathlib import Path

import pytest

from scripts import lock

ROOT = Path(__file__).resolve().parents[2]


def test_locks_are_in_step_with_their_inputs() -> None:
    assert lock.stale() == [], "make lock"


@pytest.mark.parametrize("name", lock.LOCKS)
def test_every_entry_is_pinned_and_hashed(name: str) -> None:
    text = (ROOT / f"requirements/{name}.txt").read_text()
    entries = re.split(r"\n(?=[a-z])", re.sub(r"(?m)^ *#.*\n", "", text))
    assert entries
    for entry in entries:
        assert re.match(r"[a-z0-9._-]+==\S+", entry), entry
        assert "--hash=sha256:" in entry, entry


def test_there_is_no_uv_lock() -> None:
    # It records where each file came from; requirements/*.txt record only what it is.
    assert not (ROOT / "uv.lock").exists()


def test_every_package_that_an_extra_brings_is_named_with_its_licence() -> None:
    locked = set(re.findall(r"(?m)^([a-z0-9._-]+)==", (ROOT / "requirements/run.txt").read_text()))
    table = (ROOT / "THIRD_PARTY.md").read_text()
    rows = re.findall(r"(?m)^\| ([a-z0-9._-]+)(?: \([^)]*\))? \|.*[A-Za-z0-9] \|$", table)
    assert set(rows) - {"package"} == locked
