"""The six promises while everything that can happen to a window happens, in any order."""

import json

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from memoranda.errors import BudgetTooSmall
from memoranda.messages import Message, Opaque, Recalled, Text, ToolCall, ToolResult, said
from memoranda.window import FAITHFUL, Buffer, How, LastSteps, TokenBudget, compose
from tests.window.transcripts import faults, results_parts, size, step, texts, user

SYSTEM = "You are careful."
POLICIES = st.sampled_from(
    (
        TokenBudget(),
        TokenBudget(0.9, 0.5),
        FAITHFUL,
        LastSteps(4),
        TokenBudget(0.9, 0.5, How(notes=False)),
    )
)


class Run(RuleBasedStateMachine):
    """A run in which the window is composed before every answer."""

    @initialize(policy=POLICIES, budget=st.sampled_from((150, 700, 3_000, 20_000)))
    def begin(self, policy, budget):
        self.policy, self.budget = policy, budget
        self.buffer, self.original, self.last = Buffer(), [], None

    def add(self, messages):
        for message in messages:
            self.original.append(message)
            self.buffer = self.buffer.append(message)

    @rule(said_by_user=user())
    def user_speaks(self, said_by_user):
        self.add(said_by_user)

    @rule(messages=step())
    def a_step(self, messages):
        self.call()
        self.add(messages)

    @rule(text=texts(most=900), parts=results_parts(), count=st.integers(1, 4))
    def parallel_calls(self, text, parts, count):
        self.call()
        calls = [ToolCall(f"p{n}", "bash", json.dumps({"command": text})) for n in range(count)]
        self.add([Message("assistant", tuple(calls))])
        self.add(Message("tool", (ToolResult(call.id, parts),)) for call in reversed(calls))

    @rule()
    def a_picture(self):
        picture = Opaque("openai", {"type": "image_url", "image_url": {"url": "data:x"}})
        self.add([Message("user", (picture,))])

    @rule()
    def a_call_without_answer(self):
        self.call()
        self.add([Message("assistant", (ToolCall("open", "read", '{"path": "a"}'),))])

    @rule(text=texts(most=900))
    def a_block_is_put_in(self, text):
        self.buffer = self.buffer.settled().with_block(Recalled(text))

    @precondition(lambda self: self.buffer.steps)
    @rule(data=st.data())
    def a_step_is_kept(self, data):
        number = data.draw(st.sampled_from(sorted(self.buffer.steps)))
        self.buffer = self.buffer.keep(number, data.draw(st.booleans()))

    @rule(cold=st.booleans())
    def call(self, cold=False):
        buffer = self.buffer
        try:
            built = compose(SYSTEM, None, buffer, self.budget, policy=self.policy, cold=cold)
        except BudgetTooSmall as error:
            least = sum(error.sizes.values())
        else:
            least = 0
        if least:
            assert least > self.budget
            return
        assert size(built.messages, SYSTEM) == built.tokens <= self.budget
        assert faults(built.messages) == []
        for pinned in (buffer.task, buffer.newest):
            words = [p for p in pinned.parts if isinstance(p, Text)] if pinned else []
            assert not words or any(words[0] in m.parts for m in built.messages)
        if built.compaction is not None:
            self.comes_to_rest(built)
        self.buffer = built.buffer

    def comes_to_rest(self, built):
        """A compaction does not loop: what it left is sent again as it stands, in every later build."""
        again = compose(SYSTEM, None, built.buffer, self.budget, policy=self.policy)
        assert again.compaction is None
        assert again.messages == built.messages

    @invariant()
    def what_was_left_out_is_named_or_noted(self):
        if not hasattr(self, "buffer"):
            return
        there = {slot.n for slot in self.buffer.slots}
        for item in self.buffer.notes.items:
            assert item.step <= self.buffer.step
            assert item.n not in there or item.n >= 0


TestRun = Run.TestCase


def test_a_long_result_then_silence_does_not_compact_again_and_again():
    buffer = Buffer.of([said("user", "the task")])
    for n in range(3):
        call = ToolCall(f"c{n}", "read", '{"path": "a"}')
        buffer = buffer.append(Message("assistant", (call,)))
        buffer = buffer.append(Message("tool", (ToolResult(f"c{n}", (Text("name_x " * 900),)),)))
    records = []
    for n in range(12):
        built = compose("", None, buffer, 3_000)
        records.append(built.compaction)
        buffer = built.buffer.append(said("assistant", f"thought {n}"))
    assert sum(record is not None for record in records) <= 4
