"""Plan files: the file is the state, so it is read from disk each time and never from what a window remembers."""

from __future__ import annotations

from collections.abc import Sequence

from memoranda.core import Core
from memoranda.messages import Recalled
from memoranda.ports import PlanSource
from memoranda.window import render_files
from memoranda.window.passes import cut

LEAST = 200


async def plan_block(
    core: Core,
    source: PlanSource | None,
    names: Sequence[str],
    budget: int,
    nonce: str,
    *,
    first: Sequence[tuple[str, str]] = (),
) -> Recalled | None:
    """The plan files as they stand now, after those given as `first`, cut to a cap; None when there are none."""
    files = [(name, await source.read(name)) for name in names] if source else []
    there = [*first, *((name, text) for name, text in files if text is not None)]
    if not there:
        return None
    most = min(core.settings.plan_tokens, budget // 4)
    cap = max(len(text) for _, text in there)
    while True:
        shown = render_files([(name, cut(text, cap, 0)) for name, text in there], nonce)
        if core.counter.count(shown) <= most or cap <= LEAST:
            return Recalled(shown)
        cap = cap * 3 // 4
