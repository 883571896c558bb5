"""A disk that takes no more: a typed error, nothing half written, and work goes on when there is room."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from memoranda.errors import StoreFull
from memoranda.stores.sqlite import open_blocking

SCRIPT = Path(__file__).with_name("processes.py")


def fill(path, limit):
    done = subprocess.run(
        [sys.executable, SCRIPT, "fill", path, str(limit)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.slow
def test_a_limit_on_the_size_of_files(tmp_path):
    said, healthy = fill(tmp_path / "memory.db", 300_000)
    assert said.startswith("StoreFull")
    assert "nothing was written" in said
    assert healthy == "True True"


@pytest.mark.slow
def test_a_disk_that_is_really_full(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("only root can make a small disk")
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", tmp_path],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("no small disk can be made here")
    try:
        said, healthy = fill(tmp_path / "memory.db", 0)
        assert said.startswith("StoreFull")
        assert healthy == "True True"
        before = sorted(tmp_path.iterdir())
        with suppress(OSError):
            (tmp_path / "ballast").write_bytes(b"x" * 600_000)
        with pytest.raises(StoreFull):
            open_blocking(tmp_path / "other.db")
        assert sorted(tmp_path.iterdir()) == sorted([*before, tmp_path / "ballast"])
    finally:
        subprocess.run(["umount", tmp_path], check=True)
