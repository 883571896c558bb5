"""Run a flow to its end without an event loop: how one core serves two colours.

A flow is an `async def` over ports. Blocking drivers are `async def` that never suspend, so one push runs the
whole flow, also inside a running event loop. A flow that really waits is a mistake and says so at once.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

from memoranda.errors import WouldSuspend

T = TypeVar("T")


def step(flow: Coroutine[Any, Any, T]) -> T:
    """Return what `flow` returns, raise what it raises; raise `WouldSuspend` if it suspends."""
    try:
        flow.send(None)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    else:
        raise WouldSuspend
    finally:
        flow.close()
