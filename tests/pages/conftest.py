"""A real headless Chromium before a real server. Where there is no browser, the tests of this folder are skipped."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.pages.harness import ARGUMENTS, WAIT_MS, Site, Tabs, chromium, crowd, served

expect.set_options(timeout=WAIT_MS)  # a slow machine is no failure


# For this folder and not for the whole run: while it is open a loop runs in this thread, and `asyncio.run` of other
# tests would refuse to begin another.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of this folder; each test has contexts of its own."""
    place = chromium()
    if place is None:
        pytest.skip("there is no chromium on this machine, so no page can be looked at")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=place, args=list(ARGUMENTS))
        yield opened
        opened.close()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A server over an empty store."""
    with served(tmp_path / "memory.db") as opened:
        yield opened


@pytest.fixture
def tabs(browser: Browser) -> Iterator[Tabs]:
    """Opens pages: `tabs.open(site, "/review")`. A page that did what no page may fails the test at its end."""
    opened = Tabs(browser)
    yield opened
    assert opened.close() == []


@pytest.fixture
def tab(site: Site, tabs: Tabs) -> Page:
    """The page of a person who came in by the link."""
    return tabs.open(site)


@pytest.fixture(scope="session")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server over 100,000 facts, which are made once for all processes of a run. Tests only read them."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "crowd"
    place = folder / "memory.db"
    try:
        folder.mkdir()
    except FileExistsError:
        wait_for(folder / "made")
    else:
        crowd(place)
        (folder / "made").touch()
    with served(place) as opened:
        yield opened


def wait_for(place: Path, seconds: float = 120.0) -> None:
    """Wait until another process has made this file."""
    until = monotonic() + seconds
    while not place.exists():
        assert monotonic() < until, "the process that makes the crowd did not finish"
        sleep(0.05)
