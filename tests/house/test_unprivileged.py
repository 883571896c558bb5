"""The tests about file modes really run as somebody whom file modes bind."""

import os
from pathlib import Path

import pytest

from scripts import unprivileged


@pytest.mark.unprivileged
def test_modes_bind_whoever_runs_this(tmp_path: Path) -> None:
    assert os.geteuid() != 0
    closed = tmp_path / "closed"
    closed.write_text("x")
    closed.chmod(0)
    with pytest.raises(PermissionError):
        closed.read_text()


def test_only_whole_libraries_are_left_out(tmp_path: Path) -> None:
    names = ["numpy", "numpydoc.py", "uv", "uvicorn", "__pycache__"]
    ignored = unprivileged.not_of_libraries(tmp_path)
    assert ignored(str(tmp_path), names) == {"numpy", "uv", "__pycache__"}
    assert ignored(str(tmp_path / "parser"), names) == {"__pycache__"}
