"""What stands in the window that is trusted less than the user's words, item by item. Pure.

Origin, not wording, makes an item a cause: a recalled or pinned fact below the user's trust, and any message of
external origin. What a trusted tool returns is no cause, for its integrator vouches that no stranger writes there.
An answer of the model that was written while a cause stood in the window is one too, for as long as the answer
stands: what it repeats must not turn into its own idea when the cause is compacted away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from memoranda.messages import Recalled
from memoranda.types import TRUST_OF, Origin, Trust
from memoranda.window.buffer import Buffer
from memoranda.window.shown import shown_ids
from memoranda.window.slot import Slot


@dataclass(frozen=True, slots=True)
class Cause:
    """One thing in the window that is trusted less than the user's words.

    what: `fact` (recalled or pinned; `id`), `result` (of the tool `name`), `message` (said by somebody else), or
    `answer` (the model's own, written while one of these stood there), `note` (the window's notes of such a thing
    after it was left out), `scratchpad` (written under one), or `file` (a marked one was viewed). step: where it
    stands.
    """

    what: str
    trust: Trust
    step: int | None = None
    id: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Taint:
    """How far what the model sees now can be trusted: as far as the least trusted thing in it.

    causes: everything in the window below the user's trust. None of it is an order, whatever it says; what leaves
    the window leaves this.
    """

    trust: Trust = Trust.USER
    causes: tuple[Cause, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.causes)


def taint_of(
    buffer: Buffer,
    standing: Recalled | None,
    trusts: Mapping[str, Trust],
    under: Mapping[int, Trust],
    nonce: str,
) -> Taint:
    """The taint of a window. `trusts`: of each fact shown, by id (one unknown counts as external). `under`: the
    trust of what stood there when an answer was written, by the answer's number.
    """
    causes = (
        *_standing(standing, trusts),
        *direct(buffer, trusts, nonce),
        *_answers(buffer, under),
    )
    return Taint(min((cause.trust for cause in causes), default=Trust.USER), causes)


def direct(buffer: Buffer, trusts: Mapping[str, Trust], nonce: str) -> Iterator[Cause]:
    """The causes in the buffer but for the model's answers."""
    for slot in buffer.slots:
        yield from _foreign(slot)
        yield from _facts(shown_ids(slot.message, nonce), trusts, slot.step)
    for step in sorted({item.step for item in buffer.notes.chosen if item.foreign}):
        yield Cause("note", Trust.EXTERNAL, step)


def answers_under(buffer: Buffer) -> dict[int, Trust]:
    """For a session that is continued: what stood before each answer, as far as its messages tell."""
    lowest, under = Trust.USER, {}
    for slot in buffer.slots:
        if slot.message.role == "assistant" and lowest < Trust.USER:
            under[slot.n] = lowest
        lowest = min([lowest, *(cause.trust for cause in _foreign(slot))])
    return under


def _standing(block: Recalled | None, trusts: Mapping[str, Trust]) -> Iterator[Cause]:
    yield from _facts(block.facts if block else (), trusts, None)


def _facts(ids: Iterable[str], trusts: Mapping[str, Trust], step: int | None) -> Iterator[Cause]:
    for fact_id in ids:
        trust = trusts.get(fact_id, Trust.EXTERNAL)
        if trust < Trust.USER:
            yield Cause("fact", trust, step, fact_id)


def _foreign(slot: Slot) -> Iterator[Cause]:
    """A message of external origin. The answer that the window itself gives to an interrupted call is none."""
    message = slot.message
    # Some providers send results as the user's: that makes them nobody's words, unless code says whose they are.
    unsaid = message.origin is None and bool(message.results)
    trust = Trust.EXTERNAL if unsaid else TRUST_OF[Origin(message.source)]
    made_by_us = slot.made and message.role == "tool"
    # What a tool gives back of the model's own notes is the model's word, as an answer is.
    if message.role == "assistant" or made_by_us or trust != Trust.EXTERNAL:
        return
    if not message.results:
        yield Cause("message", trust, slot.step)
    for result in message.results:
        yield Cause("result", trust, slot.step, name=result.name)


def _answers(buffer: Buffer, under: Mapping[int, Trust]) -> Iterator[Cause]:
    for slot in buffer.slots:
        if slot.n in under:
            yield Cause("answer", under[slot.n], slot.step)
    for n, step in sorted({(item.n, item.step) for item in buffer.notes.chosen if item.n in under}):
        yield Cause("note", under[n], step)
