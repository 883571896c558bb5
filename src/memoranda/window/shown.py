"""Which facts a message shows to the model, and the same message without some of them. Pure."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace

from memoranda.messages import Message, Part, Recalled, Text, ToolResult
from memoranda.window.render import parse_block


def shown_ids(message: Message, nonce: str) -> tuple[str, ...]:
    """The ids of the facts that a message shows: in a recalled block, or in the answer of the recall tool."""
    shown = [i for part in message.parts if isinstance(part, Recalled) for i in part.facts]
    for result in message.results:
        if nonce and nonce in result.text:
            shown += _shown(result, nonce)
    return tuple(dict.fromkeys(shown))


def _items(text: str, nonce: str) -> list[dict[str, object]]:
    try:
        return [item for item in parse_block(text, nonce) if isinstance(item, dict)]
    except (
        ValueError
    ):  # somebody who saw the nonce makes a fence of their own: it shows no fact of ours
        return []


def without_lines(message: Message, nonce: str, gone: Collection[str]) -> Message:
    """The message with the lines of facts in `gone` taken out of its results; itself if it shows none of them."""
    lost = set(gone)
    parts: list[Part] = []
    for part in message.parts:
        if isinstance(part, ToolResult) and lost.intersection(_shown(part, nonce)):
            texts = (
                replace(p, text=_cut(p.text, lost)) if isinstance(p, Text) else p
                for p in part.parts
            )
            part = replace(part, parts=tuple(texts))
        parts.append(part)
    same = all(new is old for new, old in zip(parts, message.parts, strict=True))
    return message if same else message.with_parts(parts)


def _shown(result: ToolResult, nonce: str) -> list[str]:
    return [str(item.get("id")) for item in _items(result.text, nonce)]


def _cut(text: str, lost: Collection[str]) -> str:
    """Each fact stands on a line of its own. Its id is read and not looked for: it may be written with escapes."""
    return "\n".join(line for line in text.split("\n") if _id(line) not in lost)


def _id(line: str) -> str | None:
    if not line.startswith("{"):
        return None
    try:
        item = json.loads(line)
    except ValueError:
        return None
    return str(item["id"]) if isinstance(item, dict) and "id" in item else None
