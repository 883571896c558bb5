"""Whole runs by the thousand, drawn from a seed: nothing over the budget, no fault, no word of the user lost.

`MEMORANDA_TRANSCRIPTS` says how many (300 by default, fewer than a tenth of what `docs/measurements.md` tells of).
"""

import json
import os
from random import Random

import pytest

from memoranda.errors import BudgetTooSmall
from memoranda.messages import Message, Opaque, Recalled, Text, ToolCall, ToolResult, said
from memoranda.window import FAITHFUL, Buffer, How, LastSteps, TokenBudget, compose
from memoranda.window.items import USER_CHARACTERS, ItemKind
from tests.window.transcripts import faults, size

COUNT = int(os.environ.get("MEMORANDA_TRANSCRIPTS", "300"))
PARTS = 10
POLICIES = (
    TokenBudget(),
    FAITHFUL,
    TokenBudget(0.9, 0.5),
    LastSteps(4),
    TokenBudget(0.8, 0.3, How(notes=False)),
)
PICTURE = Opaque("openai", {"type": "image_url", "image_url": {"url": "data:x"}})
THINKING = Opaque("anthropic", {"type": "thinking", "thinking": "hm", "signature": "s" * 80})
TOOLS = ("read", "edit", "bash", "fetch", "no_such_tool")


def words(chance, most):
    """A text of at most `most` characters: prose, code, digits, another script, or nothing."""
    word = chance.choice(
        ("so it is ", "def f_{0}(a_{0}):\n", "err_{0}: exit code {0}\n", "\u4f60\u597d", "{0} ", "")
    )
    text = word.format(chance.randrange(4_000))
    return (text * (most // max(1, len(text))))[: chance.randrange(most + 1)]


def results_of(chance, call):
    """An answer: mostly short, sometimes empty, with a picture, or of 200 KB."""
    most = chance.choices((0, 300, 3_000, 200_000), (10, 60, 29, 1))[0]
    parts = (Text(words(chance, most)),) if most else ()
    parts += (PICTURE,) if chance.random() < 0.03 else ()
    return Message("tool", (ToolResult(call.id, parts, chance.random() < 0.1, call.name),))


def a_step(chance):
    """An answer with up to four calls (ids begin again in each step, and some are there twice) and their results."""
    calls = []
    for n in range(chance.choice((0, 1, 1, 1, 2, 4))):
        path = json.dumps({"path": f"src/f_{chance.randrange(9)}.py", "text": words(chance, 200)})
        name = chance.choice(TOOLS)
        calls.append(ToolCall(f"c{0 if chance.random() < 0.05 else n}", name, path))
    told = (Text(words(chance, 400)),) if not calls or chance.random() < 0.5 else ()
    told += (THINKING,) if chance.random() < 0.05 else ()
    yield Message("assistant", (*told, *calls))
    yield from (results_of(chance, call) for call in calls if chance.random() < 0.97)


def transcript(chance):
    """Users and steps in any order; users in a row, a run that begins or ends in the middle."""
    for _ in range(chance.choice((1, 5, 15, 40))):
        if chance.random() < 0.25:
            yield said("user", words(chance, chance.choice((60, 60, 4_000))))
        else:
            yield from a_step(chance)


def replay(seed):
    """One run under one policy and budget; what the user said so far must be whole, here or in the notes."""
    chance = Random(seed)
    policy, budget = chance.choice(POLICIES), chance.choice((200, 1_000, 4_000, 16_000))
    buffer, told, calls = Buffer(), [], 0
    for message in (said("user", "the task"), *transcript(chance)):
        if message.role == "user":
            told.append(message.text)
        if message.role == "assistant":
            block = chance.random() < 0.1
            buffer = buffer.settled().with_block(Recalled(words(chance, 90))) if block else buffer
            buffer = checked(buffer, policy, budget, told)
            calls += 1
        buffer = buffer.append(message)
    checked(buffer, policy, budget, told)
    return calls + 1


def checked(buffer, policy, budget, told):
    try:
        built = compose("rules", None, buffer, budget, policy=policy)
    except BudgetTooSmall as error:
        least = sum(error.sizes.values())
    else:
        least = 0
    if least:
        assert least > budget
        return buffer
    assert size(built.messages, "rules") == built.tokens <= budget
    assert faults(built.messages) == []
    assert built.buffer.task in built.messages
    assert any(buffer.newest.text in message.text for message in built.messages)
    if policy.how.notes:
        kept = {item.text for item in built.buffer.notes.items if item.kind is ItemKind.USER}
        kept |= {message.text[:USER_CHARACTERS].strip() for message in built.buffer.messages}
        assert all(text[:USER_CHARACTERS].strip() in kept for text in told if text.strip())
    if built.compaction is not None:
        again = compose("rules", None, built.buffer, budget, policy=policy)
        assert (again.compaction, again.messages) == (None, built.messages)
    return built.buffer


@pytest.mark.parametrize("part", range(PARTS))
def test_generated_runs_keep_every_promise(part):
    calls = sum(replay(seed) for seed in range(part, COUNT, PARTS))
    assert calls > COUNT // PARTS
