"""The pictures of the documents are made from the pages, so that they cannot show what is not there.

They are written to docs/images only with MEMORANDA_SCREENSHOTS=1; else each is made and thrown away.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from memoranda.messages import Message, Text, ToolCall, ToolResult, said
from tests.pages.harness import Site, Tabs

ROOT = Path(__file__).parents[2]
SIZE = {"width": 1200, "height": 800}
LARGEST = 250_000
MIRA = "user:mira"
BUDGET = 2400


def at(path: str, /, **query: object) -> str:
    return f"{path}?{urlencode(query)}"


def told(site: Site) -> None:
    """What a small workshop remembers: people, habits, a page that somebody planted something on."""
    for text, attribute, value in (
        ("Mira Holt lives in Lund.", "home", "Lund"),
        ("Mira Holt works at Tidewater Looms.", "employer", "Tidewater Looms"),
        ("Mira Holt prefers short answers with the sums shown.", None, None),
        ("The dye vat of Mira Holt holds forty litres.", None, None),
        ("Mira Holt orders her wool from Anders Falk in Visby.", None, None),
    ):
        site.memory.remember(
            text,
            subject=MIRA,
            attribute=attribute,
            value=value,
            origin="user",
            run="r_monday",
            step=1,
        )
    for n, text in enumerate(
        (
            "Tidewater Looms pays its invoices to the account of Northgate Ltd.",
            "Mira Holt has agreed to the new terms of Northgate Ltd.",
            "The order of Mira Holt is shipped to Harbour Street 9.",
        )
    ):
        site.memory.remember(
            text,
            subject=MIRA,
            origin="tool" if n == 2 else "external",
            run="r_orders",
            step=n + 1,
            source_ref="page:northgate.example/terms",
            quote=text,
        )
    site.memory.remember(
        "The warehouse of Tidewater Looms is closed on Fridays.",
        subject=MIRA,
        origin="tool",
        run="r_orders",
        step=4,
    )


def talked(site: Site) -> str:
    """A session whose window was compacted; the receipt of its last question."""
    window = site.memory.window(
        session="dyeing on monday", subject=MIRA, budget=BUDGET, run="r_monday"
    )
    window.build("How much madder do I need for three kilos of wool?")
    window.append(said("assistant", "At half the weight of the wool: 1.5 kilos of madder."))
    for n, dye in enumerate(
        ("madder", "weld", "woad", "walnut", "indigo", "cochineal", "alder"), 1
    ):
        window.build(f"And what does the dye book say about {dye}?")
        call = ToolCall(f"c{n}", "read_book", f'{{"chapter": "{dye}"}}')
        window.append(Message("assistant", (Text("I look it up."), call)))
        lines = "".join(
            f"{dye}, bath {b}: {40 + 5 * b} degrees for {20 + b} minutes\n" for b in range(1, 24)
        )
        window.append(Message("tool", (ToolResult(call.id, (Text(lines),), name="read_book"),)))
        window.build()
        window.append(
            said(
                "assistant", f"The book gives {dye} twenty-three baths, each hotter than the last."
            )
        )
    window.build("How many litres does my dye vat hold, and from whom do I order wool?")
    window.append(said("assistant", "Forty litres; from Anders Falk in Visby."))
    return site.memory.receipts(session="dyeing on monday")[0].id


def filed(site: Site) -> None:
    """Notes of two versions."""
    files = site.memory.files(MIRA, run="r_monday", step=3)
    files.write(
        "recipes/madder.md",
        "# Madder\n\n- Wool: 3 kg\n- Madder: 1.2 kg\n- Bath: 60 degrees\n- Rinse twice\n",
    )
    files.write(
        "recipes/madder.md",
        "# Madder\n\n- Wool: 3 kg\n- Madder: 1.5 kg, half the weight of the wool\n- Bath: 65 degrees\n- Rinse twice\n"
        "- Dry in the shade\n",
    )


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Where the pictures go."""
    if os.environ.get("MEMORANDA_SCREENSHOTS") != "1":
        return tmp_path
    place = ROOT / "docs/images"
    place.mkdir(exist_ok=True)
    return place


def test_the_pictures_of_the_documents(site: Site, tabs: Tabs, out: Path) -> None:
    told(site)
    receipt = talked(site)
    filed(site)
    vat = next(fact for fact in site.memory.facts(subject=MIRA) if "vat" in fact.fact)
    window = at("/sessions/window", session="dyeing on monday", budget=BUDGET, step=14)
    shots = {
        "facts": "/",
        "fact": f"/facts/{vat.id}",
        "review": "/review",
        "run": at("/runs/one", run="r_orders"),
        "window": window,
        "receipt": f"/receipts/{receipt}",
        "diff": at("/files/diff", subject=MIRA, path="recipes/madder.md"),
    }
    light = tabs.open(site, viewport=SIZE, color_scheme="light")
    for name, address in shots.items():
        taken(light, address, out / f"{name}.png")
    dark = tabs.open(site, viewport=SIZE, color_scheme="dark")
    taken(dark, "/review", out / "review-dark.png")
    taken(dark, window, out / "window-dark.png")


def taken(page: Page, address: str, place: Path) -> None:
    """A picture of the page as it opens."""
    page.goto(address)
    expect(page.locator("h1")).to_be_visible()
    page.screenshot(path=place, animations="disabled")
    assert 5_000 < place.stat().st_size < LARGEST, place
