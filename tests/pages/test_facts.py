"""The list of facts: search, filters, paging, as it was at a moment, and what it says where there is nothing."""

from __future__ import annotations

import shlex
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.pages.arranging import said
from tests.pages.harness import Site, Tabs


def sentences(page: Page) -> list[str]:
    return page.locator("#found .item .says").all_inner_texts()


def ids(page: Page) -> list[str]:
    found: list[str] = page.locator("#found .item").evaluate_all("all => all.map(one => one.id)")
    return found


def test_an_empty_store_says_how_to_begin(tab: Page) -> None:
    expect(tab.locator(".empty")).to_contain_text("Nothing is remembered yet")
    expect(tab.locator(".empty")).to_contain_text("memoranda remember")


def test_the_sentence_that_an_empty_store_offers_to_remember_is_taken(
    site: Site, tab: Page
) -> None:
    told = tab.locator(".empty code", has_text="memoranda remember").inner_text()
    done = site.memory.remember(shlex.split(told)[2], subject="user:me", origin="user")
    assert done.status.value == "accepted", done.reasons


def test_the_newest_stand_first(site: Site, tabs: Tabs) -> None:
    said(site, "Asha lives in Graz.")
    said(site, "Asha plays the cello.")
    page = tabs.open(site, person=False)
    assert sentences(page) == ["Asha plays the cello.", "Asha lives in Graz."]
    expect(page.locator("#count")).to_contain_text("All that is believed: 2.")


@pytest.mark.parametrize("script", [True, False])
def test_a_search_by_enter(site: Site, tabs: Tabs, script: bool) -> None:
    said(site, "Asha lives in Graz.")
    said(site, "Asha plays the cello.")
    page = tabs.open(site, java_script_enabled=script)
    page.get_by_label("Search for words").fill("cell")
    page.keyboard.press("Enter")
    expect(page.locator("#found .item")).to_have_count(1)
    assert sentences(page) == ["Asha plays the cello."]


def test_a_search_as_one_types_keeps_the_field_and_names_the_address(
    site: Site, tabs: Tabs
) -> None:
    said(site, "Asha lives in Graz.")
    said(site, "Asha plays the cello.")
    page = tabs.open(site)
    page.keyboard.press("/")
    page.keyboard.type("graz asha")
    expect(page.locator("#found .item")).to_have_count(1)
    expect(page.locator("#q")).to_be_focused()
    assert "q=graz+asha" in page.url or "q=graz%20asha" in page.url
    page.reload()
    assert sentences(page) == ["Asha lives in Graz."]


def test_a_search_that_finds_nothing_says_what_to_do(site: Site, tabs: Tabs) -> None:
    said(site, "Asha lives in Graz.")
    page = tabs.open(site, "/?q=zebra")
    expect(page.locator(".empty")).to_contain_text("Nothing fits")
    page.get_by_role("link", name="See everything that is believed").click()
    expect(page.locator("#found .item")).to_have_count(1)


def test_filters_narrow_together(site: Site, tabs: Tabs) -> None:
    said(site, "Asha lives in Graz.", attribute="home", value="Graz")
    said(site, "Asha lives in Linz.", attribute="home", value="Linz")
    said(site, "Bela prefers tea.", "user:bela", kind="preference", origin="operator")
    page = tabs.open(site)
    page.get_by_text("State, kind").click()
    page.get_by_label("State").select_option("superseded")
    expect(page.locator("#found .item")).to_have_count(1)
    assert sentences(page) == ["Asha lives in Graz."]
    page.get_by_label("State").select_option("live")
    page.get_by_label("Kind").select_option("preference")
    expect(page.locator("#found .item .says")).to_have_text(["Bela prefers tea."])
    page.get_by_label("Came from").select_option("user")
    expect(page.locator(".empty")).to_contain_text("Nothing fits")


def test_one_subject_is_a_link_away_and_so_is_everybody(site: Site, tabs: Tabs) -> None:
    said(site, "Asha lives in Graz.")
    said(site, "Bela prefers tea.", "user:bela & sons=1")
    page = tabs.open(site, "/subjects")
    page.get_by_role("link", name="user:bela & sons=1").click()
    expect(page.locator(".chip")).to_contain_text("user:bela & sons=1")
    assert sentences(page) == ["Bela prefers tea."]
    # Searching stays with the subject.
    page.get_by_label("Search for words").fill("graz")
    expect(page.locator(".empty")).to_contain_text("Nothing fits")
    page.get_by_role("link", name="about everybody").click()
    expect(page.locator("#found .item")).to_have_count(2)


def test_subjects_are_searched_by_a_part_of_their_name(site: Site, tabs: Tabs) -> None:
    for name in ("user:asha", "user:bela", "project:graz"):
        said(site, f"The one called {name[-4:]} is here.", name)
    page = tabs.open(site, "/subjects")
    expect(page.locator("#found .item")).to_have_count(3)
    page.keyboard.press("/")
    page.keyboard.type("bel")
    expect(page.locator("#found .item")).to_have_count(1)


