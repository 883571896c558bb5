"""No stored text moves the cursor, recolours or reorders a terminal."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.cli import show
from memoranda.cli.escape import visible, visible_json

ANY = st.text(st.characters(), max_size=60)
JOINERS = "\u200c\u200d"


def unseen(text: str) -> list[str]:
    return [c for c in text if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]


@given(ANY)
def test_what_is_shown_has_no_control_character(text: str) -> None:
    shown = visible(text)
    assert unseen(shown) == []
    assert not any(c in shown for c in "\u202a\u202e\u2066\u2069\u200e\u061c\ufeff\u200b")


@given(ANY)
def test_json_keeps_its_meaning(text: str) -> None:
    document = visible_json(json.dumps({"fact": text}, ensure_ascii=False, indent=2))
    # JSON knows no lone halves: a pair of them comes back as the character that they make.
    assert json.loads(document) == json.loads(json.dumps({"fact": text}))
    assert unseen(document.replace("\n", "")) == []


def test_json_on_its_way_out_is_spelt_too(capsys: pytest.CaptureFixture[str]) -> None:
    show.as_json({"fact": "\x9b31m \u202e \x7f \x1b[2J \udcff 日本"})
    printed = capsys.readouterr().out
    assert unseen(printed.replace("\n", "")) == []
    assert "\u202e" not in printed
    assert "日本" in printed
    assert json.loads(printed)["fact"].startswith("\x9b31m \u202e")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("two\nlines\tand a tab", "two\\nlines\\tand a tab"),
        ("\x9b31m", "\\x9b31m"),
        ("abc\u202edcba", "abc\\u202edcba"),
        ("line\u2028break", "line\\u2028break"),
        ("\udcff", "\\udcff"),
        ("\U000e0041", "\\U000e0041"),
        ("日本語 العربية", "日本語 العربية"),
        ("👩\u200d🔬 می\u200cخواهم", "👩\u200d🔬 می\u200cخواهم"),
        ("C:\\new", "C:\\new"),
    ],
    ids=ascii,
)
def test_escapes(text: str, shown: str) -> None:
    assert visible(text) == shown
