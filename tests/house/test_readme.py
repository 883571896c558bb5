"""The README works as it stands: every block is run."""

import re
import sys
from pathlib import Path

import pytest

from tests.house import readme
from tests.house.source import ROOT

TEXT = (ROOT / "README.md").read_text("utf-8")
PROGRAMS = Path(sys.executable).parent


def test_every_block_works(tmp_path: Path) -> None:
    readme.Reader(tmp_path, PROGRAMS).follow(TEXT)


def test_every_block_is_of_a_kind_that_is_run() -> None:
    kinds = {block.language for block in readme.blocks(TEXT)}
    assert kinds <= set(readme.RUNNABLE)
    assert TEXT.count("\n```") % 2 == 0


def test_it_names_only_targets_that_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z]+)\b", "\n".join(b.text for b in readme.blocks(TEXT))))
    assert named <= targets


def test_it_is_short() -> None:
    assert TEXT.count("\n") <= 150


def document(language: str, text: str) -> str:
    return f"# T\n\n```{language}\n{text}\n```\n"


def test_blocks_share_a_folder(tmp_path: Path) -> None:
    text = document("python", "open('a', 'w').write('hello\\nyou')") + document(
        "console", "$ cat a\nhello\nyou\n$ echo left x right\nleft ... right\n$ cat \\\n  a\nhel..."
    )
    assert readme.Reader(tmp_path, PROGRAMS).follow(text) == 2


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", "raise SystemExit(3)"),
        ("console", "$ false"),
        ("console", "$ echo a\nb"),
        ("console", "$ echo ab\na...c"),
    ],
    ids=str,
)
def test_a_block_that_lies_is_found(tmp_path: Path, language: str, text: str) -> None:
    with pytest.raises(AssertionError, match="line 3"):
        readme.Reader(tmp_path, PROGRAMS).follow(document(language, text))


def test_set_up_needs_a_checkout(tmp_path: Path) -> None:
    text = document("console", "$ git clone x\n$ make --version")
    assert readme.Reader(tmp_path, PROGRAMS).follow(text) == 0
    assert readme.Reader(tmp_path, PROGRAMS, checkout=tmp_path).follow(text) == 1
