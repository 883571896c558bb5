"""A project: one Markdown file that says what the goal is, what is done and what is next. Pure rules on its text.

The file is the state. A person or a model may edit it; it is read forgivingly and written in one form. An item counts
as done when a check that ran, or a step that is named, says so; what only words say is shown as claimed. The proof in
the file is words too: `verified` asks whether it was written down by us when the item was ticked.

    # Project: Ship the importer
    Setup: make setup
    ## Checklist
    - [x] 1. Parse the file (check: `make test` exit 0, output 3f9a..., 2026-11-30 05:10)
    - [>] 2. Write rows
    - [?] 3. Tell the users (claimed: sent the mail, 2026-11-30 05:12)
    - [ ] 4. Clean up
    ## Log
    - 2026-11-30 05:00 opened (run r1)
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Container
from dataclasses import dataclass, replace

from memoranda.errors import FileUnfit, UsageError

FILE = "project.md"
TITLE = re.compile(r"^#\s*(?:project\s*:)?\s*(.+)$", re.IGNORECASE)
SETUP = re.compile(r"^\s*(?:[-*]\s*)?\**set-?up\**\s*:\s*`?(.*?)`?\s*$", re.IGNORECASE)
HEADING = re.compile(r"^##+\s*(.+?)\s*:?\s*$")
ITEM = re.compile(r"^\s*[-*+]\s*\[(.?)\]\s*(?:\d+[.)]\s*)?(.*)$")
PROOF = re.compile(r"^(.*?)\s*\(((?:check|step|claimed): .*)\)$")
LINE = re.compile(r"^\s*[-*+]\s+(.*)$")
LONGEST = 500


@dataclass(frozen=True, slots=True)
class Item:
    """A line of the checklist. state: " " open, ">" in progress, "x" done, "?" claimed. proof: how it was ticked."""

    text: str
    state: str = " "
    proof: str = ""


@dataclass(frozen=True, slots=True)
class Project:
    """A project as its file says. log: lines, oldest first. rest: what stands in the file besides, kept as it is."""

    goal: str
    setup: str = ""
    items: tuple[Item, ...] = ()
    log: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()

    @property
    def next(self) -> int | None:
        """The number of the item to work on: that in progress, else the first that is open or only claimed."""
        for wanted in (">", " ?"):
            for n, item in enumerate(self.items, 1):
                if item.state in wanted:
                    return n
        return None

    @property
    def left_open(self) -> bool:
        """Whether the last session was opened and never closed."""
        marks = [line for line in self.log if re.search(r" (opened|closed)\b", f" {line}")]
        return bool(marks) and " opened" in f" {marks[-1]}"


def parse(text: str) -> Project:
    """Read a project. Raises `FileUnfit`, which says what is missing, and nobody overwrites the file then."""
    goal, setup, section = "", "", ""
    items: list[Item] = []
    log: list[str] = []
    rest: list[str] = []
    for line in text.splitlines():
        if not goal and (title := TITLE.match(line)):
            goal = title[1].strip()
        elif heading := HEADING.match(line):
            section = heading[1].lower()
            if not section.startswith(("checklist", "items", "todo", "log", "progress")):
                rest.append(line)
        elif found := ITEM.match(line):
            items.append(_item(found[1], found[2]))
        elif section.startswith(("log", "progress")) and (entry := LINE.match(line)):
            log.append(entry[1])
        elif not setup and (command := SETUP.match(line)):
            setup = command[1]
        elif line.strip():
            rest.append(line)
    if not goal:
        raise FileUnfit(f"{FILE} has no line '# Project: GOAL'; mend it or give it another name")
    return Project(goal, setup, tuple(items), tuple(log), tuple(rest))


def _item(mark: str, text: str) -> Item:
    proved = PROOF.match(text.strip())
    proof = proved[2] if proved else ""
    state = {"x": "x", "X": "x", ">": ">", "~": ">", "?": "?", "": " ", " ": " "}.get(mark, "?")
    if state == "x" and not proof.startswith(("check: ", "step: ")):
        # A tick that somebody drew: words alone, whoever they are.
        state, proof = "?", proof or "claimed: ticked by hand"
    return Item(proved[1] if proved else text.strip(), state, proof)


def seal(text: str, proof: str) -> str:
    """What is written down of a tick, apart from the file: whoever edits the file cannot make it."""
    return hashlib.sha256(json.dumps([text, proof]).encode()).hexdigest()


def verified(project: Project, seals: Container[str]) -> Project:
    """The project with every tick that nobody made here shown as a claim."""
    return replace(
        project,
        items=tuple(
            replace(item, state="?", proof=f"claimed: {item.proof}")
            if item.state == "x" and seal(item.text, item.proof) not in seals
            else item
            for item in project.items
        ),
    )


def render(project: Project) -> str:
    """The one form in which a project is written."""
    lines = [f"# Project: {project.goal}"]
    lines += [f"Setup: {project.setup}"] if project.setup else []
    lines += list(project.rest)
    lines += ["## Checklist"]
    for n, item in enumerate(project.items, 1):
        proof = f" ({item.proof})" if item.proof else ""
        lines.append(f"- [{item.state}] {n}. {item.text}{proof}")
    lines += ["## Log", *(f"- {line}" for line in project.log)]
    return "\n".join(lines) + "\n"


def new(goal: str, items: tuple[str, ...], setup: str) -> Project:
    """A project with nothing done."""
    return Project(
        _line("goal", goal),
        _line("setup", setup, empty=True),
        tuple(Item(_line("item", i)) for i in items),
    )


def logged(project: Project, when: str, text: str) -> Project:
    """One line more in the log."""
    return replace(project, log=(*project.log, f"{when} {_line('log line', text)}"))


def begun(project: Project, n: int) -> Project:
    """Item `n` in progress; no other is."""
    _check(project, n)
    return _with_states(
        project,
        {k: ">" if k == n else " " for k, i in _numbered(project) if i.state == ">" or k == n},
    )


def ticked(project: Project, n: int, proof: str) -> Project:
    """Item `n` done, or claimed, with its proof; the next open one is in progress then."""
    _check(project, n)
    state = "?" if proof.startswith("claimed: ") else "x"
    items = list(project.items)
    items[n - 1] = Item(items[n - 1].text, state, _line("proof", proof))
    changed = replace(project, items=tuple(items))
    if any(item.state == ">" for item in changed.items):
        return changed
    following = next((k for k, item in _numbered(changed) if item.state == " "), None)
    return begun(changed, following) if following else changed


def check_proof(command: str, status: int, digest: str, when: str) -> str:
    """The proof of a check that ran: the command, how it ended, the hash of what it printed."""
    return f"check: `{command.replace('`', ' ')}` exit {status}, output {digest[:12]}, {when}"


def report(project: Project, lines: int) -> str:
    """What a session reads first: goal, setup, state, what is next, the last lines of the log."""
    done = sum(item.state == "x" for item in project.items)
    told = [f"Project: {project.goal}"]
    told += [f"Setup: {project.setup}"] if project.setup else []
    told.append(f"Done: {done} of {len(project.items)}")
    if project.left_open:
        told.append("The last session was never closed: look at what it left half done.")
    if (n := project.next) is not None:
        item = project.items[n - 1]
        told.append(f"Next: {n}. {item.text}" + (f" ({item.proof})" if item.proof else ""))
    names = {" ": "open", ">": "in progress", "x": "done", "?": "claimed"}
    told += [f"{n}. {names[item.state]}: {item.text}" for n, item in _numbered(project)]
    told += ["Log:", *project.log[-lines:]] if project.log and lines else []
    return "\n".join(told)


def _numbered(project: Project) -> list[tuple[int, Item]]:
    return list(enumerate(project.items, 1))


def _with_states(project: Project, states: dict[int, str]) -> Project:
    items = (replace(item, state=states.get(n, item.state)) for n, item in _numbered(project))
    return replace(project, items=tuple(items))


def _check(project: Project, n: int) -> None:
    if not 1 <= n <= len(project.items):
        raise UsageError(f"there is no item {n}; the checklist has {len(project.items)}")


def _line(what: str, text: str, *, empty: bool = False) -> str:
    kept = " ".join(text.split())
    if not (kept or empty) or len(kept) > LONGEST:
        raise UsageError(f"the {what} must be one line of 1 to {LONGEST} characters")
    return kept
