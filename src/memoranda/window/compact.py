"""One compaction: what goes, in the order of sacrifice, until the goal is reached.

Old recalled blocks; superseded results; results of older steps, to stubs; the oldest steps, into notes. Only where
the last two steps alone are too large, parts of these. One pass, no loop: it cannot run away.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from memoranda.errors import BudgetTooSmall
from memoranda.messages import Message, Opaque, Part, Recalled, Text, ToolCall, ToolResult, said
from memoranda.types import Origin
from memoranda.window.buffer import Buffer
from memoranda.window.items import Item, items_of
from memoranda.window.names import names_in
from memoranda.window.notes import LEAST, Notes, added, seen_of, shown, spans_text
from memoranda.window.passes import drop_blocks, drop_steps, restored, squeeze, without
from memoranda.window.policy import LEAST_SAVING, Goal, How, Policy
from memoranda.window.supersede import answered, drop_superseded, stub_results
from memoranda.window.tokens import TOKENS_A_MESSAGE, message_tokens
from memoranda.window.toolbook import Toolbook

KEPT = 100_000
"""Characters of items that are kept, whatever the room; what is shown of them is chosen anew each time."""


@dataclass(frozen=True, slots=True)
class Compaction:
    """The record of one compaction.

    why: the reason. at_step: the newest step then. budget, before, after: tokens of the whole request.
    rewritten: tokens behind the first change, which a provider reads anew. dropped: steps that went whole.
    blocks: recalled blocks that went. cut: steps of which something was cut head and tail. superseded, stubbed:
    steps of which results became stubs, void ones and others. notes: tokens of the notes after it. summary: who made
    these: `code`, `model`, or `code (model: why it failed)`. refused: items of a model that were dropped, for they
    cited no step or named what does not occur there.
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
    superseded: tuple[int, ...] = ()
    stubbed: tuple[int, ...] = ()
    notes: int = 0
    summary: str = "code"
    refused: int = 0


