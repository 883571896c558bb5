"""The session log: append-only, as sent after secrets are replaced, each turn with the receipt of its recall."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime

from memoranda.core import Core, Erased, Looked
from memoranda.gate.admit import admit
from memoranda.gate.clean import storable
from memoranda.gate.draft import name, whole
from memoranda.gate.items import Admission, LogItem
from memoranda.gate.screen.messages import screened_message
from memoranda.gate.screening import named_by_us, taken_out
from memoranda.messages import Message
from memoranda.messages.neutral import from_json, map_texts, texts, to_json
from memoranda.ports import Rescreened, Row, Store, Tx
from memoranda.sessions import turns
from memoranda.types import LoggedMessage, Origin, Outcome, Receipt, Verdict, from_micros

SHORTEST_NEEDLE = 8


async def append(core: Core, item: LogItem) -> Outcome:
    """Offer messages to the gate for the log; with the item's receipt, in one transaction."""
    return await admit(core, item)


async def write_log(core: Core, tx: Tx, admission: Admission[LogItem]) -> Outcome:
    """The writer that the gate calls: append the messages and the receipt of what was recalled for them."""
    item = admission.item
    first = (await tx.rows("next_in_session", tenant=core.tenant, session=item.session))[0][0]
    now = core.clock.now()
    times = item.times or (None,) * len(item.messages)
    for n, (message, at) in enumerate(zip(item.messages, times, strict=True), first):
        row = {
            "session": item.session,
            "n": n,
            "run": item.run,
            "step": item.step,
            "role": message.role,
            "origin": message.source,
            "subject": item.subject,
            "at": now if at is None else at,
        }
        await tx.run("add_message", tenant=core.tenant, body=_body(message), **row)
        await turns.add_turn(core, tx, row, message)
    if item.receipt:
        # What an agent looked up by itself was for no message, and must not be told of the one before.
        last = first + len(item.messages) - 1 if item.messages else None
        await write_receipt(
            core, tx, item.receipt, session=item.session, run=item.run, message=last
        )
    return Outcome(Verdict.ACCEPTED, f"{item.session}#{first}")


async def write_receipt(
    core: Core,
    tx: Tx,
    receipt: Receipt,
    *,
    session: str | None,
    run: str | None,
    message: int | None,
) -> None:
    """Store what was recalled, by id: chosen with scores, left out with reasons."""
    await tx.run(
        "add_receipt",
        tenant=core.tenant,
        id=receipt.id,
        session=session,
        run=run,
        at=core.clock.now(),
        subjects=json.dumps(receipt.subjects, ensure_ascii=False),
        considered=receipt.considered,
        tokens=receipt.tokens,
        message=message,
    )
    chosen = [(found.id, 1, found.score, None) for found in receipt.chosen]
    left = [(found.id, 0, found.score, found.reason) for found in receipt.left_out]
    names = ("fact_id", "chosen", "score", "reason")
    rows = [
        {"tenant": core.tenant, "receipt": receipt.id, **dict(zip(names, row, strict=True))}
        for row in chosen + left
    ]
    await tx.run_many("add_receipt_fact", rows)


async def read(core: Core, session: str, *, limit: int | None = None) -> list[LoggedMessage]:
    """See `Memory.log`."""
    session = name("session", session)
    if limit is None:
        rows = await core.store.rows("session_messages", tenant=core.tenant, session=session)
    else:
        most = whole("limit", limit)
        rows = await core.store.rows(
            "last_messages", tenant=core.tenant, session=session, most=most
        )
        rows.reverse()
    return [logged_of(row) for row in rows]


async def logged(core: Core, session: str, step: int, subject: str) -> list[LoggedMessage]:
    """What was logged of one step of a session with this subject."""
    rows = await core.store.rows(
        "step_messages", tenant=core.tenant, session=name("session", session), step=step
    )
    return [entry for entry in map(logged_of, rows) if entry.subject == subject]


