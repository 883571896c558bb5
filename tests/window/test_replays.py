"""The same promises over recorded runs, where these lie beside the checkout."""

import json
from random import Random
from time import process_time

import pytest

from memoranda.errors import BudgetTooSmall
from memoranda.messages import Message, Text, ToolCall, ToolResult, said
from memoranda.messages.openai_chat import from_openai
from memoranda.window import FAITHFUL, Buffer, TokenBudget, compose
from tests.window.transcripts import faults, size


def runs(shared, name):
    lines = (shared / "data" / "trajectories" / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [[from_openai(m) for m in json.loads(line)["messages"]] for line in lines if line]


@pytest.mark.parametrize("policy", [TokenBudget(), FAITHFUL], ids=["default", "faithful"])
@pytest.mark.parametrize("budget", [4_000, 8_000])
@pytest.mark.parametrize("name", ["other", "pi", "taubench"])
def test_recorded_runs_keep_every_promise(shared, name, budget, policy):
    for run in runs(shared, name):
        system = "\n".join(m.text for m in run if m.role == "system")
        buffer = Buffer()
        for message in run:
            if message.role == "system":
                continue
            if message.role == "assistant":
                buffer = checked(system, buffer, budget, policy)
            buffer = buffer.append(message)


def checked(system, buffer, budget, policy):
    try:
        built = compose(system, None, buffer, budget, policy=policy)
    except BudgetTooSmall as error:
        least = sum(error.sizes.values())
    else:
        least = 0
    if least:
        assert least > budget
        return buffer
    assert size(built.messages, system) == built.tokens <= budget
    assert faults(built.messages) == []
    assert buffer.task is None or buffer.task in built.messages
    assert buffer.newest is None or buffer.newest in built.messages
    return built.buffer


def test_a_call_costs_work_for_its_new_messages_only():
    buffer, times, chance = Buffer.of([said("user", "the task")]), [], Random(1)
    for n in range(1_000):
        call = ToolCall(f"c{n}", "read", f'{{"path": "src/file_{n}.py"}}')
        names = (f"def name_{chance.randrange(3_000)}(arg_{n}_{k}): pass" for k in range(12))
        result = ToolResult(f"c{n}", (Text("\n".join(names)),))
        new = (Message("assistant", (call,)), Message("tool", (result,)))
        begun = process_time()
        for message in new:
            buffer = buffer.append(message)
        buffer = compose("rules", None, buffer, 8_000).buffer
        times.append(process_time() - begun)
    # From 100 on the window has its size; compactions, the dear calls, are in both sums.
    assert sum(times[-100:]) <= 2 * sum(times[100:200])
    assert sorted(times)[500] <= 2 * sorted(times[100:200])[50]
