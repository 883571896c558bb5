import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import MessageError
from memoranda.messages import Message, Opaque, Recalled, Text, ToolCall, ToolResult, said
from memoranda.messages.anthropic import from_anthropic, to_anthropic
from memoranda.messages.neutral import (
    CHANGED,
    dumps,
    from_json,
    loads,
    map_json_text,
    map_texts,
    texts,
    to_json,
)
from memoranda.messages.openai_chat import from_openai, to_openai
from memoranda.types import Origin
from tests.messages import wire

own = st.builds(
    Message,
    st.sampled_from(["system", "user", "assistant", "tool"]),
    st.lists(
        st.builds(Text, wire.strings, wire.unknown)
        | st.builds(Recalled, wire.strings, st.lists(wire.words).map(tuple), st.none() | wire.words)
        | st.builds(Opaque, wire.words, wire.objects),
        max_size=3,
    ).map(tuple),
    st.none() | st.sampled_from(Origin),
    wire.unknown,
)
read = st.one_of(
    own,
    wire.openai_messages.map(from_openai),
    wire.anthropic_messages.flatmap(lambda m: st.sampled_from(from_anthropic(m))),
)


@given(read)
def test_a_message_comes_back_from_its_json(message: Message) -> None:
    assert from_json(to_json(message)) == message
    assert dumps(message) == dumps(from_json(to_json(message)))


@given(read)
def test_a_message_comes_back_from_its_text(message: Message) -> None:
    text = dumps(message)
    assert text.isascii()
    assert loads(text) == loads(dumps(loads(text)))
    if not any(0xD800 <= ord(c) <= 0xDFFF for c in "".join(everything(to_json(message)))):
        assert loads(text) == message


