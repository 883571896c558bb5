"""Reads conversations from a file: JSON lines, one JSON document, or plain text.

A file is read twice: the first pass finds whatever is wrong with it, before anything is handed on.
Both passes are streamed, so that memory is bounded by the longest line and not by the file. Every
fault is an `IngestError`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast, get_args

from memoranda.errors import UsageError
from memoranda.messages import Message
from memoranda.readers._items import Item, json_items, text_items
from memoranda.readers._source import LINE_BYTES, Source

Format = Literal["auto", "openai", "anthropic", "text"]
LIMIT_BYTES = 50_000_000

# A file of single messages is one conversation of any length, handed on in pieces. A piece ends
# before a message of the user, where no call waits for its result, or at the latest at the second
# figure.
PIECE_MESSAGES = (200, 2000)
PIECE_CHARACTERS = (1_000_000, 8_000_000)


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages that belong together, in order.

    `times` has one entry for each message: its own time in microseconds, None where the file has
    none. `line` is where it begins. `continues` is True when it goes on with the conversation that
    was handed on before it.
    """

    id: str | None
    messages: tuple[Message, ...]
    times: tuple[int | None, ...]
    line: int
    continues: bool = False


@dataclass(frozen=True, slots=True)
class Checked:
    """What a file holds that was read to its end without a fault."""

    format: str
    bytes: int
    conversations: int
    messages: int


def check_file(
    path: str | os.PathLike[str],
    format: Format = "auto",  # noqa: A002
    limit_bytes: int = LIMIT_BYTES,
    line_bytes: int = LINE_BYTES,
) -> Checked:
    """Read the whole file and keep nothing of it; raise `IngestError` for the first fault."""
    return _check(_source(path, format, limit_bytes, line_bytes), format)


def read_conversations(
    path: str | os.PathLike[str],
    format: Format = "auto",  # noqa: A002
    limit_bytes: int = LIMIT_BYTES,
    line_bytes: int = LINE_BYTES,
) -> Iterator[Conversation]:
    """The conversations of a file, checked to its end before this call returns.

    What can still fail afterwards is a file that changes or goes away meanwhile: that too is an
    `IngestError`.
    """
    source = _source(path, format, limit_bytes, line_bytes)
    _check(source, format)
    return _conversations(_items(source, format))


def shape_of(name: str) -> Format:
    """The format of this name. Raises `UsageError` for one that no conversation has."""
    for form in get_args(Format):
        if form == name:
            return cast(Format, form)
    raise UsageError(f"the format must be one of {', '.join(get_args(Format))}")


def _source(path: str | os.PathLike[str], form: str, limit: int, line: int) -> Source:
    shape_of(form)
    return Source(path, limit, line)


def _check(source: Source, form: Format) -> Checked:
    conversations = messages = 0
    for conversation in _conversations(_items(source, form)):
        conversations += not conversation.continues
        messages += len(conversation.messages)
    if not messages:
        raise source.fault(None, "the file holds no message", "give a file with messages in it")
    return Checked(source.kind, source.bytes, conversations, messages)


def _items(source: Source, form: Format) -> Iterator[Item]:
    shape = "text" if form == "text" else source.sniff()
    if shape == "text" and form in ("auto", "text"):
        source.kind = "text"
        return text_items(source)
    source.kind = "json"
    return json_items(source, shape, form)


def _conversations(items: Iterator[Item]) -> Iterator[Conversation]:
    """Whole conversations as they come, single messages gathered into pieces."""
    piece: list[Item] = []
    size = 0
    continues = False
    for item in items:
        if item.whole:
            if piece:
                yield _gathered(piece, continues)
            piece, size, continues = [], 0, False
            if item.messages:
                yield _gathered([item], False)
            continue
        if piece and _full(len(piece), size, item):
            yield _gathered(piece, continues)
            piece, size, continues = [], 0, True
        piece.append(item)
        size += item.size
    if piece:
        yield _gathered(piece, continues)


def _full(count: int, size: int, coming: Item) -> bool:
    late = count >= PIECE_MESSAGES[1] or size >= PIECE_CHARACTERS[1]
    early = count >= PIECE_MESSAGES[0] or size >= PIECE_CHARACTERS[0]
    return late or (early and coming.messages[0].role == "user")


def _gathered(items: list[Item], continues: bool) -> Conversation:
    messages = tuple(message for item in items for message in item.messages)
    times = tuple(time for item in items for time in item.times)
    return Conversation(items[0].id, messages, times, items[0].line, continues)
