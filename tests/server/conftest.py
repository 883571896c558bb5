"""A server for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.serving import Served, served


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "memory.db") as running:
        yield running


@pytest.fixture
def desk(site: Served) -> Served:
    """The same, for the person who came in by the link."""
    site.enter()
    return site
