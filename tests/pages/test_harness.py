"""The harness itself: it sees what it is there to see."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.pages.harness import PHONE, Site, Tabs, barriers, sideways


def test_a_person_comes_in_by_the_link(tab: Page) -> None:
    expect(tab.locator(".who")).to_contain_text("you are asha")


def test_anybody_else_reads(site: Site, tabs: Tabs) -> None:
    page = tabs.open(site, person=False, java_script_enabled=False)
    expect(page.locator(".who")).to_contain_text("read only")


def test_no_barrier_and_no_scrolling_sideways(site: Site, tabs: Tabs) -> None:
    page = tabs.open(site, **PHONE)
    assert (barriers(page), sideways(page)) == ([], 0)


@pytest.mark.parametrize(
    ("what", "names"),
    [
        ("() => { console.error('a fault'); }", "console: a fault"),
        ("() => { setTimeout(() => { throw new Error('torn'); }); }", "script: torn"),
        ("() => { setTimeout(() => alert('hello')); }", "dialog: hello"),
        ("() => { document.body.insertAdjacentHTML('beforeend', '<p style=\"color:red\">'); }", "console: "),
        ("() => { location.href = 'data:text/plain,away'; }", ""),
    ],
)  # fmt: skip
def test_the_watch_sees_what_no_page_may_do(site: Site, tabs: Tabs, what: str, names: str) -> None:
    page = tabs.open(site)
    page.evaluate(what)
    watch = tabs.opened[0][1]
    while not watch.faults:
        page.wait_for_timeout(20)
    assert watch.faults[0].startswith(names)
    tabs.close()
    tabs.opened.clear()


def test_axe_sees_a_barrier(tab: Page) -> None:
    tab.evaluate("() => { document.getElementById('main').innerHTML = '<input>'; }")
    assert [found.split(":")[0] for found in barriers(tab)] == ["critical label"]
