"""What the gate decides about a draft: refuse, hold or accept, each with named reasons. Pure rules, in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memoranda import attributes
from memoranda.gate.clean import nameable, named, sentence, storable
from memoranda.gate.items import Admission, Refusal
from memoranda.gate.screening import screened
from memoranda.gate.sentences import completed, count_sentences, stands_alone
from memoranda.gate.worth import is_order, unworthy
from memoranda.ports import Screen
from memoranda.settings import Settings
from memoranda.types import TRUST_OF, Draft, Kind, Origin, Trust

LONGEST_HELD = 2000
LONGEST_NAME = 200
MOST_TAGS = 32
# Source references that our own verbs write: what stands behind them is replaced at approval.
RESERVED = ("correct:", "edit:", "forget:")


@dataclass(frozen=True, slots=True)
class Sources:
    """What the facts that a draft is derived from say: their lowest trust, and whether all are known and live."""

    trust: Trust = Trust.OPERATOR
    known: bool = True
    live: bool = True


NO_SOURCES = Sources()


def judge(
    item: Draft,
    settings: Settings,
    screens: Sequence[Screen],
    now: int,
    sources: Sources = NO_SOURCES,
) -> Admission[Draft] | Refusal:
    """The gate's decision on one draft. Screens see every text of it before anything else is weighed."""
    unusable = not all(map(nameable, (item.subject, item.run or "", item.actor or "")))
    item = cleaned(item)
    if is_order(item):  # whatever kind it was given as: nobody's wording makes an order a fact
        item = replace(item, kind=Kind.PROCEDURE)
    if unusable or not item.subject:
        return Refusal(("unusable-name",))
    seen = screened(item, settings.screening, screens)
    if refused := (*refusals(item, settings, now, sources), *seen.refused):
        return Refusal(refused)
    held = (*holds(seen.item, settings, sources), *seen.asked)
    told = held + tuple(note for note in seen.told if held or not note.startswith("flag:"))
    trust = min(TRUST_OF[item.origin], sources.trust)
    return Admission(seen.item, trust, bool(held), told)


def cleaned(item: Draft) -> Draft:
    """The draft with every text safe to keep, its sentence completed with its subject where that was left out."""
    subject = sentence(item.subject)
    text = sentence(item.text)
    if item.origin != Origin.EXTERNAL:
        text = completed(text, subject)
    return replace(
        item,
        text=text,
        subject=subject,
        # A draft made by hand may hold plain strings: a rule that asks `is Origin.MODEL` must not miss "model".
        kind=Kind(item.kind),
        origin=Origin(item.origin),
        attribute=named(item.attribute),
        value=named(item.value),
        tags=tuple(dict.fromkeys(filter(None, (sentence(tag) for tag in item.tags)))),
        quote=None if item.quote is None else storable(item.quote),
        run=named(item.run),
        source_ref=named(item.source_ref),
        durable_reason=named(item.durable_reason),
        actor=named(item.actor),
    )


def refusals(item: Draft, settings: Settings, now: int, sources: Sources) -> Iterable[str]:
    """Why a draft may not be kept at all, whatever the screens say; empty when it may."""
    if item.origin is Origin.MODEL:
        yield "model-origin"
    if not item.text:
        yield "empty"
    if (
        len(item.text) > LONGEST_HELD
        or len(item.quote or "") > LONGEST_HELD
        or _too_long_names(item)
    ):
        yield "too-long"
    if not settings.min_confidence <= item.confidence <= 1:
        yield "low-confidence"
    if item.expires_at is not None and item.expires_at <= now:
        yield "already-expired"
    if not sources.known:
        yield "unknown-source"
    if _borrowed(item):
        yield "reserved-source"
    yield from unworthy(item)


def _borrowed(item: Draft) -> bool:
    """Whether a draft claims to correct a fact that it does not name: at review it would replace that unseen."""
    ref = item.source_ref or ""
    return ref.startswith(RESERVED) and ref.partition(":")[2] != item.replaces


def _names(item: Draft) -> tuple[str | None, ...]:
    return (
        item.subject,
        item.attribute,
        item.value,
        item.run,
        item.source_ref,
        item.durable_reason,
        item.actor,
        *item.tags,
    )


def _too_long_names(item: Draft) -> bool:
    long = any(len(name or "") > LONGEST_NAME for name in _names(item))
    return long or len(item.tags) > MOST_TAGS


def holds(item: Draft, settings: Settings, sources: Sources) -> Iterable[str]:
    """Why a draft must wait for a person; empty when it may be read at once."""
    if item.origin is Origin.EXTERNAL or sources.trust <= Trust.EXTERNAL:
        yield "external-origin"
    if Kind.PROCEDURE in (item.kind, attributes.kind_of(item.attribute or "")):
        yield "procedure"
    if not sources.live:
        yield "source-not-live"
    yield from shape_holds(item.text, settings)


def shape_holds(text: str, settings: Settings) -> Iterable[str]:
    """What is wrong with a sentence as a fact; a person may edit and approve it."""
    if len(text) > settings.fact_characters:
        yield "over-300-characters" if settings.fact_characters == 300 else "over-length"
    if count_sentences(text) > 1:
        yield "several-sentences"
    if not stands_alone(text):
        yield "not-self-contained"
