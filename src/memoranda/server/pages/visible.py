"""Stored text on a page: what would reorder it, hide in it or move a reader's eye is spelt out."""

from __future__ import annotations

import re

# Control characters but tabs and ends of lines, marks that reorder, invisible ones, halves of pairs, tags.
UNSEEN = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)


def seen(value: object) -> str:
    """The text with every unseen character as its escape; lines stay lines."""
    return UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", str(value))