def logged_of(row: Row) -> LoggedMessage:
    """The message of a row of the log."""
    session, n, run, step, role, origin, subject, at, body = row
    return LoggedMessage(
        session, n, run, step, role, Origin(origin), subject, from_micros(at), json.loads(body)
    )


def _body(message: Message) -> str:
    """The message as it is stored. Ids are passed over by screens, so half characters may still be in there."""
    return storable(json.dumps(to_json(message), ensure_ascii=False, separators=(",", ":")))


def message_of(logged: LoggedMessage) -> Message:
    """The message that was logged."""
    return from_json(dict(logged.body))


async def of_subject(core: Core, subject: str) -> tuple[LoggedMessage, ...]:
    """All that was said with a subject, as it was logged and without what is known for a secret by now."""
    subject = name("subject", subject)
    rows = await core.store.rows("export_messages", tenant=core.tenant, subject=subject)
    found = []
    for logged in map(logged_of, rows):
        message = screened_message(message_of(logged), core.screens)
        found.append(replace(logged, body=to_json(message)))
    return tuple(found)


async def sessions(core: Core) -> list[tuple[str, int, datetime]]:
    """See `Memory.sessions`."""
    rows = await core.store.rows("sessions", tenant=core.tenant)
    return [(session, count, from_micros(last)) for session, count, last in rows]


# What the log holds of a fact


async def wipe_log(core: Core, tx: Tx, erased: Erased) -> int:
    """Replace every wording of the erased facts: in the messages of their subjects, and where they were said."""
    if not (erased.needles or erased.answers):
        return 0
    cleaned = 0
    for (session, n), (*_, body) in sorted((await _near(core, tx, erased)).items()):
        message = from_json(json.loads(body))
        without = map_texts(message, erased.without)
        if without != message:
            cleaned += await _rewritten(core, tx, session, n, without)
    return cleaned


async def _rewritten(core: Core, tx: Tx, session: str, n: int, message: Message) -> int:
    """Give a message its new text. The vectors made of the old one go, and those of its neighbours, which may hold
    some of it."""
    for near in (n - 1, n, n + 1):
        item = turns.item_of((session, near))
        await tx.run("drop_item_vectors", tenant=core.tenant, place="turn", item=item)
    done = await tx.run(
        "rewrite_message", tenant=core.tenant, session=session, n=n, body=_body(message)
    )
    await turns.renew_turn(core, tx, session, n)
    return done


async def _near(core: Core, source: Store | Tx, erased: Erased) -> dict[tuple[str, int], Row]:
    """The messages of the subjects, the runs and the sessions of what was erased, each once: run, step and body."""
    wanted = [
        *(("messages_of_subject", {"subject": subject}) for subject in erased.subjects),
        *(("messages_of_run", {"run": run}) for run in erased.runs),
        *(("messages_of_session", {"session": session}) for session in erased.sessions),
    ]
    found = {}
    for query, params in wanted:
        for session, n, *rest in await source.rows(query, tenant=core.tenant, **params):
            found[session, n] = tuple(rest)
    return found


async def similar_messages(core: Core, erased: Erased) -> list[str]:
    """The messages (`session#n`) of the same subjects, runs and sessions that may say the same in other words."""
    found = []
    for (session, n), (*_, body) in sorted((await _near(core, core.store, erased)).items()):
        if any(map(erased.resembles, _texts(from_json(json.loads(body))))):
            found.append(f"{session}#{n}")
    return found


def _texts(message: Message) -> list[str]:
    """Every string of a message that a person could read."""
    found: list[str] = []

    def note(text: str) -> str:
        found.append(text)
        return text

    map_texts(message, note)
    return found


async def wipe_turns(core: Core, tx: Tx, erased: Erased) -> int:
    """The turns that may say the same in other words, and those of the steps it was said in: their messages stay, for a
    person to look at (`similar`), and are recalled no more."""
    dropped = 0
    for (session, n), (run, step, body) in sorted((await _near(core, tx, erased)).items()):
        message = from_json(json.loads(body))
        again = erased.taken.brings_back(run, step, turns.terms_in(message))
        if again or any(map(erased.resembles, _texts(message))):
            dropped += await turns.drop(core, tx, session, n)
    return dropped


