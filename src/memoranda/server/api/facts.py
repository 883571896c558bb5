"""Facts: pages of them, one, why it is believed, how far it came."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import Path, Query

from memoranda.accounts import Blast, FactsPage
from memoranda.errors import NotAllowed, UnknownFact
from memoranda.server import sight
from memoranda.server.api import told
from memoranda.server.api.description import fails
from memoranda.server.api.fields import Cursor, Id, Moment, Name, Size, Subject, Words
from memoranda.server.api.routing import tagged
from memoranda.server.doors import Person, Reading, of_a_person
from memoranda.types import Fact, FactFilter, Kind, Origin, Trace

router = tagged("facts")
OneFact = Annotated[Id, Path()]


@router.get(
    "/facts",
    response_model=told.FactsPage,
    responses=fails(NotAllowed),
    summary="A page of facts, newest first",
)
def facts(  # noqa: PLR0913 (what a list is narrowed by)
    memory: Reading,
    person: Person,
    subject: Annotated[Subject | None, Query()] = None,
    status: Annotated[
        FactFilter, Query(description="All but `live` needs the session.", examples=["live"])
    ] = "live",
    kind: Annotated[Kind | None, Query(examples=["preference"])] = None,
    origin: Annotated[Origin | None, Query(examples=["user"])] = None,
    tag: Annotated[Name | None, Query(examples=["home"])] = None,
    words: Annotated[Words, Query(examples=["dark theme"])] = "",
    as_of: Annotated[
        Moment | None, Query(description="As the store had them then; needs the session.")
    ] = None,
    after: Annotated[Cursor | None, Query()] = None,
    before: Annotated[Cursor | None, Query()] = None,
    size: Annotated[Size, Query(examples=[50])] = 50,
) -> FactsPage:
    """Without parameters all live facts. What is given narrows together. A page may hold fewer than `size` and still
    have an `after`: what is rare is looked for in pieces."""
    if status != "live" or as_of is not None:
        of_a_person(person)
    return memory.facts_page(
        subject=subject,
        status=status,
        kind=kind,
        origin=origin,
        tag=tag,
        words=words,
        as_of=as_of,
        after=after,
        before=before,
        size=size,
    )


@router.get(
    "/facts/{fact_id}",
    response_model=told.Fact,
    responses=fails(UnknownFact, NotAllowed),
    summary="One fact as it stands",
)
def fact(memory: Reading, person: Person, fact_id: OneFact) -> Fact:
    """A fact in any state; one that is not live needs the session."""
    return sight.read_by(memory.show(fact_id), person)


@router.get(
    "/facts/{fact_id}/why",
    response_model=told.Trace,
    responses=fails(UnknownFact, NotAllowed),
    summary="Why a fact is believed",
)
def why(memory: Reading, person: Person, fact_id: OneFact) -> Trace:
    """Its source, every change of its state, its chain of versions, and where it was recalled."""
    sight.read_by(memory.show(fact_id), person)
    return sight.trace(memory.why(fact_id), person)


@router.get(
    "/facts/{fact_id}/blast",
    response_model=told.Blast,
    responses=fails(UnknownFact, NotAllowed),
    summary="How far a fact came",
)
def blast(memory: Reading, person: Person, fact_id: OneFact) -> Blast:
    """The turns it was recalled in, what those runs wrote from then on, and so on again."""
    sight.read_by(memory.show(fact_id), person)
    found = memory.blast(fact_id)
    reached = tuple(one for one in found.reached if sight.readable(one.fact, person))
    return replace(found, reached=reached)
