"""A model's `remember`: its quote is looked up in the session's log, and origin and trust are taken from there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memoranda.core import Core
from memoranda.gate.admit import admit
from memoranda.gate.draft import draft, name, whole
from memoranda.gate.quotes import find, says, stands_in, words_of
from memoranda.messages import Message
from memoranda.sessions.log import logged, message_of
from memoranda.types import Draft, LoggedMessage, Origin, Outcome, Verdict, to_micros

ACTOR = "model"


async def remember_quoted(
    core: Core,
    text: str,
    *,
    quote: str,
    step: int,
    subject: str,
    session: str | None,
    run: str | None = None,
    shown: Sequence[str] = (),
) -> Outcome:
    """Offer the gate a statement that a model wants kept, as the words of whoever its quote is from.

    Refused: a quote that is not in that step, one from a recalled block (`shown`: the blocks in the window), one in
    the model's own words. Held: without a session to look in, and a statement that says other than its quote.
    """
    subject, step = name("subject", subject), whole("step", step)
    item = replace(draft(text, subject=subject, quote=quote, run=run, step=step), actor=ACTOR)
    if session is None:
        return await admit(core, item, hold=("no-session",))
    said = await logged(core, session, step, subject)
    messages = [message_of(entry) for entry in said]
    found = find(quote, messages)
    if found is None:
        ours = stands_in(quote, [*shown, *map(_all_words, messages)])
        return _refused("recalled-text" if ours else "quote-not-found")
    if found.origin is Origin.MODEL:
        return _refused("model-origin")
    at = said[messages.index(found.message)]
    item = replace(
        item,
        origin=Origin(found.origin),
        source_ref=f"session:{session}",
        observed_at=to_micros(at.at),
    )
    heard = _heard(core, item, at, found.message)
    if heard is not None:
        return await admit(core, heard)
    beyond = () if says(item.text, found.around, subject) else ("beyond-quote",)
    return await admit(core, item, hold=beyond)


def _heard(core: Core, item: Draft, at: LoggedMessage, message: Message) -> Draft | None:
    """The same statement as the extractor reads it out of what the user said: then it has its key."""
    if item.origin is not Origin.USER:
        return None
    for found in core.extract(
        words_of(message), subject=item.subject, said_at=to_micros(at.at), previous=()
    ):
        if says(item.text, found.text, item.subject):
            return replace(
                found,
                origin=Origin.USER,
                run=item.run,
                step=item.step,
                source_ref=item.source_ref,
                observed_at=item.observed_at,
                actor=ACTOR,
            )
    return None


def _all_words(message: Message) -> str:
    return "\n".join(result.text for result in message.results)


def _refused(reason: str) -> Outcome:
    return Outcome(Verdict.REFUSED, None, (reason,))
