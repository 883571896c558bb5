"""What a policy costs: a transcript replayed, call by call, in the prices of a prompt cache.

All costs are in input-token equivalents: reading a cached prefix 0.1, writing one 1.25, a token that is not cached
1, an answer's token 5. Only the ratios matter, and they are data: give other `Prices` for another provider.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from memoranda.errors import BudgetTooSmall
from memoranda.messages import Message
from memoranda.ports import TokenCounter
from memoranda.window.buffer import Buffer
from memoranda.window.build import Built, compose
from memoranda.window.compact import Compaction, needed
from memoranda.window.policy import Policy
from memoranda.window.stubs import is_stub
from memoranda.window.tokens import TOKENS_A_MESSAGE, message_tokens

FILLINGS = ("system", "user", "notes", "stubs", "results", "assistant")


@dataclass(frozen=True, slots=True)
class Prices:
    """Ratios to the price of an input token, and the shortest prefix that a provider caches."""

    read: float = 0.1
    write: float = 1.25
    plain: float = 1.0
    output: float = 5.0
    least: int = 1024


@dataclass(frozen=True, slots=True)
class Call:
    """One model call of a replay.

    step: of the answer. history: tokens of everything said so far; sent: of the request. read, written, fresh: its
    parts read from the cache, written to it, and neither (too short to cache). output: the answer's tokens. broke: the
    request did not begin with the whole one before. compaction: its record. refused: it could not be built.
    filled: tokens of the request by what they are (`FILLINGS`).
    """

    step: int
    history: int
    sent: int
    read: int = 0
    written: int = 0
    fresh: int = 0
    output: int = 0
    broke: bool = False
    compaction: Compaction | None = None
    refused: bool = False
    filled: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Bill:
    """The calls of a run under one policy, and what they cost."""

    policy: str
    calls: tuple[Call, ...]
    prices: Prices = field(default_factory=Prices)

    @property
    def cost(self) -> float:
        """In input-token equivalents, answers included."""
        price = self.prices
        return sum(
            price.read * call.read
            + price.write * call.written
            + price.plain * call.fresh
            + price.output * call.output
            for call in self.calls
        )

    @property
    def breaks(self) -> int:
        """Calls whose request did not begin with the whole one before."""
        return sum(call.broke for call in self.calls)


class Cache:
    """A provider's prompt cache as far as it can be known from outside: the last request, if it is still warm.

    `expected` says before a call which part of the request will be read; `sent` takes note of the request.
    """

    def __init__(self, least: int = 1024, ttl: float = 300.0) -> None:
        self.least, self.ttl = least, ttl
        self._last: list[tuple[Message | str, int]] = []
        self._at = 0.0

    def expected(self, request: Sequence[tuple[Message | str, int]], at: float = 0.0) -> int:
        """Tokens of the request's prefix that will be read. `request`: its parts with their tokens."""
        if self._last and at - self._at > self.ttl:
            return 0
        shared = sum(size for _, size in request[: self.shared(request)])
        return shared if shared >= self.least else 0

    def shared(self, request: Sequence[tuple[Message | str, int]]) -> int:
        """How many parts in front are those of the last request."""
        same = 0
        for (new, _), (old, _) in zip(request, self._last, strict=False):
            if new is not old and new != old:
                break
            same += 1
        return same

    def broken(self, request: Sequence[tuple[Message | str, int]]) -> bool:
        """Whether the request does not begin with the whole last one."""
        return self.shared(request) < len(self._last)

    def sent(self, request: Sequence[tuple[Message | str, int]], at: float = 0.0) -> None:
        """This request was made."""
        self._last, self._at = list(request), at


def bill(
    messages: Sequence[Message],
    budget: int,
    policy: Policy,
    *,
    name: str = "window",
    counter: TokenCounter,
    prices: Prices | None = None,
) -> Bill:
    """Replay a run: before each recorded answer the request that the policy would have sent, and its price."""
    prices = prices or Prices()
    system = "\n".join(m.text for m in messages if m.role == "system")
    head = counter.count(system) + TOKENS_A_MESSAGE if system else 0
    buffer, cache, calls = Buffer(counter=counter), Cache(prices.least), list[Call]()
    history = head
    for message in messages:
        if message.role == "system":
            continue
        size = message_tokens(message, counter)
        if message.role == "assistant" and buffer.count:
            try:
                built = compose(system, None, buffer, budget, policy=policy)
            except BudgetTooSmall:
                calls.append(Call(buffer.step + 1, history, 0, refused=True))
            else:
                buffer = built.buffer
                parts = _parts(system, head, built)
                call = priced(cache, parts, buffer.step + 1, history, size, built.compaction)
                calls.append(replace(call, filled=filling(head, buffer)))
        buffer = buffer.append(message)
        history += size
    return Bill(name, tuple(calls), prices)


def filling(head: int, buffer: Buffer) -> dict[str, int]:
    """What a request's tokens are."""
    tokens = dict.fromkeys(FILLINGS, 0) | {"system": head, "notes": needed(buffer) - buffer.tokens}
    for slot in buffer.slots:
        results = slot.message.results
        stubs = bool(results) and all(map(is_stub, results))
        kind = "stubs" if stubs else "results" if results else slot.message.role
        tokens[kind] += slot.tokens
    return tokens


def request_at(
    messages: Sequence[Message], step: int, budget: int, policy: Policy, *, counter: TokenCounter
) -> Built | None:
    """The request before the answer of this step, as the replay builds it; None where the run has no such step."""
    system = "\n".join(m.text for m in messages if m.role == "system")
    buffer = Buffer(counter=counter)
    for message in messages:
        if message.role == "assistant" and buffer.count:
            built = compose(system, None, buffer, budget, policy=policy)
            if buffer.step + 1 == step:
                return built
            buffer = built.buffer
        if message.role != "system":
            buffer = buffer.append(message)
    return None


def priced(
    cache: Cache,
    parts: Sequence[tuple[Message | str, int]],
    step: int,
    history: int,
    output: int,
    compaction: Compaction | None = None,
) -> Call:
    """The call that sends these parts; the cache takes note of it."""
    sent = sum(size for _, size in parts)
    read = cache.expected(parts)
    rest = sent - read
    written = rest if sent >= cache.least else 0
    call = Call(
        step, history, sent, read, written, rest - written, output, cache.broken(parts), compaction
    )
    cache.sent(parts)
    return call


def _parts(system: str, head: int, built: Built) -> list[tuple[Message | str, int]]:
    """The parts of a request with their tokens, which are counted already for all that stands in the buffer."""
    buffer = built.buffer
    known = {id(slot.message): slot.tokens for slot in buffer.slots}
    parts: list[tuple[Message | str, int]] = [(system, head)] if system else []
    for message in built.messages:
        size = known.get(id(message))
        parts.append((message, message_tokens(message, buffer.counter) if size is None else size))
    return parts
