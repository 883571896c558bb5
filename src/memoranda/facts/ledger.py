"""Write facts: add, confirm, supersede, correct. The only module that adds rows to `agent_facts`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from memoranda.analysis import same_form, stored_terms
from memoranda.core import Core
from memoranda.errors import NotAllowed
from memoranda.facts.alike import newest, nothing_new, suspected
from memoranda.facts.caps import over_cap
from memoranda.facts.keys import Entry, late_by, named, same_key
from memoranda.facts.lifetimes import DAY, expiry, patience
from memoranda.facts.rows import CORRECTS, Pen, State, as_draft, fact_by_id, pen
from memoranda.facts.supersession import Keyed, Relation
from memoranda.gate.admit import admit, admit_all
from memoranda.gate.draft import listed, string
from memoranda.gate.items import Admission
from memoranda.ports import Tx
from memoranda.types import Draft, Fact, Origin, Outcome, Status, Verdict, to_micros


async def remember(core: Core, item: Draft) -> Outcome:
    """Offer one draft to the gate."""
    return await admit(core, item)


async def remember_many(core: Core, items: Sequence[Draft]) -> list[Outcome]:
    """Offer many drafts to the gate in one transaction."""
    return await admit_all(core, listed("drafts", items, Draft))


async def correct(core: Core, fact_id: str, text: str, *, value: str | None = None) -> Outcome:
    """Replace a live fact by a corrected statement: a new row with the old one's key, said by the operator.

    What is pending is for a reviewer to edit (`NotAllowed`); what is no longer believed has nothing to correct.
    """
    text, value = string("text", text), None if value is None else string("value", value)
    old = await fact_by_id(core.store, core.tenant, fact_id)
    if old.status is not Status.LIVE:
        raise NotAllowed(
            f"fact {fact_id} is {old.status}; only a live fact can be corrected (pending ones: review)"
        )
    item = Draft(
        text=text,
        subject=old.subject,
        kind=old.kind,
        attribute=old.attribute,
        value=value,
        polarity=old.polarity,
        tags=old.tags,
        origin=Origin.OPERATOR,
        source_ref=f"{CORRECTS}{fact_id}",
        durable_reason=old.durable_reason,
        replaces=fact_id,
    )
    return await admit(core, item)


# What was said this long ago was not said just now: it is an import, or a late file.
RECENT = DAY


def digest_of(subject: str, text: str) -> str:
    """What makes two statements the same: the subject, and the text but for case, spaces and the marks at its end."""
    return hashlib.sha256(json.dumps([subject, same_form(text)]).encode()).hexdigest()


# The writer that the gate calls


async def write_fact(core: Core, tx: Tx, admission: Admission[Draft]) -> Outcome:
    """Store an admitted draft: idempotent, confirming, superseding by key. Runs inside the gate's transaction."""
    item = admission.item
    ink = pen(core, tx)
    entry = Entry(
        item,
        admission.trust,
        admission.hold,
        admission.reasons,
        digest_of(item.subject, item.text),
        # Nothing was said later than now: a date ahead would let no later word of the same matter win.
        min(item.observed_at, ink.now) if item.observed_at is not None else ink.now,
        expiry(item, core.settings, ink.now),
        admission.approval.name if admission.approval else None,
    )
    if seen := await _seen(ink, entry):
        return seen
    if lost := await _lost_source(ink, item):
        if lost == "unknown-source":
            return Outcome(Verdict.REFUSED, None, (lost,))
        entry = replace(entry, hold=True, reasons=tuple(dict.fromkeys((*entry.reasons, lost))))
    known = await _known(ink, item.subject, entry.digest)
    outcome = await _said_before(ink, entry, known) or await _new(ink, entry, _live(ink, known))
    await _note(ink, entry, outcome)
    return outcome


