"""A bill as one row, and what a call left out in words."""

from __future__ import annotations

from memoranda.window.bill import Bill, Call
from memoranda.window.compact import Compaction


def totals(found: Bill, budget: int) -> dict[str, object]:
    """A bill as one row."""
    calls = found.calls
    return {
        "policy": found.policy,
        "cost": round(found.cost),
        "sent": sum(c.sent for c in calls),
        "read": sum(c.read for c in calls),
        "written": sum(c.written for c in calls),
        "fresh": sum(c.fresh for c in calls),
        "output": sum(c.output for c in calls),
        "breaks": found.breaks,
        "over": sum(c.sent > budget for c in calls),
        "refused": sum(c.refused for c in calls),
    }


def what_went(call: Call) -> str:
    """What a compaction took away, in words; "" when there was none."""
    record = call.compaction
    if call.refused:
        return "refused: the budget is too small for what must always be sent"
    if record is None:
        return ""
    return f"{record.why}: {record.before} -> {record.after}; {taken(record)}"


def taken(record: Compaction) -> str:
    """What a compaction took away, as counts; "nothing" when it was nothing."""
    counts = {
        "blocks dropped": record.blocks,
        "superseded": len(record.superseded),
        "stubbed": len(record.stubbed),
        "steps left out": len(record.dropped),
        "cut": len(record.cut),
        "tokens of notes": record.notes,
    }
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "nothing"
