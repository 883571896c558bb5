"""What the pages of sessions, files and projects are looked at with: invented people at invented work."""

from __future__ import annotations

from playwright.sync_api import Page

from memoranda.messages import Message, Text, ToolCall, ToolResult, said
from tests.pages.harness import Site

ADA = "user:ada"
SESSION = "kiln talk"
NOTES = "notes/kiln.md"
PROJECT = "project:kiln"
BUILT = "The kiln in the yard of the user was built by Brenner."
FIRST = "# Kiln\nBisque at 980 degrees.\nGlaze at 1240 degrees.\nCool for ten hours.\n"
SECOND = (
    "# Kiln\nBisque at 1000 degrees.\nGlaze at 1240 degrees.\nCool for ten hours.\nVent open.\n"
)


def talk(site: Site, *, turns: int = 6, session: str = SESSION, budget: int = 900) -> None:
    """A session in which facts are learnt and recalled, tools are called, and the window is compacted."""
    window = site.memory.window(session=session, subject=ADA, budget=budget, run="r_kiln")
    window.build("My name is Ada Lind and I live in Graz. I prefer short answers.")
    window.append(said("assistant", "Good to know."))
    for n in range(turns):
        window.build(f"What does firing {n} say about the kiln, and where do I live?")
        call = ToolCall(f"c{n}", "read_log", f'{{"path": "logs/firing-{n}.txt"}}')
        window.append(Message("assistant", (Text("I look it up."), call)))
        result = ToolResult(
            f"c{n}", (Text(f"{n}: 980 degrees after two hours\n" * 20),), name="read_log"
        )
        window.append(Message("tool", (result,)))
        window.build()
        window.append(said("assistant", f"Firing {n} went as planned."))


def later(site: Site, *, session: str = "a week later") -> None:
    """A session that brings a fact of the first back."""
    site.memory.remember(BUILT, subject=ADA, origin="user")
    window = site.memory.window(session=session, subject=ADA, run="r_later")
    window.build("Who built the kiln in the yard?")
    window.append(said("assistant", "Brenner did."))


def notes(site: Site) -> None:
    """A file of two versions, a file of rules, and one that is gone."""
    files = site.memory.files(ADA, run="r_kiln", step=3)
    files.write(NOTES, FIRST)
    files.write(NOTES, SECOND)
    files.write("rules.md", "Name the kiln in every answer.\n")
    files.write("old.md", "Nothing of use.\n")
    files.remove("old.md")


def project(site: Site) -> None:
    """A project with an item of each state, and a fact of it."""
    files = site.memory.files(PROJECT)
    files.project_init(
        "Rebuild the kiln",
        items=["Order bricks", "Lay the floor", "Wire it", "Test it"],
        setup="make kiln",
    )
    files.project_tick(1, "check: `make bricks` exit 0, output 3f9a, 2026-11-30 05:10")
    files.project_tick(2, "claimed: laid it")
    files.project_log("bricks came")
    site.memory.remember("The kiln has twelve elements.", subject=PROJECT, origin="user")


def press(tab: Page, key: str) -> None:
    """A key, once the page listens: its script may run a moment after its text is there."""
    tab.wait_for_load_state()
    tab.keyboard.press(key)
