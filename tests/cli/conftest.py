"""A home for each test."""

from pathlib import Path

import pytest

from tests.cli.running import Home, Inside


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.fixture
def cli(home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(home, monkeypatch, capsys)
