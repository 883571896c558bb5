"""The compaction picture: tokens of each request by what they are, over the calls of a session, as shapes to draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memoranda.window.bill import FILLINGS, Bill, Call

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 960, 280, 64, 12, 10, 28
MOST = 400
"""Calls that are drawn: a longer session is drawn at as many places, and wherever it was compacted."""


@dataclass(frozen=True, slots=True)
class Area:
    """What fills the window, as the points of a polygon."""

    kind: str
    points: str


@dataclass(frozen=True, slots=True)
class Picture:
    """The shapes. marks: where it was compacted, as (x, step). at: where the step at hand is (None: nowhere).

    budget: the height of the budget's line.
    """

    areas: tuple[Area, ...]
    marks: tuple[tuple[float, int], ...]
    at: float | None
    budget: float
    first: int
    last: int
    calls: int

    width, height, left, top, right = WIDTH, TOP + HEIGHT + BOTTOM, LEFT, TOP, WIDTH - RIGHT
    floor = TOP + HEIGHT


def picture(bill: Bill, budget: int, step: int | None) -> Picture | None:
    """The picture of a replay; None when no call could be built."""
    calls = [call for call in bill.calls if not call.refused]
    if not calls:
        return None
    highest = max(budget, *(call.sent for call in calls))
    chosen = _chosen(calls)

    def x(n: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * n / max(1, len(calls) - 1), 1)

    def y(tokens: float) -> float:
        return round(TOP + HEIGHT * (1 - tokens / highest), 1)

    areas, floor = [], [0] * len(chosen)
    for kind in FILLINGS:
        ceiling = [low + calls[n].filled.get(kind, 0) for low, n in zip(floor, chosen, strict=True)]
        up = [f"{x(n)},{y(v)}" for n, v in zip(chosen, ceiling, strict=True)]
        down = [f"{x(n)},{y(v)}" for n, v in zip(chosen, floor, strict=True)]
        areas.append(Area(kind, " ".join([*up, *reversed(down)])))
        floor = ceiling
    marks = tuple((x(n), call.step) for n, call in enumerate(calls) if call.compaction)
    at = next((x(n) for n, call in enumerate(calls) if call.step == step), None)
    first, last = calls[0].step, calls[-1].step
    return Picture(tuple(areas), marks, at, y(budget), first, last, len(calls))


def _chosen(calls: Sequence[Call]) -> list[int]:
    """The calls to draw: all of them, or some at even distances with those around a compaction."""
    every = -(-len(calls) // MOST)
    near = {n for n, call in enumerate(calls) if call.compaction for n in (n - 1, n) if n >= 0}
    return sorted({*range(0, len(calls), every), *near, len(calls) - 1})
