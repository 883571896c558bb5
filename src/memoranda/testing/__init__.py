"""For tests, ours and yours: fakes of the ports, and the suites that an own implementation must pass.

`EmbedderSuite`, `StoreSuite` and `TreeSuite` need pytest; the fakes need nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memoranda.embedders.hashing import HashingEmbedder
from memoranda.testing.fakes import ManualClock, SequentialIds, SharedWordsReranker
from memoranda.testing.models import ObedientModel

if TYPE_CHECKING:
    from memoranda.testing.embedders import EmbedderSuite
    from memoranda.testing.screens import ScreenSuite
    from memoranda.testing.stores import StoreSuite
    from memoranda.testing.trees import TreeSuite

__all__ = [
    "EmbedderSuite",
    "HashingEmbedder",
    "ManualClock",
    "ObedientModel",
    "ScreenSuite",
    "SequentialIds",
    "SharedWordsReranker",
    "StoreSuite",
    "TreeSuite",
]


if not TYPE_CHECKING:  # who checks types shall hear of a name that there is not

    def __getattr__(name: str) -> Any:
        # Looked up when asked for, so that the fakes can be used where pytest is not installed.
        if name == "EmbedderSuite":
            from memoranda.testing.embedders import EmbedderSuite

            return EmbedderSuite
        if name == "ScreenSuite":
            from memoranda.testing.screens import ScreenSuite

            return ScreenSuite
        if name == "StoreSuite":
            from memoranda.testing.stores import StoreSuite

            return StoreSuite
        if name == "TreeSuite":
            from memoranda.testing.trees import TreeSuite

            return TreeSuite
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
