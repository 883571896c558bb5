"""Sessions read, windows stepped through, receipts opened: by click, by key, without a script, however long."""

from __future__ import annotations

from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from memoranda.messages import Message, Text, ToolCall, ToolResult, said
from tests.pages.harness import PHONE, Site, Tabs, sideways
from tests.pages.places import ADA, BUILT, SESSION, later, press, talk


def at(path: str, /, **query: object) -> str:
    return f"{path}?{urlencode(query)}"


def test_a_session_is_found_and_read(site: Site, tab: Page) -> None:
    talk(site)
    later(site)
    tab.goto("/sessions")
    tab.get_by_label("A part of a session's name").fill("kiln")
    press(tab, "Enter")
    expect(tab.locator(".item")).to_have_count(1)
    tab.get_by_role("link", name=SESSION).click()
    first = tab.locator("#m1")
    expect(first).to_contain_text("My name is Ada Lind")
    expect(first.locator(".learnt")).to_contain_text("lives in Graz")
    folded = tab.locator("details.call").first
    expect(folded.locator("pre")).not_to_be_visible()
    folded.locator("summary").click()
    expect(folded.locator("pre")).to_contain_text("logs/firing-0.txt")
    first.locator(".learnt a", has_text="Graz").click()
    expect(tab).to_have_url(f"{site.address}/facts/{_home(site)}")


def _home(site: Site) -> str:
    return next(f.id for f in site.memory.facts(subject=ADA) if f.attribute == "home")


def test_a_session_is_read_by_keys(site: Site, tab: Page) -> None:
    talk(site, turns=16)
    tab.goto("/sessions")
    press(tab, "j")
    press(tab, "Enter")
    expect(tab.locator("#m1")).to_be_visible()
    press(tab, "n")
    expect(tab.locator("#m51")).to_be_visible()
    expect(tab.locator("#m50")).to_have_count(0)
    press(tab, "p")
    expect(tab.locator("#m50")).to_be_visible()
    press(tab, "w")
    expect(tab.locator("h1")).to_contain_text("before the answer of step")
    press(tab, "h")
    expect(tab.locator("#m1")).to_be_visible()


def test_the_window_is_stepped_through(site: Site, tab: Page) -> None:
    talk(site)
    tab.goto(at("/sessions/window", session=SESSION, budget=900, step=2))
    expect(tab.locator("h1")).to_contain_text("step 2")
    press(tab, "n")
    expect(tab.locator("h1")).to_contain_text("step 3")
    tab.get_by_role("link", name="Step 2").click()
    expect(tab.locator("h1")).to_contain_text("step 2")
    expect(tab.locator(".kind-user").first).to_contain_text("the task")
    expect(tab.locator("svg polygon")).to_have_count(6)
    row = tab.get_by_role("row").filter(has_text="over the high mark").first
    step = row.get_by_role("link").inner_text()
    row.get_by_role("link").click()
    expect(tab.locator("h1")).to_contain_text(f"step {step}")
    expect(tab.locator(".kind-notes")).to_be_visible()


def test_another_budget_holds_another_window(site: Site, tab: Page) -> None:
    talk(site)
    tab.goto(at("/sessions/window", session=SESSION, budget=900))
    held = tab.locator(".talk .item")
    few = held.count()
    tab.get_by_label("Budget in tokens").fill("50000")
    tab.get_by_role("button", name="Show").click()
    expect(tab.get_by_text("all of it fits")).to_be_visible()
    assert held.count() > few
    tab.get_by_label("Budget in tokens").fill("100")
    tab.get_by_role("button", name="Show").click()
    expect(tab.locator("h1")).to_contain_text("step")


def test_the_tokens_shown_are_those_of_the_request(site: Site, tab: Page) -> None:
    talk(site)
    tab.goto(at("/sessions/window", session=SESSION, budget=900, step=9))
    built = site.memory.window_at(SESSION, 9, budget=900)
    each = [
        int(text.split()[0].replace(",", "")) for text in tab.locator(".tokens").all_inner_texts()
    ]
    assert sum(each) == built.tokens
    assert len(each) == len(built.messages)


def test_a_receipt_is_opened(site: Site, tab: Page) -> None:
    talk(site, turns=1)
    later(site)
    tab.goto(at("/sessions/one", session="a week later"))
    tab.get_by_role("link", name="What was recalled for it").click()
    expect(tab.locator("blockquote")).to_contain_text("Who built the kiln in the yard?")
    expect(tab.locator(".list").first).to_contain_text(BUILT)
    press(tab, "w")
    expect(tab.locator("details.recalled pre").first).to_contain_text("Brenner")
    tab.go_back()
    press(tab, "h")
    expect(tab.locator("#m1")).to_be_visible()


