"""One self-contained page of a replay: what filled the window, where it was compacted, what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from memoranda.cli.window import totals, what_went
from memoranda.window.bill import FILLINGS, Bill

WIDTH, HEIGHT, LEFT, TOP = 960, 320, 64, 16
COLOURS = {
    "system": "#76828d",
    "user": "#1f77b4",
    "notes": "#e0a100",
    "stubs": "#9aa5b1",
    "results": "#5aa469",
    "assistant": "#8a63b8",
}
STYLE = """
:root{color-scheme:light dark;--ink:#1d2429;--soft:#4e5a65;--line:#dde2e6;--paper:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#e6eaed;--soft:#a9b4be;--line:#3a444d;--paper:#171c20}}
body{font:15px/1.5 system-ui,sans-serif;max-width:1080px;margin:2rem auto;padding:0 1rem;color:var(--ink);
background:var(--paper)}
h1{font-size:1.5rem;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid var(--line);vertical-align:top}
th{white-space:nowrap}
th:first-child,td:first-child,.words{text-align:left}
.words{min-width:16rem}
.key span{white-space:nowrap;margin-right:1em}
.key i{display:inline-block;width:.9em;height:.9em;margin-right:.35em;vertical-align:-.1em}
.wide{overflow-x:auto}
svg{width:100%;min-width:54rem;height:auto;display:block}
svg text{font:12px system-ui,sans-serif;fill:var(--soft)}
svg .budget{stroke:var(--ink)}
details{margin-top:1rem}summary{cursor:pointer}
"""


def page(name: str, budget: int, ours: Bill, others: Sequence[Bill]) -> str:
    """The page as HTML. It loads nothing from anywhere, and nothing of a transcript's text is on it."""
    title = f"{escape(name)}: {len(ours.calls)} calls within {budget} tokens"
    compactions = sum(call.compaction is not None for call in ours.calls)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>{title}</title><style>{STYLE}</style></head><body>
<h1>{title}</h1>
<p>Policy {escape(ours.policy)}: {compactions} compactions, {ours.breaks} breaks of the cached prefix. Token counts are
estimates.</p>
<h2>What filled the window</h2>
{area(budget, ours)}
<p class="key">{" ".join(_key(kind, COLOURS[kind]) for kind in FILLINGS)} {_key("compaction", "#c0392b")}</p>
<h2>Cost per policy</h2>
<p>In input-token equivalents: cached tokens read 0.1, written 1.25, not cached 1, answers 5. A policy with calls
over the budget would have failed there.</p>
{bars(budget, [ours, *others])}
{_bills(budget, [ours, *others])}
<details><summary>Every call</summary>{_calls(ours)}</details>
</body></html>
"""


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
                f'<line x1="{x(n)}" x2="{x(n)}" y1="{TOP}" y2="{TOP + HEIGHT}" stroke="#c0392b" stroke-width="1">'
                f"<title>step {call.step}: {escape(what_went(call))}</title></line>"
            )
    shapes += _axes(budget, y(budget), calls[0].step, calls[-1].step)
    label = f"Tokens of each request by what they are, over {len(calls)} calls"
    box = f"0 0 {WIDTH} {TOP + HEIGHT + 32}"
    return _wide(f'<svg viewBox="{box}" role="img" aria-label="{label}">{"".join(shapes)}</svg>')


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
    return _wide(
        f'<svg viewBox="{box}" role="img" aria-label="Cost per policy">{"".join(rows)}</svg>'
    )


def _wide(inner: str) -> str:
    """Scrolls by itself on a narrow screen: there its words would be too small to read."""
    return f'<div class="wide">{inner}</div>'


def _key(kind: str, colour: str) -> str:
    return f'<span><i style="background:{colour}"></i>{kind}</span>'


def _bills(budget: int, bills: Sequence[Bill]) -> str:
    rows = [totals(bill, budget) for bill in bills]
    head = "".join(f"<th>{escape(name)}</th>" for name in rows[0])
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_written(value))}</td>" for value in row.values()) + "</tr>"
        for row in rows
    )
    return _wide(f"<table><tr>{head}</tr>{body}</table>")


def _written(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _calls(bill: Bill) -> str:
    names = ("step", "history", "sent", "read", "written", "what went")
    rows = "".join(
        f"<tr><td>{c.step}</td><td>{c.history}</td><td>{c.sent}</td><td>{c.read}</td><td>{c.written}</td>"
        f'<td class="words">{escape(what_went(c))}</td></tr>'
        for c in bill.calls
    )
    head = "".join(f"<th>{name}</th>" for name in names[:-1])
    head += f'<th class="words">{names[-1]}</th>'
    return _wide(f"<table><tr>{head}</tr>{rows}</table>")
