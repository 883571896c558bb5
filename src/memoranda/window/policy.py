"""When the window is compacted and how far: marks. What goes in which order is in `compact.py`.

Compaction rewrites the prefix that a provider has cached, so it is a paid event: rare and large, never a trim a
turn. Between two compactions a request begins with the whole request before it, byte for byte.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from memoranda.window.buffer import Buffer
from memoranda.window.toolbook import DEFAULT_TOOLBOOK, Toolbook

LEAST_SAVING = 0.1
"""A compaction that is not forced and saves less than this share of the room is not worth its rewrite."""


@dataclass(frozen=True, slots=True)
class How:
    """What a compaction leaves, in shares of the room beside the system prompt.

    recent: of steps before the last two, with their results as stubs. least, most: of notes, if there is room.
    reserve: of notes when the last two steps alone are too large and must be cut. superseded, stubs, notes: whether
    these passes run. book: what the tools do.
    """

    recent: float = 0.05
    least: float = 0.06
    most: float = 0.6
    reserve: float = 0.5
    superseded: bool = True
    stubs: bool = True
    notes: bool = True
    book: Toolbook = DEFAULT_TOOLBOOK


@dataclass(frozen=True, slots=True)
class Goal:
    """What a compaction should reach: tokens of the buffer, at most so many steps (None: any), and why.

    fill: tokens up to which notes may fill the window again (None: `tokens`). recent: whether older steps go until
    `How.recent` holds, also when the tokens are reached before.
    """

    tokens: int
    steps: int | None
    why: str
    fill: int | None = None
    recent: bool = True


class Policy(Protocol):
    """Decides when to compact. A window over its budget is compacted whatever a policy says."""

    @property
    def how(self) -> How:
        """What a compaction leaves."""
        ...

    def goal(self, buffer: Buffer, tokens: int, room: int, cold: bool = False) -> Goal | None:
        """What to compact to, or None for not now.

        `tokens`: what the buffer would take in the next request; `room`: what the budget leaves for it; `cold`:
        the provider's cache has run out, so that a rewrite costs nothing extra.
        """
        ...


@dataclass(frozen=True, slots=True)
class TokenBudget:
    """Compacts above the `high` mark, down to the `low` one: shares of the room beside the system prompt.

    The default waits until the room is used up and then makes much of it free: each compaction is a paid
    rewrite. With a cold cache it comes as soon as it would save anything worth while.
    """

    high: float = 1.0
    low: float = 0.25
    how: How = field(default_factory=How)

    def __post_init__(self) -> None:
        if not 0 < self.low < self.high <= 1:
            raise ValueError("marks must be 0 < low < high <= 1")

    def goal(self, buffer: Buffer, tokens: int, room: int, cold: bool = False) -> Goal | None:
        """Down to the low mark when the high one is passed, or when the cache is cold and much is above it."""
        if tokens > room * self.high:
            why = f"over the high mark ({self.high:g} of the room)"
        elif cold and tokens > room * (self.low + LEAST_SAVING):
            why = "the cache was cold"
        else:
            return None
        return Goal(int(room * self.low), None, why)


FAITHFUL = TokenBudget(1.0, 0.5, How(least=0.4, most=0.9, reserve=0.75))
"""Keeps more of what was left out, and pays for it: notes fill more of the window, compactions come oftener."""


@dataclass(frozen=True, slots=True)
class LastSteps:
    """Keeps at most the last `n` steps (at least two); when there are more, down to half in one go."""

    n: int
    how: How = field(default_factory=lambda: How(superseded=False, stubs=False))

    def __post_init__(self) -> None:
        if self.n < 2:
            raise ValueError("the last two steps are always kept: n must be at least 2")

    def goal(self, buffer: Buffer, tokens: int, room: int, cold: bool = False) -> Goal | None:
        """Down to half of `n` steps when there are more than `n`, or when the budget is used up."""
        steps = sum(slot.message.role == "assistant" for slot in buffer.slots)
        if steps <= self.n:
            return None
        return Goal(room, max(2, self.n // 2), f"more than {self.n} steps", room // 2, False)


@dataclass(frozen=True, slots=True)
class OnlyWhenOver:
    """Another policy's way of compacting, but not before the budget is used up."""

    policy: Policy

    @property
    def how(self) -> How:
        """As the other policy says."""
        return self.policy.how

    def goal(self, buffer: Buffer, tokens: int, room: int, cold: bool = False) -> Goal | None:
        """The other policy's goal, once nothing more fits."""
        return self.policy.goal(buffer, tokens, room) if tokens > room else None


PRESETS: dict[str, Policy] = {"default": TokenBudget(), "faithful": FAITHFUL}
"""Policies by name."""


def named_policy(text: str) -> Policy:
    """The policy that a word names: a preset, `HIGH/LOW` (marks, as 0.9/0.5) or `last:N`. Raises `ValueError`."""
    if text in PRESETS:
        return PRESETS[text]
    try:
        if text.startswith("last:"):
            return LastSteps(int(text.removeprefix("last:")))
        high, _, low = text.partition("/")
        return TokenBudget(float(high), float(low))
    except ValueError as fault:
        raise ValueError(f"{', '.join(PRESETS)}, HIGH/LOW or last:N; {fault}") from None