def compact(
    buffer: Buffer, policy: Policy, room: int, cold: bool = False
) -> tuple[Buffer, str | None]:
    """The buffer as it can be sent within `room` tokens, and why it was changed (None: it was not).

    `room` must hold the pinned messages (see `check_room`).
    """
    whole = restored(buffer, room)
    tokens = needed(whole)
    goal = policy.goal(whole, tokens, room, cold)
    forced = tokens > room or whole is not buffer
    if forced and goal is None:
        why = "over the budget" if tokens > room else "room for what was cut"
        goal = Goal(room // 2, None, why)
    if goal is None:
        return buffer, None
    smaller = _reach(whole, goal, policy.how, room)
    if needed(smaller) > room:
        smaller = _force(smaller, policy.how, room)
    # Fewer notes alone are no reason: how much of them there is was chosen at the last compaction.
    saved = min(tokens - needed(smaller), whole.tokens - smaller.tokens)
    worth = forced or saved >= LEAST_SAVING * room or (goal.steps is not None and saved > 0)
    why = goal.why if whole is buffer else "room for what was cut"
    return (smaller, why) if worth else (buffer, None)


def needed(buffer: Buffer) -> int:
    """Tokens that the buffer takes in a request, the notes or the line about left-out steps included."""
    note = note_of(buffer)
    if note is None:
        return buffer.tokens
    shown_one = note is buffer.notes.shown
    return buffer.tokens + (
        buffer.notes.tokens if shown_one else message_tokens(note, buffer.counter)
    )


def note_of(buffer: Buffer) -> Message | None:
    """What stands in the place of the steps that were left out: notes, or one line; None when nothing was."""
    if buffer.notes.shown is not None:
        return buffer.notes.shown
    if not buffer.left_out:
        return None
    steps = spans_text(buffer.left_out)
    text = f"[steps {steps} left out to save room; a note of the window, not the user's]"
    return said("user", text, Origin.OPERATOR)


def check_room(buffer: Buffer, budget: int, fixed: dict[str, int]) -> None:
    """Raise `BudgetTooSmall` with the sizes when what must always be sent does not fit.

    `fixed`: tokens of what is sent beside the buffer (system, tools, standing block), by name.
    """
    sizes = {**fixed, **_pinned_sizes(buffer)}
    if sum(sizes.values()) > budget:
        raise BudgetTooSmall(budget, sizes)


def _pinned_sizes(buffer: Buffer) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for name, message in (("task", buffer.task), ("newest user message", buffer.newest)):
        if message is not None and not (name != "task" and message is buffer.task):
            bare = without(message, Recalled, ToolResult)
            sizes[name] = message_tokens(bare, buffer.counter)
    return sizes


def _reach(buffer: Buffer, goal: Goal, how: How, room: int) -> Buffer:
    """One kind of thing after the other, as far as the goal asks; notes of what went, in the room that is left."""

    def enough(tokens: int, steps: int) -> bool:
        return tokens <= goal.tokens and (goal.steps is None or steps <= goal.steps)

    def done(buffer: Buffer) -> bool:
        return enough(needed(buffer), _steps(buffer))

    smaller = drop_blocks(buffer)
    if done(smaller):
        return smaller
    if how.superseded:
        smaller = drop_superseded(smaller, how.book)
        if done(smaller):
            return smaller
    if how.stubs:
        smaller = stub_results(smaller)
    least = drop_steps(smaller, lambda *_: False, held=buffer.pins)
    limit = goal.tokens
    if how.notes and goal.recent:
        limit = min(limit, least.tokens + int(how.recent * room))
    smaller = drop_steps(
        smaller,
        lambda t, n: t <= limit and (goal.steps is None or n <= goal.steps),
        held=buffer.pins,
    )
    if not how.notes:
        return smaller
    kept = smaller.tokens
    fill = goal.tokens if goal.fill is None else goal.fill
    floor = min(int(how.least * room), room - kept - room // 50)
    return with_notes(
        buffer, smaller, how, min(int(how.most * room), max(fill - kept, floor)), room
    )


def with_notes(before: Buffer, after: Buffer, how: How, size: int, room: int) -> Buffer:
    """`after` with notes of at most `size` tokens, on what it lacks of `before` and on what was left out earlier."""
    notes = added(before.notes, left_items(before, after, how.book), KEPT)
    return replace(after, notes=chosen(replace(after, notes=notes), size))


def chosen(buffer: Buffer, size: int) -> Notes:
    """The buffer's notes with what is best shown of them in `size` tokens."""
    window = [(slot.step, _names(slot.message)) for slot in buffer.slots]
    seen = seen_of(buffer.notes, window, buffer.step)
    return shown(buffer.notes, seen, buffer.left_out, size, buffer.counter)


def with_items(buffer: Buffer, items: Iterable[Item], how: How, room: int) -> Buffer:
    """The buffer with further items in its notes, chosen anew in the same room and what these take, up to a tenth."""
    fresh = tuple(items)
    notes = added(buffer.notes, fresh, KEPT)
    more = sum(buffer.counter.count(item.text) + TOKENS_A_MESSAGE for item in fresh)
    wanted = max(int(how.least * room), buffer.notes.tokens + min(more, room // 10))
    size = max(buffer.notes.tokens, min(wanted, room - buffer.tokens - room // 50))
    return replace(buffer, notes=chosen(replace(buffer, notes=notes), size))


def left_items(before: Buffer, after: Buffer, book: Toolbook) -> Iterable[Item]:
    """The items of every message that is not, or not as it was, in `after`."""
    stays = {slot.n: slot.message for slot in after.slots}
    calls: dict[int, list[ToolCall | None]] = {}
    for slot, _, _, call in answered(before):
        calls.setdefault(slot.n, []).append(call)
    for slot in before.slots:
        if stays.get(slot.n) is not slot.message and not slot.made:
            yield from items_of(slot, calls.get(slot.n, ()), book)


def _names(message: Message) -> set[str]:
    found: set[str] = set()
    for part in message.parts:
        for text in _texts(part):
            found |= names_in(text)
    return found


def _texts(part: Part) -> Iterable[str]:
    if isinstance(part, Text | ToolResult):
        return (part.text,)
    if isinstance(part, ToolCall):
        return (part.arguments.replace("\\n", "\n"),)
    return () if isinstance(part, Opaque) else (part.text,)


def _steps(buffer: Buffer) -> int:
    return sum(slot.message.role == "assistant" for slot in buffer.slots)


def _force(buffer: Buffer, how: How, room: int) -> Buffer:
    """Within `room` whatever it takes: pinned steps go, then the last two are cut, with a share left for notes."""
    fewer = drop_steps(buffer, lambda *_: False)
    share = max(int(how.least * room), buffer.notes.tokens, LEAST)
    if fewer.tokens > room:
        share = int(how.reserve * (room - sum(_pinned_sizes(buffer).values())))
        shared = _shared(buffer, fewer, how, room, share)
        if shared is not None:
            return shared
        fewer = squeeze(fewer, room)
    if how.notes:
        fewer = with_notes(buffer, fewer, how, min(room - fewer.tokens, share), room)
    return fewer if needed(fewer) <= room else _bare(buffer, fewer, how)


def _shared(buffer: Buffer, fewer: Buffer, how: How, room: int, share: int) -> Buffer | None:
    """The last two steps cut further, for notes beside them. None where the notes would cost a step, or a cut that
    the room does not ask for: this would be made whole again at the next call, and paid for twice.
    """
    if share < LEAST or not how.notes:
        return None
    smaller = squeeze(fewer, room - share)
    if len(smaller.slots) < len(fewer.slots):
        return None
    noted = with_notes(buffer, smaller, how, min(room - smaller.tokens, share), room)
    wide = squeeze(fewer, room - (needed(noted) - noted.tokens))  # what the notes did not take
    noted = replace(wide, notes=noted.notes)
    return noted if needed(noted) <= room and restored(noted, room) is noted else None


def _bare(before: Buffer, after: Buffer, how: How) -> Buffer:
    """`after` without notes in the request, nor a line about what was left out; its items are kept all the same."""
    notes = after.notes
    if how.notes:
        notes = added(notes, left_items(before, after, how.book), KEPT)
    bare = replace(notes, shown=None, tokens=0, chosen=())
    return replace(after, left_out=(), notes=bare)
