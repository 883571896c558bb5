"""The life of a turn: recall, build, log, and at its end the gate. Flows over the window, the facts and the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memoranda.core import Core
from memoranda.errors import UsageError
from memoranda.facts.ledger import remember_many
from memoranda.facts.recall import fresh_nonce, recall
from memoranda.facts.rows import as_draft, fact_of
from memoranda.files.desk import Who
from memoranda.gate.draft import listed, micros, name, names, string, whole
from memoranda.gate.items import LogItem
from memoranda.messages import Message, Recalled, said
from memoranda.messages.neutral import map_texts
from memoranda.ports import Request, ToolSpec
from memoranda.sessions import log
from memoranda.types import (
    Draft,
    Fact,
    Kind,
    Origin,
    Outcome,
    Recall,
    Receipt,
    Status,
    Trust,
    WindowSummary,
)
from memoranda.window import (
    Buffer,
    Built,
    Compaction,
    Policy,
    Slot,
    Taint,
    TokenBudget,
    answers_under,
    compose,
    direct,
    ids_in_window,
    render_recalled,
    render_standing,
    taint_of,
    with_recalled,
    without_blocks,
    without_facts,
    without_lines,
)

MOST_BELIEVED = 50


@dataclass(slots=True)
class Turns:
    """The state of one window over a session. Faces and the agent hold it; only the flows here change it.

    heard: what the user said since the gate was last asked, with its step and time. compactions: their records,
    oldest first. recalled: what the last user text brought back. trusts: of each fact that was shown. under: the
    least trust that stood in the window when an answer was written, by the answer's number.
    """

    session: str
    subject: str
    subjects: tuple[str, ...]
    budget: int
    system: str
    run: str
    buffer: Buffer
    nonce: str
    policy: Policy = field(default_factory=TokenBudget)
    standing: Recalled | None = None
    recalled: Recall | None = None
    heard: list[tuple[Message, int, int]] = field(default_factory=list)
    compactions: list[Compaction] = field(default_factory=list)
    trusts: dict[str, Trust] = field(default_factory=dict)
    under: dict[int, Trust] = field(default_factory=dict)

    @property
    def taint(self) -> Taint:
        """How far what the model sees now can be trusted, and what makes it so."""
        return taint_of(self.buffer, self.standing, self.trusts, self.under, self.nonce)


async def open_turns(
    core: Core,
    *,
    session: str,
    subject: str,
    budget: int | None = None,
    system: str = "",
    run: str | None = None,
    subjects: Sequence[str] = (),
    policy: Policy | None = None,
) -> Turns:
    """See `Memory.window`. Old recalled blocks are not brought back: the cache is cold, and facts change."""
    session, subject = name("session", session), name("subject", subject)
    about = tuple(dict.fromkeys((subject, *names("subjects", subjects))))
    # Two people may give a session the same name: neither sees what the other said.
    history = [
        _without_old_blocks(log.message_of(logged))
        for logged in await log.read(core, session)
        if logged.subject in about
    ]
    state = Turns(
        session=session,
        subject=subject,
        subjects=about,
        budget=core.settings.window_budget if budget is None else whole("budget", budget),
        system=string("system", system),
        run=core.ids.new("run_") if run is None else name("run", run),
        buffer=Buffer.of((m for m in history if m.role != "system"), core.counter),
        nonce=fresh_nonce(core),
        policy=policy or TokenBudget(),
    )
    state.under = answers_under(state.buffer)
    state.standing = await standing_block(core, state)
    return state


def _without_old_blocks(message: Message) -> Message:
    """A message of the log without what the recall tool answered then: its facts may have changed since."""
    if not message.results:
        return message
    return map_texts(message, without_blocks)


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
        await _log(core, state, message, buffer.step, receipt=recalled.receipt)
        state.heard.append((message, buffer.step, core.clock.now()))
        state.recalled = recalled
    state.buffer, state.standing = built.buffer, standing
    if built.compaction:
        state.compactions.append(built.compaction)
    return built.request(max_tokens)


async def _heard(
    core: Core, state: Turns, buffer: Buffer, user_text: str
) -> tuple[Recall, Message]:
    """What the user said, with the block of what it brings back; what is in the window is not brought again."""
    standing = frozenset(state.standing.facts) if state.standing else frozenset()
    recalled = await recall(
        core, user_text, subjects=state.subjects, skip=ids_in_window(buffer, state.nonce) | standing
    )
    state.trusts.update((fact.id, fact.trust) for fact in recalled.facts)
    ids = tuple(fact.id for fact in recalled.facts)
    block = Recalled(recalled.text, ids, recalled.receipt.id) if ids else None
    return recalled, with_recalled(said("user", user_text), block)


async def _compose(
    core: Core, state: Turns, buffer: Buffer, tools: Sequence[ToolSpec], *, refresh: bool
) -> tuple[Built, Recalled | None]:
    """The request and the standing block in it, which is written anew only where the prefix is paid for anyway."""

    def composed(standing: Recalled | None, buffer: Buffer) -> Built:
        return compose(
            state.system, standing, buffer, state.budget, policy=state.policy, tools=tools
        )

    standing = await standing_block(core, state) if refresh else state.standing
    built = composed(standing, buffer)
    if built.compaction is None:
        return built, standing
    fresh = await standing_block(core, state)
    if fresh == standing:
        return built, standing
    return replace(composed(fresh, built.buffer), compaction=built.compaction), fresh


async def _without_taken_back(core: Core, state: Turns) -> tuple[Buffer, bool]:
    """The buffer without facts that were retired, erased or superseded since: safety outranks the cache."""
    standing = frozenset(state.standing.facts) if state.standing else frozenset()
    shown = ids_in_window(state.buffer, state.nonce) | standing
    now = core.clock.now()
    gone = [fact_id for fact_id in sorted(shown) if not await _holds(core, fact_id, now)]
    if not gone:
        return state.buffer, False
    kept = {fact_id: await _row(core, fact_id) for fact_id in shown - set(gone)}

    def rerender(block: Recalled, stay: tuple[str, ...]) -> Recalled | None:
        facts = [fact for fact_id in stay if (fact := kept[fact_id])]
        return Recalled(render_recalled(facts, state.nonce), stay, block.receipt)

    buffer = _without_answers(without_facts(state.buffer, gone, rerender), state.nonce, gone)
    return buffer, bool(standing.intersection(gone))


def _without_answers(buffer: Buffer, nonce: str, gone: Sequence[str]) -> Buffer:
    """Answers of the recall tool that show a fact that was taken back lose it, like any other block."""

    def edit(slot: Slot) -> Slot:
        if not any(nonce in result.text for result in slot.message.results):
            return slot
        message = without_lines(slot.message, nonce, gone)
        return slot if message is slot.message else replace(slot, message=message, whole=None)

    return buffer.change(edit)


async def _holds(core: Core, fact_id: str, now: int) -> bool:
    rows = await core.store.rows("state", tenant=core.tenant, id=fact_id)
    return bool(rows) and rows[0][0] == Status.LIVE and (rows[0][1] is None or rows[0][1] > now)


async def _row(core: Core, fact_id: str) -> Fact | None:
    rows = await core.store.rows("fact", tenant=core.tenant, id=fact_id)
    return fact_of(rows[0]) if rows else None


async def standing_block(core: Core, state: Turns) -> Recalled | None:
    """What is always before the model: approved instructions, and facts that a person pinned, up to a cap."""
    shown: list[Fact] = []
    most = min(core.settings.standing_tokens, state.budget // 4)
    for subject in state.subjects:
        rows = await core.store.rows(
            "standing_facts", tenant=core.tenant, subject=subject, now=core.clock.now()
        )
        for fact in map(fact_of, rows):
            if core.counter.count(_standing_text([*shown, fact], state.nonce)) <= most:
                shown.append(fact)
    # An instruction stands there because a person approved it as one: it is an order, wherever it was found.
    state.trusts.update(
        (f.id, Trust.OPERATOR if f.kind is Kind.PROCEDURE else f.trust) for f in shown
    )
    return (
        Recalled(_standing_text(shown, state.nonce), tuple(fact.id for fact in shown))
        if shown
        else None
    )


def _standing_text(facts: Sequence[Fact], nonce: str) -> str:
    instructions = [fact for fact in facts if fact.kind is Kind.PROCEDURE]
    return render_standing(
        instructions, [fact for fact in facts if fact.kind is not Kind.PROCEDURE], nonce
    )


async def append(core: Core, state: Turns, message: Message) -> list[Outcome]:
    """See `Window.append`."""
    _messages([message])
    buffer = state.buffer.append(message)
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


def _messages(given: Sequence[Message]) -> tuple[Message, ...]:
    """The messages; `UsageError` says how to make them of what a model's service takes and gives."""
    try:
        return listed("messages", given, Message)
    except UsageError as fault:
        raise UsageError(
            f"{fault}; memoranda.said(role, text) makes one, from_openai in memoranda.messages.openai_chat "
            "and from_anthropic in memoranda.messages.anthropic read those of a service"
        ) from None


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
        found = drafts_of(core, message, state.subject, at, previous=[*before, *drafts])
        source = f"session:{state.session}"
        drafts += [replace(draft, run=state.run, step=step, source_ref=source) for draft in found]
    outcomes = await remember_many(core, drafts) if drafts else []
    # Only now: when the store is busy, what was heard is offered again at the end of the next turn.
    state.heard = []
    return outcomes


