"""Memory: the blocking face. Every method steps one flow; `aio.py` is generated from this file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from os import PathLike
from types import TracebackType
from typing import Self

from memoranda import hearing, turn
from memoranda.browsing import Browsed
from memoranda.core import Core
from memoranda.facts import ledger, reading, standing
from memoranda.files import opening
from memoranda.files.desk import Who
from memoranda.filing import Files
from memoranda.gate.draft import draft
from memoranda.messages import Message
from memoranda.ports import (
    Clock,
    Embedder,
    Ids,
    Model,
    PlanSource,
    Request,
    Reranker,
    Screen,
    TokenCounter,
    Usage,
)
from memoranda.recall.flow import Wants, recall
from memoranda.sessions import log
from memoranda.settings import Settings
from memoranda.step import step as _step
from memoranda.tracing import Traced
from memoranda.types import (
    Draft,
    Fact,
    FactFilter,
    Kind,
    LoggedMessage,
    Origin,
    Outcome,
    Recall,
    Standing,
    Trust,
    WindowSummary,
)
from memoranda.upkeep import Upkept
from memoranda.window import Taint
from memoranda.window.compact import Compaction
from memoranda.window.policy import Policy, TokenBudget
from memoranda.wiring import (
    assemble,
    blocking_embedder,
    blocking_tree,
    checked_reranker,
    chosen_settings,
    identified,
    named_folder,
    open_blocking,
)


class Memory(Browsed, Traced, Upkept):
    """What an agent remembers, in one store: facts, the session log and windows over them.

        with Memory.open("memory.db") as m:
            m.remember("User 8812 prefers the dark theme.", subject="user:8812", origin="user")
            m.recall("which theme?", subjects=["user:8812"]).facts

    Several threads may share one Memory. `core` holds the ports behind it; an `Agent` takes it from here.
    """

    def __init__(self, core: Core) -> None:
        self.core = core

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        *,
        tenant: str = "default",
        settings: Settings | None = None,
        create: bool = True,
        actor: str = "integrator",
        clock: Clock | None = None,
        ids: Ids | None = None,
        screens: Sequence[Screen] = (),
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        counter: TokenCounter | None = None,
    ) -> Self:
        """Open the store at `path`, making a new one there if nothing exists and `create` is true.

        `":memory:"` is a store that goes away with the object. `actor` is who stands in the operation log.
        `screens` are further scanners, asked after the built-in ones. With an `embedder` (or the setting of this
        name) recall goes by meaning too, else by words alone; a `reranker` orders what passed the floor anew.
        `counter` counts tokens where you have the vocabulary; without one they are estimated.
        Raises `StoreError` (`ForeignStore` for a file that is not ours, `NewerStore`, `CorruptStore`, ...).
        """
        settings, reranker = chosen_settings(settings), checked_reranker(reranker)
        tenant, actor = identified(tenant, actor, settings)
        embedder = blocking_embedder(embedder, settings)
        store = _step(open_blocking(path, create=create, busy_seconds=settings.busy_seconds))
        core = assemble(
            store,
            open_tree=blocking_tree,
            tenant=tenant,
            settings=settings,
            actor=actor,
            clock=clock,
            ids=ids,
            screens=screens,
            embedder=embedder,
            counter=counter,
        )
        return cls(replace(core, reranker=reranker))

    def close(self) -> None:
        """Close the store. Calling it twice is harmless."""
        _step(self.core.store.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _step(self.core.store.close())

    # Writing

    def remember(
        self,
        text: str,
        *,
        subject: str,
        attribute: str | None = None,
        value: str | None = None,
        kind: Kind | str | None = None,
        tags: Iterable[str] = (),
        origin: Origin | str = Origin.EXTERNAL,
        run: str | None = None,
        step: int | None = None,
        source_ref: str | None = None,
        quote: str | None = None,
        derived_from: Iterable[str] = (),
        confidence: float = 1.0,
        observed_at: datetime | None = None,
        expires_at: datetime | None = None,
        durable_reason: str | None = None,
    ) -> Outcome:
        """Offer one statement to the gate.

        `origin` says where it came from (operator, user, tool, external, model) and decides trust; without it
        the text counts as external and is held. `attribute` is the key for supersession: a newer value of the
        same attribute replaces the older one; without a `value` whole sentences are compared. `observed_at`
        is when it was said. `expires_at` overrides the lifetime of its kind; `durable_reason` says why it never
        expires. The same statement from the same `run` and `step` is one fact.
        """
        item = draft(
            text,
            subject=subject,
            attribute=attribute,
            value=value,
            kind=kind,
            tags=tags,
            origin=origin,
            run=run,
            step=step,
            source_ref=source_ref,
            quote=quote,
            derived_from=derived_from,
            confidence=confidence,
            observed_at=observed_at,
            expires_at=expires_at,
            durable_reason=durable_reason,
        )
        return _step(ledger.remember(self.core, item))

    def remember_many(self, drafts: Sequence[Draft]) -> list[Outcome]:
        """Offer many statements in one transaction; the outcomes are those of single calls, in order."""
        return _step(ledger.remember_many(self.core, drafts))

    def observe(
        self,
        messages: Sequence[Message],
        *,
        subject: str,
        run: str | None = None,
        session: str | None = None,
        times: Sequence[datetime | None] | None = None,
        first_step: int = 0,
        subjects: Sequence[str] = (),
    ) -> list[Outcome]:
        """Take from messages what the user says about themselves and offer it to the gate.

        What they say of the project at hand ("this project uses pnpm", "our repo is deployed on Fridays", or with
        its name) goes to the first of `subjects` that is a project (`project:NAME`), what they say of themselves to
        `subject`. Without a project among them everything goes there.

        Only the user's own words count: never the model's, never a recalled block. With `session` the messages
        are also logged there. `times` says when each was said (default: now). With `run` the same messages can
        be observed again without harm: each is a step of it, numbered from `first_step`.
        """
        return _step(
            hearing.observe(
                self.core,
                messages,
                subject=subject,
                run=run,
                session=session,
                times=times,
                first_step=first_step,
                subjects=subjects,
            )
        )

    def correct(self, fact_id: str, text: str, *, value: str | None = None) -> Outcome:
        """Replace a fact by a corrected one: a new row that supersedes the old. Raises `UnknownFact`."""
        return _step(ledger.correct(self.core, fact_id, text, value=value))

    # Reading

    def recall(
        self,
        query: str,
        *,
        subjects: Sequence[str],
        k: int | None = None,
        tokens: int | None = None,
        as_of: datetime | None = None,
        tags: Iterable[str] = (),
        min_trust: Trust | None = None,
        min_confidence: float | None = None,
        turns: int | None = None,
    ) -> Recall:
        """The few live facts that answer `query`, and what was said of it, best first; or nothing when nothing does.

        At most `k` facts and turns (default `recall_k`), of them at most `turns` turns of earlier conversations
        (default `recall_turns`), within `tokens` (default `recall_tokens`); only facts that carry all `tags`, and no
        turns then; with `as_of`, what this call would have answered then, of facts. The receipt says which, why
        and what was left out.
        """
        return _step(
            recall(
                self.core,
                query,
                subjects,
                Wants(k, tokens, as_of, tags, min_trust, min_confidence, turns),
            )
        )

    def standing(self, subjects: Sequence[str], *, as_of: datetime | None = None) -> Standing:
        """What is always before a model in windows over these subjects, whatever is asked.

        In this order: instructions that a person approved, facts that a person pinned, identity, preferences; the
        last two as the user or an operator stated them. All within `standing_tokens`, of which each class has a share
        that the others cannot take; what has no room is in `left_out`. A window's block is made at its start and at
        compactions, and anew when something in it is taken back. With `as_of`, what stood there then.
        """
        return _step(standing.standing(self.core, subjects, as_of=as_of))

    def facts(
        self, *, subject: str | None = None, status: FactFilter = "live", tag: str | None = None
    ) -> list[Fact]:
        """All facts of a state, newest first; `status="all"` for every row."""
        return _step(reading.facts(self.core, subject=subject, status=status, tag=tag))

    def show(self, fact_id: str) -> Fact:
        """One fact as it stands. Raises `UnknownFact`."""
        return _step(reading.show(self.core, fact_id))

    def subjects(self) -> list[tuple[str, int]]:
        """Every subject that has facts, with the number of its live ones."""
        return _step(reading.subjects(self.core))

    # Conversations

    def log(self, session: str, *, limit: int | None = None) -> list[LoggedMessage]:
        """The messages of a session in order; with `limit` the last ones."""
        return _step(log.read(self.core, session, limit=limit))

    def sessions(self) -> list[tuple[str, int, datetime]]:
        """Every session with its number of messages and the time of the last, newest first."""
        return _step(log.sessions(self.core))

    # Files

    def files(
        self,
        subject: str,
        *,
        folder: str | PathLike[str] | None = None,
        window: Window | None = None,
        run: str | None = None,
        step: int | None = None,
        external: bool = False,
        mounts: Mapping[str, Files] | None = None,
        sdk: bool = False,
        overwrite: bool = False,
        make: bool = True,
    ) -> Files:
        """Open the files of a subject: rows in the store, or with `folder` (or `files_folder`) a folder on disk.

        With `window`, writes carry its run and step, and are marked while text from outside stands in it; else
        `run`, `step` and `external` say so. `mounts` are other files, read-only, each as a folder of its name.
        `sdk`: answer in the words of the Anthropic SDK. `overwrite`: `create` may replace a file.
        A folder that is not there is made; without `make` that is `StoreMissing`.
        """
        who = Who(self.core.actor, run, step, external)
        desk = _step(
            opening.open_desk(
                self.core,
                subject,
                folder=named_folder(folder),
                who=lambda: who if window is None else turn.writer_in(self.core, window.state),
                mounts={name: mount.desk for name, mount in (mounts or {}).items()},
                sdk=sdk,
                overwrite=overwrite,
                make=make,
            )
        )
        if window is not None:
            window.state.desks.append(desk)
        return Files(desk)

    def window(
        self,
        *,
        session: str,
        subject: str = "user:me",
        budget: int | None = None,
        system: str = "",
        run: str | None = None,
        subjects: Sequence[str] = (),
        policy: Policy | None = None,
        plan: Sequence[str] = (),
        source: PlanSource | None = None,
        summariser: Model | None = None,
        files: Files | None = None,
        project: bool = False,
    ) -> Window:
        """Open a window on a session: what the model sees next, within `budget` tokens.

        A session that exists is continued from its log. `subject` is who speaks; recall looks at it and at `subjects`,
        and the first `project:NAME` of these is given what is said of the project (see `observe`). `policy` says when
        and how to compact. The files named in `plan` are read from `source` now and anew after each compaction. A
        `summariser` adds decisions and open questions to the notes of a compaction. Of `files` the approved rule files
        stand before the conversation; with `project` it begins with what their project says, read anew after each
        compaction. Write from within it by `Memory.files(..., window=...)`.
        """
        state = _step(
            turn.open_turns(
                self.core,
                session=session,
                subject=subject,
                budget=budget,
                system=system,
                run=run,
                subjects=subjects,
                keeping=turn.Keeping(
                    policy or TokenBudget(),
                    tuple(plan),
                    source,
                    summariser,
                    files.desk if files is not None else None,
                    project,
                ),
            )
        )
        return Window(self.core, state)


class Window:
    """The short-term place over one session: build the request, call your model, append what it said."""

    def __init__(self, core: Core, state: turn.Turns) -> None:
        self.core = core
        self.state = state

    def build(self, user_text: str | None = None) -> Request:
        """The next request: system, standing block, task, kept steps, the user's text with what was recalled.

        The user's text is logged with the receipt before this returns. Without it the request continues the
        current turn (after tool results). Raises `BudgetTooSmall` before any call.
        """
        return _step(turn.build(self.core, self.state, user_text))

    def append(self, message: Message) -> list[Outcome]:
        """Log a message and keep it in the window. An assistant message without calls ends the turn.

        At a turn's end the gate is offered what the user said in it; its outcomes are returned (else an empty
        list).
        """
        return _step(turn.append(self.core, self.state, message))

    def end(self) -> list[Outcome]:
        """End the turn without an answer: the gate is offered what the user said in it.

        For a turn that no assistant message ends, because there is no model or it failed.
        """
        return _step(turn.learn(self.core, self.state))

    def summary(self) -> WindowSummary:
        """How full the window is: tokens of the next request as it stands, budget, messages, compactions."""
        return turn.summary(self.core, self.state)

    @property
    def recalled(self) -> Recall | None:
        """What the last `build` recalled for the user's text, with its receipt; None before the first."""
        return self.state.recalled

    def reopen(self, step: int) -> str:
        """Fetch a step back from the log, within a share of the budget: it stands in the next request, marked as data,
        until the next compaction. Raises `UsageError` when the session has no such step.
        """
        return _step(turn.reopen_into(self.core, self.state, step))

    def keep_step(self, step: int, *, on: bool = True) -> None:
        """Keep a step whole at compactions while there is room for it (or, with `on=False`, no longer)."""
        self.state.buffer = self.state.buffer.keep(step, on)

    def note(self, text: str) -> None:
        """Add a line to the run's scratchpad: behind the task in every request, never learnt from, not logged."""
        turn.note(self.core, self.state, text, show=True)

    def end_run(self) -> None:
        """The run is over: its scratchpad goes."""
        turn.clear_notes(self.state)

    def report(self, usage: Usage) -> None:
        """Say what the provider counted for the last request, so that the next ones are estimated better."""
        turn.report(self.state, usage)

    @property
    def scratchpad(self) -> str:
        """The run's notes to itself, a line each. One that shall last is remembered on purpose: `Memory.remember`."""
        return self.state.scratch

    @property
    def compactions(self) -> list[Compaction]:
        """The records of all compactions, oldest first."""
        return list(self.state.compactions)

    @property
    def taint(self) -> Taint:
        """How far what the model sees now can be trusted, with everything in it that is below the user's trust.

        Ask it before you carry out a call that changes something: what leaves the window leaves the taint.
        """
        return self.state.taint
