"""Which project a folder belongs to: the checkout around it, found by its `.git`, read without running git."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from urllib.parse import urlsplit

MOST_BYTES = 65_536
LONGEST_NAME = 40
_SECTION = re.compile(r'^\s*\[\s*remote\s+"(?P<name>[^"\n]+)"\s*\]\s*(?:[#;].*)?$', re.IGNORECASE)
_ANY_SECTION = re.compile(r"^\s*\[")
_URL = re.compile(r'^\s*url\s*=\s*"?(?P<url>[^"\s]+)"?\s*(?:[#;].*)?$', re.IGNORECASE)
_SHORT = re.compile(r"^(?:[^/@\s]+@)?(?P<host>[\w.-]+):(?P<path>(?!//)[^\s\\]+)$")
_LETTERS = "abcdefghijklmnop"


def project_here(folder: Path | None = None) -> str | None:
    """The subject of the project that `folder` (default: the working directory) is in; None outside of any checkout.

    The same in every checkout that names the same remote, however it is written; without a remote, of that place.
    """
    try:
        root = _root((folder or Path.cwd()).resolve())
    except OSError:  # the working directory is gone
        return None
    if root is None:
        return None
    git = _repository(root)
    place = _remote(_text(git / "config")) or str(git.parent if git.name == ".git" else root)
    name = re.sub(r"[^\w.-]+", "-", Path(place).name.casefold()).strip("-.")
    return f"project:{name[:LONGEST_NAME] or 'checkout'}~{_mark(place)}"


def _root(folder: Path) -> Path | None:
    return next((at for at in (folder, *folder.parents) if (at / ".git").exists()), None)


def _repository(root: Path) -> Path:
    """The folder with the configuration; of a further worktree, that of the repository it belongs to."""
    git = root / ".git"
    if not git.is_file():
        return git
    pointer = _text(git).partition("gitdir:")[2].strip()
    git = root / pointer if pointer else git
    shared = _text(git / "commondir").strip()
    return (git / shared if shared else git).resolve()


def _text(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return stream.read(MOST_BYTES).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


def _remote(config: str) -> str:
    """The address of `origin`, else of the first remote, without scheme, credentials and ending; "" for none."""
    found: dict[str, str] = {}
    section = None
    for line in config.splitlines():
        if _ANY_SECTION.match(line):
            head = _SECTION.match(line)
            section = head["name"] if head else None
        elif section and (match := _URL.match(line)):
            found.setdefault(section, _address(match["url"]))
    usable = {name: address for name, address in found.items() if address}
    return usable.get("origin") or next(iter(usable.values()), "")


def _address(url: str) -> str:
    """`https://asha:token@Host/team/boat.git` and `git@host:team/boat` are both `host/team/boat`."""
    short = _SHORT.match(url)
    try:
        parts = urlsplit(url)
        host, path = (parts.hostname or "", parts.path) if "://" in url else ("", url)
    except ValueError:
        return ""
    if short and "://" not in url:
        host, path = short["host"].lower(), short["path"]
    if not host and not path.startswith("/"):
        return ""  # a path from here says nothing elsewhere
    path = path.strip("/").removesuffix(".git").rstrip("/")
    return f"{host}/{path}" if path else ""


def _mark(place: str) -> str:
    """Eight letters that tell projects of one name apart. Letters alone: digits may look like a number of somebody."""
    digest = hashlib.sha256(place.encode("utf-8", "replace")).hexdigest()[:8]
    return "".join(_LETTERS[int(digit, 16)] for digit in digest)
