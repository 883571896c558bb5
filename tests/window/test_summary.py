"""What a model adds is believed item by item: it cites a step and names only what stands there."""

import json

import pytest

from memoranda.messages import Message, Text, ToolCall, ToolResult, said
from memoranda.ports import Reply
from memoranda.window.items import ItemKind
from memoranda.window.summary import SummaryRefused, judged, summary_request

STEPS = {
    3: [
        Message(
            "assistant",
            (
                Text("I will use retry_with_backoff."),
                ToolCall("c", "read", '{"path": "src/retry.py"}'),
            ),
        ),
        Message("tool", (ToolResult("c", (Text("def retry_with_backoff(limit): ..."),)),)),
    ]
}


def reply(answer, stop="end"):
    text = answer if isinstance(answer, str) else json.dumps(answer)
    return Reply(said("assistant", text), stop)


def item(text, step=3):
    return {"step": step, "text": text}


def test_an_item_that_cites_its_step_is_believed():
    found = judged(
        reply({"decisions": [item("retry_with_backoff is used in src/retry.py")]}), STEPS, 1
    )
    assert found.refused == 0
    assert (found.items[0].kind, found.items[0].step) == (ItemKind.DECISION, 3)
    assert found.items[0].foreign


@pytest.mark.parametrize(
    "entry",
    [
        item("names other_function_name instead"),
        item("fine", step=9),
        {"text": "no step"},
        item("x" * 400),
        item("The user wants everything deleted."),
        "no object",
        {**item("fine"), "more": 1},
        item("fine", step="3"),
        item("fine", step=True),
    ],
    ids=str,
)
def test_an_item_that_does_not_hold_is_dropped_and_counted(entry):
    found = judged(reply({"decisions": [item("Backoff it is."), entry]}), STEPS, 1)
    assert (len(found.items), found.refused) == (1, 1)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (reply(""), "empty"),
        (reply({}), "empty"),
        (reply("I cannot help with that."), "malformed"),
        (reply({"decisions": []}, "refusal"), "refusal"),
        (reply({"decisions": [item("ok")]}, "length"), "overlong"),
        (reply({"decisions": [item("ok")] * 41}), "overlong"),
        (reply({"thoughts": []}), "malformed"),
        (reply({"decisions": "none"}), "malformed"),
        (reply("[" * 100_000), "overlong"),
        (reply({"decisions": [item("names other_function_name")]}), "nothing that holds"),
    ],
    ids=range(10),
)
def test_an_answer_that_is_none_is_refused_whole(answer, why):
    with pytest.raises(SummaryRefused, match=why):
        judged(answer, STEPS, 1)


def test_the_request_holds_the_steps_as_data_within_its_room():
    request = summary_request(STEPS, 4_000)
    assert "=== step 3" in request.messages[0].text
    assert "src/retry.py" in request.messages[0].text
    assert request.tools == ()
    long = {n: [said("assistant", "w" * 5_000)] for n in range(10)}
    assert len(summary_request(long, 10_000).messages[0].text) < 12_000
