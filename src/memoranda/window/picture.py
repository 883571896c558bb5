"""The picture of a replay: what filled the window, where it was compacted, what it cost; as SVG in pure text.

Colours are attributes of the shapes and nothing has a style of its own, so that a page may forbid inline styles. Lines
and letters take theirs from the page: of the classes, `budget` is the dashed line and `wide` what scrolls by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from memoranda.window.bill import FILLINGS, Bill
from memoranda.window.totals import what_went

WIDTH, HEIGHT, LEFT, TOP = 960, 320, 64, 16
COMPACTION = "#c0392b"
COLOURS = {
    "system": "#76828d",
    "user": "#1f77b4",
    "notes": "#e0a100",
    "stubs": "#9aa5b1",
    "results": "#5aa469",
    "assistant": "#8a63b8",
}


def area(budget: int, bill: Bill) -> str:
    """The stacked area: tokens by what they are, over the calls; compactions as lines, the budget dashed."""
    calls = [call for call in bill.calls if not call.refused]
    if not calls:
        return "<p>No call could be built.</p>"
    highest = max(budget, *(call.sent for call in calls))

    def x(n: int) -> float:
        return round(LEFT + (WIDTH - LEFT - 10) * n / max(1, len(calls) - 1), 1)

    def y(tokens: float) -> float:
        return round(TOP + HEIGHT * (1 - tokens / highest), 1)

    shapes: list[str] = []
    floor = [0] * len(calls)
    for kind in FILLINGS:
        ceiling = [low + call.filled.get(kind, 0) for low, call in zip(floor, calls, strict=True)]
        up = [f"{x(n)},{y(v)}" for n, v in enumerate(ceiling)]
        down = [f"{x(n)},{y(v)}" for n, v in reversed(list(enumerate(floor)))]
        points = " ".join([*up, *down])
        shapes.append(
            f'<polygon fill="{COLOURS[kind]}" points="{points}"><title>{kind}</title></polygon>'
        )
        floor = ceiling
    for n, call in enumerate(calls):
        if call.compaction is not None:
            shapes.append(
                f'<line x1="{x(n)}" x2="{x(n)}" y1="{TOP}" y2="{TOP + HEIGHT}" stroke="{COMPACTION}" stroke-width="1">'
                f"<title>step {call.step}: {escape(what_went(call))}</title></line>"
            )
    shapes += _axes(budget, y(budget), calls[0].step, calls[-1].step)
    label = f"Tokens of each request by what they are, over {len(calls)} calls"
    box = f"0 0 {WIDTH} {TOP + HEIGHT + 32}"
    return wide(f'<svg viewBox="{box}" role="img" aria-label="{label}">{"".join(shapes)}</svg>')


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
        f'<svg viewBox="{box}" role="img" aria-label="Cost per policy">{"".join(rows)}</svg>'
    )


def key() -> str:
    """What the colours of the area mean."""
    kinds = [(kind, COLOURS[kind]) for kind in FILLINGS]
    return " ".join(_key(kind, colour) for kind, colour in [*kinds, ("compaction", COMPACTION)])


def _key(kind: str, colour: str) -> str:
    mark = f'<rect width="12" height="12" fill="{colour}"/>'
    return f'<span><svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">{mark}</svg> {kind}</span>'


def wide(inner: str) -> str:
    """Scrolls by itself on a narrow screen: there its words would be too small to read."""
    return f'<div class="wide">{inner}</div>'
