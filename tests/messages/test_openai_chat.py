import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import MessageError
from memoranda.messages import Message, Opaque, Recalled, Text, ToolCall, ToolResult, said
from memoranda.messages.openai_chat import from_openai, to_openai, to_openai_request
from memoranda.types import Origin
from tests.messages import wire


def same(left: Any, right: Any) -> bool:
    """Equal, with keys in the same order and 1 apart from 1.0 and True."""
    return left == right and json.dumps(left) == json.dumps(right)


@given(wire.openai_messages)
def test_a_message_comes_back_as_it_was(message: wire.Wire) -> None:
    assert same(to_openai(from_openai(message)), message)


@given(st.lists(wire.openai_messages, max_size=4))
def test_a_list_comes_back_as_it_was(messages: list[wire.Wire]) -> None:
    assert same(to_openai(from_openai(messages)), messages)


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "assistant", "content": None},
        {"role": "assistant"},
        {"role": "assistant", "content": "", "refusal": None},
        {"role": "user", "content": []},
        {"role": "user", "content": [{"type": "text", "text": "a"}]},
        {"role": "developer", "content": "be brief"},
        {"content": "the other order", "role": "user"},
        {"role": "function", "name": "f", "content": None},
    ],
)
def test_shapes_that_mean_the_same_stay_apart(message: wire.Wire) -> None:
    assert same(to_openai(from_openai(message)), message)


def test_every_recorded_message_comes_back(shared: Path) -> None:
    count = 0
    for path in sorted((shared / "data" / "trajectories").glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            messages = json.loads(line)["messages"]
            assert same(to_openai(from_openai(messages)), messages)
            count += len(messages)
    assert count > 5000


def test_the_words_are_found() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{ "a":1}'}}
    asked = from_openai({"role": "assistant", "content": "wait", "tool_calls": [call]})
    assert asked.text == "wait"
    assert asked.calls == (ToolCall("c1", "f", '{ "a":1}'),)
    told = from_openai({"role": "tool", "tool_call_id": "c1", "name": "f", "content": "done"})
    assert told.results == (ToolResult("c1", (Text("done"),), name="f"),)
    assert told.source is Origin.EXTERNAL
    assert from_openai({"role": "developer", "content": "x"}).role == "system"


def test_a_legacy_call_and_its_result_have_the_same_id() -> None:
    call = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": ""}}
    told = {"role": "function", "name": "f", "content": "1"}
    assert from_openai(call).calls[0].id == from_openai(told).results[0].call_id
    assert to_openai_request(None, from_openai([call, told])) == [call, told]


def test_what_the_caller_changes_later_changes_no_message() -> None:
    data = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "a"}}]}
    message = from_openai(data)
    data["content"][0]["image_url"]["url"] = "b"  # type: ignore[index]
    to_openai(message)["content"][0]["image_url"]["url"] = "c"
    assert to_openai(message)["content"][0]["image_url"]["url"] == "a"


def test_an_edit_wins_over_the_remembered_shape() -> None:
    message = from_openai({"role": "assistant", "content": None, "refusal": None})
    edited = message.with_parts([Text("now there is text")])
    assert to_openai(edited) == {
        "role": "assistant",
        "content": "now there is text",
        "refusal": None,
    }


def test_a_recalled_block_is_sent_as_a_text_part() -> None:
    message = Message("user", (Text("hello"), Recalled("facts", ("f1",), "r1")))
    assert to_openai(message)["content"] == [
        {"type": "text", "text": "hello"},
        {"type": "text", "text": "facts"},
    ]


def test_parts_of_another_form_are_left_out() -> None:
    message = Message("user", (Text("hello"), Opaque("anthropic", {"type": "thinking"})))
    assert to_openai(message) == {"role": "user", "content": "hello"}


def test_several_results_in_one_message_need_the_list() -> None:
    message = Message("tool", (ToolResult("a", (Text("1"),)), ToolResult("b", (Text("2"),))))
    with pytest.raises(MessageError):
        to_openai(message)
    assert [m["tool_call_id"] for m in to_openai([message])] == ["a", "b"]


# What may be sent


