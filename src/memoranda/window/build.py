"""Compose the next request: system | standing block | task | kept steps | user text with its recalled block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memoranda.messages import Message, Recalled
from memoranda.ports import Request, ToolSpec
from memoranda.types import Origin
from memoranda.window.buffer import Buffer
from memoranda.window.compact import Compaction, check_room, compact, needed, note_of
from memoranda.window.policy import Policy, TokenBudget
from memoranda.window.stubs import MARK
from memoranda.window.tokens import TOKENS_A_MESSAGE, message_tokens, tools_tokens

DEFAULT_POLICY = TokenBudget()


@dataclass(frozen=True, slots=True)
class Built:
    """A request that fits, and the buffer to go on with.

    system, messages, tools: what to send. tokens: of all that, as the buffer's counter sees it. compaction: the
    record of what was taken away for it (None: nothing). buffer: append the model's answer to this one.
    """

    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...]
    tokens: int
    compaction: Compaction | None
    buffer: Buffer

    def request(self, max_tokens: int = 1024) -> Request:
        """The request as a model takes it."""
        return Request(self.system, self.messages, self.tools, max_tokens)


def compose(
    system: str,
    standing: Recalled | None,
    buffer: Buffer,
    budget: int,
    *,
    policy: Policy = DEFAULT_POLICY,
    tools: Sequence[ToolSpec] = (),
    plan: Recalled | None = None,
    scratch: Recalled | None = None,
    cold: bool = False,
) -> Built:
    """The next request, never over `budget` tokens.

    The system prompt is taken as given and never trimmed. The standing block is a user message of its own in
    front of the task: data beside the system prompt, not part of it; the plan files stand behind it, the scratchpad
    behind the task. `cold`: the provider's cache has run out, so a compaction costs nothing extra.

    A call that is still unanswered gets an answer that says so, for no provider takes a call without one. Raises
    `BudgetTooSmall` when system prompt, tools, our blocks, task and newest user message alone are over the budget.
    """
    blocks = {"standing block": standing, "plan files": plan, "scratchpad": scratch}
    ours = {name: _block(block) for name, block in blocks.items() if block is not None}
    pad = ours.get("scratchpad")
    head = [message for message in ours.values() if message is not pad]
    fixed = _fixed(system, ours, buffer, tools)
    ready = buffer.settled()
    room = budget - sum(fixed.values())
    if needed(ready) > room:
        check_room(ready, budget, fixed)
    smaller, why = compact(ready, policy, room, cold)
    total = budget - room + needed(smaller)
    messages = (*head, *_messages(smaller, pad))
    record = None
    if why is not None:
        record = _record(why, budget, (ready, smaller), budget - room)
    return Built(system, messages, tuple(tools), total, record, smaller)


def with_recalled(message: Message, block: Recalled | None) -> Message:
    """A user message with the recalled block behind its text; itself when there is no block."""
    return message if block is None else message.with_parts((*message.parts, block))


def _fixed(
    system: str, ours: Mapping[str, Message], buffer: Buffer, tools: Sequence[ToolSpec]
) -> dict[str, int]:
    counter = buffer.counter
    sizes = {"system": counter.count(system) + TOKENS_A_MESSAGE} if system else {}
    if tools:
        sizes["tools"] = tools_tokens(tools, counter)
    return sizes | {name: message_tokens(message, counter) for name, message in ours.items()}


def _block(block: Recalled) -> Message:
    return Message("user", (block,), Origin.OPERATOR)


def _messages(buffer: Buffer, pad: Message | None = None) -> list[Message]:
    """The buffer's messages; behind what opened the run the scratchpad, and the notes on what was left out."""
    messages = list(buffer.messages)
    opening = sum(slot.step == 0 for slot in buffer.slots)
    messages[opening:opening] = [m for m in (pad, note_of(buffer)) if m is not None]
    return messages


def _record(why: str, budget: int, change: tuple[Buffer, Buffer], fixed: int) -> Compaction:
    before, after = change
    return Compaction(
        why=why,
        at_step=before.step,
        budget=budget,
        before=fixed + needed(before),
        after=fixed + needed(after),
        rewritten=_rewritten(before, after),
        dropped=_dropped(before, after),
        blocks=_blocks(before) - _blocks(after),
        cut=_cut(before, after),
        superseded=_marked(before, after, "superseded"),
        stubbed=_marked(before, after, "elided"),
        notes=after.notes.tokens,
    )


def _rewritten(before: Buffer, after: Buffer) -> int:
    """Tokens of the new request behind the part that it shares with the old one."""
    old, new = _messages(before), _messages(after)
    same = 0
    for a, b in zip(old, new, strict=False):
        if a is not b and a != b:
            break
        same += 1
    return sum(message_tokens(message, after.counter) for message in new[same:])


def _dropped(before: Buffer, after: Buffer) -> tuple[int, ...]:
    left = {slot.n for slot in after.slots}
    return tuple(sorted({slot.step for slot in before.slots if slot.n not in left}))


def _blocks(buffer: Buffer) -> int:
    return sum(isinstance(part, Recalled) for m in buffer.messages for part in m.parts)


def _marked(before: Buffer, after: Buffer, kind: str) -> tuple[int, ...]:
    """Steps of which a result became a stub of this kind."""
    stood = {slot.n: slot.message for slot in before.slots}
    return tuple(
        sorted(
            {
                slot.step
                for slot in after.slots
                if slot.message is not stood.get(slot.n)
                for new, old in zip(slot.message.results, stood[slot.n].results, strict=False)
                if new.extra.get(MARK) == kind and MARK not in old.extra
            }
        )
    )


def _cut(before: Buffer, after: Buffer) -> tuple[int, ...]:
    whole = {slot.n: slot.whole for slot in before.slots}
    cuts = {s.step for s in after.slots if s.whole is not None and s.whole is not whole.get(s.n)}
    return tuple(sorted(cuts))
