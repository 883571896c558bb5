"""Whatever was remembered stays text on the pages of sessions, files and work, and they shut nobody out."""

from __future__ import annotations

from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from memoranda.memory import Memory
from memoranda.messages import Message, Opaque, Text, ToolCall, ToolResult, said
from tests.pages.harness import Site, Tabs, barriers
from tests.pages.places import ADA, NOTES, PROJECT, SESSION, later, notes, project, talk

EVIL = (
    "\"'><script>document.title='owned';alert(1)</script><img src=//evil.example/x onerror=alert(2)>"
    "<a id=owned href='javascript:alert(3)' hx-get='//evil.example/' hx-trigger='load' style='color:red'>x</a>"
    "</textarea></pre><!-- {{1234567*9}} ${1234567*9}"
)
NAME = (
    "\"'><script>alert(1)</script><img src=//evil.example/x onerror=alert(2)>"
    "<a id=owned hx-get='//evil.example/' hx-trigger='load'>x</a>{{1234567*9}}"
)
UNSEEN = "safe\u202egnp.exe\u200b\x1b[2J"
PATH = "a'onload=alert(1) &amp; {{11111100+3}} -- hx-get=x;.md"


def at(path: str, /, **query: object) -> str:
    return f"{path}?{urlencode(query)}"


def poisoned(site: Site) -> list[str]:
    """Every field that somebody else fills, filled with an attack; the addresses that show them."""
    subject = f"project:{NAME}"
    with Memory.open(site.place, settings=site.memory.core.settings, actor=NAME) as memory:
        call = ToolCall("c1", EVIL, f'{{"a": "{UNSEEN}", "b": "<script>alert(4)</script>"}}')
        memory.observe(
            [
                said("user", f"{EVIL} {UNSEEN}"),
                Message("assistant", (Text(EVIL), call, Opaque("openai", {"type": EVIL}))),
                Message("tool", (ToolResult("c1", (Text(f"{EVIL} {UNSEEN}"),), name=EVIL),)),
                said("assistant", f"{EVIL} {UNSEEN}"),
            ],
            subject=subject,
            session=NAME,
            run=NAME,
        )
        window = memory.window(session=NAME, subject=subject, run=NAME)
        done = memory.remember(
            f"The door is {EVIL[:150]}.", subject=subject, origin="user", run=NAME
        )
        window.build(f"What is the door? {EVIL}")
        memory.never_add("rule", words="<script>alert(5)</script>")
        files = memory.files(subject, run=NAME)
        files.write(PATH, f"{EVIL}\n")
        files.write(PATH, f"{EVIL}\n{UNSEEN}\n")
        files.project_init(EVIL, items=[EVIL, UNSEEN.replace("\x1b", "")], setup=EVIL)
        files.project_tick(1, f"claimed: {EVIL}")
        memory.retire(str(done.id), why=EVIL)
    receipt = site.memory.receipts()[0].id
    return [
        "/sessions",
        at("/sessions", words=NAME),
        at("/sessions/one", session=NAME),
        at("/sessions/window", session=NAME, subject=subject),
        f"/receipts/{receipt}",
        "/files",
        at("/files/of", subject=subject),
        at("/files/one", subject=subject, path=PATH),
        at("/files/diff", subject=subject, path=PATH),
        at("/files/edit", subject=subject, path=PATH),
        "/projects",
        at("/projects/one", subject=subject),
        "/operations",
        "/store",
    ]


def test_nothing_that_was_kept_is_more_than_text(site: Site, tab: Page) -> None:
    for address in poisoned(site):
        answer = tab.goto(address)
        assert answer is not None
        assert answer.status == 200, address
        tab.evaluate(
            "() => document.querySelectorAll('details').forEach(one => { one.open = true; })"
        )
        assert not tab.locator(
            "#owned, main script, main img, [style], [onerror], [hx-trigger]"
        ).count(), address
        assert "owned" not in tab.title() or "<script>" in tab.title(), address
        shown = tab.locator("main").inner_text()
        assert not {"\u202e", "\u200b", "\x1b"} & set(shown), address
        assert "11111103" not in shown, address


def test_what_hides_in_a_text_is_spelt_out(site: Site, tab: Page) -> None:
    site.memory.files(ADA).write(NOTES, f"{UNSEEN}\n")
    tab.goto(at("/files/one", subject=ADA, path=NOTES))
    expect(tab.locator("pre.text")).to_have_text("safe\\u202egnp.exe\\u200b\\u001b[2J\n")


def test_no_page_shuts_anybody_out_in_either_scheme(site: Site, tabs: Tabs) -> None:
    talk(site)
    later(site)
    notes(site)
    project(site)
    site.memory.never_add("glaze", words="secret glaze")
    page = tabs.open(site)
    receipt = site.memory.receipts()[0].id
    found = {}
    for address in (
        "/sessions",
        at("/sessions/one", session=SESSION),
        at("/sessions/window", session=SESSION, budget=900),
        f"/receipts/{receipt}",
        "/files",
        at("/files/of", subject=ADA),
        at("/files/one", subject=ADA, path=NOTES),
        at("/files/diff", subject=ADA, path=NOTES),
        at("/files/edit", subject=ADA, path=NOTES),
        "/projects",
        at("/projects/one", subject=PROJECT),
        "/operations",
        "/store",
        "/store/rescan",
    ):
        page.goto(address)
        if wrong := barriers(page):
            found[address] = wrong
    assert found == {}
