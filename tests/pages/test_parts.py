"""The pure parts of the pages: diffs as rows, words for the names of the house. No browser."""

from __future__ import annotations

import inspect

from hypothesis import given
from hypothesis import strategies as st

from memoranda.facts import bulk
from memoranda.files.ledger import difference
from memoranda.messages import Message, Opaque, Text, ToolCall, ToolResult
from memoranda.recall import picking
from memoranda.server.pages.diffs import rows_of
from memoranda.server.pages.going import address
from memoranda.server.pages.messages import MOST, shown
from memoranda.server.pages.visible import seen
from memoranda.server.pages.words import FILLED, FINAL, LEFT_OUT
from memoranda.window.bill import FILLINGS

TEXTS = st.lists(
    st.sampled_from(["a", "b", "", "+a", "-b", "@@ -1 +1 @@", "--- x", "\u2028"]), max_size=12
)


@given(TEXTS, TEXTS)
def test_the_rows_of_a_diff_tell_both_texts(old: list[str], new: list[str]) -> None:
    before, after = "".join(f"{line}\n" for line in old), "".join(f"{line}\n" for line in new)
    rows = rows_of(difference("a.md", before, after, ("old", "new")))
    was, now = before.splitlines(), after.splitlines()
    for row in rows:
        if row.kind in ("same", "removed"):
            assert row.old is not None
            assert was[row.old - 1].rstrip("\u2028") == row.text.rstrip("\u2028")
        if row.kind in ("same", "added"):
            assert row.new is not None
            assert now[row.new - 1].rstrip("\u2028") == row.text.rstrip("\u2028")
    gone, come = [[row for row in rows if row.kind == kind] for kind in ("removed", "added")]
    assert len(now) - len(was) == len(come) - len(gone)
    assert bool(rows) == (before != after)


def test_every_reason_of_recall_has_words() -> None:
    source = inspect.getsource(picking)
    assert all(f'"{reason}"' in source for reason in LEFT_OUT)
    given_ones = {
        line.strip().split('"')[1]
        for line in source.splitlines()
        if 'return "' in line and "-" in line
    }
    assert given_ones <= set(LEFT_OUT)


def test_what_fills_a_window_has_words_in_the_order_of_the_picture() -> None:
    assert tuple(kind for kind, _ in FILLED) == FILLINGS
    assert tuple(bulk.FINAL) == FINAL


def test_an_address_carries_any_name() -> None:
    assert address("/files/one", subject="user:a&b=c", path="d/é #1.md", n=None) == (
        "/files/one?subject=user%3Aa%26b%3Dc&path=d%2F%C3%A9+%231.md"
    )


def test_a_message_is_shown_in_its_parts_and_none_without_end() -> None:
    message = Message(
        "assistant",
        (
            Text("said"),
            ToolCall("c", "look", '{"a": 1}'),
            ToolCall("d", "odd", "{no json"),
            ToolResult("c", (Text("x" * (MOST + 5)),), is_error=True),
            Opaque("openai", {"type": "thing"}),
        ),
    )
    text, call, odd, result, other = shown(message)
    assert (text.kind, text.text, text.cut) == ("text", "said", False)
    assert (call.title, call.text) == ("calls look", '{\n  "a": 1\n}')
    assert odd.text == "{no json"
    assert (len(result.text), result.size, result.cut, result.error) == (MOST, MOST + 5, True, True)
    assert '"thing"' in other.text


def test_lines_stay_lines_and_what_hides_is_spelt_out() -> None:
    assert seen("a\n\tb\x00\u202ec\u2028\r") == "a\n\tb\\u0000\\u202ec\\u2028\\u000d"
