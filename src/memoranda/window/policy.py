"""When the window is compacted and how far: marks, and the order of sacrifice.

Compaction rewrites the prefix that a provider has cached, so it is a paid event: rare and large, never a trim a
turn. Between two compactions a request begins with the whole request before it, byte for byte.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from memoranda.errors import BudgetTooSmall
from memoranda.messages import Message, Recalled, ToolResult, said
from memoranda.types import Origin
from memoranda.window.buffer import Buffer
from memoranda.window.passes import drop_blocks, drop_steps, restored, squeeze, without
from memoranda.window.tokens import message_tokens

LEAST_SAVING = 0.1
"""A compaction that is not forced and saves less than this share of the room is not worth its rewrite."""
SPANS_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Goal:
    """What a compaction should reach: tokens of the buffer, at most so many steps (None: any), and why."""

    tokens: int
    steps: int | None
    why: str


class Policy(Protocol):
    """Decides when to compact. A window over its budget is compacted whatever a policy says."""

    def goal(self, buffer: Buffer, tokens: int, room: int) -> Goal | None:
        """What to compact to, or None for not now.

        `tokens`: what the buffer would take in the next request; `room`: what the budget leaves for it.
        """
        ...


@dataclass(frozen=True, slots=True)
class TokenBudget:
    """Compacts above the `high` mark, down to the `low` one: shares of the room beside the system prompt."""

    high: float = 0.9
    low: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.low < self.high <= 1:
            raise ValueError("marks must be 0 < low < high <= 1")

    def goal(self, buffer: Buffer, tokens: int, room: int) -> Goal | None:
        """Down to the low mark when above the high one."""
        if tokens <= room * self.high:
            return None
        return Goal(int(room * self.low), None, f"over the high mark ({self.high:g} of the room)")


@dataclass(frozen=True, slots=True)
class LastSteps:
    """Keeps at most the last `n` steps (at least two); when there are more, down to half in one go."""

    n: int

    def __post_init__(self) -> None:
        if self.n < 2:
            raise ValueError("the last two steps are always kept: n must be at least 2")

    def goal(self, buffer: Buffer, tokens: int, room: int) -> Goal | None:
        """Down to half of `n` steps when there are more than `n`, or when the budget is used up."""
        steps = sum(slot.message.role == "assistant" for slot in buffer.slots)
        if steps <= self.n:
            return None
        return Goal(room, max(2, self.n // 2), f"more than {self.n} steps")


@dataclass(frozen=True, slots=True)
class Compaction:
    """The record of one compaction.

    why: the reason. at_step: the newest step then. budget, before, after: tokens of the whole request.
    rewritten: tokens behind the first change, which a provider reads anew. dropped: steps that went whole.
    blocks: recalled blocks that went. cut: steps of which something was cut head and tail.
    """

    why: str
    at_step: int
    budget: int
    before: int
    after: int
    rewritten: int
    dropped: tuple[int, ...]
    blocks: int
    cut: tuple[int, ...]


def compact(buffer: Buffer, policy: Policy, room: int) -> tuple[Buffer, str | None]:
    """The buffer as it can be sent within `room` tokens, and why it was changed (None: it was not).

    Order of sacrifice: old recalled blocks, oldest whole steps, and only if the last two steps alone are too
    large, parts of these. `room` must hold the pinned messages (see `check_room`).
    """
    whole = restored(buffer, room)
    tokens = needed(whole)
    goal = policy.goal(whole, tokens, room)
    forced = tokens > room or whole is not buffer
    if forced and goal is None:
        goal = Goal(
            room // 2, None, "over the budget" if tokens > room else "room for what was cut"
        )
    if goal is None:
        return buffer, None
    smaller = _reach(whole, goal)
    if needed(smaller) > room:
        smaller = _force(smaller, room)
    saved = tokens - needed(smaller)
    worth = forced or saved >= LEAST_SAVING * room or (goal.steps is not None and saved > 0)
    why = goal.why if whole is buffer else "room for what was cut"
    return (smaller, why) if worth else (buffer, None)


def needed(buffer: Buffer) -> int:
    """Tokens that the buffer takes in a request, the note about left-out steps included."""
    note = note_of(buffer)
    return buffer.tokens + (message_tokens(note, buffer.counter) if note else 0)


def note_of(buffer: Buffer) -> Message | None:
    """One line in the place of the steps that were left out; None when nothing was."""
    if not buffer.left_out:
        return None
    spans = [str(a) if a == b else f"{a}-{b}" for a, b in buffer.left_out[-SPANS_SHOWN:]]
    more = "earlier ones, " if len(buffer.left_out) > SPANS_SHOWN else ""
    text = f"[steps {more}{', '.join(spans)} left out to save room; a note of the window, not the user's]"
    return said("user", text, Origin.OPERATOR)


def check_room(buffer: Buffer, budget: int, fixed: dict[str, int]) -> None:
    """Raise `BudgetTooSmall` with the sizes when what must always be sent does not fit.

    `fixed`: tokens of what is sent beside the buffer (system, tools, standing block), by name.
    """
    sizes = dict(fixed)
    for name, message in (("task", buffer.task), ("newest user message", buffer.newest)):
        if message is not None and not (name != "task" and message is buffer.task):
            bare = without(message, Recalled, ToolResult)
            sizes[name] = message_tokens(bare, buffer.counter)
    if sum(sizes.values()) > budget:
        raise BudgetTooSmall(budget, sizes)


def _reach(buffer: Buffer, goal: Goal) -> Buffer:
    """Old blocks first, then oldest steps, as far as the goal asks."""
    smaller = drop_blocks(buffer)

    def enough(tokens: int, steps: int) -> bool:
        return tokens <= goal.tokens and (goal.steps is None or steps <= goal.steps)

    return smaller if enough(needed(smaller), _steps(smaller)) else drop_steps(smaller, enough)


def _steps(buffer: Buffer) -> int:
    return sum(slot.message.role == "assistant" for slot in buffer.slots)


def _force(buffer: Buffer, room: int) -> Buffer:
    """Within `room` whatever it takes. The note goes before anything that was said is cut."""
    if needed(buffer) > room:
        buffer = drop_steps(buffer, lambda tokens, _: False)
    if needed(buffer) <= room:
        return buffer
    if buffer.tokens <= room:
        return replace(buffer, left_out=())
    smaller = squeeze(buffer, room)
    if needed(smaller) <= room:
        return smaller
    with_note = squeeze(buffer, room - (needed(smaller) - smaller.tokens))
    if (
        needed(with_note) <= room
        and len(with_note.slots) == len(smaller.slots)
        and _is_cut(smaller)
    ):
        return with_note
    return replace(smaller, left_out=())


def _is_cut(buffer: Buffer) -> bool:
    return any(slot.whole is not None for slot in buffer.last_two)
