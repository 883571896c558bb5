"""The picture of a replay: what filled the window, where it was compacted, what it cost; as SVG in pure text.

Colours are attributes of the shapes and nothing has a style of its own, so that a page may forbid inline styles. Lines
and letters take theirs from the page: of the classes, `budget` is the dashed line, `at` the step at hand and `wide`
what scrolls by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from memoranda.window.bill import FILLINGS, Bill, Call
from memoranda.window.totals import what_went

WIDTH, HEIGHT, LEFT, TOP = 960, 320, 64, 16
COMPACTION = "#c0392b"
MOST = 400
"""Calls that are drawn of a run, beside those where it was compacted."""
COLOURS = {
    "system": "#76828d",
    "user": "#1f77b4",
    "notes": "#e0a100",
    "stubs": "#9aa5b1",
    "results": "#5aa469",
    "assistant": "#8a63b8",
}


def area(budget: int, bill: Bill, *, at: int | None = None) -> str:
    """The stacked area: tokens by what they are, over the calls; compactions as lines, the budget dashed.

    at: the step to mark (class `at`). Of a long run some calls are drawn, and all compactions.
    """
    calls = [call for call in bill.calls if not call.refused]
    if not calls:
        return "<p>No call could be built.</p>"
    highest = max(budget, *(call.sent for call in calls))

    def x(n: int) -> float:
        return round(LEFT + (WIDTH - LEFT - 10) * n / max(1, len(calls) - 1), 1)

    def y(tokens: float) -> float:
        return round(TOP + HEIGHT * (1 - tokens / highest), 1)

    shapes = _areas(calls, x, y)
    for n, call in enumerate(calls):
        if call.compaction is not None:
            title = f"<title>step {call.step}: {escape(what_went(call))}</title>"
            shapes.append(_upright(x(n), f'stroke="{COMPACTION}" stroke-width="1"', title))
        if call.step == at:
            shapes.append(_upright(x(n), 'class="at"', f"<title>step {at}</title>"))
    shapes += _axes(budget, y(budget), calls[0].step, calls[-1].step)
    label = f"Tokens of each request by what they are, over {len(calls)} calls"
    box = f"0 0 {WIDTH} {TOP + HEIGHT + 32}"
    return wide(
        f'<svg viewBox="{box}" role="img" aria-label="{label}">{"".join(shapes)}</svg>', "Picture"
    )


def _areas(
    calls: Sequence[Call], x: Callable[[int], float], y: Callable[[float], float]
) -> list[str]:
    shapes: list[str] = []
    drawn = _drawn(calls)
    floor = [0] * len(drawn)
    for kind in FILLINGS:
        ceiling = [low + calls[n].filled.get(kind, 0) for low, n in zip(floor, drawn, strict=True)]
        up = [f"{x(n)},{y(v)}" for n, v in zip(drawn, ceiling, strict=True)]
        down = [f"{x(n)},{y(v)}" for n, v in zip(drawn, floor, strict=True)]
        points = " ".join([*up, *reversed(down)])
        shapes.append(
            f'<polygon fill="{COLOURS[kind]}" points="{points}"><title>{kind}</title></polygon>'
        )
        floor = ceiling
    return shapes


def _drawn(calls: Sequence[Call]) -> list[int]:
    """Which calls: all, or some at even distances and those around a compaction."""
    every = -(-len(calls) // MOST)
    near = {n for n, call in enumerate(calls) if call.compaction for n in (n - 1, n) if n >= 0}
    return sorted({*range(0, len(calls), every), *near, len(calls) - 1})


def _upright(x: float, look: str, title: str) -> str:
    return f'<line x1="{x}" x2="{x}" y1="{TOP}" y2="{TOP + HEIGHT}" {look}>{title}</line>'


def _axes(budget: int, height: float, first: int, last: int) -> list[str]:
    bottom = TOP + HEIGHT
    return [
        f'<line x1="{LEFT}" x2="{WIDTH - 10}" y1="{height}" y2="{height}" class="budget" stroke-dasharray="5 4"/>',
        f'<text x="{LEFT - 6}" y="{height + 4}" text-anchor="end">{budget}</text>',
        f'<text x="{LEFT - 6}" y="{bottom}" text-anchor="end">0</text>',
        f'<text x="{LEFT}" y="{bottom + 20}">step {first}</text>',
        f'<text x="{WIDTH - 10}" y="{bottom + 20}" text-anchor="end">step {last}</text>',
    ]


def bars(budget: int, bills: Sequence[Bill]) -> str:
    """A bar for each policy; pale where calls went over the budget."""
    most = max(bill.cost for bill in bills) or 1
    rows = []
    for n, bill in enumerate(bills):
        top, width = 8 + 26 * n, round((WIDTH - 440) * bill.cost / most, 1)
        over = sum(call.sent > budget for call in bill.calls)
        colour = "#c9d1d8" if over else "#1f77b4" if n else "#e0a100"
        note = f" ({over} calls over the budget)" if over else ""
        rows.append(
            f'<text x="160" y="{top + 14}" text-anchor="end">{escape(bill.policy)}</text>'
            f'<rect x="168" y="{top}" width="{width}" height="19" fill="{colour}"/>'
            f'<text x="{174 + width}" y="{top + 14}">{bill.cost:,.0f}{note}</text>'
        )
    box = f"0 0 {WIDTH} {16 + 26 * len(bills)}"
    return wide(
        f'<svg viewBox="{box}" role="img" aria-label="Cost per policy">{"".join(rows)}</svg>',
        "Costs",
    )


def key() -> str:
    """What the colours of the area mean."""
    kinds = [(kind, COLOURS[kind]) for kind in FILLINGS]
    return " ".join(_key(kind, colour) for kind, colour in [*kinds, ("compaction", COMPACTION)])


def _key(kind: str, colour: str) -> str:
    mark = f'<rect width="12" height="12" fill="{colour}"/>'
    return f'<span><svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">{mark}</svg> {kind}</span>'


def wide(inner: str, label: str = "") -> str:
    """Scrolls by itself on a narrow screen: there its words would be too small to read. With a label also by keys."""
    named = f' tabindex="0" role="region" aria-label="{label}"' if label else ""
    return f'<div class="wide"{named}>{inner}</div>'
