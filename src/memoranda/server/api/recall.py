"""Subjects, what answers a question, and what always stands before a model."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query

from memoranda.errors import NotAllowed
from memoranda.gate.policy import LONGEST_HELD
from memoranda.server import sight
from memoranda.server.api import told
from memoranda.server.api.description import fails
from memoranda.server.api.fields import Cursor, Moment, Size, Subject, Words
from memoranda.server.api.routing import tagged
from memoranda.server.doors import Person, Reading, of_a_person
from memoranda.types import Standing

router = tagged("recall")
Subjects = Annotated[
    list[Subject], Query(alias="subject", min_length=1, max_length=8, examples=[["user:me"]])
]
Then = Annotated[Moment | None, Query(description="As it was then; needs the session.")]


@router.get("/subjects", response_model=told.SubjectsPage, summary="A page of subjects")
def subjects(
    memory: Reading,
    person: Person,
    words: Annotated[Words, Query(examples=["user"])] = "",
    after: Annotated[Cursor | None, Query()] = None,
    size: Annotated[Size, Query(examples=[50])] = 50,
) -> dict[str, Any]:
    """By name, each with the number of its live facts. Without a session only those that have some."""
    page = sight.subjects(memory.subjects_page(words=words, after=after, size=size), person)
    entries = [{"subject": subject, "live": live} for subject, live in page.subjects]
    return {"subjects": entries, "after": page.after, "most": page.most}


@router.get(
    "/recall",
    response_model=told.Recall,
    responses=fails(NotAllowed),
    summary="What answers a question",
)
def recall(
    memory: Reading,
    person: Person,
    subjects: Subjects,
    query: Annotated[str, Query(min_length=1, max_length=LONGEST_HELD, examples=["which theme?"])],
    as_of: Then = None,
) -> dict[str, Any]:
    """The few live facts that answer, and what was said of it, with the reasons; nothing when nothing does. It is only
    looked at: no receipt is stored. Turns of the log are brought with the session alone."""
    if as_of is not None:
        of_a_person(person)
    found = memory.recall(
        query, subjects=subjects, as_of=as_of, turns=0 if person is None else None
    )
    receipt = found.receipt
    return {
        "facts": found.facts,
        "turns": found.turns,
        "text": found.text,
        "tokens": found.tokens,
        "min_trust": found.min_trust,
        "considered": receipt.considered,
        "chosen": receipt.chosen,
        "left_out": receipt.left_out,
    }


@router.get(
    "/standing",
    response_model=told.Standing,
    responses=fails(NotAllowed),
    summary="What is always before a model",
)
def standing(memory: Reading, person: Person, subjects: Subjects, as_of: Then = None) -> Standing:
    """Instructions that a person approved, pinned facts, identity and preferences, within their cap."""
    if as_of is not None:
        of_a_person(person)
    return memory.standing(subjects, as_of=as_of)