def everything(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [t for k, v in value.items() for t in (k, *everything(v))]
    return [t for v in value for t in everything(v)] if isinstance(value, list) else []


def test_defaults_take_no_room() -> None:
    assert to_json(said("user", "hi")) == {
        "role": "user",
        "parts": [{"type": "text", "text": "hi"}],
    }


@given(wire.broken(read.map(to_json)) | wire.anything)
def test_broken_json_is_a_message_error_or_none(data: Any) -> None:
    try:
        message = from_json(data)
        to_openai([message])
        to_anthropic([message])
        texts(message)
    except MessageError:
        pass


@pytest.mark.parametrize("text", ["", "{", "[]", "5", "[" * 100_000, '{"role":"user"}', "NaN"])
def test_text_that_is_no_message_is_an_error(text: str) -> None:
    with pytest.raises(MessageError):
        loads(text)


@pytest.mark.parametrize(
    "data",
    [
        {"role": "user", "parts": [], "more": 1},
        {"role": "user", "parts": [{"type": "text", "text": "a", "b": 1}]},
        {"role": "user", "parts": [{"type": "song"}]},
        {"role": "user", "parts": [], "origin": "god"},
        {"role": "user", "parts": [{"type": "recalled", "text": "a", "facts": [1]}]},
        {"role": "tool", "parts": [{"type": "result", "call_id": "a", "parts": 1}]},
    ],
)
def test_unknown_fields_and_wrong_types_are_errors(data: Any) -> None:
    with pytest.raises(MessageError):
        from_json(data)


def test_what_is_no_json_cannot_be_stored() -> None:
    with pytest.raises(MessageError):
        to_json(Message("user", (Opaque("x", {"a": {1, 2}}),)))
    with pytest.raises(MessageError):
        to_json(Message("user", (), extra={"a": float("inf")}))


def test_a_damaged_shape_in_a_stored_message_is_passed_over() -> None:
    extra = {"openai": {"rest": {"x": None}, "keys": [[]], "role": [], "content": []}}
    message = from_json({"role": "user", "parts": [{"type": "text", "text": "a"}], "extra": extra})
    assert texts(message)[-1] == "x"
    assert to_openai(message)["role"] == "user"


# The strings that a person could read

FULL = Message(
    "assistant",
    (
        Text("t1", {"anthropic": {"rest": {"citations": ["t2"]}}}),
        Recalled("t3", ("fact",)),
        ToolCall("id", "t4", '{"t5": ["t6", {"n": 1.50}]}'),
        ToolResult("id", (Text("t7"), Opaque("openai", {"type": "x", "b": "t8"})), name="t9"),
        Opaque("anthropic", {"type": "thinking", "thinking": "t10"}),
    ),
    extra={"openai": {"rest": {"refusal": "t11"}, "keys": ["role", "refusal"], "content": "null"}},
)


def test_every_readable_string_is_found() -> None:
    found = set(texts(FULL))
    assert {f"t{i}" for i in range(1, 12)} <= found
    assert not {"fact", "id", "thinking ", "null", "assistant", "role"} & found


@given(read)
def test_nothing_changed_is_the_same_message(message: Message) -> None:
    assert map_texts(message, lambda text: text) is message


@given(read, st.sampled_from("abcdef"))
def test_what_is_erased_is_gone_from_every_readable_string(message: Message, letter: str) -> None:
    changed = map_texts(message, lambda text: text.replace(letter, "*"))
    assert not any(letter in text for text in texts(changed))
    assert from_json(to_json(changed)) == changed


def test_a_secret_in_arguments_goes_and_all_other_bytes_stay() -> None:
    text = '{ "a":"k\\u00e9y sk-1" ,"b": 1.50,"b":2e3, "sk-1":[ "é"] }'
    changed = map_json_text(text, lambda value: value.replace("sk-1", "[gone]"))
    assert changed == '{ "a":"k\\u00e9y [gone]" ,"b": 1.50,"b":2e3, "[gone]":[ "é"] }'


def test_escapes_hide_nothing() -> None:
    assert "Anna" in texts(Message("assistant", (ToolCall("a", "f", '{"x":"\\u0041nna"}'),)))


@pytest.mark.parametrize("text", ["sk-1 not json", '{"a": "sk-1', '"sk-1', "sk-1"])
def test_arguments_that_are_no_json_are_changed_whole(text: str) -> None:
    assert "sk-1" not in map_json_text(text, lambda value: value.replace("sk-1", "*"))


def test_arguments_nested_too_deep_are_changed_too() -> None:
    text = "[" * 100_000 + '"sk-1"' + "]" * 100_000
    assert "sk-1" not in map_json_text(text, lambda value: value.replace("sk-1", "*"))


def test_keys_that_become_the_same_keep_their_values() -> None:
    message = Message("user", (Opaque("x", {"k1": 1, "k2": 2}),))
    (part,) = map_texts(message, lambda _: "*").parts
    assert isinstance(part, Opaque)
    assert sorted(part.data.values()) == [1, 2]


def test_signatures_media_and_ids_are_passed_over() -> None:
    seal = "A1b2+/" * 20
    block = {"type": "thinking", "thinking": "t", "signature": seal}
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": seal}}
    use = {"type": "server_tool_use", "id": "srv_1", "name": "n", "input": {}}
    parts = tuple(Opaque("anthropic", data) for data in (block, image, use))
    assert not {seal, "srv_1", "image/png"} & set(texts(Message("assistant", parts)))


def test_a_signed_block_that_is_changed_is_kept_and_never_sent() -> None:
    block = {"type": "thinking", "thinking": "sk-1", "signature": "s"}
    message = from_anthropic({"role": "assistant", "content": [block]})[0]
    changed = map_texts(message, lambda text: text.replace("sk-1", "*"))
    assert changed.parts == (Opaque("anthropic" + CHANGED, {**block, "thinking": "*"}),)
    assert to_anthropic([changed])[1] == [{"role": "assistant", "content": []}]


def test_a_changed_message_is_still_json_for_its_provider() -> None:
    message = from_openai({"role": "assistant", "content": "sk-1", "x_note": {"sk-1": "sk-1"}})
    changed = map_texts(message, lambda text: text.replace("sk-1", "*"))
    assert "sk-1" not in json.dumps(to_openai(changed))
