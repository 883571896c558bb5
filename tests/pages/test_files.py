"""Files read, compared, restored, edited, deleted and approved: by click and by key; two editors lose nothing."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.pages.harness import PHONE, Site, Tabs, sideways
from tests.pages.places import ADA, FIRST, NOTES, SECOND, notes, press


def at(path: str, /, **query: object) -> str:
    return f"{path}?{urlencode(query)}"


ONE = at("/files/one", subject=ADA, path=NOTES)
EDIT = at("/files/edit", subject=ADA, path=NOTES)


def text_of(site: Site, path: str = NOTES) -> str:
    return site.memory.files(ADA).read(path).text


def test_a_file_is_found_and_its_change_seen(site: Site, tab: Page) -> None:
    notes(site)
    tab.goto("/files")
    press(tab, "j")
    press(tab, "Enter")
    expect(tab.get_by_role("heading", name="Deleted")).to_be_visible()
    tab.get_by_role("link", name=NOTES).click()
    expect(tab.locator("pre.text")).to_contain_text("Vent open.")
    press(tab, "d")
    expect(tab.locator("tr.removed")).to_have_count(1)
    expect(tab.locator("tr.removed .sign")).to_contain_text("removed")
    expect(tab.locator("tr.removed .line")).to_have_text("Bisque at 980 degrees.")
    expect(tab.locator("tr.added .line")).to_have_text(["Bisque at 1000 degrees.", "Vent open."])
    press(tab, "h")
    expect(tab.locator("pre.text")).to_be_visible()


def test_a_version_is_restored(site: Site, tab: Page) -> None:
    notes(site)
    tab.goto(ONE)
    tab.locator("#v1").get_by_role("button", name="Restore version 1").click()
    expect(tab.get_by_role("status")).to_contain_text("Version 1 was restored")
    assert text_of(site) == FIRST
    done = site.memory.files(ADA).history(NOTES)[0]
    assert (done.verb, done.actor) == ("restored", "page:asha")


def test_a_version_is_restored_by_keys(site: Site, tab: Page) -> None:
    notes(site)
    tab.goto(ONE)
    tab.locator("#v1 a").focus()
    press(tab, "r")
    expect(tab.get_by_role("status")).to_contain_text("Version 1 was restored")


def test_a_deleted_file_comes_back(site: Site, tab: Page) -> None:
    notes(site)
    tab.goto(ONE)
    tab.get_by_text("Delete this file").click()
    tab.get_by_role("button", name="Delete it").click()
    expect(tab.get_by_role("status")).to_contain_text("deleted")
    assert site.memory.files(ADA).gone() == [f"/memories/{NOTES}", "/memories/old.md"]
    tab.get_by_role("button", name="Restore version 2").click()
    assert text_of(site) == SECOND


@pytest.mark.parametrize(
    "text", ["\nA first line left free.\n", "One\r\nTwo\r\n", "<b>&amp;</textarea>", "Ends"]
)
def test_an_edit_keeps_what_was_not_touched(site: Site, tab: Page, text: str) -> None:
    site.memory.files(ADA).write(NOTES, text)
    tab.goto(ONE)
    press(tab, "e")
    tab.get_by_role("button", name="Save").click()
    expect(tab.get_by_role("status")).to_contain_text("Nothing had changed")
    tab.goto(EDIT)
    field = tab.get_by_label("The whole text of the file")
    field.press("Control+End")
    field.type("more")
    tab.get_by_role("button", name="Save").click()
    expect(tab.get_by_role("status")).to_contain_text("was written")
    assert text_of(site) == f"{text}more"


def test_two_editors_lose_nothing(site: Site, tab: Page) -> None:
    notes(site)
    tab.goto(EDIT)
    tab.get_by_label("The whole text of the file").fill("Mine.\n")
    site.memory.files(ADA).write(NOTES, "Theirs.\n")
    tab.get_by_role("button", name="Save").click()
    expect(tab.get_by_role("alert")).to_contain_text("Not written")
    expect(tab.get_by_label("The whole text of the file")).to_have_value("Mine.\n")
    expect(tab.locator("pre.text")).to_contain_text("Theirs.")
    expect(tab.locator("tr.added .line")).to_have_text("Mine.")
    assert text_of(site) == "Theirs.\n"
    tab.get_by_role("button", name="Save over what stands there").click()
    expect(tab.get_by_role("status")).to_contain_text("was written")
    assert text_of(site) == "Mine.\n"


def test_a_secret_is_not_written_and_the_text_stays_in_the_field(site: Site, tab: Page) -> None:
    notes(site)
    tab.goto(EDIT)
    secret = "The key is sk-proj-" + "a1B2c3D4" * 6 + "\n"
    tab.get_by_label("The whole text of the file").fill(secret)
    tab.get_by_role("button", name="Save").click()
    expect(tab.get_by_role("alert")).to_contain_text("a secret")
    expect(tab.get_by_label("The whole text of the file")).to_have_value(secret)
    assert text_of(site) == SECOND


def test_a_rule_file_is_approved_as_it_was_read(site: Site, tab: Page) -> None:
    notes(site)
    rules = at("/files/one", subject=ADA, path="rules.md")
    tab.goto(rules)
    expect(tab.get_by_text("only once a person has approved")).to_be_visible()
    press(tab, "a")
    expect(tab.get_by_role("status")).to_contain_text("You approved this text")
    expect(tab.get_by_text("approved by asha")).to_be_visible()
    assert [rule.path for rule in site.memory.files(ADA).rules()] == ["rules.md"]
    site.memory.files(ADA).write("rules.md", "Another rule.\n")
    tab.reload()
    site.memory.files(ADA).write("rules.md", "A third rule.\n")
    tab.get_by_role("button", name="Approve this text").click()
    expect(tab.locator("main")).to_contain_text("not the text that you saw")
    assert site.memory.files(ADA).rules() == []


def test_a_mark_is_told_and_an_edit_keeps_it(site: Site, tab: Page) -> None:
    site.memory.files(ADA, external=True).write(NOTES, "From a page.\n")
    tab.goto(EDIT)
    tab.get_by_label("The whole text of the file").fill("From a page, put right.\n")
    tab.get_by_role("button", name="Save").click()
    expect(tab.locator(".badge.warn").first).to_contain_text("text from outside")
    assert site.memory.files(ADA).read(NOTES).mark == "external"


def test_whoever_did_not_come_in_by_the_link_changes_nothing(site: Site, tabs: Tabs) -> None:
    notes(site)
    page = tabs.open(site, ONE, person=False, java_script_enabled=False, **PHONE)
    expect(page.locator("pre.text")).to_contain_text("Vent open.")
    expect(page.get_by_role("button", name=re.compile("Restore|Delete"))).to_have_count(0)
    sha256 = site.memory.files(ADA).read(NOTES).sha256
    for path, form in (
        ("/files/edit", {"text": "x", "sha256": sha256}),
        ("/files/restore", {"n": "1"}),
        ("/files/delete", {"sha256": sha256}),
        ("/files/approve", {"sha256": sha256}),
        ("/store/maintain", {}),
        ("/store/rescan", {}),
    ):
        answer = page.request.post(
            path, form={"subject": ADA, "path": NOTES, **form}, max_redirects=0
        )
        assert answer.status == 403, path
    assert text_of(site) == SECOND


def test_nothing_is_wider_than_a_phone(site: Site, tabs: Tabs) -> None:
    notes(site)
    page = tabs.open(site, **PHONE)
    diff = at("/files/diff", subject=ADA, path=NOTES)
    for address in ("/files", at("/files/of", subject=ADA), ONE, diff, EDIT):
        page.goto(address)
        assert sideways(page) == 0, address


def test_looking_makes_no_folder(tmp_path: Path, tabs: Tabs) -> None:
    from tests.pages.harness import served

    with served(tmp_path / "memory.db", files_folder=str(tmp_path / "notes")) as site:
        page = tabs.open(site, at("/files/of", subject="user:nobody"))
        expect(page.locator("main")).to_contain_text("no folder of files")
        assert not (tmp_path / "notes").exists()
        site.memory.files(ADA).write(NOTES, FIRST)
        page.goto(ONE)
        expect(page.locator("pre.text")).to_contain_text("Cool for ten hours.")


def test_an_empty_store_says_what_to_do(tab: Page) -> None:
    tab.goto("/files")
    expect(tab.get_by_text("No subject has files yet.")).to_be_visible()
    expect(tab.locator(".empty code")).to_be_visible()
