"""What a rule hands back, before it is made a draft."""

from __future__ import annotations

from dataclasses import dataclass

from memoranda.types import Kind


@dataclass(frozen=True, slots=True)
class Found:
    """A statement that a rule read. attribute None: worth keeping, and nothing would ever replace it by key.

    project: it is about the project at hand, not about who speaks.
    """

    attribute: str | None
    value: str | None
    text: str
    confidence: float
    kind: Kind | None = None
    polarity: bool = True
    ends: bool = False
    expires_at: int | None = None
    project: bool = False
