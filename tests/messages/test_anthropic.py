import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import MessageError
from memoranda.messages import Message, Opaque, Recalled, Text, ToolCall, ToolResult, said
from memoranda.messages.anthropic import from_anthropic, to_anthropic, to_anthropic_request
from memoranda.messages.openai_chat import from_openai
from memoranda.types import Origin
from tests.messages import wire
from tests.messages.test_openai_chat import neutral_messages, same


@given(st.lists(wire.anthropic_messages, max_size=4), wire.anthropic_systems)
def test_a_conversation_comes_back_as_it_was(messages: list[wire.Wire], system: Any) -> None:
    back_system, back = to_anthropic(from_anthropic(messages, system))
    assert same(back, messages)
    assert same(back_system, system)


@given(wire.anthropic_messages)
def test_a_message_comes_back_as_it_was(message: wire.Wire) -> None:
    assert same(to_anthropic(from_anthropic(message))[1], [message])


def test_a_result_does_not_pass_for_the_users_words() -> None:
    blocks = [
        {"type": "tool_result", "tool_use_id": "a", "content": "from the web"},
        {"type": "tool_result", "tool_use_id": "b", "content": "more"},
        {"type": "text", "text": "my own words"},
    ]
    messages = from_anthropic({"role": "user", "content": blocks})
    assert [(m.role, m.text, m.source) for m in messages] == [
        ("tool", "", Origin.EXTERNAL),
        ("tool", "", Origin.EXTERNAL),
        ("user", "my own words", Origin.USER),
    ]


def test_a_call_has_its_arguments_as_text() -> None:
    block = {"type": "tool_use", "id": "a", "name": "f", "input": {"größe": [1, 2.0, None]}}
    (message,) = from_anthropic({"role": "assistant", "content": [block]})
    assert json.loads(message.calls[0].arguments) == block["input"]


@pytest.mark.parametrize("text", ["not json", "[1]", '{"a": 1}', "{}", "", " "])
def test_an_input_that_looks_like_carried_text_comes_back(text: str) -> None:
    block = {"type": "tool_use", "id": "a", "name": "f", "input": {"_raw_arguments": text}}
    data = {"role": "assistant", "content": [block]}
    assert to_anthropic(from_anthropic(data))[1] == [data]


def test_signed_blocks_stay_in_their_place_and_untouched() -> None:
    blocks = [
        {"type": "thinking", "thinking": "hm", "signature": "s+g/="},
        {"type": "text", "text": "a"},
        {"type": "redacted_thinking", "data": "xyz"},
        {"type": "tool_use", "id": "a", "name": "f", "input": {}},
    ]
    data = {"role": "assistant", "content": blocks}
    assert to_anthropic(from_anthropic(data))[1] == [data]
    answer = {"type": "tool_result", "tool_use_id": "a", "content": "b"}
    messages = from_anthropic([{"role": "user", "content": "q"}, data])
    messages += from_anthropic({"role": "user", "content": [answer]})
    assert to_anthropic_request(None, messages)[1][1]["content"] == blocks


# From the one provider's form to the other's


def outline(messages: list[Message]) -> list[Any]:
    """What a conversion between forms must keep."""
    return [
        (
            message.role,
            message.text,
            [(call.id, call.name, meaning(call.arguments)) for call in message.calls],
            [(result.call_id, result.text) for result in message.results],
        )
        for message in messages
    ]


def meaning(arguments: str) -> Any:
    try:
        value = json.loads(arguments or "{}")
    except ValueError:
        return arguments
    return value if isinstance(value, dict) else arguments


call_words = st.sampled_from(['{"a": 1}', "", "not json", "[1]", '{"b":{"c":"d"}}', '{"e":NaN}'])
plain_openai = st.one_of(
    st.builds(
        lambda role, text: {"role": role, "content": text},
        st.sampled_from(["system", "developer", "user", "assistant"]),
        wire.strings,
    ),
    st.builds(
        lambda ids, text, words: {
            "role": "assistant",
            "content": text,
            "tool_calls": [
                {"id": i, "type": "function", "function": {"name": "f", "arguments": words}}
                for i in ids
            ],
        },
        st.lists(wire.words, min_size=1, max_size=3, unique=True),
        st.none() | wire.strings,
        call_words,
    ),
    st.builds(
        lambda i, text: {"role": "tool", "tool_call_id": i, "content": text},
        wire.words,
        wire.strings,
    ),
)


