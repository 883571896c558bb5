"""Runs: what one wrote is the preview of taking it back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.pages.arranging import said, status
from tests.pages.harness import Site, Tabs

RUN = "night/7?a=<b>&c"


@pytest.mark.parametrize("way", ["click", "keys", "no script"])
def test_roll_back_a_run(site: Site, tabs: Tabs, way: str) -> None:
    before = said(site, "Asha lives in Graz.", attribute="home", value="Graz")
    wrong = said(site, "Asha lives in Linz.", attribute="home", value="Linz", run=RUN, step=1)
    later = said(site, "Asha sings in a choir.", run=RUN, step=2)
    derived = said(site, "Asha is in Upper Austria.", derived_from=[wrong])
    page = tabs.open(site, "/runs", java_script_enabled=way != "no script")
    expect(page.locator("main .item")).to_contain_text("2 facts written, 2 standing")
    if way == "keys":
        page.keyboard.press("j")
        page.keyboard.press("Enter")
        expect(page.locator("h1")).to_have_text(f"Run {RUN}")
        page.wait_for_load_state()
        page.keyboard.press("b")
        expect(page.get_by_label("Why")).to_be_focused()
        page.keyboard.type("read a bad page")
        page.keyboard.press("Enter")
    else:
        page.get_by_role("link", name=RUN).click()
        expect(page.locator("main .item")).to_have_count(3)
        page.locator("summary", has_text="Roll back").click()
        page.get_by_label("Why").fill("read a bad page")
        page.get_by_role("button", name="Roll back 3 facts").click()
    expect(page.locator("#notice")).to_contain_text(
        "Rolled back: 3 facts are forgotten, and 1 from before"
    )
    assert [status(site, one) for one in (before, wrong, later, derived)] == [
        "live",
        *["retired"] * 3,
    ]
    assert site.memory.show(wrong).retired_why == "read a bad page"
    expect(page.locator("main")).to_contain_text("Nothing that this run wrote stands any more.")
    if way == "keys":
        page.wait_for_load_state()
        page.keyboard.press("u")
    else:
        page.get_by_role("button", name="Undo u").click()
    expect(page.locator("#notice")).to_contain_text("Undone")
    assert [status(site, one) for one in (before, wrong, later, derived)] == [
        "superseded",
        *["live"] * 3,
    ]


def test_only_some_steps(site: Site, tabs: Tabs) -> None:
    ids = [said(site, f"Asha has the number {n}.", run=RUN, step=n) for n in range(5)]
    page = tabs.open(site, "/runs")
    page.get_by_role("link", name=RUN).click()
    page.get_by_label("From step").fill("1")
    page.get_by_label("to step").fill("2")
    page.get_by_role("button", name="Show only these steps").click()
    expect(page.locator("main .item")).to_have_count(2)
    page.locator("summary", has_text="Roll back").click()
    page.get_by_role("button", name="Roll back 2 facts").click()
    expect(page.locator("#notice")).to_contain_text("Rolled back: 2 facts are forgotten.")
    assert [status(site, one) for one in ids] == ["live", "retired", "retired", "live", "live"]


def test_steps_that_are_none_and_a_run_that_is_none(site: Site, tabs: Tabs) -> None:
    page = tabs.open(site, "/runs")
    expect(page.locator(".empty")).to_contain_text("No run has written anything yet.")
    page.goto("/runs/one?run=nobody")
    expect(page.locator(".empty")).to_contain_text("wrote nothing that is kept")
    page.goto("/runs/one")
    expect(page.locator(".empty")).to_contain_text("No run is named")
    page.goto("/runs/one?run=r&first=x")
    expect(page.locator("main")).to_contain_text("Steps are numbers")


def test_without_a_session_a_run_is_read_and_not_taken_back(site: Site, tabs: Tabs) -> None:
    one = said(site, "Asha lives in Graz.", run=RUN, step=1)
    said(site, "Asha lives in Linz.", run=RUN, step=2, origin="external")
    page = tabs.open(site, "/runs", person=False)
    page.get_by_role("link", name=RUN).click()
    expect(page.locator("main .item")).to_have_count(1)
    assert "Linz" not in page.content()
    assert page.request.post("/runs/rollback", form={"run": RUN}).status == 403
    assert status(site, one) == "live"


def test_runs_by_pages(site: Site, tabs: Tabs) -> None:
    for n in range(53):
        said(site, f"The shop number {n} opens at nine.", f"shop:{n}", run=f"run {n:02}")
    page = tabs.open(site, "/runs", person=False)
    expect(page.locator("main .item").first).to_contain_text("run 52")
    page.get_by_role("link", name="Older").click()
    expect(page.locator("main .item")).to_have_count(3)
    page.get_by_role("link", name="Newest").click()
    expect(page.locator("main .item")).to_have_count(50)