async def _seen(ink: Pen, entry: Entry) -> Outcome | None:
    """The answer that this step's statement had before: a retry, or a file read in again."""
    item = entry.item
    if item.run is None or item.step is None:
        return None
    key = {"run": item.run, "step": item.step, "digest": entry.digest}
    found = await ink.tx.rows("sighting", tenant=ink.core.tenant, **key)
    return _repeat(entry, *found[0]) if found else None


async def _lost_source(ink: Pen, item: Draft) -> str:
    """Why a derived statement may not be read after all: a source was taken back or erased since the gate looked."""
    found = [
        await ink.tx.rows("standing", tenant=ink.core.tenant, id=source)
        for source in item.derived_from
    ]
    if not all(found):
        return "unknown-source"
    live = all(status == Status.LIVE for [(_, status, _)] in found)
    return "" if live else "source-not-live"


async def _note(ink: Pen, entry: Entry, outcome: Outcome) -> None:
    item = entry.item
    if item.run is not None and item.step is not None and outcome.id:
        key = {"run": item.run, "step": item.step, "digest": entry.digest}
        await ink.tx.run("add_sighting", tenant=ink.core.tenant, fact_id=outcome.id, **key)


class Known(NamedTuple):
    """A row that says the same of the same subject (the columns of the query `same_statement`)."""

    id: str
    status: str
    trust: int
    expires_at: int | None
    created_at: int
    observed_at: int


async def twins(ink: Pen, subject: str, digest: str) -> list[str]:
    """The ids of the rows of a subject that say the same and can be recalled."""
    return [row.id for row in _live(ink, await _known(ink, subject, digest))]


async def _known(ink: Pen, subject: str, digest: str) -> list[Known]:
    rows = await ink.tx.rows(
        "same_statement", tenant=ink.core.tenant, subject=subject, digest=digest
    )
    return [Known(*row) for row in rows]


def _live(ink: Pen, known: Sequence[Known]) -> list[Known]:
    return [
        row
        for row in known
        if row.status == Status.LIVE and (row.expires_at is None or row.expires_at > ink.now)
    ]


async def _said_before(ink: Pen, entry: Entry, known: Sequence[Known]) -> Outcome | None:
    """The same statement already stands there, live or waiting."""
    if entry.item.replaces:
        return None
    for row in _live(ink, known):
        if entry.hold:
            return Outcome(Verdict.CONFIRMED, row.id, ("already-known",))
        return await _again(ink, entry, row, (row.id,))
    patient = ink.now - patience(ink.core.settings)
    waiting = [row.id for row in known if row.status == Status.PENDING and row.created_at > patient]
    if waiting and entry.hold:
        return Outcome(Verdict.HELD, waiting[0], (*entry.reasons, "already-pending"))
    return None


def _repeat(entry: Entry, fact_id: str, status: str) -> Outcome:
    """A retry of the same step: the answer it had. What was taken back since is not brought back by a retry."""
    if status == Status.PENDING:
        return Outcome(Verdict.HELD, fact_id, (*entry.reasons, "same-step"))
    if status in (Status.RETIRED, Status.REJECTED):
        return Outcome(Verdict.REFUSED, None, ("same-step", f"already-{status}"))
    reasons = ("same-step",) if status == Status.LIVE else ("same-step", f"already-{status}")
    return Outcome(Verdict.CONFIRMED, fact_id, reasons)


async def _again(ink: Pen, entry: Entry, row: Known | Keyed, replaced: tuple[str, ...]) -> Outcome:
    """The same value of the same attribute. Said later, but long ago (an import), it takes a row of its own.

    Else what was said between the two and arrives after them would win: a row keeps the time it was first said.
    """
    old = entry.observed_at < ink.now - RECENT
    if (
        entry.item.attribute
        and old
        and row.observed_at < entry.observed_at
        and row.trust <= entry.trust
    ):
        return await _add(ink, entry, replaced=replaced)
    return await _confirm(ink, entry, row.id, row.trust)


