"""How many tokens a message takes: an estimate that needs no vocabulary, leans high and says that it is one."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sized
from dataclasses import dataclass

from memoranda.messages import Message, Opaque, Part, Recalled, Text, ToolCall
from memoranda.ports import TokenCounter, ToolSpec

CHARACTERS_A_TOKEN = 2.8
"""Measured on long agent runs, half code, half prose; four, the usual guess, is about 30 % too low there."""
TOKENS_A_BYTE = 0.5
"""Of UTF-8 outside ASCII: a Cyrillic letter 1, a Chinese character 1.5, an emoji 2."""
TOKENS_A_MESSAGE = 4
"""Role and separators."""
TOKENS_AN_IMAGE = 1600
"""Providers bill an image by its area, not by the length of its base64."""


FADE, ENOUGH = 0.98, 500
LOWEST, HIGHEST = 0.4, 2.5
"""Of a believable ratio: a report beyond is a mistake, or counts something else."""


class EstimateCounter:
    """Estimates tokens from characters; `ratio` corrects it by what a provider really counted (default 1)."""

    exact: bool = False

    def __init__(self, ratio: float = 1.0) -> None:
        if not 0 < ratio < math.inf:
            raise ValueError("a token ratio must be a positive number")
        self.ratio = ratio

    def count(self, text: str) -> int:
        """Estimated tokens of `text`, rounded up; 0 for an empty one. Linear in its length."""
        if text.isascii():
            return math.ceil(self.ratio * len(text) / CHARACTERS_A_TOKEN)
        plain = len(text.encode("ascii", "ignore"))
        odd = len(text.encode("utf-8", "surrogatepass")) - plain
        return math.ceil(self.ratio * (plain / CHARACTERS_A_TOKEN + odd * TOKENS_A_BYTE))

    def calibrate(self, ratio: float) -> EstimateCounter:
        """A counter corrected by `ratio` (reported tokens / estimated tokens) on top of this one's."""
        return EstimateCounter(self.ratio * ratio)


class FunctionCounter:
    """An exact counter made of any function that turns a text into tokens (of a vocabulary that is at hand)."""

    exact: bool = True

    def __init__(self, encode: Callable[[str], Sized]) -> None:
        self.encode = encode

    def count(self, text: str) -> int:
        """The tokens of `text`, as the vocabulary has them."""
        return len(self.encode(text)) if text else 0


@dataclass(frozen=True, slots=True)
class Calibration:
    """What usage reports say of an estimate: reported = base + ratio * estimated.

    base: what the provider counts beside the messages (its own frame, tools that we did not count). The ratio is
    learnt from how requests grow, the base from the last report, so that a constant that nobody knows does no harm.
    """

    ratio: float = 1.0
    base: float = 0.0
    grown: tuple[float, float] = (0.0, 0.0)
    last: tuple[int, int] | None = None

    def expect(self, estimated: int) -> int:
        """Tokens that the provider will report for a request of this estimate."""
        return max(0, math.ceil(self.base + self.ratio * estimated))

    def learn(self, estimated: int, reported: int) -> Calibration:
        """The calibration after a report. Reports that make no sense (nothing, or shrunk) move only the base."""
        if reported <= 0 or estimated <= 0:
            return self
        grown, ratio = self.grown, self.ratio
        if self.last is not None and estimated > self.last[0] and reported > self.last[1]:
            # Older growth counts less: what a run is about changes.
            grown = (
                FADE * grown[0] + reported - self.last[1],
                FADE * grown[1] + estimated - self.last[0],
            )
            if grown[1] >= ENOUGH:
                ratio = min(max(grown[0] / grown[1], LOWEST), HIGHEST)
        return Calibration(ratio, reported - ratio * estimated, grown, (estimated, reported))


def message_tokens(message: Message, counter: TokenCounter) -> int:
    """Tokens of one message: its texts, tool names and arguments, blocks that we only carry, and its frame."""
    texts = [text for part in message.parts for text in _texts(part)]
    return counter.count("".join(texts)) + TOKENS_A_MESSAGE + _images(message.parts)


def tools_tokens(tools: Iterable[ToolSpec], counter: TokenCounter) -> int:
    """Tokens of the tool list, which providers send with every request."""
    return sum(
        counter.count(tool.name + tool.description + json.dumps(tool.parameters)) + TOKENS_A_MESSAGE
        for tool in tools
    )


def _texts(part: Part) -> Iterable[str]:
    if isinstance(part, (Text, Recalled)):
        yield part.text
    elif isinstance(part, ToolCall):
        yield part.name
        yield part.arguments
    elif isinstance(part, Opaque):
        if not _is_image(part):
            yield json.dumps(part.data, ensure_ascii=False, default=str)
    else:
        for inner in part.parts:
            yield from _texts(inner)


def _images(parts: Iterable[Part]) -> int:
    total = 0
    for part in parts:
        if isinstance(part, Opaque):
            total += TOKENS_AN_IMAGE * _is_image(part)
        elif not isinstance(part, (Text, Recalled, ToolCall)):
            total += _images(part.parts)
    return total


def _is_image(part: Opaque) -> bool:
    return "image" in str(part.data.get("type", ""))
