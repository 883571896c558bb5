"""Projects, what was done, and the store."""

from __future__ import annotations

from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from tests.pages.harness import PHONE, Site, Tabs, sideways
from tests.pages.places import ADA, PROJECT, notes, press, project, talk

ONE = f"/projects/one?{urlencode({'subject': PROJECT})}"


def test_a_project_is_read(site: Site, tab: Page) -> None:
    project(site)
    tab.goto("/projects")
    expect(tab.locator(".item")).to_contain_text("1 of 4 done")
    press(tab, "j")
    press(tab, "Enter")
    expect(tab.locator("h1")).to_have_text("Rebuild the kiln")
    states = tab.locator(".checklist .badge")
    expect(states).to_have_text(["done", "claimed, not proved", "in progress", "open"])
    expect(tab.locator(".checklist .item").first).to_contain_text("make bricks")
    expect(tab.get_by_text("make kiln")).to_be_visible()
    expect(tab.get_by_text("The kiln has twelve elements.")).to_be_visible()
    tab.get_by_role("link", name="project.md").click()
    expect(tab.locator("pre.text")).to_contain_text("Rebuild the kiln")


def test_a_tick_drawn_by_hand_is_no_proof(site: Site, tab: Page) -> None:
    files = site.memory.files(PROJECT)
    files.write(
        "project.md", "# Project: Kiln\n## Checklist\n- [x] 1. Lay it (check: `true` exit 0)\n"
    )
    tab.goto(ONE)
    expect(tab.locator(".checklist .badge")).to_have_text("claimed, not proved")


def test_a_project_without_a_file_or_with_a_torn_one_says_so(site: Site, tab: Page) -> None:
    site.memory.remember("The kiln has twelve elements.", subject=PROJECT, origin="user")
    tab.goto(ONE)
    expect(tab.get_by_text("has no checklist")).to_be_visible()
    site.memory.files(PROJECT).write("project.md", "nothing of a project")
    tab.reload()
    expect(tab.get_by_text("cannot be read as a project")).to_be_visible()
    tab.goto("/projects")
    expect(tab.locator(".item")).to_have_count(1)


def test_an_operation_is_undone_by_click(site: Site, tab: Page) -> None:
    done = site.memory.remember("Ada lives in Graz.", subject=ADA, origin="user")
    site.memory.retire(str(done.id), why="she moved")
    tab.goto("/operations")
    newest = tab.locator(".item").first
    expect(newest).to_contain_text("forgot 1 fact")
    expect(newest).to_contain_text("because: she moved")
    newest.get_by_role("button", name="Undo").click()
    expect(tab.get_by_role("status")).to_contain_text("Undone")
    expect(tab).to_have_url(f"{site.address}/operations{tab.url.partition('/operations')[2]}")
    assert site.memory.show(str(done.id)).status == "live"


def test_an_operation_is_undone_by_key(site: Site, tab: Page) -> None:
    done = site.memory.remember("Ada lives in Graz.", subject=ADA, origin="user")
    site.memory.retire(str(done.id))
    tab.goto("/operations")
    press(tab, "j")
    press(tab, "u")
    expect(tab.get_by_role("status")).to_contain_text("Undone")
    assert site.memory.show(str(done.id)).status == "live"


def test_operations_are_paged_and_what_was_erased_is_not_told(site: Site, tab: Page) -> None:
    for n in range(60):
        site.memory.remember(f"The kiln has element number {n}.", subject=PROJECT, origin="user")
    last = site.memory.facts(subject=PROJECT)[0]
    site.memory.erase(last.id)
    tab.goto("/operations")
    expect(tab.locator(".item").first).to_contain_text("erased")
    expect(tab.locator(".item").first.get_by_role("button")).to_have_count(0)
    assert last.fact not in tab.content()
    expect(tab.locator(".item")).to_have_count(50)
    tab.get_by_role("link", name="Older").click()
    expect(tab.locator(".item")).to_have_count(11)


def test_the_store_says_whether_it_is_well(site: Site, tab: Page) -> None:
    talk(site, turns=1)
    notes(site)
    site.memory.never_add("glaze", words="secret glaze")
    tab.goto("/store")
    expect(tab.get_by_text(str(site.place))).to_be_visible()
    expect(tab.get_by_role("row").filter(has_text="facts live")).to_be_visible()
    expect(tab.get_by_text("secret glaze")).to_be_visible()
    press(tab, "m")
    expect(tab.get_by_role("status")).to_contain_text("The upkeep was done")
    press(tab, "c")
    expect(tab.get_by_text("every byte was looked at")).to_be_visible()


def test_what_breaks_the_rules_of_now_is_shown_before_it_goes(site: Site, tab: Page) -> None:
    done = site.memory.remember("Ada fires a secret glaze.", subject=ADA, origin="user")
    site.memory.never_add("glaze", words="secret glaze")
    tab.goto("/store")
    expect(tab.get_by_text("rules of screening changed")).to_have_count(0)
    tab.get_by_role("link", name="Which kept things break the rules").click()
    expect(tab.get_by_role("cell", name=str(done.id))).to_be_visible()
    assert site.memory.show(str(done.id)).status == "live"
    tab.get_by_role("button", name="Take these out now").click()
    expect(tab.locator("h1")).to_contain_text("took out")
    assert site.memory.show(str(done.id)).status == "retired"


def test_nothing_is_wider_than_a_phone_nor_needs_a_script(site: Site, tabs: Tabs) -> None:
    project(site)
    notes(site)
    page = tabs.open(site, **PHONE)
    bare = tabs.open(site, person=False, java_script_enabled=False)
    for address in ("/projects", ONE, "/operations", "/store"):
        page.goto(address)
        assert sideways(page) == 0, address
        bare.goto(address)
        expect(bare.locator("h1")).to_be_visible()


def test_empty_places_say_what_to_do(tab: Page) -> None:
    for address in ("/projects", "/operations", "/sessions", "/files"):
        tab.goto(address)
        expect(tab.locator(".empty").first).to_be_visible()
