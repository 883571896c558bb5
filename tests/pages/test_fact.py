"""One fact: where it came from and how far it came; correct, forget, pin, undo, by click, by key, without a script."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.pages.arranging import ME, held, said, status
from tests.pages.harness import Site, Tabs

WAYS = ("click", "keys", "no script")


def opened(site: Site, tabs: Tabs, way: str, at: str) -> Page:
    return tabs.open(site, at, java_script_enabled=way != "no script")


def unfold(page: Page, way: str, key: str, name: str) -> None:
    """Open a form of the page, by its key or its name."""
    if way == "keys":
        press(page, key)
    else:
        page.locator("summary", has_text=name).click()


def press(page: Page, key: str) -> None:
    """Press a key, once the page that may just have come listens to it."""
    page.wait_for_load_state()
    page.keyboard.press(key)


def undo(page: Page, way: str) -> None:
    if way == "keys":
        page.locator("#notice").wait_for()
        press(page, "u")
    else:
        page.get_by_role("button", name="Undo u").click()
    expect(page.locator("#notice")).to_contain_text("Undone")


@pytest.mark.parametrize("way", WAYS)
def test_somebody_finds_a_wrong_memory_and_forgets_it(site: Site, tabs: Tabs, way: str) -> None:
    said(site, "Asha plays the cello.")
    wrong = said(site, "Asha is allergic to nuts.")
    page = opened(site, tabs, way, "/")
    if way == "keys":
        page.keyboard.press("/")
        page.keyboard.type("nuts")
        expect(page.locator("#found .item")).to_have_count(1)
        page.keyboard.press("Escape")
        page.keyboard.press("j")
        page.keyboard.press("Enter")
    else:
        page.get_by_label("Search for words").fill("nuts")
        page.get_by_role("button", name="Search").click()
        expect(page.locator("#found .item")).to_have_count(1)
        page.get_by_role("link", name="Asha is allergic to nuts.").click()
    expect(page.locator("h1")).to_have_text("Asha is allergic to nuts.")
    unfold(page, way, "f", "Forget this")
    page.get_by_label("Why").fill("never said so")
    if way == "keys":
        page.keyboard.press("Enter")
    else:
        page.get_by_role("button", name="Forget this").click()
    expect(page.locator("#notice")).to_contain_text("Forgotten. It will not be recalled again")
    expect(page.locator("#state")).to_contain_text("never said so")
    assert status(site, wrong) == "retired"
    assert site.memory.show(wrong).retired_why == "never said so"
    assert not site.memory.recall("allergic to nuts?", subjects=[ME]).facts
    undo(page, way)
    assert status(site, wrong) == "live"


@pytest.mark.parametrize("way", WAYS)
def test_correct(site: Site, tabs: Tabs, way: str) -> None:
    old = said(site, "Asha lives in Graz.", attribute="home", value="Graz")
    page = opened(site, tabs, way, f"/facts/{old}")
    unfold(page, way, "e", "Correct")
    field = page.get_by_label("The sentence as it should be")
    if way == "keys":
        expect(field).to_be_focused()
        page.keyboard.press("Control+a")
        page.keyboard.type("Asha lives in Linz.")
        page.keyboard.press("Tab")
        page.keyboard.press("Control+a")
        page.keyboard.type("Linz")
        page.keyboard.press("Enter")
    else:
        field.fill("Asha lives in Linz.")
        page.get_by_label("home: the value alone").fill("Linz")
        page.get_by_role("button", name="Save the correction").click()
    expect(page.locator("h1")).to_have_text("Asha lives in Linz.")
    expect(page.locator("#notice")).to_contain_text("Corrected")
    new = page.url.split("/facts/")[1].split("?")[0]
    assert (status(site, old), status(site, new)) == ("superseded", "live")
    assert site.memory.show(new).value == "Linz"
    expect(page.locator("main")).to_contain_text("Other versions of it")
    undo(page, way)
    assert (status(site, old), status(site, new)) == ("live", "retired")


def test_a_value_that_was_left_as_it_was_goes_with_the_old_sentence(site: Site, tabs: Tabs) -> None:
    old = said(site, "Asha lives in Graz.", attribute="home", value="Graz")
    page = tabs.open(site, f"/facts/{old}")
    unfold(page, "click", "e", "Correct")
    page.get_by_label("The sentence as it should be").fill("Asha lives in Linz.")
    page.get_by_role("button", name="Save the correction").click()
    expect(page.locator("h1")).to_have_text("Asha lives in Linz.")
    live = site.memory.facts(subject=ME)
    assert [(fact.fact, fact.value) for fact in live] != [("Asha lives in Linz.", "Graz")]


def test_a_correction_that_cannot_be_kept_says_why_and_loses_nothing(
    site: Site, tabs: Tabs
) -> None:
    old = said(site, "Asha lives in Graz.")
    page = tabs.open(site, f"/facts/{old}")
    unfold(page, "click", "e", "Correct")
    secret = "The key of Asha is AKIA" + "IOSFODNN7EXAMPLF."
    page.get_by_label("The sentence as it should be").fill(secret)
    page.get_by_role("button", name="Save the correction").click()
    expect(page.locator("h1")).to_have_text("This was not saved")
    expect(page.get_by_role("alert")).to_contain_text("holds a secret")
    expect(page.get_by_label("The sentence as it should be")).to_have_value(secret)
    assert status(site, old) == "live"


def test_a_correction_that_must_wait_says_so(site: Site, tabs: Tabs) -> None:
    old = said(site, "Asha lives in Graz.")
    page = tabs.open(site, f"/facts/{old}")
    unfold(page, "click", "e", "Correct")
    page.get_by_label("The sentence as it should be").fill(
        "Asha lives in Linz. She works in Wels. She sings."
    )
    page.get_by_role("button", name="Save the correction").click()
    expect(page.locator("#notice")).to_contain_text("Not replaced yet")
    expect(page.locator("#notice")).to_contain_text("more than one sentence")
    assert status(site, old) == "live"


def test_saving_the_same_sentence_changes_nothing(site: Site, tabs: Tabs) -> None:
    old = said(site, "Asha lives in Graz.")
    page = tabs.open(site, f"/facts/{old}")
    unfold(page, "click", "e", "Correct")
    page.get_by_role("button", name="Save the correction").click()
    expect(page.locator("#notice")).to_contain_text("Nothing was changed")
    assert len(site.memory.facts(status="all")) == 1


def test_what_goes_with_it_is_shown_before(site: Site, tabs: Tabs) -> None:
    first = said(site, "Asha lives in Graz.")
    second = said(site, "Asha is at home in Styria.", derived_from=[first])
    page = tabs.open(site, f"/facts/{first}")
    expect(page.locator("main")).to_contain_text("Derived from it")
    unfold(page, "click", "f", "Forget this")
    expect(page.locator("#forgetting")).to_contain_text("1 more goes with it")
    expect(page.locator("#forgetting")).to_contain_text("Asha is at home in Styria.")
    page.get_by_role("button", name="Forget this and 1 more").click()
    expect(page.locator("#notice")).to_contain_text("1 more went with it")
    assert (status(site, first), status(site, second)) == ("retired", "retired")
    undo(page, "click")
    assert (status(site, first), status(site, second)) == ("live", "live")
    page.goto(f"/facts/{second}")
    expect(page.locator("main")).to_contain_text("It was derived from")


@pytest.mark.parametrize("way", WAYS)
def test_pin_and_unpin(site: Site, tabs: Tabs, way: str) -> None:
    one = said(site, "Asha lives in Graz.")
    page = opened(site, tabs, way, f"/facts/{one}")
    for label, pinned in (("Pin", "asha"), ("Unpin", None)):
        if way == "keys":
            press(page, "p")
        else:
            page.get_by_role("button", name=f"{label} p").click()
        expect(page.locator("#notice")).to_contain_text(f"{label}ned.")
        assert site.memory.show(one).pinned_by == pinned


def test_where_it_came_from_and_how_far_it_came(site: Site, tabs: Tabs) -> None:
    run = "run/1?a=b&c=<d>"
    one = said(
        site,
        "Asha lives in Graz.",
        run=run,
        step=4,
        quote="I live in Graz.",
        tags=["town"],
        source_ref="session:s 1&2",
    )
    found = site.memory.recall("Where does Asha live?", subjects=[ME])
    assert found.facts
    window = site.memory.window(session="s 1&2", subject=ME, budget=8000, run="r2")
    window.build("Where does Asha live?")
    page = tabs.open(site, f"/facts/{one}", person=False)
    expect(page.locator("#quote")).to_have_text("I live in Graz.")
    expect(page.get_by_role("link", name=run)).to_have_attribute(
        "href", "/runs/one?run=run%2F1%3Fa%3Db%26c%3D%3Cd%3E"
    )
    expect(page.get_by_role("link", name="session s 1&2").first).to_have_attribute(
        "href", "/sessions/one?session=s+1%262"
    )
    expect(page.locator("main")).to_contain_text("step 4")
    expect(page.get_by_role("link", name="town")).to_have_attribute("href", "/?tag=town")
    expect(page.locator("#recalled li")).not_to_have_count(0)
    assert "/receipts/r" in (page.locator("#recalled a").first.get_attribute("href") or "")
    expect(page.get_by_role("table")).to_contain_text("taken in")


def test_the_last_change_can_be_undone_later(site: Site, tabs: Tabs) -> None:
    one = said(site, "Asha lives in Graz.")
    site.memory.retire(one, why="a slip")
    page = tabs.open(site, f"/facts/{one}")
    page.get_by_role("button", name="Undo the last change of it").click()
    expect(page.locator("#notice")).to_contain_text("Undone: 1 fact is as before.")
    assert status(site, one) == "live"


def test_what_cannot_be_undone_any_more_is_said_plainly(site: Site, tabs: Tabs) -> None:
    one = said(site, "Asha lives in Graz.")
    page = tabs.open(site, f"/facts/{one}")
    unfold(page, "click", "f", "Forget this")
    page.get_by_role("button", name="Forget this").click()
    page.locator("#notice").wait_for()
    site.memory.undo()
    page.get_by_role("button", name="Undo u").click()
    expect(page.locator("h1")).to_have_text("This cannot be undone any more")
    expect(page.locator("main")).to_contain_text("Nothing was changed.")
    expect(page.locator("main")).to_contain_text("was undone already")


def test_undo_leads_to_no_other_place(site: Site, tabs: Tabs) -> None:
    page = tabs.open(site)
    for back in ("//example.org/", "/\\example.org", "javascript:alert(1)", "/\n/example.org", ""):
        done = site.memory.retire(said(site, f"Asha has the number {len(back)}."))
        form: dict[str, str | float | bool] = {"operation": done.id, "back": back}
        answer = page.request.post("/undo", form=form, max_redirects=0)
        assert answer.status == 303
        assert answer.headers["location"].startswith("/?note="), back


def test_without_a_session_nothing_changes_and_nothing_that_waits_is_shown(
    site: Site, tabs: Tabs
) -> None:
    one = said(site, "Asha lives in Graz.")
    waiting = held(site, "Asha lives in Linz.", derived_from=[one])
    page = tabs.open(site, f"/facts/{waiting}", person=False)
    expect(page.locator("h1")).to_contain_text("for a person")
    assert "Linz" not in page.content()
    page.goto(f"/facts/{one}")
    expect(page.locator("main")).to_contain_text("which is shown to a person alone")
    assert "Linz" not in page.content()
    assert page.locator("main form").count() == 0
    for verb in ("forget", "correct", "pin", "unpin", "erase"):
        answer = page.request.post(f"/facts/{one}/{verb}", form={"text": "x", "sure": "yes"})
        assert answer.status == 403, verb
    assert page.request.post("/undo", form={"operation": "o_1"}).status == 403
    assert page.request.get(f"/facts/{one}/erase").status == 403
    assert status(site, one) == "live"


def test_a_fact_that_is_not_there(site: Site, tabs: Tabs) -> None:
    page = tabs.open(site, "/facts/f_none")
    expect(page.locator("h1")).to_have_text("Nothing is here")


def test_keys_can_be_switched_off(site: Site, tabs: Tabs) -> None:
    one = said(site, "Asha lives in Graz.")
    page = tabs.open(site, f"/facts/{one}")
    page.keyboard.press("?")
    page.get_by_label("Single keys do something").uncheck()
    page.reload()
    page.keyboard.press("f")
    expect(page.locator("#forgetting")).not_to_have_attribute("open", "")
    page.locator("#keys > summary").click()
    expect(page.get_by_label("Single keys do something")).not_to_be_checked()
    page.get_by_label("Single keys do something").check()
    page.locator("h1").click()
    page.keyboard.press("f")
    expect(page.locator("#forgetting")).to_have_attribute("open", "")


def test_a_note_is_for_the_person_and_for_no_address_that_somebody_wrote(
    site: Site, tabs: Tabs
) -> None:
    one = said(site, "Asha lives in Graz.")
    page = tabs.open(site, f"/facts/{one}?note=forged")
    assert page.locator("#notice").count() == 0
    unfold(page, "click", "f", "Forget this")
    page.get_by_role("button", name="Forget this").click()
    page.locator("#notice").wait_for()
    assert tabs.open(site, page.url, person=False).locator("#notice").count() == 0
