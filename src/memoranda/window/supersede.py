"""Results that say nothing any more: the same read repeated, a file edited since, a command run again.

To drop these loses nothing that holds, so it goes before anything else that is a result.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from memoranda.messages import Message, Part, ToolCall, ToolResult
from memoranda.window.buffer import Buffer
from memoranda.window.slot import Slot
from memoranda.window.stubs import is_stub, stub
from memoranda.window.toolbook import DEFAULT_TOOLBOOK, READ, RUN, WRITE, Toolbook, Use

Place = tuple[int, int]
"""A result: the number of its message in the run, and which result of that message."""


def answered(buffer: Buffer) -> Iterator[tuple[Slot, int, ToolResult, ToolCall | None]]:
    """Each result in the buffer with its place in its message and its call. Ids count within a step."""
    waiting: dict[str, list[ToolCall]] = {}
    step = -1
    for slot in buffer.slots:
        if slot.step != step:
            waiting, step = defaultdict(list), slot.step
        for call in slot.message.calls:
            waiting[call.id].append(call)
        for at, result in enumerate(slot.message.results):
            calls = waiting.get(result.call_id)
            yield slot, at, result, calls.pop(0) if calls else None


def superseded(buffer: Buffer, book: Toolbook = DEFAULT_TOOLBOOK) -> dict[Place, str]:
    """The results that a later step made void, and what made each so (`read again in step 12`).

    A failed later call makes nothing void; a result that told of an error stays, for that it failed still holds.
    """
    reads: dict[str, list[tuple[Place, Use, int]]] = defaultdict(list)
    void: dict[Place, str] = {}
    for slot, at, result, call in answered(buffer):
        use = book.use(call) if call else None
        if use is None or result.is_error or slot.made:
            continue
        earlier = reads[use.target]
        for place, old, step in list(earlier):
            why = _why(old, use, slot.step)
            if why and step < slot.step:
                void[place] = why
                earlier.remove((place, old, step))
        if use.access in (READ, RUN) and not is_stub(result):
            earlier.append(((slot.n, at), use, slot.step))
    return void


def _why(old: Use, new: Use, step: int) -> str:
    if old.exactly == new.exactly:
        return f"{'run' if new.access == RUN else 'read'} again in step {step}"
    if old.access == READ and new.access == WRITE:
        return f"changed since in step {step}"
    return ""


def drop_superseded(buffer: Buffer, book: Toolbook = DEFAULT_TOOLBOOK, keep: int = 2) -> Buffer:
    """Each void result outside the last `keep` steps and the pinned ones becomes its stub."""
    void = superseded(buffer, book)
    return stub_places(buffer, void, "superseded", keep) if void else buffer


def stub_places(buffer: Buffer, places: dict[Place, str], kind: str, keep: int = 2) -> Buffer:
    """The results at these places as stubs, each with its reason."""
    calls = {
        (slot.n, at): (call, places[slot.n, at])
        for slot, at, _, call in answered(buffer)
        if (slot.n, at) in places
    }
    numbers = {n for n, _ in places}

    def edit(slot: Slot) -> Slot | None:
        if slot.n not in numbers or slot.step > buffer.step - keep or slot.step in buffer.pins:
            return slot
        message = _stubbed(slot, calls, kind)
        return slot if message is slot.message else replace(slot, message=message, whole=None)

    return buffer.change(edit)


def stub_results(buffer: Buffer, keep: int = 2) -> Buffer:
    """Every result outside the last `keep` steps and the pinned ones as a stub: the calls stay as they were."""
    why = f"elided at step {buffer.step}"
    places = {(s.n, at): why for s, at, r, _ in answered(buffer) if not is_stub(r) and not s.made}
    return stub_places(buffer, places, "elided", keep) if places else buffer


def _stubbed(slot: Slot, calls: dict[Place, tuple[ToolCall | None, str]], kind: str) -> Message:
    at = -1
    parts: list[Part] = []
    for part in slot.message.parts:
        if isinstance(part, ToolResult):
            at += 1
            found = calls.get((slot.n, at))
            part = stub(found[0], part, slot.step, found[1], kind) if found else part
        parts.append(part)
    same = all(a is b for a, b in zip(parts, slot.message.parts, strict=True))
    return slot.message if same else slot.message.with_parts(parts)