def test_a_receipt_accounts_for_all_that_was_considered(site: Site, tab: Page) -> None:
    for n in range(60):
        done = site.memory.remember(f"The kiln number {n} is cold.", subject=ADA, origin="user")
        assert done.ok
    site.memory.window(session="kilns", subject=ADA, budget=8000).build("Which kiln is cold?")
    receipt = site.memory.receipt(site.memory.receipts(session="kilns")[0].id)
    rest = receipt.entry.considered - len(receipt.chosen) - len(receipt.left_out)
    tab.goto(f"/receipts/{receipt.entry.id}")
    expect(tab.locator(".list .item")).to_have_count(len(receipt.chosen) + len(receipt.left_out))
    assert rest > 0
    expect(tab.locator("#rest")).to_contain_text(f"{rest} more answered it less")


def test_what_is_erased_leaves_no_words_in_a_receipt(site: Site, tab: Page) -> None:
    talk(site, turns=1)
    later(site)
    receipt = site.memory.receipts(session="a week later")[0]
    tab.goto(f"/receipts/{receipt.id}")
    expect(tab.locator("main")).to_contain_text(BUILT)
    site.memory.erase(
        next(fact.id for fact in site.memory.facts(subject=ADA) if fact.fact == BUILT)
    )
    tab.reload()
    expect(tab.locator("h1")).to_be_visible()
    expect(tab.locator("main")).not_to_contain_text("Brenner")


def test_a_session_of_5000_messages_is_paged(site: Site, tab: Page) -> None:
    long = []
    for n in range(1250):
        call = ToolCall(f"c{n}", "read_log", f'{{"path": "logs/{n}.txt"}}')
        long += [
            said("user", f"What is in log {n}?"),
            Message("assistant", (Text("I look."), call)),
            Message("tool", (ToolResult(call.id, (Text(f"{n} degrees\n" * 8),), name="read_log"),)),
            said("assistant", f"It says {n} degrees."),
        ]
    site.memory.observe(long, subject=ADA, session="long", run="r")
    tab.goto(at("/sessions/one", session="long"))
    expect(tab.locator(".item")).to_have_count(50)
    tab.get_by_role("link", name="Last").first.click()
    expect(tab.locator("#m5000")).to_be_visible()
    expect(tab.get_by_role("link", name="Later")).to_have_count(0)
    press(tab, "w")
    expect(tab.locator("h1")).to_contain_text("step 2500", timeout=60_000)
    press(tab, "p")
    expect(tab.locator("h1")).to_contain_text("step 2499")
    assert len(tab.content()) < 500_000


def test_without_a_script_and_on_a_phone(site: Site, tabs: Tabs) -> None:
    talk(site)
    page = tabs.open(site, "/sessions", java_script_enabled=False, **PHONE)
    page.get_by_role("link", name=SESSION).click()
    page.get_by_role("link", name="What the window held").click()
    page.get_by_role("link", name="Step").first.click()
    expect(page.locator("h1")).to_contain_text("before the answer of step")


def test_the_words_of_the_log_are_for_a_person(site: Site, tabs: Tabs) -> None:
    talk(site, turns=1)
    later(site)
    page = tabs.open(site, "/sessions", person=False)
    expect(page.get_by_role("link", name=SESSION)).to_be_visible()
    for address in (
        at("/sessions/one", session=SESSION),
        at("/sessions/window", session=SESSION),
        at("/sessions/one", session="none"),
    ):
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 403, address
        expect(page.locator("main")).not_to_contain_text("Ada")
    page.goto(f"/receipts/{site.memory.receipts(session='a week later')[0].id}")
    expect(page.locator("main")).to_contain_text(BUILT)
    expect(page.locator("main")).not_to_contain_text("Who built")
    site.memory.retire(
        next(fact.id for fact in site.memory.facts(subject=ADA) if fact.fact == BUILT)
    )
    page.reload()
    expect(page.locator("main")).to_contain_text("for a person to read")
    expect(page.locator("main")).not_to_contain_text("Brenner")


def test_nothing_is_wider_than_a_phone(site: Site, tabs: Tabs) -> None:
    talk(site)
    later(site)
    page = tabs.open(site, **PHONE)
    receipt = site.memory.receipts()[0].id
    for address in (
        "/sessions",
        at("/sessions/one", session=SESSION),
        at("/sessions/window", session=SESSION, budget=900),
        f"/receipts/{receipt}",
    ):
        page.goto(address)
        assert sideways(page) == 0, address


def test_what_is_not_there_is_said(site: Site, tab: Page) -> None:
    tab.goto("/sessions")
    expect(tab.get_by_text("No conversation has been logged yet.")).to_be_visible()
    for address in (
        at("/sessions/one", session="none"),
        at("/sessions/window", session="none"),
        "/receipts/r_0",
    ):
        answer = tab.goto(address)
        assert answer is not None
        assert answer.status == 404
    site.memory.observe([said("user", "Hello?")], subject=ADA, session="unanswered")
    tab.goto(at("/sessions/window", session="unanswered"))
    expect(tab.get_by_text("No model has answered in this session")).to_be_visible()
