"""Writes the locks in requirements/ from pyproject.toml, with hashes and without addresses.

Each lock begins with a digest of what it was made from, so that a test can tell, offline,
that a lock is older than its input. Versions stay as they are unless --upgrade is given.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = {
    "uv": ["requirements/uv.in"],
    "run": ["pyproject.toml", "--extra", "standard", "--extra", "embed", "--extra", "openai"],
    "test": [
        "pyproject.toml",
        *("--extra", "standard", "--extra", "embed", "--extra", "openai"),
        *("--extra", "anthropic", "--group", "test"),
    ],
}
LABEL = "# inputs: "


def digest(name: str) -> str:
    """Name everything that decides what the lock holds, as one hash."""
    source, *options = LOCKS[name]
    text = (ROOT / source).read_text()
    if source == "pyproject.toml":
        project = tomllib.loads(text)
        keys = ("requires-python", "dependencies", "optional-dependencies")
        wanted = {key: project["project"][key] for key in keys}
        text = json.dumps([wanted, project["dependency-groups"]], sort_keys=True)
    return hashlib.sha256(json.dumps([options, text]).encode()).hexdigest()


def stale() -> list[str]:
    """List the locks that were made from something else than what stands there now."""
    names = []
    for name in LOCKS:
        path = ROOT / f"requirements/{name}.txt"
        first = path.read_text().split("\n", 1)[0] if path.exists() else ""
        if first != LABEL + digest(name):
            names.append(name)
    return names


def lock(name: str, uv: str, *, upgrade: bool) -> None:
    """Resolve one set for all platforms and put the digest on its first line."""
    path = ROOT / f"requirements/{name}.txt"
    command = [uv, "pip", "compile", *LOCKS[name], "--output-file", str(path.relative_to(ROOT))]
    command += ["--universal", "--generate-hashes", "--quiet", "--python-version", "3.11"]
    command += ["--custom-compile-command", "make lock"]
    subprocess.run([*command, *(["--upgrade"] if upgrade else [])], cwd=ROOT, check=True)
    path.write_text(f"{LABEL}{digest(name)}\n{path.read_text()}")


def main() -> int:
    """Write the locks, or with --check name those that are out of step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uv", default="uv", help="the uv to use")
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions")
    parser.add_argument("--check", action="store_true", help="only compare")
    options = parser.parse_args()
    if options.check:
        for name in stale():
            print(f"requirements/{name}.txt is older than its input: make lock")
        return 1 if stale() else 0
    for name in LOCKS:
        lock(name, options.uv, upgrade=options.upgrade)
    return 0


if __name__ == "__main__":
    sys.exit(main())
