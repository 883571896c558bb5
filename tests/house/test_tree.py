"""The repository as a whole: nothing of one machine in it, links that lead somewhere, numbered decisions."""

import re
import subprocess
from pathlib import Path

from tests.house.source import ROOT

# Written in two halves, so that this file does not hold what it looks for.
MACHINE = ("/wo" + "rk/", "/ro" + "ot/")
REGISTRIES = (
    *("py" + "pi.org", "python" + "hosted.org", "npm" + "js.org", "npm" + "js.com"),
    *("deb." + "debian.org", "conda" + ".anaconda.org", "crates" + ".io"),
)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def tracked() -> list[Path]:
    """What belongs to the project: git's word where there is git, else every file that is no product."""
    try:
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        paths = [ROOT / name for name in done.stdout.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        paths = [
            p
            for p in ROOT.rglob("*")
            if not any(x.startswith(".") for x in p.relative_to(ROOT).parts)
        ]
    return [path for path in paths if path.is_file()]


def places(words: tuple[str, ...], paths: list[Path]) -> list[str]:
    """Where any of the words stands, in any of the texts."""
    found = []
    for path in paths:
        text = path.read_text("utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), 1):
            if any(word in line for word in words):
                found.append(f"{path}:{number}")
    return found


def broken(document: Path) -> list[str]:
    """The links of one Markdown file that point to nothing in the repository."""
    text = FENCE.sub("", document.read_text("utf-8"))
    found = []
    for target in LINK.findall(text):
        place = target.partition("#")[0]
        elsewhere = "://" in target or target.startswith("mailto:")
        if place and not elsewhere and not (document.parent / place).exists():
            found.append(f"{document.name}: {target}")
    return found


def misnumbered(names: list[str]) -> list[str]:
    """Decision notes without a number, and numbers taken twice. Gaps are fine: several people write at once."""
    found = [name for name in names if not re.fullmatch(r"\d{4}-[a-z0-9-]+\.md", name)]
    numbers = sorted(int(name[:4]) for name in names if name not in found)
    if len(numbers) != len(set(numbers)):
        found.append(f"numbers are {numbers}")
    return found


def test_nothing_of_one_machine_is_written_down() -> None:
    assert places(MACHINE, tracked()) == []


def test_no_registry_is_named() -> None:
    assert places(REGISTRIES, tracked()) == []


def test_links_lead_somewhere() -> None:
    documents = [path for path in tracked() if path.suffix == ".md"]
    assert documents
    assert [fault for document in documents for fault in broken(document)] == []


def test_decisions_are_numbered() -> None:
    names = [path.name for path in (ROOT / "docs/decisions").iterdir()]
    assert names
    assert misnumbered(names) == []


def test_the_rules_see_the_difference(tmp_path: Path) -> None:
    assert misnumbered(["0001-a.md", "0001-b.md"])
    assert misnumbered(["0001-a.md", "notes.md"])
    assert misnumbered(["0001-a.md", "0002-b.md"]) == []
    document = tmp_path / "a.md"
    document.write_text("one\n" + REGISTRIES[0])
    assert places(REGISTRIES, [document]) == [f"{document}:2"]
    document.write_text(
        "[a](a.md#x) [b](b.md) [c](https://example.org/b.md)\n```\n[d](d.md)\n```\n"
    )
    assert broken(document) == ["a.md: b.md"]
