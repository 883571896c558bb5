"""Running the command as people do: as a process with a home of its own, or inside this one where that is enough."""

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import memoranda
from memoranda.cli import main

SOURCE = Path(memoranda.__file__).resolve().parents[1]


@dataclass(frozen=True)
class Done:
    """How a run ended."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """The document that was printed."""
        return json.loads(self.out)


class Home:
    """A person's home folder with a store in it, and nothing of the machine's own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.db = folder / "memory.db"
        kept = {
            k: v
            for k, v in os.environ.items()
            if not k.startswith(("MEMORANDA_", "XDG_", "OPENAI_"))
        }
        self.environment = {
            **kept,
            "HOME": str(folder),
            "MEMORANDA_DB": str(self.db),
            "PYTHONPATH": str(SOURCE),
            "LOGNAME": "asha",
            "COLUMNS": "120",
            "TERM": "xterm",
        }

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "memoranda.cli", *arguments]

    def run(self, *arguments: str | bytes, stdin: bytes = b"", **variables: str) -> Done:
        """One process to its end."""
        done = subprocess.run(
            [*self.command(), *arguments],
            input=stdin,
            capture_output=True,
            env={**self.environment, **variables},
            cwd=self.folder,
            timeout=60,
            check=False,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


class Inside:
    """The same without a new process: `main` with streams and environment of its own."""

    def __init__(self, home: Home, patch: Any, capture: Any) -> None:
        self.home, self.patch, self.capture = home, patch, capture
        for name in [n for n in os.environ if n.startswith(("MEMORANDA_", "XDG_"))]:
            patch.delenv(name)
        for name in ("HOME", "MEMORANDA_DB", "LOGNAME"):
            patch.setenv(name, home.environment[name])

    def __call__(self, *arguments: str, stdin: bytes = b"") -> Done:
        self.patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        self.capture.readouterr()
        code = main(arguments)
        out, err = self.capture.readouterr()
        return Done(code, out, err)

    def remember(self, text: str, *more: str) -> str:
        """Keep a sentence and return its id."""
        done = self("remember", text, "--json", *more)
        assert done.code == 0, done
        found: str = done.json()["id"]
        return found
