"""The life of a turn: recall, build, log, and at its end the gate. Flows over the window, the facts and the log."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from memoranda.core import Core, fresh_nonce
from memoranda.errors import UsageError
from memoranda.facts.ledger import remember_many
from memoranda.facts.standing import PINNED, naming, standing, still_pinned
from memoranda.files import starting
from memoranda.files.desk import Desk, Who
from memoranda.gate.draft import name, names, string, whole
from memoranda.gate.items import LogItem
from memoranda.gate.sentences import project_of
from memoranda.hearing import are_messages, believed, drafts_of
from memoranda.messages import Message, Recalled, said
from memoranda.ports import Model, PlanSource, Request, ToolSpec, Usage
from memoranda.recall.flow import Wants, recall
from memoranda.recall.said import holds, shown_again
from memoranda.sessions import log, reopen
from memoranda.sessions.plan import plan_block
from memoranda.types import (
    Draft,
    Fact,
    Kind,
    Outcome,
    Recall,
    RecalledTurn,
    Receipt,
    Trust,
    WindowSummary,
)
from memoranda.window import (
    Buffer,
    Built,
    Cause,
    Compaction,
    Policy,
    Taint,
    TokenBudget,
    answers_under,
    compose,
    direct,
    ids_in_window,
    render_recalled,
    render_scratch,
    taint_of,
    with_recalled,
    without_answers,
    without_facts,
)
from memoranda.window.compact import with_items
from memoranda.window.passes import Caps, cut_message
from memoranda.window.policy import OnlyWhenOver
from memoranda.window.summary import SummaryRefused, judged, summary_request
from memoranda.window.tokens import Calibration

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Keeping:
    """How a window is kept small, and what stands in it all the same.

    policy: when it is compacted, and what that leaves. plan: names of files that are read from `source` at the start
    and anew after each compaction. summariser: a model that adds to the notes of a compaction. desk: files whose rules
    stand before the conversation; with `project` it begins with what their project says, read anew likewise.
    """

    policy: Policy = field(default_factory=TokenBudget)
    plan: Sequence[str] = ()
    source: PlanSource | None = None
    summariser: Model | None = None
    desk: Desk | None = None
    project: bool = False


@dataclass(slots=True)
class Turns:
    """The state of one window over a session. Faces and the agent hold it; only the flows here change it.

    heard: what the user said since the gate was last asked, with its step and time. compactions: their records,
    oldest first. recalled: what the last user text brought back. files: the plan files as they are shown. scratch:
    the run's scratchpad as it is; `pad` as it is shown. sent: when the last request was made (0: never). held: a
    summary failed, so the history stays until the budget is used up. trusts: of each fact that was shown; stood: why
    it is in the standing block; told: which of those a receipt names. under: the least trust that stood in the window
    when an answer was written, by the answer's number. noted: the least trust that stood there when a line of the
    scratchpad was written. calibration: what usage reports say of our estimate; asked: the estimate of the last
    request. desks: files that are viewed from within this window.
    """

    session: str
    subject: str
    subjects: tuple[str, ...]
    budget: int
    system: str
    run: str
    buffer: Buffer
    nonce: str
    keeping: Keeping = field(default_factory=Keeping)
    standing: Recalled | None = None
    recalled: Recall | None = None
    heard: list[tuple[Message, int, int]] = field(default_factory=list)
    compactions: list[Compaction] = field(default_factory=list)
    files: Recalled | None = None
    scratch: str = ""
    pad: Recalled | None = None
    sent: int = 0
    held: bool = False
    calibration: Calibration = field(default_factory=Calibration)
    asked: int = 0
    noted: Trust = Trust.USER
    trusts: dict[str, Trust] = field(default_factory=dict)
    stood: dict[str, str] = field(default_factory=dict)
    told: frozenset[str] = frozenset()
    under: dict[int, Trust] = field(default_factory=dict)
    desks: list[Desk] = field(default_factory=list)

    @property
    def limit(self) -> int:
        """The budget in our own estimate: smaller where the provider counts more than we do. Never larger."""
        fits = (self.budget - self.calibration.base) / self.calibration.ratio
        return self.budget if fits >= self.budget else max(self.budget // 2, int(fits))

    @property
    def taint(self) -> Taint:
        """How far what the model sees now can be trusted, and what makes it so."""
        found = taint_of(self.buffer, self.standing, self.trusts, self.under, self.nonce)
        more: list[Cause] = []
        if self.scratch and self.noted < Trust.USER:
            more.append(Cause("scratchpad", self.noted))
        if any(desk.seen for desk in self.desks):
            more.append(Cause("file", Trust.EXTERNAL))
        if not more:
            return found
        causes = (*found.causes, *more)
        return Taint(min(cause.trust for cause in causes), causes)


async def open_turns(
    core: Core,
    *,
    session: str,
    subject: str,
    budget: int | None = None,
    system: str = "",
    run: str | None = None,
    subjects: Sequence[str] = (),
    keeping: Keeping | None = None,
) -> Turns:
    """See `Memory.window`. Old recalled blocks are not brought back: the cache is cold, and facts change."""
    session, subject = name("session", session), name("subject", subject)
    about = tuple(dict.fromkeys((subject, *names("subjects", subjects))))
    history = map(reopen.without_old_blocks, await reopen.history(core, session, about))
    state = Turns(
        session=session,
        subject=subject,
        subjects=about,
        budget=core.settings.window_budget if budget is None else whole("budget", budget),
        system=string("system", system),
        run=core.ids.new("run_") if run is None else name("run", run),
        buffer=Buffer.of((_entering(core, m) for m in history), core.counter),
        nonce=fresh_nonce(core),
        keeping=keeping or Keeping(),
    )
    state.under = answers_under(state.buffer)
    state.desks += [state.keeping.desk] if state.keeping.desk else []
    state.standing = await standing_block(core, state)
    state.files = await _plan_block(core, state, opening=True)
    return state


async def build(
    core: Core,
    state: Turns,
    user_text: str | None,
    *,
    tools: Sequence[ToolSpec] = (),
    max_tokens: int = 1024,
) -> Request:
    """See `Window.build`. Nothing is logged or changed when the request cannot be built."""
    buffer, taken_back = await _without_taken_back(core, state)
    recalled, message = None, None
    if user_text is not None:
        recalled, message = await _heard(core, state, buffer, user_text)
        buffer = buffer.append(message)
    built, standing = await _compose(core, state, buffer, tools, refresh=taken_back)
    if message is not None and recalled is not None:
        fresh = frozenset(standing.facts if standing else ()) - state.told
        receipt = naming(recalled.receipt, sorted(fresh))
        await _log(core, state, message, buffer.step, receipt=receipt)
        state.told |= fresh
        state.heard.append((message, buffer.step, core.clock.now()))
        state.recalled = recalled
    state.buffer, state.standing, state.sent = built.buffer, standing, core.clock.now()
    state.asked = built.tokens
    if built.compaction:
        state.compactions.append(built.compaction)
    return built.request(max_tokens)


def report(state: Turns, usage: Usage) -> None:
    """Take note of what the provider counted for the last request: the next estimates lean on it."""
    parts = usage.cache_read or 0, usage.cache_write or 0
    if usage.input is None:
        return
    # Some services count what was cached into the input, others beside it.
    whole_input = usage.input if usage.input >= sum(parts) else usage.input + sum(parts)
    state.calibration = state.calibration.learn(state.asked, whole_input)


async def _heard(
    core: Core, state: Turns, buffer: Buffer, user_text: str
) -> tuple[Recall, Message]:
    """What the user said, with the block of what it brings back; what is in the window is not brought again."""
    standing = frozenset(state.standing.facts) if state.standing else frozenset()
    recalled = await recall(
        core,
        user_text,
        state.subjects,
        Wants(skip=ids_in_window(buffer, state.nonce) | standing, session=state.session),
    )
    state.trusts.update(recalled.trusts)
    ids = tuple(recalled.trusts)
    block = Recalled(recalled.text, ids, recalled.receipt.id) if ids else None
    return recalled, with_recalled(said("user", user_text), block)


async def _compose(
    core: Core, state: Turns, buffer: Buffer, tools: Sequence[ToolSpec], *, refresh: bool
) -> tuple[Built, Recalled | None]:
    """The request and the standing block in it, which is written anew only where the prefix is paid for anyway."""

    def composed(
        standing: Recalled | None,
        buffer: Buffer,
        policy: Policy = state.keeping.policy,
        cold: bool = False,
    ) -> Built:
        return compose(
            state.system,
            standing,
            buffer,
            state.limit,
            policy=policy,
            tools=tools,
            plan=state.files,
            scratch=state.pad,
            cold=cold,
        )

    standing = await standing_block(core, state) if refresh else state.standing
    cold = bool(state.sent) and _age(core, state) > core.settings.cache_seconds
    built = composed(
        standing,
        buffer,
        OnlyWhenOver(state.keeping.policy) if state.held else state.keeping.policy,
        cold,
    )
    if built.compaction is None:
        return built, standing
    record, after = await summarise(core, state, buffer, built)
    if after is None:  # the summary failed: what still fits stays as it is
        held = composed(standing, buffer, OnlyWhenOver(state.keeping.policy))
        if held.compaction is None:
            state.compactions.append(replace(record, after=record.before, rewritten=0, dropped=()))
            return held, standing
        after = built.buffer
    fresh = await standing_block(core, state)
    files, pad = await _plan_block(core, state), _scratch_block(state)
    if (fresh, files, pad) == (standing, state.files, state.pad) and after is built.buffer:
        return replace(built, compaction=record), standing
    state.files, state.pad = files, pad
    again = composed(fresh, after)
    return replace(again, compaction=replace(record, after=again.tokens)), fresh


def _age(core: Core, state: Turns) -> float:
    return (core.clock.now() - state.sent) / 1_000_000


async def summarise(
    core: Core, state: Turns, before: Buffer, built: Built
) -> tuple[Compaction, Buffer | None]:
    """The record and the buffer with what a model adds to the notes; None for the buffer: the model failed.

    Whatever the model does (refuses, is late, answers with nothing or with garbage, raises), nothing is lost: the
    notes by code stand, and what still fits stays in the window.
    """
    record = built.compaction
    assert record is not None
    left = set(record.dropped)
    if state.keeping.summariser is None or not left or not built.buffer.notes.items:
        return record, built.buffer
    steps = {
        n: [s.whole or s.message for s in slots] for n, slots in before.steps.items() if n in left
    }
    room = built.buffer.tokens + state.budget - built.tokens + built.buffer.notes.tokens
    try:
        reply = await state.keeping.summariser.complete(summary_request(steps, 2 * state.budget))
        found = judged(reply, steps, 1 + len(built.buffer.notes.items))
    except SummaryRefused as refusal:
        why = str(refusal)
    except Exception as error:
        logger.warning("a summary failed: %s", type(error).__name__)
        why = "late" if isinstance(error, TimeoutError) else type(error).__name__
    else:
        state.held = False
        noted = with_items(built.buffer, found.items, state.keeping.policy.how, room)
        return replace(record, summary="model", refused=found.refused), noted
    state.held = not state.held
    return replace(record, summary=f"code (model: {why})"), None


async def _plan_block(core: Core, state: Turns, *, opening: bool = False) -> Recalled | None:
    keeping = state.keeping
    first: list[tuple[str, str]] = []
    if keeping.desk is not None and keeping.project:
        desk = keeping.desk
        at_work = replace(desk, who=lambda: writer_in(core, state, desk.who()))
        most = min(core.settings.plan_tokens, state.budget // 4)
        first = await starting.project(at_work, most, opening=opening)
        desk.seen = at_work.seen
    return await plan_block(
        core, keeping.source, keeping.plan, state.budget, state.nonce, first=first
    )


def _scratch_block(state: Turns) -> Recalled | None:
    text = render_scratch(state.scratch, state.nonce)
    return Recalled(text) if text else None


def note(core: Core, state: Turns, text: str, *, show: bool) -> None:
    """Add a line to the scratchpad. `show`: from the next request on, at the price of the prefix behind the task;
    else from the next compaction on (a model's own note stands in its call until then).
    """
    longer = f"{state.scratch}\n{text.strip()}".strip()
    if not text.strip():
        raise UsageError("a note needs words")
    if len(longer) > core.settings.scratch_characters:
        raise UsageError(
            f"the scratchpad holds at most {core.settings.scratch_characters} characters; clear it first"
        )
    state.scratch = longer
    state.noted = min(state.noted, state.taint.trust)
    if show:
        state.pad = _scratch_block(state)


def clear_notes(state: Turns) -> None:
    """Empty the scratchpad, as at the end of a run."""
    state.scratch, state.pad, state.noted = "", None, Trust.USER


async def reopened(core: Core, state: Turns, step: int) -> str:
    """The text of a step from the log, cut to its share of the budget."""
    found = await reopen.reopened(core, state.session, state.subjects, step, state.budget)
    return found.text


async def reopen_into(core: Core, state: Turns, step: int) -> str:
    """See `Window.reopen`."""
    found = await reopen.reopened(core, state.session, state.subjects, step, state.budget)
    state.buffer = state.buffer.settled().with_block(Recalled(found.text), found.origin)
    return found.text


def _entering(core: Core, message: Message) -> Message:
    """The message as it enters a window: results over the cap are cut head and tail, the log has them whole."""
    cap = core.settings.result_characters
    if all(len(result.text) <= cap for result in message.results):
        return message
    return cut_message(message, Caps(results=cap), 0, texts_too=False)


async def _without_taken_back(core: Core, state: Turns) -> tuple[Buffer, bool]:
    """The buffer without facts that were retired, erased or superseded since: safety outranks the cache."""
    standing = frozenset(state.standing.facts) if state.standing else frozenset()
    shown = ids_in_window(state.buffer, state.nonce) | standing
    now = core.clock.now()
    gone = [one for one in sorted(shown) if not await holds(core, one, state.subjects, now)]
    pinned = [one for one in standing - set(gone) if state.stood.get(one) == PINNED]
    unpinned = not all([await still_pinned(core, one) for one in sorted(pinned)])
    if not gone:
        return state.buffer, unpinned
    kept = {one: await shown_again(core, one) for one in shown - set(gone)}

    def rerender(block: Recalled, stay: tuple[str, ...]) -> Recalled | None:
        items = [item for one in stay if (item := kept[one])]
        facts = [item for item in items if isinstance(item, Fact)]
        said = [item for item in items if isinstance(item, RecalledTurn)]
        return Recalled(render_recalled(facts, state.nonce, said), stay, block.receipt)

    buffer = without_answers(without_facts(state.buffer, gone, rerender), state.nonce, gone)
    return buffer, unpinned or bool(standing.intersection(gone))


async def standing_block(core: Core, state: Turns) -> Recalled | None:
    """What is always before the model, up to a cap: rule files, and behind them `facts.standing`."""
    most = min(core.settings.standing_tokens, state.budget // 4)
    desk = state.keeping.desk
    rules = "" if desk is None else await starting.rules(desk, most, state.nonce)
    room = most - core.counter.count(f"{rules}\n" if rules else "")
    found = await standing(core, state.subjects, room=room, nonce=state.nonce)
    # An instruction stands there because a person approved it as one: it is an order, wherever it was found.
    state.trusts.update(
        (f.id, Trust.OPERATOR if f.kind is Kind.PROCEDURE else f.trust) for f in found.facts
    )
    state.stood.update(found.why)
    text = "\n".join(filter(None, (rules, found.text)))
    return Recalled(text, tuple(fact.id for fact in found.facts)) if text else None


async def append(core: Core, state: Turns, message: Message) -> list[Outcome]:
    """See `Window.append`."""
    are_messages([message])
    buffer = state.buffer.append(_entering(core, message))
    await _log(core, state, message, buffer.step)
    if message.role == "assistant":
        stood = direct(state.buffer, state.trusts, state.nonce)
        if (least := min((cause.trust for cause in stood), default=Trust.USER)) < Trust.USER:
            state.under[buffer.slots[-1].n] = least
    state.buffer = buffer
    if message.role == "user":
        state.heard.append((message, buffer.step, core.clock.now()))
    if message.role == "assistant" and not message.calls:
        return await learn(core, state)
    return []


async def _log(
    core: Core, state: Turns, message: Message, step: int, receipt: Receipt | None = None
) -> None:
    """Log a message as it was said, with the receipt of what was recalled for it."""
    await log.append(
        core, LogItem(state.session, state.subject, (message,), state.run, step, receipt)
    )


def summary(core: Core, state: Turns) -> WindowSummary:
    """See `Window.summary`."""
    fixed = core.counter.count(state.system)
    fixed += core.counter.count(state.standing.text) if state.standing else 0
    return WindowSummary(
        session=state.session,
        run=state.run,
        tokens=fixed + state.buffer.tokens,
        budget=state.budget,
        exact=core.counter.exact,
        messages=len(state.buffer.slots),
        steps=state.buffer.step,
        compactions=len(state.compactions),
    )


async def learn(core: Core, state: Turns) -> list[Outcome]:
    """The end of a turn: offer the gate what the user said in it, each statement once."""
    drafts: list[Draft] = []
    before = await believed(core, state.subject) if state.heard else []
    for message, step, at in state.heard:
        known, project = [*before, *drafts], project_of(state.subjects)
        found = drafts_of(core, message, state.subject, at, previous=known, project=project)
        source = f"session:{state.session}"
        drafts += [replace(draft, run=state.run, step=step, source_ref=source) for draft in found]
    outcomes = await remember_many(core, drafts) if drafts else []
    # Only now: when the store is busy, what was heard is offered again at the end of the next turn.
    state.heard = []
    return outcomes


def writer_in(core: Core, state: Turns, given: Who | None = None) -> Who:
    """Who writes a file from within this window, and whether text of low trust stands in it now.

    `given`: who it would be outside of it; what is marked there is marked here.
    """
    outside = state.taint.trust <= Trust.EXTERNAL
    actor = core.actor if given is None else given.actor
    return Who(
        actor, state.run, state.buffer.step, outside or (given is not None and given.external)
    )
