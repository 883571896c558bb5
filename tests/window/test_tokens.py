"""The estimate leans high, counts what providers bill, and says that it is an estimate."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.messages import Message, Opaque, Recalled, Text, ToolCall, ToolResult, said
from memoranda.ports import ToolSpec
from memoranda.window import EstimateCounter, message_tokens
from memoranda.window.tokens import TOKENS_AN_IMAGE, tools_tokens

COUNT = EstimateCounter()


def test_it_says_that_it_is_an_estimate():
    assert COUNT.exact is False


@pytest.mark.parametrize(
    ("text", "real"),  # as o200k counts them
    [
        ("The quick brown fox jumps over the lazy dog.", 10),
        ("def add(a, b):\n    return a + b\n", 11),
        ("\u4f60\u597d\uff0c\u4e16\u754c", 4),
        ("\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440", 4),
        ("\U0001f600\U0001f600", 2),
        ("", 0),
    ],
)
def test_it_leans_high(text, real):
    assert real <= COUNT.count(text) <= max(4 * real, 2)


@given(st.text(st.characters(exclude_categories=())), st.text())
def test_it_takes_any_text_and_grows_with_it(a, b):
    assert 0 <= COUNT.count(a) <= COUNT.count(a + b) <= COUNT.count(a) + COUNT.count(b)
    assert COUNT.count(a) >= len(a) / 2.8


def test_words_are_never_tokens():
    assert COUNT.count("x" * 2_800) in (1_000, 1_001)


def test_tool_names_and_arguments_results_and_carried_blocks_count():
    bare = message_tokens(said("assistant", ""), COUNT)
    assert bare == 4
    call = ToolCall("c", "n" * 28, "a" * 280)
    assert message_tokens(Message("assistant", (call,)), COUNT) == 4 + 110
    result = ToolResult("c", (Text("r" * 28), Text("r" * 28)))
    assert message_tokens(Message("tool", (result,)), COUNT) == 4 + 20
    assert message_tokens(Message("user", (Recalled("r" * 28),)), COUNT) == 4 + 10
    thinking = Opaque("anthropic", {"type": "thinking", "signature": "s" * 280})
    assert message_tokens(Message("assistant", (thinking,)), COUNT) > 100


def test_an_image_costs_the_same_however_long_its_base64():
    image = Opaque("openai", {"type": "image_url", "image_url": {"url": "x" * 1_000_000}})
    assert message_tokens(Message("user", (image,)), COUNT) == 4 + TOKENS_AN_IMAGE
    inside = ToolResult("c", (image,))
    assert message_tokens(Message("tool", (inside,)), COUNT) == 4 + TOKENS_AN_IMAGE


def test_tools_count():
    assert tools_tokens([ToolSpec("read", "Reads a file.", {"type": "object"})], COUNT) > 10


def test_calibration_multiplies():
    assert COUNT.calibrate(2).calibrate(0.75).count("x" * 280) == 150
    with pytest.raises(ValueError, match="ratio"):
        COUNT.calibrate(0)
