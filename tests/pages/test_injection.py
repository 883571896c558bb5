"""Whatever was remembered is text: in every field, on every page, in a browser that would run it if it could."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from memoranda.reviewer import Reviewer
from tests.pages.harness import SETTINGS, Site, Tabs

# Each would do something if it became markup, an attribute, an address, a style or a word of htmx.
ATTACKS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "\"><svg onload=alert(3)>",
    "' autofocus onfocus=alert(4) x='",
    "javascript:alert(5)",
    "<style>*{display:none!important;background:url(http://127.0.0.1:9/)}</style>",
    "<p style=\"background:url('http://127.0.0.1:9/')\">",
    "<a href=\"javascript:alert(6)\">go</a>",
    "<div hx-get=\"http://127.0.0.1:9/\" hx-trigger=load></div>",
    "<div hx-on:load=\"alert(7)\" hx-post=/undo></div>",
    "\" hx-get=\"/leave\" hx-trigger=\"load\" x=\"",
    "</title></textarea></script><script>alert(8)</script>",
    "{{ 7 * 7 }}{% raw %}${7*7}",
    "<base href=http://127.0.0.1:9/><meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'>",
    "<iframe src=http://127.0.0.1:9/></iframe><form action=http://127.0.0.1:9/><button>",
)  # fmt: skip
# Elements, links and words of htmx that none of our templates has.
HARM = r"""() => {
  const planted = "script:not([src]), [onerror], [onload], [onfocus], [autofocus], style, [style], "
    + "iframe, svg, base, img";
  const odd = (address) => !["/", "/subjects"].includes(address) && !address.startsWith("/review/");
  return [
    ...[...document.querySelectorAll(planted)].map((one) => one.outerHTML),
    ...[...document.querySelectorAll("a[href], form[action]")].map((one) => one.href ?? one.action)
      .filter((address) => new URL(address).origin !== location.origin),
    ...[...document.querySelectorAll("[hx-get], [hx-post]")]
      .map((one) => (one.getAttribute("hx-get") ?? one.getAttribute("hx-post")).split("?")[0]).filter(odd),
  ];
}"""
TRICKY = "\u202egnp.exe\u202c \u200bzero\u2066x\u2069"


def poisoned(site: Site, attack: str) -> tuple[list[str], str, str]:
    """A store with the attack wherever a text goes; a fact, one that waits, and their run."""
    name = f"user:{attack}"
    common = {
        "attribute": f"note {attack}", "value": attack, "tags": [attack], "run": attack, "step": 1,
        "quote": attack,
    }  # fmt: skip
    with Reviewer.open(site.place, name=attack, settings=SETTINGS) as other:
        first = site.memory.remember(f"The note says {attack} today.", subject=name, origin="user",
                                     source_ref=attack, **common)  # fmt: skip
        waits = site.memory.remember(f"The mail says {attack} again.", subject=name, origin="external",
                                     source_ref=f"session:{attack}", **common)  # fmt: skip
        gone = site.memory.remember(
            f"The old note says {attack}.", subject=name, origin="user", tags=[attack]
        )
        for done in (first, waits, gone):
            assert done.id is not None, (attack, done.reasons)
        assert first.id
        assert waits.id
        assert gone.id
        if site.memory.show(first.id).status == "live":
            other.pin(first.id)
        site.memory.retire(gone.id, why=attack)
    site.memory.window(session=attack, subject=name, budget=8000, run=attack).build(
        "What does the note say?"
    )
    return [first.id, waits.id, gone.id], name, attack


def pages_of(ids: list[str], name: str, run: str) -> list[str]:
    return [
        f"/?{urlencode({'subject': name, 'status': 'all', 'q': run[:60], 'tag': run})}",
        f"/subjects?{urlencode({'q': run[:60]})}",
        *(f"/facts/{one}" for one in ids), f"/facts/{ids[0]}/erase", "/review",
        f"/review?{urlencode({'run': run, 'source': f'session:{run}', 'subject': name})}",
        "/runs", f"/runs/one?{urlencode({'run': run})}",
        f"/?{urlencode({'as_of': run, 'status': run, 'note': run})}",
    ]  # fmt: skip


@pytest.mark.parametrize("first", range(0, len(ATTACKS), 3))
def test_what_was_remembered_is_text(site: Site, tabs: Tabs, first: int) -> None:
    page = tabs.open(site)
    for attack in ATTACKS[first : first + 3]:
        ids, name, run = poisoned(site, attack)
        for path in pages_of(ids, name, run):
            page.goto(path)
            assert page.evaluate(HARM) == [], (attack, path)
        page.goto(f"/facts/{ids[0]}")
        expect(page.locator("h1")).to_have_text(site.memory.show(ids[0]).fact)


def test_a_form_sends_names_as_they_are(site: Site, tabs: Tabs) -> None:
    attack = "a\"b'c<d>&e=f#g?h/\u202ei"
    ids, name, run = poisoned(site, attack)
    page = tabs.open(site, f"/review?{urlencode({'run': run})}")
    page.get_by_role("button", name="Turn down everything from this run").click()
    expect(page.locator("#notice")).to_contain_text("Turned down: 1.")
    page.goto(f"/?{urlencode({'subject': name})}")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("#found .item")).to_have_count(1)
    page.goto(f"/runs/one?{urlencode({'run': run})}")
    page.locator("summary", has_text="Roll back").click()
    page.get_by_role("button", name="Roll back 1 fact").click()
    expect(page.locator("#notice")).to_contain_text("Rolled back: 1 fact")
    assert site.memory.show(ids[0]).status == "retired"


def unseen(page: Page) -> list[str]:
    """Places where a character that reorders or hides text stands raw in what is read."""
    found: list[str] = page.evaluate(
        r"""() => {
          const odd = /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          const found = odd.test(document.title) ? ['title'] : [];
          while (walker.nextNode()) {
            if (odd.test(walker.currentNode.data)) found.push(walker.currentNode.parentElement.outerHTML.slice(0, 200));
          }
          return found;
        }"""
    )
    return found


def test_characters_that_nobody_sees_are_spelt_out(site: Site, tabs: Tabs) -> None:
    ids, name, run = poisoned(site, TRICKY)
    page = tabs.open(site)
    for path in pages_of(ids, name, run):
        page.goto(path)
        assert unseen(page) == [], path
    page.goto(f"/facts/{ids[0]}")
    expect(page.locator("h1")).to_contain_text("\\u202egnp.exe")
    # In a field where it is changed, it is not there at all.
    assert "\u202e" not in page.locator("textarea").input_value()


def test_a_name_of_a_reviewer_is_text(site: Site, tabs: Tabs) -> None:
    page = tabs.open(site)
    attack = "<img src=x onerror=alert(1)>"
    site.reviewer.name = attack
    page.goto("/")
    expect(page.locator(".who")).to_contain_text(f"you are {attack}")
    assert page.locator("img").count() == 0
