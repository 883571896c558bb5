"""What is heard: drafts from what a user said, in a window's turn or in messages that were brought in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from memoranda.core import Core
from memoranda.errors import UsageError
from memoranda.facts.ledger import remember_many
from memoranda.facts.rows import as_draft, fact_of
from memoranda.gate.draft import listed, micros, name, names, whole
from memoranda.gate.items import LogItem
from memoranda.gate.sentences import project_of
from memoranda.messages import Message
from memoranda.sessions import log
from memoranda.types import Draft, Origin, Outcome
from memoranda.window import without_blocks

MOST_BELIEVED = 50


def are_messages(given: Sequence[Message]) -> tuple[Message, ...]:
    """The messages; `UsageError` says how to make them of what a model's service takes and gives."""
    try:
        return listed("messages", given, Message)
    except UsageError as fault:
        raise UsageError(
            f"{fault}; memoranda.said(role, text) makes one, from_openai in memoranda.messages.openai_chat "
            "and from_anthropic in memoranda.messages.anthropic read those of a service"
        ) from None


async def observe(
    core: Core,
    messages: Sequence[Message],
    *,
    subject: str,
    run: str | None = None,
    session: str | None = None,
    times: Sequence[datetime | None] | None = None,
    first_step: int = 0,
    subjects: Sequence[str] = (),
) -> list[Outcome]:
    """See `Memory.observe`."""
    subject = name("subject", subject)
    project = project_of(names("subjects", subjects))
    run = None if run is None else name("run", run)
    messages, first_step = are_messages(messages), whole("first_step", first_step)
    moments = [micros("times", at) for at in ([None] * len(messages) if times is None else times)]
    if len(moments) != len(messages):
        raise UsageError("times must hold one entry for each message")
    now = core.clock.now()
    if session is not None:
        await log.append(
            core, LogItem(session, subject, tuple(messages), run, times=tuple(moments))
        )
    drafts: list[Draft] = []
    before = await believed(core, subject)
    for n, (message, at) in enumerate(zip(messages, moments, strict=True), first_step):
        when, known = now if at is None else at, [*before, *drafts]
        found = drafts_of(core, message, subject, when, previous=known, project=project)
        source = session and f"session:{session}"
        drafts += [replace(draft, run=run, step=n, source_ref=source) for draft in found]
    return await remember_many(core, drafts) if drafts else []


async def believed(core: Core, subject: str) -> list[Draft]:
    """What holds of a subject, oldest first: "no, Graz" and "I quit" are about something said before."""
    rows = await core.store.rows(
        "believed", tenant=core.tenant, subject=subject, now=core.clock.now(), most=MOST_BELIEVED
    )
    return [as_draft(fact_of(row)) for row in reversed(rows)]


def drafts_of(
    core: Core,
    message: Message,
    subject: str,
    said_at: int,
    previous: Sequence[Draft] = (),
    project: str | None = None,
) -> list[Draft]:
    """What a message says about its subject: only the user's own words, never ours, a tool's or the model's.

    What it says of the project at hand is of the subject `project`.
    """
    if message.role != "user" or message.source is not Origin.USER or message.results:
        return []
    said = without_blocks(message.text)
    # An extractor that knows no projects is asked as before, as long as there is none.
    more = {"project": project} if project else {}
    found = core.extract(said, subject=subject, said_at=said_at, previous=previous, **more)
    return [replace(draft, origin=Origin.USER) for draft in found]
