"""The rules, as a table. A rule reads a predicate in the third person, "lives in Graz", of somebody we keep facts of.

The same row serves "I live in ..." and "my sister lives in ...", affirmed, denied and ended: who is spoken of, and
whether it holds, is settled before. `says` is the predicate of the sentence that is kept; {v} is the value, other
fields are groups of the pattern. Rows are tried in order; the first that reads a value wins its attribute.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """One row. `attribute`: a name, or `?thing`, `?tool`, `?preference` to look it up by the value."""

    attribute: str
    pattern: re.Pattern[str]
    reader: str
    says: str
    confidence: float = 0.9
    ends: bool = False
    denies: bool = False


def rule(
    attribute: str, pattern: str, reader: str, says: str, confidence: float = 0.9, **flags: bool
) -> Rule:
    """A row, its pattern read without regard to case unless it says `(?-i:...)`."""
    return Rule(attribute, re.compile(rf"(?i:{pattern})"), reader, says, confidence, **flags)