@given(st.lists(plain_openai, max_size=6))
def test_a_conversation_of_the_other_form_keeps_what_was_said(data: list[wire.Wire]) -> None:
    messages = from_openai(data)
    system, converted = to_anthropic(messages)
    back = from_anthropic(converted, system)
    # As text, because NaN in arguments is not equal to itself.
    assert repr(outline(back)) == repr(outline(messages))
    assert to_anthropic(back) == (system, converted)


def test_several_results_become_one_message_and_come_back_as_several() -> None:
    call = {"type": "function", "function": {"name": "f", "arguments": "{}"}}
    data: list[wire.Wire] = [
        {"role": "assistant", "content": None, "tool_calls": [call | {"id": i} for i in "ab"]},
        {"role": "tool", "tool_call_id": "a", "content": "1"},
        {"role": "tool", "tool_call_id": "b", "content": "2"},
        {"role": "user", "content": "x"},
        {"role": "user", "content": "y"},
    ]
    messages = from_openai(data)
    _, converted = to_anthropic(messages)
    assert [m["role"] for m in converted] == ["assistant", "user", "user", "user"]
    assert outline(from_anthropic(converted)) == outline(messages)


def test_every_recorded_conversation_keeps_its_outline(shared: Path) -> None:
    for path in sorted((shared / "data" / "trajectories").glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            messages = from_openai(json.loads(line)["messages"])
            system, converted = to_anthropic(messages)
            assert outline(from_anthropic(converted, system)) == outline(messages)
            allowed(to_anthropic_request(None, messages)[1])


# What may be sent


def allowed(request: list[wire.Wire]) -> None:
    """The rules of the service: alternation, results first and complete, no blank text, good ids."""
    used: set[str] = set()
    asked: list[str] = []
    for i, message in enumerate(request):
        assert set(message) == {"role", "content"}
        assert message["role"] == ("assistant" if i % 2 else "user")
        kinds = [block["type"] for block in message["content"]]
        assert kinds
        assert all(b["text"].strip() for b in message["content"] if b["type"] == "text")
        found = [b["tool_use_id"] for b in message["content"] if b["type"] == "tool_result"]
        assert sorted(found) == sorted(asked)
        assert "tool_result" not in kinds[len(found) :]
        asked = [b["id"] for b in message["content"] if b["type"] == "tool_use"]
        assert not used & set(asked)
        assert len(set(asked)) == len(asked)
        used |= set(asked)
    assert not asked


@given(st.lists(neutral_messages, max_size=8))
def test_any_messages_make_an_allowed_request(messages: list[Message]) -> None:
    system, request = to_anthropic_request("s", messages)
    allowed(request)
    assert json.dumps((system, request)) == json.dumps(to_anthropic_request("s", messages))


@given(st.lists(wire.openai_messages, max_size=5))
def test_any_conversation_of_the_other_form_makes_an_allowed_request(
    data: list[wire.Wire],
) -> None:
    allowed(to_anthropic_request(None, from_openai(data))[1])


@given(st.lists(neutral_messages, max_size=6), neutral_messages.filter(lambda m: m.role == "user"))
def test_what_is_added_leaves_the_bytes_before_it(messages: list[Message], more: Message) -> None:
    if more.results:
        return
    before = json.dumps(to_anthropic_request("s", messages)[1])[:-1]
    after = json.dumps(to_anthropic_request("s", [*messages, more])[1])
    assert after.startswith(before.removesuffix("]}"))


def test_ids_that_the_service_refuses_are_replaced_in_call_and_result() -> None:
    messages = [
        said("user", "go"),
        Message("assistant", (ToolCall("f:1 é", "f", "{}"), ToolCall("f_1__", "f", "{}"))),
        Message("tool", (ToolResult("f:1 é", (Text("1"),)),)),
        Message("tool", (ToolResult("f_1__", (Text("2"),)),)),
    ]
    _, request = to_anthropic_request(None, messages)
    allowed(request)
    assert [b["tool_use_id"] for b in request[2]["content"]] == ["f_1__", "f_1___2"]


def test_fields_of_a_reply_are_not_sent_back() -> None:
    content = [{"type": "text", "text": "hi", "citations": None}]
    reply = {"id": "m", "type": "message", "role": "assistant", "content": content, "usage": {}}
    messages = [said("user", "hello"), *from_anthropic(reply)]
    assert to_anthropic_request("", messages) == (
        None,
        [
            {"role": "user", "content": [{"type": "text", "text": "hello"}]},
            {"role": "assistant", "content": reply["content"]},
        ],
    )


def test_system_messages_join_the_system_prompt_of_a_request() -> None:
    messages = [said("system", "one"), said("user", "hi"), said("system", "two")]
    system, request = to_anthropic_request("zero", messages)
    assert [block["text"] for block in system or [] if isinstance(block, dict)] == [
        "zero",
        "one",
        "two",
    ]
    assert len(request) == 1


def test_a_recalled_block_is_text_and_foreign_parts_stay_away() -> None:
    parts = (Text("q"), Recalled("facts"), Opaque("openai", {"type": "input_audio"}))
    _, request = to_anthropic_request(None, [Message("user", parts)])
    assert request[0]["content"] == [
        {"type": "text", "text": "q"},
        {"type": "text", "text": "facts"},
    ]


# Wrong shapes


@given(wire.broken(wire.anthropic_messages) | wire.anything)
def test_a_broken_message_is_a_message_error_or_none(message: Any) -> None:
    try:
        from_anthropic([message])
    except MessageError as error:
        assert str(error).startswith("messages[0]")  # noqa: PT017


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ({"role": "user"}, "messages[0] has no 'content'"),
        ({"role": "user", "content": None}, "messages[0].content"),
        ({"role": "tool", "content": "x"}, "messages[0].role"),
        ({"role": "user", "content": [{"text": "x"}]}, "messages[0].content[0] has no 'type'"),
        (
            {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f"}]},
            "messages[0].content[0] has no 'input'",
        ),
        (
            {"role": "user", "content": [{"type": "tool_result", "content": "x"}]},
            "messages[0].content[0] has no 'tool_use_id'",
        ),
    ],
)
def test_the_error_names_the_place(message: Any, place: str) -> None:
    with pytest.raises(MessageError) as caught:
        from_anthropic([message])
    assert str(caught.value).startswith(place)


