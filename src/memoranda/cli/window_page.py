"""One self-contained page of a replay: what filled the window, where it was compacted, what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from memoranda.window.bill import Bill
from memoranda.window.picture import area, bars, key, wide
from memoranda.window.totals import totals, what_went

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
.key svg{width:.9em;height:.9em;margin-right:.35em;vertical-align:-.1em}
.wide{overflow-x:auto}
.wide svg{width:100%;min-width:54rem;height:auto;display:block}
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
<p class="key">{key()}</p>
<h2>Cost per policy</h2>
<p>In input-token equivalents: cached tokens read 0.1, written 1.25, not cached 1, answers 5. A policy with calls
over the budget would have failed there.</p>
{bars(budget, [ours, *others])}
{_bills(budget, [ours, *others])}
<details><summary>Every call</summary>{_calls(ours)}</details>
</body></html>
"""


def _bills(budget: int, bills: Sequence[Bill]) -> str:
    rows = [totals(bill, budget) for bill in bills]
    head = "".join(f"<th>{escape(name)}</th>" for name in rows[0])
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_written(value))}</td>" for value in row.values()) + "</tr>"
        for row in rows
    )
    return wide(f"<table><tr>{head}</tr>{body}</table>")


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
    return wide(f"<table><tr>{head}</tr>{rows}</table>")
