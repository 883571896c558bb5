"""A store, its server and a real browser before it, with whatever a test of pages asks of them."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page

from memoranda.memory import Memory
from memoranda.reviewer import Reviewer
from memoranda.server import running
from memoranda.server.doors import Doors
from memoranda.server.entrance import Entrance
from memoranda.settings import Settings

NAME = "asha"
SETTINGS = Settings(embedder="none", pending_per_subject=10_000, facts_per_source=10_000)
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
WAIT_MS = 15_000
# That an answer was a 403 or a 404 is the test's own business; and a search gives way to the next one.
NO_FAULT = ("Failed to load resource", "htmx:afterRequest", "htmx:sendAbort")


def chromium() -> str | None:
    """Where a Chromium is, or None."""
    named = ("chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, named)), None)
    return found or next(filter(os.path.exists, ("/usr/bin/chromium",)), None)


@dataclass
class Site:
    """A store with its server. `memory` and `reviewer` are the test's own way in, beside the pages."""

    address: str
    place: Path
    memory: Memory
    reviewer: Reviewer
    entrance: Entrance

    def link(self) -> str:
        """A link as the terminal shows it."""
        return f"{self.address}/enter/{self.entrance.link()}"


@contextmanager
def served(place: Path, **named: Any) -> Iterator[Site]:
    """Serve the store at `place`, which is made where there is none, on a free port until the block ends.

    `named`: settings that are not those of other tests.
    """
    settings = replace(SETTINGS, **named)
    with (
        Memory.open(place, settings=settings, actor="test") as memory,
        Memory.open(place, settings=settings, actor=f"page:{NAME}") as desk,
        Reviewer.open(place, name=NAME, settings=settings) as reviewer,
    ):
        entrance = Entrance()
        listening = running.bound(0)
        address = f"http://{running.HOST}:{listening.getsockname()[1]}"
        server = running.server(Doors(memory, desk, reviewer, entrance), listening, lambda: None)
        thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield Site(address, place, memory, reviewer, entrance)
        finally:
            server.should_exit = True
            thread.join()
            listening.close()


@dataclass
class Watch:
    """What no page may do, whatever was remembered: faults, dialogs, and requests to anywhere else."""

    address: str
    faults: list[str] = field(default_factory=list)

    def follow(self, page: Page) -> None:
        """Take note of everything that this page does."""
        page.on("console", lambda said: self.heard(said.type, said.text))
        page.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        page.on("dialog", self.dialog)
        page.on("request", lambda request: self.asked(request.url))

    def heard(self, kind: str, text: str) -> None:
        """A message of the console that is a fault."""
        if kind in ("error", "warning") and not text.startswith(NO_FAULT):
            self.faults.append(f"console: {text}")

    def dialog(self, opened: Any) -> None:
        """A dialog: no page of ours opens one."""
        self.faults.append(f"dialog: {opened.message}")
        opened.dismiss()

    def asked(self, url: str) -> None:
        """A request, which must be for this server."""
        if not url.startswith(f"{self.address}/"):
            self.faults.append(f"request: {urlsplit(url).scheme}:{urlsplit(url).netloc}")


@dataclass
class Tabs:
    """Opens pages before a site, and closes them all, looking at what they did, at the end of the test."""

    browser: Browser
    opened: list[tuple[BrowserContext, Watch]] = field(default_factory=list)

    def open(self, site: Site, at: str = "/", *, person: bool = True, **options: Any) -> Page:
        """A page at a path of this site: of the person who came in by the link, or of anybody.

        `options` go to the browser's context, such as `java_script_enabled=False`, `color_scheme="dark"` or
        `**PHONE`.
        """
        context = self.browser.new_context(base_url=site.address, **options)
        context.set_default_timeout(WAIT_MS)
        page = context.new_page()
        watch = Watch(site.address)
        watch.follow(page)
        self.opened.append((context, watch))
        if person:
            page.goto(site.link())
        page.goto(at)
        return page

    def close(self) -> list[str]:
        """Close all; what a page did that it may not."""
        for context, _ in self.opened:
            context.close()
        return [fault for _, watch in self.opened for fault in watch.faults]


@cache
def axe() -> str:
    """The source of axe."""
    return (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")


def barriers(page: Page) -> list[str]:
    """What axe finds that shuts somebody out, in both schemes: its serious and critical findings, each with a place.

    In the dark only what depends on colours is looked at anew.
    """
    page.evaluate(axe())
    page.emulate_media(color_scheme="light")
    found = _serious(page, {})
    page.emulate_media(color_scheme="dark")
    found += _serious(page, {"runOnly": ["color-contrast", "link-in-text-block"]})
    page.emulate_media(color_scheme="no-preference")
    return found


def _serious(page: Page, options: dict[str, Any]) -> list[str]:
    result = page.evaluate(
        "(options) => axe.run({...options, resultTypes: ['violations']})", options
    )
    return [
        f"{found['impact']} {found['id']}: {node['html'][:200]} {node.get('failureSummary', '')}"
        for found in result["violations"]
        if found["impact"] in ("serious", "critical")
        for node in found["nodes"][:3]
    ]


def sideways(page: Page) -> int:
    """How many pixels the page is wider than the screen: 0, or somebody has to scroll to read."""
    return int(
        page.evaluate(
            "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
    )


def crowd(place: Path, facts: int = 100_000) -> None:
    """A store of that many facts, a hundred a subject, a second apart: a thousand through the gate, the rest copies.

    Their operations are not copied: the page of one such fact knows no change of it.
    """
    with Memory.open(place, settings=SETTINGS) as memory:
        for subject in range(10):
            for n in range(100):
                memory.remember(
                    f"The shop number {n} in town {n % 17} has had a door of colour {n % 23} since {1900 + n}.",
                    subject=f"user:{subject}",
                    origin="user",
                    run="crowd",
                    step=subject * 100 + n,
                )
    connection = sqlite3.connect(place)
    connection.execute("pragma synchronous = off")
    columns = [row[1] for row in connection.execute("pragma table_info(agent_facts)")]
    wanted = {
        "id": "id || :k",
        "subject": "subject || :k",
        "created_at": "created_at - :n * 1000000",
        "observed_at": "observed_at - :n * 1000000",
    }
    copy = (
        f"insert into agent_facts ({', '.join(columns)}) "
        f"select {', '.join(wanted.get(name, name) for name in columns)} from agent_facts where subject not like '%x%'"
    )
    for n in range(1, facts // 1000):
        connection.execute(copy, {"k": f"x{n}", "n": n})
    connection.execute(
        "insert or ignore into subjects select distinct tenant, subject, 1 from agent_facts"
    )
    connection.commit()
    connection.close()