async def _confirm(ink: Pen, entry: Entry, fact_id: str, trust: int) -> Outcome:
    """Said again: the same or a higher trust gives the fact a new lease, a lower one changes nothing.

    Said again for good, it takes a new row: the reason why it never expires is part of what does not change.
    """
    state = await ink.state(fact_id)
    if entry.trust < trust or state.expires_at is None:
        return Outcome(Verdict.CONFIRMED, fact_id, ("already-known",))
    if entry.expires_at is None:
        return await _add(ink, entry, replaced=(fact_id,))
    if entry.expires_at <= state.expires_at:
        return Outcome(Verdict.CONFIRMED, fact_id, ("already-known",))
    verb = "renew" if entry.observed_at < ink.now - RECENT else "confirm"
    await ink.sign(verb, run=entry.item.run, subject=entry.item.subject, actor=entry.item.actor)
    await ink.change(fact_id, entry.item.subject, state.but(expires_at=entry.expires_at))
    return Outcome(Verdict.CONFIRMED, fact_id, ("said-again",), ink.operation)


async def _new(ink: Pen, entry: Entry, twins: Sequence[Known]) -> Outcome:
    """What was not said before: counted, compared with what is believed, and added."""
    item = entry.item
    if reason := await over_cap(ink, item, entry.trust, hold=entry.hold):
        return Outcome(Verdict.REFUSED, None, (reason,))
    if not (item.attribute or item.replaces or entry.hold or entry.approved_by):
        rows = await newest(ink, item.subject)
        if (same := nothing_new(item, rows)) and not item.durable_reason:
            outcome = await _confirm(ink, entry, same.id, same.trust)
            return replace(outcome, reasons=("near-duplicate", *outcome.reasons))
        if against := suspected(ink.core, item, rows):
            # Without a key nothing is replaced: it waits, and says which fact it would replace.
            item = replace(item, source_ref=f"{CORRECTS}{against.id}", replaces=against.id)
            reasons = (*entry.reasons, f"may-contradict:{against.id}")
            entry = replace(entry, item=item, hold=True, reasons=reasons)
    return await _keyed(ink, entry, twins)


async def _keyed(ink: Pen, entry: Entry, twins: Sequence[Known]) -> Outcome:
    """Add the row; what it replaces is closed in the same transaction, unless it only waits."""
    keyed = await same_key(ink, entry)
    corrected = await named(ink, entry)
    same = keyed.get(Relation.SAME)
    if same and not entry.hold and not entry.item.replaces:
        return await _again(ink, entry, same[0], ())
    if Relation.WEAKER in keyed or (corrected and entry.trust < corrected[0][1]):
        reasons = (*entry.reasons, "conflicts-with-higher-trust")
        entry = replace(entry, hold=True, reasons=reasons)
    if entry.hold:
        return await _add(ink, entry)
    # A correction also takes the place of what says the same as it does.
    alike = [*keyed.get(Relation.SAME, ())] if entry.item.replaces else []
    replaced = [
        *(row.id for row in (*keyed.get(Relation.REPLACES, ()), *alike)),
        *(fact_id for fact_id, _ in corrected),
        *(row.id for row in twins if row.trust <= entry.trust),
    ]
    late = await late_by(ink, entry, keyed)
    return await _add(ink, entry, replaced=tuple(dict.fromkeys(replaced)), late=late)


async def _add(
    ink: Pen, entry: Entry, *, replaced: tuple[str, ...] = (), late: str | None = None
) -> Outcome:
    item, core = entry.item, ink.core
    fact_id = core.ids.new("f_")
    state = State(
        status=Status.PENDING if entry.hold else Status.SUPERSEDED if late else Status.LIVE,
        expires_at=entry.expires_at,
        superseded_by=late,
        superseded_at=ink.now if late else None,
        approved_by=entry.approved_by,
        approved_at=ink.now if entry.approved_by else None,
    )
    await ink.sign(
        "approve" if entry.approved_by else "correct" if item.replaces else "remember",
        why=", ".join(entry.reasons) if entry.hold else None,
        run=item.run,
        subject=item.subject,
        actor=item.actor,
    )
    await ink.tx.run("add_fact", **_row(core, entry, fact_id, ink.now), **state.columns())
    await ink.log(fact_id, await ink.bump(item.subject), state)
    await supersede(ink, item.subject, replaced, fact_id)
    if entry.approved_by and item.replaces:
        await _give_way(ink, item.replaces, item.subject, fact_id)
    verdict = Verdict.HELD if entry.hold else Verdict.ACCEPTED
    reasons = (*entry.reasons, *(("older-than-current",) if late else ()))
    return Outcome(verdict, fact_id, reasons, ink.operation, replaced, item.text)