async def observe(
    core: Core,
    messages: Sequence[Message],
    *,
    subject: str,
    run: str | None = None,
    session: str | None = None,
    times: Sequence[datetime | None] | None = None,
    first_step: int = 0,
) -> list[Outcome]:
    """See `Memory.observe`."""
    subject = name("subject", subject)
    run = None if run is None else name("run", run)
    messages, first_step = _messages(messages), whole("first_step", first_step)
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
        found = drafts_of(
            core, message, subject, now if at is None else at, previous=[*before, *drafts]
        )
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
    core: Core, message: Message, subject: str, said_at: int, previous: Sequence[Draft] = ()
) -> list[Draft]:
    """What a message says about its subject: only the user's own words, never ours, a tool's or the model's."""
    if message.role != "user" or message.source is not Origin.USER or message.results:
        return []
    said = without_blocks(message.text)
    found = core.extract(said, subject=subject, said_at=said_at, previous=previous)
    return [replace(draft, origin=Origin.USER) for draft in found]


def writer_in(core: Core, state: Turns) -> Who:
    """Who writes a file from within this window, and whether text from outside stands in it now."""
    outside = any(message.source is Origin.EXTERNAL for message in state.buffer.messages)
    if state.recalled is not None and state.recalled.min_trust is not None:
        outside = outside or state.recalled.min_trust <= Trust.EXTERNAL
    return Who(core.actor, state.run, state.buffer.step, outside)
