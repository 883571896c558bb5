"""What of a list everybody may read: what is believed, and nothing that waits, was turned down or was taken back.

Names count too: whose facts they are, what they came from and why they went may be words from outside, or a person's
own about what should be gone. `who`: the name of whoever came in by the link; None for everybody else.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from memoranda.accounts import OperationsPage, RunEntry, RunsPage, SubjectsPage
from memoranda.server.doors import of_a_person
from memoranda.types import Fact, Operation, Status, Trace


def is_believed(fact: Fact) -> bool:
    """Whether a fact is live and its time has not passed."""
    return fact.status is Status.LIVE and not fact.expired(datetime.now(UTC))


def readable(fact: Fact, who: str | None) -> bool:
    """Whether whoever looks may read this fact: everybody what is believed, a person everything."""
    return who is not None or is_believed(fact)


def read_by(fact: Fact, who: str | None) -> Fact:
    """The fact, if whoever looks may read it; else `NotAllowed`."""
    if not readable(fact, who):
        of_a_person(who)
    return fact


def subjects(page: SubjectsPage, who: str | None) -> SubjectsPage:
    """The subjects of which something is believed; a page may hold fewer than it was asked for."""
    if who is not None:
        return page
    return replace(page, subjects=tuple(one for one in page.subjects if one[1]))


def runs(page: RunsPage, who: str | None) -> RunsPage:
    """The runs of which something is believed, as if they had written nothing else."""
    if who is not None:
        return page
    return replace(page, runs=tuple(_run(run) for run in page.runs if run.live))


def _run(run: RunEntry) -> RunEntry:
    return replace(run, facts=run.live, standing=run.live, subjects=run.live_subjects)


def operation(one: Operation, who: str | None) -> Operation:
    """The operation without its reason, which tells of what was turned down or taken back."""
    return one if who is not None else replace(one, why=None)


def operations(page: OperationsPage, who: str | None) -> OperationsPage:
    """The same for a page of them."""
    told = (replace(one, operation=operation(one.operation, who)) for one in page.operations)
    return replace(page, operations=tuple(told))


def trace(found: Trace, who: str | None) -> Trace:
    """The trace with those versions and sources that are believed, and without the reasons of changes."""
    if who is not None:
        return found
    return replace(
        found,
        chain=tuple(filter(is_believed, found.chain)),
        sources=tuple(filter(is_believed, found.sources)),
        changes=tuple(replace(change, why=None) for change in found.changes),
    )
