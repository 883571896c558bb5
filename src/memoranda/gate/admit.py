"""The one gate. Nothing durable is written except through here, whichever door it came in by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memoranda.attributes import canonical
from memoranda.core import Core
from memoranda.gate.draft import name
from memoranda.gate.files import judge_file
from memoranda.gate.items import Admission, Approval, FileItem, Item, Judged, LogItem, Refusal
from memoranda.gate.policy import NO_SOURCES, Sources, judge, shape_holds
from memoranda.gate.rules import refresh
from memoranda.gate.screen.messages import screened_message
from memoranda.gate.screening import clean_name
from memoranda.messages import Message, Recalled
from memoranda.ports import Tx
from memoranda.types import TRUST_OF, Draft, Kind, Origin, Outcome, Status, Trust, Verdict


async def admit(
    core: Core, item: Item, *, approval: Approval | None = None, hold: Sequence[str] = ()
) -> Outcome:
    """Judge one item of any kind and store it if it may be kept. Returns the verdict with its reasons."""
    return (await admit_all(core, [item], approval=approval, hold=hold))[0]


async def admit_all(
    core: Core,
    items: Sequence[Item],
    *,
    approval: Approval | None = None,
    hold: Sequence[str] = (),
) -> list[Outcome]:
    """Judge many items and store those that may be kept in one transaction; outcomes in the items' order.

    With a person's `approval` a draft need not wait, but what is refused stays refused, and its shape must be right.
    `hold`: reasons of the caller's own why the drafts must wait, whatever the policy says.
    """
    await refresh(core, core.store)
    judged = [_released(core, _held(await _judge(core, item), hold), approval) for item in items]
    admitted = [entry for entry in judged if isinstance(entry, Admission)]
    if not admitted:
        return [_outcome(entry) for entry in judged if isinstance(entry, Refusal)]

    async def body(tx: Tx) -> list[Outcome]:
        # Subjects are bumped in one order by everybody, so that two batches cannot wait for each other.
        for subject in sorted({_ordered_by(entry.item) for entry in admitted}):
            await tx.rows("bump_subject", tenant=core.tenant, subject=subject)
        return await _stored(core, tx, judged)

    return await core.store.atomic(body)


async def admit_within(core: Core, tx: Tx, items: Sequence[FileItem]) -> list[Outcome]:
    """Judge files and store what may be kept inside a transaction that is open already.

    An edit is judged by what it makes of the text that stands there, and only the transaction knows that text.
    """
    await refresh(core, tx)
    return await _stored(
        core, tx, [judge_file(item, core.settings, core.screens) for item in items]
    )


async def _stored(core: Core, tx: Tx, judged: Sequence[Judged]) -> list[Outcome]:
    return [
        await core.writers[type(entry.item)](core, tx, entry)
        if isinstance(entry, Admission)
        else _outcome(entry)
        for entry in judged
    ]


def _ordered_by(item: Item) -> str:
    # Files and messages take turns by themselves, so that neither makes a subject's facts be read anew.
    if isinstance(item, FileItem):
        return f"files of {item.subject}"
    return f"log of {item.subject}" if isinstance(item, LogItem) else item.subject


def _held(judged: Judged, reasons: Sequence[str]) -> Judged:
    if not reasons or isinstance(judged, Refusal):
        return judged
    return replace(judged, hold=True, reasons=(*judged.reasons, *reasons))


def _released(core: Core, judged: Judged, approval: Approval | None) -> Judged:
    if approval is None or isinstance(judged, Refusal) or not isinstance(judged.item, Draft):
        return judged
    if wrong := tuple(shape_holds(judged.item.text, core.settings)):
        return Refusal(wrong)
    return replace(judged, hold=False, reasons=("approved",), approval=approval)


def _outcome(refusal: Refusal) -> Outcome:
    return Outcome(Verdict.REFUSED, None, refusal.reasons)


async def _judge(core: Core, item: Item) -> Judged:
    if isinstance(item, LogItem):
        # A log keeps what was said; only secrets are taken out. It is never refused: a gap would be a lie too.
        messages = tuple(_spoken(message, core) for message in item.messages)
        _check_names(core, item)
        named = replace(
            item,
            messages=messages,
            session=name("session", item.session),
            subject=name("subject", item.subject),
            run=None if item.run is None else name("run", item.run),
        )
        return Admission(named, TRUST_OF[Origin.USER])
    if isinstance(item, FileItem):
        return judge_file(item, core.settings, core.screens)
    sources = await _sources(core, item) if item.derived_from else NO_SOURCES
    judged = judge(item, core.settings, core.screens, core.clock.now(), sources)
    if isinstance(judged, Refusal) or not judged.item.attribute:
        return judged
    # Only now, since a key spelt as a name is no longer what a screen would know.
    attribute = core.attributes.canonical(judged.item.attribute)
    kind = judged.item.kind
    if kind is Kind.FACT and attribute != canonical(judged.item.attribute):
        kind = core.attributes.kind_of(
            attribute
        )  # a user's own alias names the attribute's kind too
    judged = replace(judged, item=replace(judged.item, attribute=attribute or None, kind=kind))
    late = kind is Kind.PROCEDURE and "procedure" not in judged.reasons
    return _held(judged, ("procedure",)) if late else judged


def _spoken(message: Message, core: Core) -> Message:
    """What was said in a message, without secrets. Recalled blocks are ours: their receipt says what they held."""
    spoken = [part for part in message.parts if not isinstance(part, Recalled)]
    return screened_message(message.with_parts(spoken), core.screens, core.settings.screening)


def _check_names(core: Core, item: LogItem) -> None:
    """A name is an identifier: it cannot be half kept, so one that holds a secret is the caller's mistake."""
    names = {"a session's name": item.session, "a subject": item.subject, "a run": item.run or ""}
    for what, text in (*names.items(), *(("a subject", s) for s in _recalled_of(item))):
        clean_name(what, text, core.screens, core.settings.screening)


def _recalled_of(item: LogItem) -> tuple[str, ...]:
    return item.receipt.subjects if item.receipt else ()


async def _sources(core: Core, item: Draft) -> Sources:
    """What the named source facts are worth. Trust of a row never changes, so reading it ahead is safe."""
    rows = [
        await core.store.rows("standing", tenant=core.tenant, id=source)
        for source in item.derived_from
    ]
    found = [row[0] for row in rows if row]
    lowest = min((Trust(trust) for trust, *_ in found), default=Trust.MODEL)
    live = all(status == Status.LIVE for _, status, _ in found)
    return Sources(lowest, len(found) == len(item.derived_from), live)
