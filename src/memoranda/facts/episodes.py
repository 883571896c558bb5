"""Old episodes, grouped by week and summarised: one sentence made of theirs, citing each. Needs no model.

The episodes themselves are left to expire; the summary outlives them. A week is summarised once, when all of it is
older than `episode_days`, so that two runs of the upkeep, at once or one after the other, make the same sentence and
the gate knows it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from memoranda.core import Core
from memoranda.facts.cohorts import children_of
from memoranda.facts.lifetimes import DAY, lifetime
from memoranda.facts.rows import fact_of
from memoranda.gate.admit import admit_all
from memoranda.gate.policy import LONGEST_HELD
from memoranda.gate.sentences import label
from memoranda.types import Draft, Fact, Kind, Origin, Trust, Verdict, from_micros, to_micros

FEWEST = 2
RUN = "maintenance"
TAG = "summary"
Week = tuple[str, Origin, date]


async def summarise(core: Core) -> int:
    """Offer the gate a summary of each week that is over; return how many were stored."""
    if not core.settings.episode_days:
        return 0
    groups = await _weeks(core)
    drafts = [
        _summary(core, week, facts)
        for week, facts in sorted(groups.items())
        if len(facts) >= FEWEST
    ]
    outcomes = await admit_all(core, drafts)
    return sum(outcome.status in (Verdict.ACCEPTED, Verdict.HELD) for outcome in outcomes)


async def _weeks(core: Core) -> dict[Week, list[Fact]]:
    """The episodes that no summary cites yet, oldest first, by subject, origin and week."""
    before = core.clock.now() - core.settings.episode_days * DAY
    cited = await children_of(core, core.store)
    rows = await core.store.rows("old_episodes", tenant=core.tenant, before=before)
    groups: dict[Week, list[Fact]] = {}
    for fact in map(fact_of, rows):
        monday = _monday(fact.observed_at)
        over = monday + timedelta(days=7) <= from_micros(before).date()
        # What came from outside and was let in by a person is not said again in our own words.
        if over and fact.source_run != RUN and fact.trust > Trust.EXTERNAL and fact.id not in cited:
            groups.setdefault((fact.subject, fact.origin, monday), []).append(fact)
    return groups


def _monday(moment: datetime) -> date:
    return moment.date() - timedelta(days=moment.weekday())


def _summary(core: Core, week: Week, facts: Sequence[Fact]) -> Draft:
    """One sentence with span, number and as many of the episodes' own words as fit; all of them are cited."""
    subject, origin, monday = week
    first, last = facts[0].observed_at.date(), facts[-1].observed_at.date()
    span = f"on {first}" if first == last else f"from {first} to {last}"
    head = f"{label(subject)} had {len(facts)} episodes {span}"
    text = head
    for fact in facts:
        more = f"{text}{': ' if text == head else '; '}{fact.fact.rstrip(' .!?')}"
        if len(more) < core.settings.fact_characters:
            text = more
    return Draft(
        f"{text}.",
        subject,
        kind=Kind.EPISODE,
        tags=(TAG,),
        origin=origin,
        run=RUN,
        step=monday.toordinal(),
        quote=_quotes(facts),
        derived_from=tuple(fact.id for fact in facts),
        confidence=min(fact.confidence for fact in facts),
        observed_at=to_micros(facts[-1].observed_at),
        expires_at=core.clock.now() + lifetime(Kind.FACT, core.settings),
        actor="maintenance",
    )


def _quotes(facts: Sequence[Fact]) -> str:
    """The words that the episodes were taken from, one a line, as many as a row may hold."""
    text = ""
    for fact in facts:
        more = f"{text}\n{fact.quote or fact.fact}".strip()
        if len(more) <= LONGEST_HELD:
            text = more
    return text