async def rivals(ink: Pen, fact: Fact) -> list[str]:
    """The live rows that cannot hold beside this one: other values of its attribute."""
    said = to_micros(fact.observed_at)
    entry = Entry(as_draft(fact), fact.trust, False, (), fact.digest, said, None)
    keyed = await same_key(ink, entry)
    clashing = (Relation.REPLACES, Relation.LATE, Relation.WEAKER)
    return [row.id for kind in clashing for row in keyed.get(kind, ()) if row.id != fact.id]


async def _give_way(ink: Pen, held: str, subject: str, edited: str) -> None:
    """A held row whose edited wording was approved is turned down in favour of it."""
    await _finish_correction(ink, held, subject, edited)
    state = await ink.state(held)
    if state.status != Status.PENDING:
        raise NotAllowed(f"fact {held} is {state.status}, it does not wait for a decision")
    # The pointer is for erasure and the trace: one is an earlier version of the other.
    await ink.change(
        held,
        subject,
        state.but(
            status=Status.REJECTED,
            superseded_by=edited,
            superseded_at=ink.now,
            retired_at=ink.now,
            retired_why="edited and approved",
        ),
    )


async def _finish_correction(ink: Pen, held: str, subject: str, edited: str) -> None:
    """What the held row would have corrected gives way too."""
    corrected = as_draft(await fact_by_id(ink.tx, ink.core.tenant, held)).replaces
    found = await ink.tx.rows("standing", tenant=ink.core.tenant, id=corrected or "")
    if corrected and [status for _, status, _ in found] == [Status.LIVE]:
        await supersede(ink, subject, [corrected], edited)


async def supersede(ink: Pen, subject: str, replaced: Sequence[str], by: str) -> None:
    """Close live rows in favour of another."""
    for old in replaced:
        state = await ink.state(old)
        await ink.change(
            old,
            subject,
            state.but(status=Status.SUPERSEDED, superseded_by=by, superseded_at=ink.now),
        )


def _row(core: Core, entry: Entry, fact_id: str, now: int) -> dict[str, Any]:
    """The columns of a new row that never change again."""
    item = entry.item
    tags = json.dumps(item.tags, ensure_ascii=False)
    return {
        "tenant": core.tenant,
        "id": fact_id,
        "subject": item.subject,
        "fact": item.text,
        "kind": item.kind,
        "attribute": item.attribute,
        "value": item.value,
        "polarity": int(item.polarity and not item.ends),
        "tags": tags,
        "source_run": item.run,
        "source_step": item.step,
        "origin": item.origin,
        "source_ref": item.source_ref,
        "quote": item.quote,
        "derived_from": json.dumps(item.derived_from),
        "trust": int(entry.trust),
        "confidence": item.confidence,
        "created_at": now,
        "observed_at": entry.observed_at,
        "digest": entry.digest,
        "durable_reason": item.durable_reason,
        "terms": terms_of(core, item.text, tags, item.attribute, item.value),
    }


def terms_of(core: Core, text: str, tags: str, attribute: str | None, value: str | None) -> str:
    """What a row is found by; `tags` as the row holds them."""
    more = (value or "", *core.attributes.search_words(attribute)) if attribute else ()
    return stored_terms(text, json.loads(tags), more)
