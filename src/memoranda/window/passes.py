"""What compaction can take away, as pure functions over a buffer: each takes one kind of thing, and only that.

A pass never breaks a step apart and never touches what is pinned: the task, the newest user message, and (but
for `squeeze`) the last two steps. Further passes are further functions; the order is `policy.compact`'s business.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import groupby

from memoranda.messages import Message, Opaque, Part, Recalled, Text, ToolCall, ToolResult
from memoranda.window.buffer import Buffer
from memoranda.window.slot import Slot

LEAST = 200
"""Characters that a cut text keeps at least; below that, a cut says less than it costs."""
UNCUT = 1 << 60
GONE = "[left out to save room, step {step}]"


def drop_blocks(buffer: Buffer, newest_too: bool = False) -> Buffer:
    """Without recalled blocks, but for the one that stands with the newest user message."""

    def edit(slot: Slot) -> Slot | None:
        if slot.n == buffer.user_n and not newest_too:
            return slot
        message = without(slot.message, Recalled)
        if message is slot.message:
            return slot
        whole = None if slot.whole is None else without(slot.whole, Recalled)
        return replace(slot, message=message, whole=whole) if message.parts else None

    return buffer.change(edit)


def without(message: Message, *kinds: type[Part]) -> Message:
    """`message` without its parts of these kinds; itself when it has none."""
    parts = [part for part in message.parts if not isinstance(part, kinds)]
    return message if len(parts) == len(message.parts) else message.with_parts(parts)


def drop_steps(
    buffer: Buffer,
    enough: Callable[[int, int], bool],
    keep: int = 2,
    held: frozenset[int] = frozenset(),
) -> Buffer:
    """Without its oldest whole steps, until `enough(tokens left, steps left)`; the last `keep` and `held` ones stay.

    The task and the newest user message stay where they are when their step goes (without tool results, where a
    provider's form packs these into the same message).
    """
    pinned = {buffer.task_n, buffer.user_n}
    tokens, count = buffer.tokens, sum(s.message.role == "assistant" for s in buffer.slots)
    gone: set[int] = set()
    touched: set[int] = set()
    left_out: list[tuple[int, int]] = []
    for number, group in groupby(buffer.slots, key=lambda slot: slot.step):
        if number > buffer.step - keep or enough(tokens, count):
            break
        if number in held:
            continue
        loose = [slot for slot in group if slot.n not in pinned]
        tokens -= sum(slot.tokens for slot in loose)
        count -= any(slot.message.role == "assistant" for slot in loose)
        gone.update(slot.n for slot in loose)
        touched.add(number)
        left_out += [(number, number)] if loose else []
    if not gone:
        return buffer

    def edit(slot: Slot) -> Slot | None:
        if slot.n in gone:
            return None
        message = without(slot.message, ToolResult) if slot.step in touched else slot.message
        return slot if message is slot.message else replace(slot, message=message, whole=None)

    return replace(buffer.change(edit), left_out=_joined([*buffer.left_out, *left_out]))


def restored(buffer: Buffer, room: int) -> Buffer:
    """The buffer with what was cut in its last two steps whole again, if these and what is pinned fit so.

    They do when the large step before them has gone: a cut lasts no longer than its cause.
    """
    near = {s.n for s in buffer.last_two if s.whole is not None}
    if not near:
        return buffer

    def edit(slot: Slot) -> Slot | None:
        if slot.n not in near or slot.whole is None:
            return slot
        return replace(slot, message=slot.whole, whole=None)

    whole = buffer.change(edit)
    return whole if _least(whole) <= room else buffer


def _least(buffer: Buffer) -> int:
    """Tokens of the last two steps and the pinned messages, when everything that may go before them has gone."""
    near = drop_steps(drop_blocks(buffer), lambda *_: False)
    return near.tokens


def squeeze(buffer: Buffer, room: int) -> Buffer:
    """The last two steps cut until the buffer fits into `room` tokens, the least harm first.

    First tool results, head and tail, the longest most; then the newest recalled block; then texts of others
    than the task and the newest user message; then tool arguments and what we only carry (images, thinking);
    and when not even that is enough, the last two steps go like any other. Only the pinned messages are never
    touched, so a room that holds them is always enough.
    """
    smaller = _cut_down(buffer, room)
    for keep in (1, 0):
        if smaller.tokens <= room:
            break
        fewer = drop_steps(buffer, lambda *_: False, keep)
        smaller = _cut_down(restored(fewer, room), room)
    return smaller


def _cut_down(buffer: Buffer, room: int) -> Buffer:
    """The steps as they are, cut as little as it takes; at the narrowest when not even that is enough."""
    bare = drop_blocks(buffer, newest_too=True)
    for start in (buffer, bare):
        if start.tokens <= room:
            return start
        smaller = _fit(start, room, lambda n: Caps(results=n))
        if smaller.tokens <= room:
            return smaller
    smaller = _fit(bare, room, lambda n: Caps(LEAST, texts=n))
    if smaller.tokens <= room:
        return smaller
    return _fit(bare, room, lambda n: Caps(LEAST, LEAST, arguments=n, carried=False))


@dataclass(frozen=True, slots=True)
class Caps:
    """How many characters a tool result, a text and a call's arguments may keep; whether the rest is carried."""

    results: int = UNCUT
    texts: int = UNCUT
    arguments: int = UNCUT
    carried: bool = True


def cut(text: str, cap: int, step: int) -> str:
    """`text` in at most `cap` characters: its head and its tail, and between them how much is missing."""
    if len(text) <= cap:
        return text
    keep = max(cap - 80, 0)
    head, tail = keep - keep // 3, keep // 3
    gap = len(text) - keep
    end = text[len(text) - tail :]
    return f"{text[:head]}\n[... {gap} characters cut here to save room, step {step} ...]\n{end}"


def cut_message(message: Message, caps: Caps, step: int, texts_too: bool = True) -> Message:
    """`message` under `caps`; `texts_too`: whether its own texts and pictures may be cut at all."""
    parts: list[Part] = []
    for part in message.parts:
        if isinstance(part, ToolResult):
            parts.append(_cut_result(part, caps, step))
        elif isinstance(part, Text) and texts_too and len(part.text) > caps.texts:
            parts.append(replace(part, text=cut(part.text, caps.texts, step)))
        elif isinstance(part, ToolCall) and len(part.arguments) > caps.arguments:
            short = cut(part.arguments, caps.arguments, step)
            parts.append(replace(part, arguments=json.dumps({"cut": short}, ensure_ascii=False)))
        elif not isinstance(part, Opaque) or caps.carried or not texts_too:
            parts.append(part)
    return message.with_parts(parts or [Text(GONE.format(step=step))])


def _cut_result(result: ToolResult, caps: Caps, step: int) -> ToolResult:
    """One text for all texts of the result where they are too long together; pictures stay while they may."""
    carried = [p for p in result.parts if not isinstance(p, Text)] if caps.carried else []
    texts = [p for p in result.parts if isinstance(p, Text)]
    whole = "".join(part.text for part in texts)
    if len(whole) > caps.results:
        texts = [replace(texts[0], text=cut(whole, caps.results, step))]
    elif len(carried) + len(texts) == len(result.parts):
        return result
    left: tuple[Text | Opaque, ...] = (*texts, *carried)
    return replace(result, parts=left or (Text(GONE.format(step=step)),))


def _fit(buffer: Buffer, room: int, caps: Callable[[int], Caps]) -> Buffer:
    """The buffer under the widest caps that bring it into `room`; under the narrowest when none do."""
    pinned = {buffer.task_n, buffer.user_n}

    def under(cap: int) -> Buffer:
        def edit(slot: Slot) -> Slot | None:
            if slot.step <= buffer.step - 2 and slot.n not in pinned:
                return slot
            whole = slot.whole or slot.message
            message = cut_message(whole, caps(cap), slot.step, slot.n not in pinned)
            if message == slot.message:
                return slot
            return replace(slot, message=message, whole=whole)

        return buffer.change(edit)

    low, high = LEAST, _longest(slot.whole or slot.message for slot in buffer.slots)
    best = under(low)
    while best.tokens <= room and low < high:
        middle = (low + high + 1) // 2
        trial = under(middle)
        if trial.tokens <= room:
            low, best = middle, trial
        else:
            high = middle - 1
    return best


def _longest(messages: Iterable[Message]) -> int:
    return max((_length(part) for message in messages for part in message.parts), default=LEAST)


def _length(part: Part) -> int:
    if isinstance(part, ToolResult):
        return len(part.text)
    if isinstance(part, ToolCall):
        return len(part.arguments)
    return len(part.text) if isinstance(part, Text) else 0


def _joined(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Ascending spans with neighbours made one."""
    out: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if out and first <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(out[-1][1], last))
        else:
            out.append((first, last))
    return tuple(out)
