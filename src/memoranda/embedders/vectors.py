"""Numbers of a vector to its bytes: of length 1, little-endian, four bytes each. The standard library alone."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Sequence

from memoranda.errors import EmbedderError


def packed(numbers: Sequence[float]) -> bytes:
    """The bytes of a vector, stretched to length 1. `EmbedderError` for one that has no direction."""
    length = math.hypot(*numbers)
    if not math.isfinite(length) or length == 0:
        raise EmbedderError("the model gave a vector without a direction")
    made = array("f", [number / length for number in numbers])
    if sys.byteorder == "big":
        made.byteswap()
    return made.tobytes()
