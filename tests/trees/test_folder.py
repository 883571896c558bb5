"""What only a folder can get wrong."""

import pytest

from memoranda.errors import FilesError
from memoranda.step import step
from memoranda.testing.trees import change, put
from memoranda.trees.folder import FolderTree


@pytest.fixture
def tree(tmp_path):
    return FolderTree(tmp_path / "memories")


def test_folders_made_on_the_way_go_again_when_the_rest_fails(tree, tmp_path):
    step(put(tree, "a", "text"))
    too_long = "x" * 300
    with pytest.raises(FilesError):
        step(put(tree, f"p/q/{too_long}", "text"))
    with pytest.raises(FilesError):
        step(change(tree, lambda shelf: shelf.move("a", f"p/q/{too_long}")))
    assert [path.name for path in (tmp_path / "memories").iterdir()] == ["a"]
    assert [path.name for path in (tmp_path / ".memories.memoranda").iterdir()] == []


def test_the_lock_is_one_among_all_who_opened_the_folder(tree, tmp_path):
    other = FolderTree(tmp_path / "memories", busy_seconds=0.05)
    held = tree.try_lock()
    assert held is not None
    assert other.try_lock() is None
    with pytest.raises(FilesError, match="busy"):
        step(put(other, "a", "text"))


def test_an_error_of_the_system_names_no_place(tree, tmp_path):
    (tmp_path / "memories" / "loop").symlink_to("loop")
    for path in ("loop", "loop/x", "none", "none/x"):
        with pytest.raises(FilesError) as caught:
            step(tree.read(path, 100))
        assert str(tmp_path) not in str(caught.value)
