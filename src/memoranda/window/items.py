"""What is kept of messages that leave the window: items, each a line in its original wording with its step.

By code alone: what the user said, verbatim; files touched; commands with their exit status; lines that tell of an
error; and excerpts, lines that name something. A model may add decisions, what was ruled out, open questions and
the next step (`summary.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from memoranda.messages import Message, Text, ToolCall, ToolResult
from memoranda.types import Origin
from memoranda.window.names import names_in_line, squeezed
from memoranda.window.render import without_blocks
from memoranda.window.slot import Slot
from memoranda.window.stubs import error_lines, exit_status, is_stub
from memoranda.window.toolbook import READ, RUN, WRITE, Toolbook, arguments_of

USER_CHARACTERS = 2_000
LINE_CHARACTERS = 240
MOST_LINES = 4_000
"""Lines of one message that are looked at: more is data, not conversation."""
PART = 100_000


class ItemKind(StrEnum):
    """What an item is. The order is that of the summary's sections."""

    USER = "user"
    DECISION = "decisions"
    ELIMINATED = "eliminated"
    QUESTION = "questions"
    NEXT = "next"
    FILE = "file"
    COMMAND = "command"
    ERROR = "error"
    SAID = "said"
    CALL = "call"
    RESULT = "result"
    OUTPUT = "output"


BY_MODEL = (ItemKind.DECISION, ItemKind.ELIMINATED, ItemKind.QUESTION, ItemKind.NEXT)
EXCERPTS = (ItemKind.SAID, ItemKind.CALL, ItemKind.RESULT, ItemKind.OUTPUT)


@dataclass(frozen=True, slots=True)
class Item:
    """A line to keep. n, at: its message and its place there, so that items stand in order and none twice.

    key: what it is about; of two items of a kind with one key the later one counts. foreign: it was written by
    somebody else than user and model, so it taints a window that shows it.
    """

    kind: ItemKind
    step: int
    n: int
    at: int
    text: str
    names: frozenset[str] = frozenset()
    key: str = ""
    foreign: bool = False


@dataclass(slots=True)
class _Taker:
    """Numbers the items of one message in order."""

    slot: Slot
    foreign: bool
    at: int = 0

    def item(self, kind: ItemKind, text: str, key: str = "") -> Item:
        self.at += 1
        names = names_in_line(text[:LINE_CHARACTERS])
        return Item(kind, self.slot.step, self.slot.n, self.at, text, names, key, self.foreign)


def is_foreign(message: Message) -> bool:
    """Whether somebody else than user, model and trusted tools wrote it."""
    if message.role == "assistant":
        return False
    return message.source is Origin.EXTERNAL or (message.origin is None and bool(message.results))


def items_of(slot: Slot, calls: Iterable[ToolCall | None], book: Toolbook) -> list[Item]:
    """The items of one message. `calls`: to each of its results in order, the call."""
    taker = _Taker(slot, is_foreign(slot.message))
    found: list[Item] = []
    waiting = iter(calls)
    for number, part in enumerate((slot.whole or slot.message).parts):
        taker.at = number * PART
        if isinstance(part, ToolResult):
            found += _of_result(taker, part, next(waiting, None), book)
        elif isinstance(part, ToolCall):
            found += _of_call(taker, part, book)
        elif isinstance(part, Text):
            found += _of_text(taker, part.text)
    return found


def _of_text(taker: _Taker, text: str) -> Iterator[Item]:
    if taker.slot.by_user:
        if text.strip():
            yield taker.item(ItemKind.USER, text[:USER_CHARACTERS].strip())
    elif taker.slot.message.role == "assistant":
        yield from _excerpts(taker, ItemKind.SAID, text)


def _of_call(taker: _Taker, call: ToolCall, book: Toolbook) -> Iterator[Item]:
    use = book.use(call)
    if use is not None and use.access in (READ, WRITE) and "/" in use.target + "/":
        verb = "changed" if use.access == WRITE else "read"
        yield taker.item(
            ItemKind.FILE, f"{verb} {squeezed(use.target)}"[:LINE_CHARACTERS], use.target
        )
    for value in _leaves(arguments_of(call.arguments) or call.arguments):
        yield from _excerpts(taker, ItemKind.CALL, value, before=call.name)


def _of_result(
    taker: _Taker, result: ToolResult, call: ToolCall | None, book: Toolbook
) -> Iterator[Item]:
    if is_stub(result):
        return
    text = without_blocks(result.text)  # what was recalled may be taken back: it is never kept
    use = book.use(call) if call else None
    run = use is not None and use.access == RUN
    if run and use is not None:
        status = exit_status(text)
        came = (
            f" -> exit {status}" if status is not None else " -> error" if result.is_error else ""
        )
        command = squeezed(use.target)[: LINE_CHARACTERS - 20]
        yield taker.item(ItemKind.COMMAND, f"{command}{came}", command)
    if run or result.is_error:
        for line in error_lines(text, 3):
            yield taker.item(ItemKind.ERROR, line)
    yield from _excerpts(taker, ItemKind.OUTPUT if run else ItemKind.RESULT, text)


def _excerpts(taker: _Taker, kind: ItemKind, text: str, before: str = "") -> Iterator[Item]:
    """The lines that name something. A line of one name alone says too little: `before` stands in front of it."""
    for line in text.split("\n", MOST_LINES)[:MOST_LINES]:
        short = squeezed(line[: 2 * LINE_CHARACTERS])[:LINE_CHARACTERS]
        if before and short and " " not in short:
            short = f"{before} {short}"[:LINE_CHARACTERS]
        if short and names_in_line(short):
            yield taker.item(kind, short)


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    elif value is not None:
        yield str(value)
