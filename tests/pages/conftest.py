"""A real headless Chromium before a real server. Where there is no browser, the tests of this folder are skipped."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.pages.harness import ARGUMENTS, WAIT_MS, Site, Tabs, chromium, crowd, served

expect.set_options(timeout=WAIT_MS)  # a slow machine is no failure


# While a browser is open a loop runs in its thread, and `asyncio.run` of other tests would refuse to begin another
# there. So the browser has a thread of its own, and tests of pages run on it.
THREAD = ThreadPoolExecutor(max_workers=1, thread_name_prefix="browser")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that has a browser on the browser's thread."""
    if "browser" not in pyfuncitem.fixturenames:
        return None
    wanted = pyfuncitem._fixtureinfo.argnames
    given = {name: pyfuncitem.funcargs[name] for name in wanted}
    THREAD.submit(pyfuncitem.obj, **given).result()
    return True


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of this folder; each test has contexts of its own."""
    place = chromium()
    if place is None:
        pytest.skip("there is no chromium on this machine, so no page can be looked at")
    playwright = sync_playwright()

    def start() -> Browser:
        started = playwright.start()
        return started.chromium.launch(executable_path=place, args=list(ARGUMENTS))

    def stop() -> None:
        opened.close()
        playwright.__exit__()

    opened = THREAD.submit(start).result()
    yield opened
    THREAD.submit(stop).result()


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
    assert THREAD.submit(opened.close).result() == []


@pytest.fixture
def tab(site: Site, tabs: Tabs) -> Page:
    """The page of a person who came in by the link."""
    return THREAD.submit(tabs.open, site).result()


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
