"""One check for every path: what is refused, what is taken, and that nothing slips between."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import PathRefused
from memoranda.files import paths

REFUSED = [
    "", "/", "memories", "/Memories", "/memoriesX/a", "/memories-evil/a", "/memories.md", " /memories", "/memories ",
    "/memories/%2e%2e", "/memories/%2E%2e/a",
    "/memories//", "/memories//a", "/memories/a//", "/memories/.", "/memories/..", "/memories/../a", "/memories/a/../b",
    "/memories/a/./b", "/memories/a\\b", "/memories/a\0b", "/memories/a\nb", "/memories/a\x85b", "/memories/a\u2028b",
    "/memories/a\u202eb", "/memories/a\u200bb", "/memories/\ufeffa", "/memories/a\u00adb", "/memories/a\U000e0041",
    "/memories/a\ud800", "/memories/\ue000", "/memories/\u0378", "/memories/e\u0301", "/memories/\ufb01",
    "/memories/\uff0e\uff0e/a", "/memories/..\u2215a", "/memories/a\u2044b", "/memories/\u2025", "/memories/a:b",
    "/memories/a?", "/memories/*", "/memories/a<b", '/memories/a"b', "/memories/a|b", "/memories/ a", "/memories/a ",
    "/memories/a.", "/memories/.a", "/memories/~a", "/memories/CON", "/memories/con.txt", "/memories/nul.tar.gz",
    "/memories/COM1", "/memories/COM\u00b9", "/memories/LPT9.md", "/memories/CONIN$", "/memories/CLOCK$",
    "/memories/" + "a" * 121, "/memories/" + "é" * 61, "/memories/" + "/".join("d" * 9),
    "/memories/" + "/".join(["a" * 100] * 6), "/memories/node_modules/a", "/memories/\u3000a",
]  # fmt: skip
TAKEN = {
    "/memories": (),
    "/memories/": (),
    "/memories/a": ("a",),
    "/memories/a/": ("a",),
    "/memories/a b/c-d_e.md": ("a b", "c-d_e.md"),
    "/memories/café notes.md": ("café notes.md",),
    "/memories/日本.md": ("日本.md",),
    "/memories/50% done": ("50% done",),
    "/memories/a..b": ("a..b",),
    "/memories/console.md": ("console.md",),
    "/memories/" + "a" * 120: ("a" * 120,),
    "/memories/" + "/".join("d" * 8): tuple("d" * 8),
}


@pytest.mark.parametrize("path", REFUSED, ids=ascii)
def test_refused(path: str) -> None:
    with pytest.raises(PathRefused):
        paths.parts_of(path)


@pytest.mark.parametrize("path", TAKEN, ids=ascii)
def test_taken(path: str) -> None:
    assert paths.parts_of(path) == TAKEN[path]


@pytest.mark.parametrize(
    "path", [None, 1, True, 1.5, b"/memories/a", ["/memories/a"], {}], ids=repr
)
def test_only_text_is_a_path(path: object) -> None:
    with pytest.raises(PathRefused):
        paths.parts_of(path)


class Text(str):
    """A text that is more than text: equality and slices could lie."""


def test_a_subclass_of_text_is_no_path() -> None:
    with pytest.raises(PathRefused):
        paths.parts_of(Text("/memories/a"))


HARD = st.text(
    st.one_of(st.sampled_from("./\\ ~:a\0\n\u202e\uff0e\u2215\u0301CONconé日"), st.characters()),
    max_size=30,
)


@given(st.one_of(st.builds("/memories/{}".format, HARD), HARD))
def test_what_is_taken_is_safe_whatever_it_is(path: str) -> None:
    try:
        parts = paths.parts_of(path)
    except PathRefused as error:
        str(error).encode()
        return
    assert paths.spelt(parts) == path.removesuffix("/")
    for name in parts:
        assert name not in ("", ".", "..")
        assert not set(name) & set("/\\\0")
        assert unicodedata.normalize("NFKC", name) == name
        assert all(unicodedata.category(c) not in paths.UNSEEN for c in name)
        assert name == name.strip(" .")
        assert len(name.encode()) <= 120


@given(st.one_of(HARD, st.binary(), st.integers(), st.none()))
def test_what_is_repeated_is_printable_and_short(path: object) -> None:
    shown = paths.shown(path)
    assert shown.isprintable()
    shown.encode()
    assert len(shown) <= 12 * 512
