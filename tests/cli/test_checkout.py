"""The project of a folder: found by its .git, named the same in every checkout, without credentials."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.cli.checkout import _mark, project_here

URLS = [
    "https://host.example/team/Boat.git", "https://asha:s3cret@host.example/team/Boat",
    "git@host.example:team/Boat.git",
    "ssh://git@host.example:22/team/Boat.git", "https://host.example/team/Boat/",
]  # fmt: skip


def checkout(folder: Path, url: str = "", remote: str = "origin") -> Path:
    (folder / ".git").mkdir(parents=True)
    text = (
        f'[core]\n\tbare = false\n[remote "{remote}"]\n\turl = {url}\n\tfetch = +x\n' if url else ""
    )
    (folder / ".git" / "config").write_text(text, "utf-8")
    return folder


def test_a_folder_outside_of_any_checkout_has_none(tmp_path: Path) -> None:
    assert project_here(tmp_path) is None


def test_every_checkout_of_one_remote_is_one_project(tmp_path: Path) -> None:
    found = {project_here(checkout(tmp_path / str(n), url)) for n, url in enumerate(URLS)}
    (subject,) = found
    assert subject is not None
    assert subject.startswith("project:boat~")
    assert "s3cret" not in subject
    assert "asha" not in subject


def test_it_is_found_from_a_folder_within(tmp_path: Path) -> None:
    inside = checkout(tmp_path / "boat", URLS[0]) / "src" / "deep"
    inside.mkdir(parents=True)
    assert project_here(inside) == project_here(tmp_path / "boat")


def test_other_remotes_of_the_same_name_are_other_projects(tmp_path: Path) -> None:
    one = project_here(checkout(tmp_path / "a", URLS[0]))
    other = project_here(checkout(tmp_path / "b", "https://host.example/other/Boat.git"))
    assert one != other
    assert str(one).partition("~")[0] == str(other).partition("~")[0]


def test_a_worktree_is_of_the_repository_it_belongs_to(tmp_path: Path) -> None:
    for name, url in (("with", URLS[0]), ("without", "")):
        main = checkout(tmp_path / name / "boat", url)
        private = main / ".git" / "worktrees" / "w"
        private.mkdir(parents=True)
        (private / "commondir").write_text("../..\n", "utf-8")
        tree = tmp_path / name / "w"
        tree.mkdir()
        (tree / ".git").write_text(f"gitdir: {private}\n", "utf-8")
        assert project_here(tree) == project_here(main)


def test_without_a_remote_it_is_the_folders_own(tmp_path: Path) -> None:
    one, other = checkout(tmp_path / "a" / "boat"), checkout(tmp_path / "b" / "boat")
    assert str(project_here(one)).startswith("project:boat~")
    assert project_here(one) != project_here(other)
    assert project_here(checkout(tmp_path / "c" / "boat", "../elsewhere.git")) != project_here(one)


@pytest.mark.parametrize(
    "text", [b"\xff\xfe\x00", b"[remote", b'[remote "origin"]\nurl =', b"x" * 1_000_000]
)
def test_a_strange_configuration_is_none(tmp_path: Path, text: bytes) -> None:
    folder = checkout(tmp_path / "boat")
    (folder / ".git" / "config").write_bytes(text)
    assert str(project_here(folder)).startswith("project:boat~")
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / ".git").write_bytes(text)
    assert str(project_here(tmp_path / "w")).startswith("project:")


@given(st.text(max_size=80))
def test_the_mark_is_letters(place: str) -> None:
    assert _mark(place).isalpha()
    assert len(_mark(place)) == 8
