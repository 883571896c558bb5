"""What a model may propose and never do: to correct a fact, to forget one. Each waits for a person."""

from __future__ import annotations

from collections.abc import Sequence

from memoranda.core import Core
from memoranda.errors import UnknownFact
from memoranda.facts.rows import CORRECTS, FORGETS, fact_by_id
from memoranda.gate.admit import admit
from memoranda.types import Draft, Fact, Origin, Outcome, Status

ACTOR = "model"
PROPOSED = "proposed-by-model"


async def propose_correction(
    core: Core, fact_id: str, text: str, *, subjects: Sequence[str], run: str | None, step: int
) -> Outcome:
    """A held row that, once a person approves it, takes the place of the fact."""
    fact = await _theirs(core, fact_id, subjects)
    item = Draft(
        text=text,
        subject=fact.subject,
        kind=fact.kind,
        attribute=fact.attribute,
        polarity=fact.polarity,
        origin=Origin.EXTERNAL,
        run=run,
        step=step,
        source_ref=f"{CORRECTS}{fact_id}",
        replaces=fact_id,
        actor=ACTOR,
    )
    return await admit(core, item, hold=(PROPOSED,))


async def propose_forgetting(
    core: Core, fact_id: str, *, subjects: Sequence[str], run: str | None, step: int
) -> Outcome:
    """A held row that, once a person approves it, retires the fact. Derived from it, so that it goes with it."""
    fact = await _theirs(core, fact_id, subjects)
    item = Draft(
        text=f"The assistant proposes to forget: {fact.fact}",
        subject=fact.subject,
        origin=Origin.EXTERNAL,
        run=run,
        step=step,
        source_ref=f"{FORGETS}{fact_id}",
        derived_from=(fact_id,),
        replaces=fact_id,
        actor=ACTOR,
    )
    return await admit(core, item, hold=(PROPOSED,))


async def _theirs(core: Core, fact_id: str, subjects: Sequence[str]) -> Fact:
    """The live fact, if it is of one of the subjects: a model learns nothing about anybody else's."""
    fact = await fact_by_id(core.store, core.tenant, fact_id)
    if fact.subject not in subjects or fact.status is not Status.LIVE:
        raise UnknownFact(fact_id)
    return fact
