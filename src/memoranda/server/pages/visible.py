"""Stored text on a page: what would reorder it, hide in it or move a reader's eye is spelt out."""

from __future__ import annotations

import re

from memoranda.unseen import REORDER

# Tabs and ends of lines are seen.
UNSEEN = re.compile(f"[\0-\x08\x0b-\x1f\x7f-\x9f{REORDER}]")


def seen(value: object) -> str:
    """The text with every unseen character as its escape; lines stay lines."""
    return UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", str(value))
