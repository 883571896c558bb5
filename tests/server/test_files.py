"""The files of a subject as a request opens them: who only looks makes nothing, and is told what is wrong."""

from pathlib import Path

import pytest

from memoranda import Memory
from memoranda.errors import FileMissing, StoreError
from memoranda.server.files import opened
from memoranda.settings import Settings


@pytest.fixture
def memory(tmp_path: Path):
    settings = Settings(files_folder=str(tmp_path / "files"))
    with Memory.open(tmp_path / "memory.db", settings=settings) as made:
        yield made


def test_to_look_makes_no_folder(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(FileMissing), opened(memory, "user:me"):
        pass
    assert not (tmp_path / "files").exists()
    with opened(memory, "user:me", make=True) as found:
        found.write("a.md", "milk\n")
    with opened(memory, "user:me") as found:
        assert found.read("a.md").text == "milk\n"


def test_a_place_that_is_no_folder_is_not_told_as_missing(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "files").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be used"), opened(memory, "user:me"):
        pass
