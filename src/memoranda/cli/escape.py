"""Stored text on its way to a terminal: what would move the cursor, recolour or reorder it is spelt out.

Files and pipes get the same, since sooner or later somebody pages through them.
"""

from __future__ import annotations

import json
import re

from memoranda.unseen import REORDER

_UNSEEN = re.compile(f"[\x00-\x1f\x7f-\x9f{REORDER}]")
# JSON spells out the first 32 by itself; the line breaks that remain are its own.
_UNSEEN_IN_JSON = re.compile(f"[\x7f-\x9f{REORDER}]")


def visible(text: str) -> str:
    """`text` on one line, with every unseen character as its escape."""
    return _UNSEEN.sub(lambda found: _spelt(found[0]), text)


def visible_json(text: str) -> str:
    """The same JSON document, with unseen characters as `\\u` escapes."""
    return _UNSEEN_IN_JSON.sub(lambda found: json.dumps(found[0])[1:-1], text)


def _spelt(character: str) -> str:
    return repr(character)[1:-1] if character != "\u2028" else "\\u2028"
