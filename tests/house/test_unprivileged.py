"""The tests about file modes really run as somebody whom file modes bind."""

import os
from pathlib import Path

import pytest


@pytest.mark.unprivileged
def test_modes_bind_whoever_runs_this(tmp_path: Path) -> None:
    assert os.geteuid() != 0
    closed = tmp_path / "closed"
    closed.write_text("x")
    closed.chmod(0)
    with pytest.raises(PermissionError):
        closed.read_text()
