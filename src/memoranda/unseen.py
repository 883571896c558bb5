"""Characters that nobody sees and that move, hide or reorder what is read."""

from __future__ import annotations

# For a class of characters in a pattern: marks that reorder, invisible ones, halves of surrogate pairs, and tags. The
# two joiners (200c, 200d) stay: Persian words and emoji need them, and they move nothing.
REORDER = "\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f"
