"""What others do, in our own words, to compare bills with: named after what they do, not after who does it.

`never` keeps everything and breaks the budget; `drop_oldest_big` drops whole steps down to half the budget; `clear_big`
replaces old results by a word, and drops steps when that is not enough; `last_20` keeps messages by number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from memoranda.messages import Message, Text, ToolResult
from memoranda.ports import TokenCounter
from memoranda.window.bill import Bill, Cache, Call, Prices, priced
from memoranda.window.tokens import TOKENS_A_MESSAGE, message_tokens

Chooser = Callable[[Sequence[Message], int, TokenCounter], list[Message]]
CLEARED = "[cleared]"


class DropOldest:
    """The first user message and the newest steps; over the budget, down to `low` of it, at the border of a step."""

    def __init__(self, low: float = 0.5) -> None:
        self.low, self.cut = low, 0

    def __call__(
        self, messages: Sequence[Message], budget: int, counter: TokenCounter
    ) -> list[Message]:
        """The messages of the next request."""
        if _size(self._view(messages), counter) > budget:
            steps = [i for i, m in enumerate(messages) if m.role == "assistant"]
            limit = steps[-2] if len(steps) > 1 else 0
            for self.cut in [i for i in steps if self.cut < i <= limit]:
                if _size(self._view(messages), counter) <= budget * self.low:
                    break
        return self._view(messages)

    def _view(self, messages: Sequence[Message]) -> list[Message]:
        users = [i for i, m in enumerate(messages) if m.role == "user"]
        held = sorted({i for i in (users[:1] + users[-1:]) if i < self.cut})
        return [messages[i] for i in held] + list(messages[self.cut :])


class Clear:
    """Results of all but the last three replaced by a word when over the budget, then `DropOldest`."""

    def __init__(self, low: float = 0.5, keep: int = 3) -> None:
        self.low, self.keep, self.upto, self.rest = low, keep, 0, DropOldest(low)

    def __call__(
        self, messages: Sequence[Message], budget: int, counter: TokenCounter
    ) -> list[Message]:
        """The messages of the next request."""
        results = [i for i, m in enumerate(messages) if m.results]
        shown = [_cleared(m) if i < self.upto else m for i, m in enumerate(messages)]
        if _size(shown[self.rest.cut :], counter) > budget and len(results) > self.keep:
            self.upto = results[-self.keep]
            shown = [_cleared(m) if i < self.upto else m for i, m in enumerate(messages)]
        return self.rest(shown, budget, counter)


def last_20(messages: Sequence[Message], budget: int, counter: TokenCounter) -> list[Message]:
    """The first user message and the last twenty, from the first that is no result."""
    tail = list(messages[-20:])
    while tail and tail[0].results:
        tail.pop(0)
    first = next((m for m in messages if m.role == "user"), None)
    return tail if first is None or any(m is first for m in tail) else [first, *tail]


def never(messages: Sequence[Message], budget: int, counter: TokenCounter) -> list[Message]:
    """Everything."""
    return list(messages)


PEERS: Mapping[str, Callable[[], Chooser]] = {
    "never": lambda: never,
    "last_20": lambda: last_20,
    "drop_oldest": lambda: DropOldest(1.0),
    "drop_oldest_big": DropOldest,
    "clear_big": Clear,
}


def peer_bill(
    messages: Sequence[Message],
    budget: int,
    name: str,
    *,
    counter: TokenCounter,
    prices: Prices | None = None,
) -> Bill:
    """The bill of one of `PEERS` for a recorded run."""
    prices = prices or Prices()
    choose, cache, calls = PEERS[name](), Cache(prices.least), list[Call]()
    system = "\n".join(m.text for m in messages if m.role == "system")
    head: list[tuple[Message | str, int]] = (
        [(system, counter.count(system) + TOKENS_A_MESSAGE)] if system else []
    )
    sizes: dict[int, int] = {}
    said: list[Message] = []
    fixed = sum(size for _, size in head)
    step, history = 0, fixed
    for message in messages:
        if message.role == "system":
            continue
        size = message_tokens(message, counter)
        if message.role == "assistant":
            step += 1
            chosen = choose(said, budget - fixed, counter) if said else []
            parts = [*head, *((m, _known(m, sizes, counter)) for m in chosen)]
            calls += [priced(cache, parts, step, history, size)] if said else []
        said.append(message)
        history += size
    return Bill(name, tuple(calls), prices)


def _known(message: Message, sizes: dict[int, int], counter: TokenCounter) -> int:
    return sizes.setdefault(id(message), message_tokens(message, counter))


def _size(messages: Sequence[Message], counter: TokenCounter) -> int:
    return sum(message_tokens(message, counter) for message in messages)


def _cleared(message: Message) -> Message:
    if not message.results:
        return message
    parts = [
        replace(part, parts=(Text(CLEARED),)) if isinstance(part, ToolResult) else part
        for part in message.parts
    ]
    return message.with_parts(parts)