async def wipe_receipts(core: Core, tx: Tx, erased: Erased) -> int:
    """The lines of receipts that name an erased fact."""
    removed = 0
    for fact_id in erased.ids:
        removed += await tx.run("erase_receipt_facts", tenant=core.tenant, id=fact_id)
    return removed


ERASABLE = {"session_log": wipe_log, "turns": wipe_turns, "receipt_facts": wipe_receipts}
SIMILAR = {"session_log": similar_messages}


# What the present rules would not have kept of it


async def rescreen_log(core: Core, dry_run: bool) -> Looked:
    """Messages of the log: what would be replaced now gives way to placeholders. Names are left to a person."""
    found: list[Rescreened] = []
    needles: dict[str, None] = {}
    left, looked = [], 0
    for session, *_ in await core.store.rows("sessions", tenant=core.tenant):
        rows = await core.store.rows("session_messages", tenant=core.tenant, session=session)
        looked += len(rows)
        for row in rows:
            found += await _rescreened(core, row, needles, dry_run=dry_run)
        names = {session, *(row[6] for row in rows), *(row[2] or "" for row in rows)}
        names = {named_by_us(text) for text in names}
        if any(taken_out(text, core.screens, core.settings.screening) for text in names):
            left.append("the name of a session, a run or a subject in the log: erase that subject")
    return Looked(tuple(found), looked, tuple(needles), tuple(left[:1]))


async def _rescreened(
    core: Core, row: Row, needles: dict[str, None], *, dry_run: bool
) -> list[Rescreened]:
    session, n, *_, subject, _, body = row
    message = from_json(json.loads(body))
    policy = core.settings.screening
    clean = screened_message(message, core.screens, policy)
    if clean == message:
        return []
    rules = []
    for text in texts(message):
        for finding in taken_out(text, core.screens, policy):
            rules.append(f"{finding.group}:{finding.rule}")
            value = text[finding.start : finding.end]
            if finding.group == "secret" and len(value) >= SHORTEST_NEEDLE:
                needles[value] = None
    if not dry_run:
        await _rewrite(core, session, n, subject, clean)
    return [Rescreened("log", f"{session}#{n}", rules[0] if rules else "secret", "replaced")]


async def _rewrite(core: Core, session: str, n: int, subject: str, message: Message) -> None:
    async def body(tx: Tx) -> None:
        await tx.rows("bump_subject", tenant=core.tenant, subject=subject)
        await _rewritten(core, tx, session, n, message)

    await core.store.atomic(body)


RESCREENS = {"log": rescreen_log}


# Upkeep


async def forget_old(core: Core) -> int:
    """Apply the log's retention (`log_days`; 0 keeps everything): messages, and receipts of that age."""
    if not core.settings.log_days:
        return 0
    before = core.clock.now() - core.settings.log_days * 86_400_000_000

    async def body(tx: Tx) -> int:
        await tx.run("forget_receipt_facts_before", tenant=core.tenant, before=before)
        receipts = await tx.run("forget_receipts_before", tenant=core.tenant, before=before)
        await turns.forget_turns(core, tx, before)
        messages = await tx.run("forget_messages_before", tenant=core.tenant, before=before)
        if receipts or messages:
            await tx.run("add_operation", **_trimmed(core))
        return messages

    return await core.store.atomic(body)


def _trimmed(core: Core) -> dict[str, str | int | None]:
    """The entry that the log's retention leaves in the operation log."""
    return {
        "tenant": core.tenant,
        "id": core.ids.new("o_"),
        "at": core.clock.now(),
        "actor": "maintenance",
        "verb": "trim",
        "why": f"older than {core.settings.log_days} days",
        "run": None,
        "subject": None,
        "undo_of": None,
    }


MAINTENANCE = {"log-retention": forget_old}
MAINTAINED = {
    "session_log": "log-retention",
    "sessions": "log-retention",
    "receipts": "log-retention",
    "receipt_facts": "log-retention",
}