def test_a_request_has_the_system_first_and_results_straight_after_their_call() -> None:
    messages = [
        said("user", "go"),
        Message("assistant", (ToolCall("a", "f", "{}"), ToolCall("b", "f", "{}"))),
        Message("tool", (ToolResult("b", (Text("2"),)),)),
        said("user", "and hurry"),
        Message("tool", (ToolResult("a", (Text("1"),)),)),
        Message("tool", (ToolResult("orphan", (Text("?"),)),)),
        Message("assistant", (ToolCall("c", "f", "{}"),)),
    ]
    request = to_openai_request("be brief", messages)
    assert [(m["role"], m.get("tool_call_id")) for m in request] == [
        ("system", None),
        ("user", None),
        ("assistant", None),
        ("tool", "b"),
        ("tool", "a"),
        ("user", None),
        ("assistant", None),
        ("tool", "c"),
    ]


def answered(request: list[wire.Wire]) -> bool:
    """Whether each call has its result before anything else is said, and no result lacks a call."""
    open_calls: list[str] = []
    for message in request:
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                return False
            open_calls.remove(message["tool_call_id"])
        elif open_calls:
            return False
        if message["role"] == "assistant":
            open_calls = [call["id"] for call in message.get("tool_calls") or []]
    return not open_calls


simple_ids = st.sampled_from(["a", "b", "c"])
neutral_messages = st.one_of(
    st.builds(said, st.sampled_from(["system", "user", "assistant"]), st.sampled_from(["", "x"])),
    st.lists(simple_ids.map(lambda i: ToolCall(i, "f", "{}")), max_size=3).map(
        lambda calls: Message("assistant", tuple(calls))
    ),
    st.lists(simple_ids.map(lambda i: ToolResult(i, (Text("r"),))), max_size=2).map(
        lambda found: Message("tool", tuple(found))
    ),
    simple_ids.map(lambda i: Message("user", (Text("t"), ToolResult(i, ()), Text("u")))),
)


@given(st.lists(neutral_messages, max_size=8))
def test_any_messages_make_a_request_in_order(messages: list[Message]) -> None:
    request = to_openai_request("s", messages)
    assert answered(request)
    assert request == to_openai_request("s", messages)


@pytest.mark.parametrize("first", [True, False])
def test_an_id_used_again_is_a_new_call_with_its_own_result(first: bool) -> None:
    call = Message("assistant", (ToolCall("a", "f", "{}"),))
    old = [Message("tool", (ToolResult("a", (Text("old"),)),))] if first else []
    new = Message("tool", (ToolResult("a", (Text("new"),)),))
    request = to_openai_request(None, [call, *old, call, new])
    assert [m["role"] for m in request] == ["assistant", "tool", "assistant", "tool"]
    assert (request[1]["content"] == "old") is first
    assert request[3]["content"] == "new"


# Wrong shapes


@given(wire.broken(wire.openai_messages) | wire.anything)
def test_a_broken_message_is_a_message_error_or_none(message: Any) -> None:
    try:
        from_openai([message])
    except MessageError as error:
        assert str(error).startswith("messages[0]")  # noqa: PT017


@pytest.mark.parametrize(
    ("message", "place"),
    [
        (None, "message must be"),
        ({}, "message has no 'role'"),
        ({"role": "wizard"}, "message.role"),
        ({"role": ["user"]}, "message.role"),
        ({"role": "user", "content": 5}, "message.content"),
        ({"role": "user", "content": [{"type": "text"}]}, "message.content[0] has no 'text'"),
        ({"role": "user", "content": [{"type": "text", "text": 1}]}, "message.content[0].text"),
        ({"role": "user", "content": ["text"]}, "message.content[0]"),
        ({"role": "tool", "content": "x"}, "message has no 'tool_call_id'"),
        ({"role": "assistant", "tool_calls": "x"}, "message.tool_calls"),
        ({"role": "assistant", "tool_calls": [{"id": "a"}]}, "message.tool_calls[0]"),
        ({"role": "user", "content": "a", "x": float("nan")}, "message"),
        ({"role": "user", "content": "a", 7: "b"}, "message"),
    ],
)
def test_the_error_names_the_place(message: Any, place: str) -> None:
    with pytest.raises(MessageError) as caught:
        from_openai([message])
    assert str(caught.value).startswith(place.replace("message", "messages[0]", 1))


def test_an_error_holds_nothing_of_the_message() -> None:
    with pytest.raises(MessageError) as caught:
        from_openai({"role": "my secret role", "content": "a"})
    assert "secret" not in str(caught.value)


def test_a_message_nested_too_deep_is_an_error() -> None:
    deep: Any = "x"
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(MessageError, match="deeper"):
        from_openai({"role": "user", "content": "a", "more": deep})