def test_as_it_was_at_a_moment(site: Site, tabs: Tabs) -> None:
    old = said(site, "Asha lives in Graz.", attribute="home", value="Graz")
    then = site.memory.show(old).created_at
    said(site, "Asha lives in Linz.", attribute="home", value="Linz")
    page = tabs.open(site)
    assert sentences(page) == ["Asha lives in Linz."]
    page.goto(f"/?as_of={(then + timedelta(microseconds=1)).isoformat().replace('+', '%2B')}")
    expect(page.locator("#then")).to_contain_text("This is what was believed at")
    assert sentences(page) == ["Asha lives in Graz."]
    page.get_by_role("link", name="Back to now").click()
    assert sentences(page) == ["Asha lives in Linz."]


@pytest.mark.parametrize("script", [True, False])
def test_a_moment_is_chosen_in_the_form(site: Site, tabs: Tabs, script: bool) -> None:
    said(site, "Asha lives in Graz.")
    page = tabs.open(site, java_script_enabled=script)
    page.get_by_text("State, kind").click()
    page.get_by_label("As it was at").fill("2020-02-03T04:05:06")
    if not script:
        page.get_by_role("button", name="Search").click()
    expect(page.locator("#then")).to_contain_text("2020-02-03 04:05")
    expect(page.locator(".empty")).to_contain_text("Nothing fits")


def test_a_moment_that_is_none_is_said_to_be_none(site: Site, tabs: Tabs) -> None:
    page = tabs.open(site, "/?as_of=yesterday")
    expect(page.locator("main")).to_contain_text("no date and time")


def test_everybody_reads_what_is_believed_and_a_person_everything(site: Site, tabs: Tabs) -> None:
    said(site, "Asha lives in Graz.", attribute="home", value="Graz")
    said(site, "Asha lives in Wels.", attribute="home", value="Wels")
    said(site, "Asha lives in Linz.", origin="external")
    page = tabs.open(site, "/?status=pending")
    assert sentences(page) == ["Asha lives in Linz."]
    other = tabs.open(site, person=False)
    assert sentences(other) == ["Asha lives in Wels."]
    assert other.locator("select[name=status], input[name=as_of]").count() == 0
    for query in (
        "status=pending",
        "status=all",
        "status=superseded",
        "status=expired",
        "as_of=2026-01-01",
    ):
        other.goto(f"/?{query}")
        expect(other.locator("h1")).to_contain_text("for a person")
        assert "Linz" not in other.content()


def test_a_hundred_thousand_by_pages(crowded: Site, tabs: Tabs) -> None:
    page = tabs.open(crowded, person=False)
    expect(page.locator("#found .item")).to_have_count(50)
    expect(page.locator("#count")).to_contain_text("50 shown, newest first; there are more.")
    first = ids(page)
    page.get_by_role("link", name="Older").click()
    page.wait_for_url("**after=*")
    assert not set(ids(page)) & set(first)
    page.get_by_role("link", name="Newer").click()
    page.wait_for_url("**before=*")
    assert ids(page) == first


def test_words_among_a_hundred_thousand(crowded: Site, tabs: Tabs) -> None:
    page = tabs.open(crowded, person=False)
    page.get_by_label("Search for words").fill("number 77 user:3x5")
    expect(page.locator("#found .item").first).to_contain_text("user:3x5")
    expect(page.locator("#found .item")).not_to_have_count(50)
    page.goto("/?q=zebra")
    expect(page.locator(".empty")).to_contain_text("among the ones looked at so far")
    page.get_by_role("link", name="Look further back").click()
    page.wait_for_url("**after=*")
    expect(page.locator(".empty")).to_contain_text("among the ones looked at so far")


def test_a_subject_among_a_hundred_thousand(crowded: Site, tabs: Tabs) -> None:
    page = tabs.open(crowded, "/subjects", person=False)
    page.get_by_label("Part of a name").fill("user:7x42")
    page.get_by_role("link", name="user:7x42", exact=True).click()
    expect(page.locator(".chip")).to_contain_text("user:7x42")
    expect(page.locator("#found .item")).to_have_count(50)


def test_a_sentence_written_from_the_right_ends_on_the_left(site: Site, tabs: Tabs) -> None:
    said(site, "Asha lives in Graz.")
    said(site, "אשה גרה בגראץ.")
    page = tabs.open(site)
    # Whether the first letter stands to the right of the last sign.
    turned = page.locator("#found .item .says").evaluate_all("""all => all.map(one => {
        const words = one.querySelector("a").firstChild, range = document.createRange();
        const x = at => (range.setStart(words, at), range.setEnd(words, at + 1), range.getBoundingClientRect().x);
        return x(0) > x(words.length - 1);
    })""")
    assert turned == [True, False]


def test_the_note_says_how_to_come_in_and_that_nobody_can(site: Site, tabs: Tabs) -> None:
    page = tabs.open(site, person=False)
    expect(page.locator("main .note")).to_contain_text("in a terminal to change something")
    site.link()
    page.reload()
    expect(page.locator("main .note")).to_contain_text("open the link that")
