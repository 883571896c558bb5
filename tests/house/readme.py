"""Runs the blocks of a Markdown file as a reader would: in order, in one fresh folder.

- `python`: a script of its own, in a process of its own; what an earlier block left in the folder is there.
- `console`: each line after `$ ` goes to a shell with the environment's programs first on its path. Lines that
  follow are what it must print; `...` stands for anything. Nobody types: standard input is empty. A command
  that begins with `make` or `git clone` is about a checkout, and so is every other command of its block: the
  whole block runs only where `checkout` names a clone to run it in.
"""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUNNABLE = ("python", "console")
TIMEOUT = 300


@dataclass(frozen=True)
class Block:
    """A fenced block and the line that it begins on."""

    language: str
    text: str
    line: int

    @property
    def about_a_checkout(self) -> bool:
        """Does it set the project itself up?"""
        return any(command.startswith(("make", "git clone")) for command, _ in commands(self.text))


def blocks(text: str) -> list[Block]:
    """All fenced blocks, whatever their language."""
    return [
        Block(found[1].strip(), found[2], text.count("\n", 0, found.start()) + 1)
        for found in BLOCK.finditer(text)
    ]


def commands(text: str) -> list[tuple[str, str]]:
    """Pair each `$ ` line with the output that is promised below it."""
    pairs = []
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, promised = part.partition("\n")
        while command.endswith("\\"):
            more, _, promised = promised.partition("\n")
            command = f"{command}\n{more}"
        pairs.append((command, promised.strip()))
    return pairs


def matches(promised: str, printed: str) -> bool:
    """Is this what was promised? `...` stands for anything, also over lines."""
    pattern = ".*".join(re.escape(piece) for piece in promised.split("..."))
    lines = "\n".join(line.rstrip() for line in printed.strip().splitlines())
    return re.fullmatch(pattern, lines, re.DOTALL) is not None


class Reader:
    """Somebody who follows a document step by step."""

    def __init__(self, folder: Path, programs: Path, checkout: Path | None = None) -> None:
        """Work in `folder`, with `programs` first on the path; set up in `checkout`, if there is one."""
        self.folder = folder
        self.programs = programs
        self.checkout = checkout
        # A home of its own, so that no default place of this machine is read or written.
        home = folder / "home"
        home.mkdir(parents=True, exist_ok=True)
        keep = {"LANG", "LC_ALL", "SSL_CERT_FILE", "TMPDIR"}
        kept = {
            key: value for key, value in os.environ.items() if key in keep or key.startswith("PIP_")
        }
        path = f"{programs}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        self.environment = {**kept, "PATH": path, "HOME": str(home), "COLUMNS": "120"}

    def follow(self, text: str) -> int:
        """Run every block that can be run; say which one failed, else how many there were."""
        done = 0
        for block in blocks(text):
            if block.language == "python":
                script = self.folder / f"block_{block.line}.py"
                script.write_text(block.text, encoding="utf-8")
                self.run([str(self.programs / "python"), script.name], block, self.folder)
            elif block.language == "console" and block.about_a_checkout:
                if self.checkout is None:
                    continue
                self.console(block, self.checkout)
            elif block.language == "console":
                self.console(block, self.folder)
            else:
                continue
            done += 1
        return done

    def console(self, block: Block, folder: Path) -> None:
        """Type each command of a block and compare what it prints."""
        for command, promised in commands(block.text):
            if command.startswith(("git clone", "cd ")):
                continue  # the reader already stands in a clone
            printed = self.run(["sh", "-c", command], block, folder)
            if promised and not matches(promised, printed):
                raise AssertionError(
                    f"line {block.line}: {command}\npromised:\n{promised}\nprinted:\n{printed}"
                )

    def run(self, command: list[str], block: Block, folder: Path) -> str:
        """Run one program to its end; what went wrong is told with all it said."""
        done = subprocess.run(
            command,
            cwd=folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIMEOUT,
        )
        if done.returncode:
            raise AssertionError(
                f"line {block.line}: {command[-1]} ended with {done.returncode}\n{done.stdout}"
            )
        return done.stdout
