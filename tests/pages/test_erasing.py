"""Erase for good: the preview, the box that must be ticked, the report, and what changed in between."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from memoranda.errors import UnknownFact
from tests.pages.arranging import said, status
from tests.pages.harness import Site, Tabs


@pytest.mark.parametrize("way", ["click", "keys", "no script"])
def test_erase_with_its_preview_and_its_report(site: Site, tabs: Tabs, way: str) -> None:
    first = said(site, "Asha lives in Graz near the river.")
    second = said(site, "Asha is at home in Styria.", derived_from=[first])
    other = said(site, "Asha plays the cello.")
    page = tabs.open(site, f"/facts/{first}", java_script_enabled=way != "no script")
    if way == "keys":
        page.keyboard.press("x")
    else:
        page.get_by_role("link", name="Erase for good").click()
    expect(page.locator("h1")).to_have_text("Erase this for good?")
    expect(page.locator("main")).to_contain_text("There is no undo.")
    expect(page.locator("main .item")).to_have_count(1)
    expect(page.locator("main .item")).to_contain_text("Asha is at home in Styria.")
    box = page.get_by_label("I am sure: all 2 go for good")
    if way == "keys":
        box.focus()
        page.keyboard.press("Space")
        page.keyboard.press("Enter")
    else:
        box.check()
        page.get_by_role("button", name="Erase for good").click()
    expect(page.locator("#notice")).to_contain_text("Erased for good: 2 facts.")
    assert page.locator("#notice button").count() == 0
    expect(page.locator("#hits")).to_have_text("0 times")
    expect(page.locator("main")).to_contain_text("Out of reach: look yourself")
    for gone in (first, second):
        with pytest.raises(UnknownFact):
            site.memory.show(gone)
    assert status(site, other) == "live"
    assert b"near the river" not in site.place.read_bytes()


def test_nothing_is_erased_without_the_box(site: Site, tabs: Tabs) -> None:
    one = said(site, "Asha lives in Graz.")
    page = tabs.open(site, f"/facts/{one}/erase")
    page.get_by_role("button", name="Erase for good").click()  # the browser asks for the box
    sign = page.locator("input[name=sign]").input_value()
    answer = page.request.post(f"/facts/{one}/erase", form={"sign": sign})
    assert "tick the box" in answer.text()
    assert status(site, one) == "live"


def test_what_joined_since_the_preview_is_shown_first(site: Site, tabs: Tabs) -> None:
    one = said(site, "Asha lives in Graz.")
    page = tabs.open(site, f"/facts/{one}/erase")
    said(site, "Asha is at home in Styria.", derived_from=[one])
    page.get_by_label("I am sure").check()
    page.get_by_role("button", name="Erase for good").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was erased")
    expect(page.locator("main .item")).to_contain_text("Asha is at home in Styria.")
    assert status(site, one) == "live"


def test_a_report_that_is_old_says_where_to_look(site: Site, tabs: Tabs) -> None:
    page = tabs.open(site, "/erased?note=old")
    expect(page.locator(".empty")).to_contain_text("no report")
