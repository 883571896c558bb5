"""Whatever a model sends: two values come back, no host path is in them, and after an error nothing has changed.

A hundred thousand dictionaries in `make soak`, half on rows and half on a folder; a tenth in `make test`.
"""

from __future__ import annotations

import hashlib
import os
import random

import pytest

from memoranda.memory import Memory

SIZES = {"fast": 2_000, "soak": 100_000}
COUNT = int(
    os.environ.get("MEMORANDA_FUZZ", SIZES.get(os.environ.get("HYPOTHESIS_PROFILE", ""), 10_000))
)
TEXTS = (
    "alpha\nbeta\n",
    "",
    "x" * 300,
    "\r\n",
    "é日\u202e",
    "\ud800",
    "\0",
    "password = hunter2secret",
    "beta",
)
NAMES = (
    "a.txt",
    "d",
    "d/b",
    "new",
    "n/e/w",
    "CON",
    "..",
    ".",
    "",
    "x" * 200,
    "é",
    "\u202e",
    "A.TXT",
    "a.txt/x",
    "%2e",
    "\ud800",
)
ODD = (
    None,
    True,
    0,
    -1,
    10**400,
    1.5,
    float("nan"),
    [],
    {},
    [1],
    b"x",
    ("a",),
    {"a": 1},
    "view",
    object(),
)
FIELDS = (
    "command",
    "path",
    "file_text",
    "old_str",
    "new_str",
    "insert_line",
    "insert_text",
    "old_path",
    "new_path",
    "view_range",
    "extra",
)
COMMANDS = {
    "view": ("path", "view_range"),
    "create": ("path", "file_text"),
    "str_replace": ("path", "old_str", "new_str"),
    "insert": ("path", "insert_line", "insert_text"),
    "delete": ("path",),
    "rename": ("old_path", "new_path"),
}  # fmt: skip


def value(chance: random.Random, field: str) -> object:
    if chance.random() < 0.06:
        return chance.choice(ODD)
    if field.endswith("path"):
        prefix = chance.choice(
            ("/memories/",) * 12 + ("/memories", "/", "", "/memoriesX/", "memories/")
        )
        return prefix + chance.choice(NAMES)
    if field == "insert_line":
        return chance.choice((0, 1, 2, 3, 99, -1))
    if field == "view_range":
        return chance.choice(([1, 2], [1, -1], [2, 1], [0, 0], [1], [99, -1]))
    return chance.choice(TEXTS)


def command(chance: random.Random) -> object:
    if chance.random() < 0.01:
        return chance.choice(ODD)
    name = chance.choice(tuple(COMMANDS))
    call: dict[object, object] = {"command": name} if chance.random() < 0.98 else {}
    for field in COMMANDS[name]:
        if chance.random() < 0.97:
            call[field] = value(chance, field)
    if chance.random() < 0.03:
        extra = chance.choice(FIELDS)
        call[extra] = value(chance, extra)
    return call


def seal(memory: Memory, root: os.PathLike[str] | None) -> str:
    digest = hashlib.sha256()
    if root is None:
        from memoranda.step import step

        flow = memory.core.store.rows("tree_bodies", tenant="default", subject="agent:fuzz")
        digest.update(repr(sorted(step(flow))).encode("utf-8", "surrogatepass"))
    else:
        for top, folders, names in sorted(os.walk(root)):
            digest.update(repr((top, sorted(folders))).encode())
            for name in sorted(names):
                with open(os.path.join(top, name), "rb") as file:
                    digest.update(name.encode() + file.read())
    return digest.hexdigest()


@pytest.mark.parametrize("kind", ["rows", "folder"])
def test_nothing_that_is_sent_breaks_the_promises(tmp_path, kind):
    chance = random.Random(int.from_bytes(os.urandom(8), "big"))
    root = tmp_path / "memories" if kind == "folder" else None
    memory = Memory.open(":memory:")
    files = memory.files("agent:fuzz", folder=root)
    files.write("a.txt", "alpha\nbeta\n")
    before, errors = seal(memory, root), 0
    for _ in range(COUNT // 2):
        call = command(chance)
        answer = files.handle(call)
        assert isinstance(answer, tuple), call
        text, error = answer
        assert type(text) is str, call
        assert type(error) is bool, call
        text.encode()
        assert str(tmp_path) not in text, call
        assert "internal error" not in text, call
        after = seal(memory, root)
        if error:
            errors += 1
            assert after == before, call
        before = after
    assert errors
    memory.close()