@pytest.mark.parametrize("system", [5, [5], [{"type": "text"}], {"type": "text", "text": "x"}])
def test_a_wrong_system_prompt_is_an_error(system: Any) -> None:
    with pytest.raises(MessageError, match=r"^system"):
        from_anthropic([], system)


def test_breakpoints_stand_where_a_prefix_is_asked_for_again_four_at_most():
    from memoranda.messages import Message, Opaque, ToolCall, ToolResult, said

    thinking = Opaque("anthropic", {"type": "thinking", "thinking": "hm", "signature": "s"})
    run = [said("user", "the task")]
    sent = []
    for n in range(3):
        run.append(Message("assistant", (thinking, ToolCall(f"c{n}", "read", "{}"))))
        run.append(Message("tool", (ToolResult(f"c{n}", (Text(f"result {n}"),)),)))
        sent.append(to_anthropic_request("rules", run, cache=True))
    for system, turns in sent:
        blocks = [*system, *(block for message in turns for block in message["content"])]
        marked = [i for i, block in enumerate(blocks) if "cache_control" in block]
        assert 3 <= len(marked) <= 4
        assert marked[0] == 0
        assert marked[-1] == len(blocks) - 1
        assert all(blocks[i]["type"] != "thinking" for i in marked)
        plain = to_anthropic_request("rules", run[: len(turns)])[1]
        for message in turns:
            for block in message["content"]:
                block.pop("cache_control", None)
        assert turns == plain  # but for the marks the same bytes


@given(given_marks=st.lists(st.booleans(), min_size=1, max_size=9).filter(lambda m: sum(m) <= 4))
def test_breakpoints_that_are_there_count_toward_the_four(given_marks):
    from memoranda.messages import said

    mark = {"anthropic": {"rest": {"cache_control": {"type": "ephemeral"}}}}
    run = []
    for n, marked in enumerate(given_marks):
        told = Text(f"words {n}", mark if marked else {})
        run += [said("user", "x").with_parts([told]), said("assistant", f"answer {n}")]
    system, turns = to_anthropic_request("rules", run[:-1], cache=True)
    blocks = [*system, *(block for message in turns for block in message["content"])]
    places = [i for i, block in enumerate(blocks) if "cache_control" in block]
    asked = {2 * n + 1 for n, marked in enumerate(given_marks) if marked}
    assert asked <= set(places)
    # Without the cap: the system, the first user message and the last two.
    wanted = asked | {0, 1, len(blocks) - 1, max(1, len(blocks) - 3)}
    assert len(places) == min(4, len(wanted))
