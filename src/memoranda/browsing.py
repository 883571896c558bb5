"""What a person who looks at memory asks for, page by page: a part of the blocking face `Memory`."""

from __future__ import annotations

from datetime import datetime

from memoranda.accounts import (
    Counts,
    FactsPage,
    FilesPage,
    LogPage,
    OperationsPage,
    ReceiptEntry,
    RecordedReceipt,
    RunsPage,
    SessionsPage,
    StepEntry,
    SubjectsPage,
)
from memoranda.core import Core
from memoranda.facts import listing, pages
from memoranda.files import listing as files_listing
from memoranda.recall import recorded, replay
from memoranda.sessions import pages as session_pages
from memoranda.step import step as _step
from memoranda.types import FactFilter, Kind, Operation, Origin
from memoranda.window.bill import Bill
from memoranda.window.build import Built
from memoranda.window.policy import Policy


class Browsed:
    """Pages of long lists, receipts, and what a window would have held. None costs more in a larger store.

    `size` is from 1 to 200. `after` and `before` are what a page of the same list told; else `UsageError`.
    """

    core: Core

    def facts_page(
        self,
        *,
        subject: str | None = None,
        status: FactFilter = "live",
        kind: Kind | str | None = None,
        origin: Origin | str | None = None,
        tag: str | None = None,
        words: str = "",
        as_of: datetime | None = None,
        after: str | None = None,
        before: str | None = None,
        size: int = 50,
    ) -> FactsPage:
        """A page of what `facts` lists, newest first, and of that what has this kind, origin and tag and all `words`.

        Each of the words must stand in the text, the subject, the attribute, the value or a tag: any part of a word,
        in any case, with or without accents. `as_of`: the facts and their states as the store had them then. At most
        10,000 facts are looked at for a page (2,000 with `as_of`): where few of them fit it may hold fewer than `size`,
        and `after` goes on. Facts that are stored meanwhile neither repeat nor hide others.
        """
        asked = pages.Asked(subject, status, kind, origin, tag, words, as_of)
        return _step(pages.facts_page(self.core, asked, after=after, before=before, size=size))

    def subjects_page(
        self, *, words: str = "", after: str | None = None, size: int = 50
    ) -> SubjectsPage:
        """Subjects that have facts, by name; with `words` those whose name holds each of them."""
        return _step(listing.subjects_page(self.core, words=words, after=after, size=size))

    def counts(self, *, most: int = listing.COUNTED) -> Counts:
        """How many facts are live and wait for a person, how many subjects and sessions there are, up to `most`."""
        return _step(listing.counts(self.core, most=most))

    def runs_page(self, *, after: str | None = None, size: int = 50) -> RunsPage:
        """The runs that wrote facts, the latest writer first, with what `rollback` of each would be about."""
        return _step(listing.runs_page(self.core, after=after, size=size))

    def operations_page(self, *, after: str | None = None, size: int = 50) -> OperationsPage:
        """The operation log, newest first; each with the first few facts that it changed and their number."""
        return _step(listing.operations_page(self.core, after=after, size=size))

    def operation(self, operation: str) -> Operation:
        """One operation with all facts that it changed. Raises `UnknownOperation`."""
        return _step(listing.operation(self.core, operation))

    def receipt(self, receipt: str) -> RecordedReceipt:
        """A recall as it is stored: what was chosen with scores, what was left out and why. Raises `UnknownReceipt`."""
        return _step(recorded.receipt(self.core, receipt))

    def receipts(self, *, session: str | None = None, limit: int = 50) -> list[ReceiptEntry]:
        """The latest receipts, of one session or of all, newest first."""
        return _step(recorded.receipts(self.core, session=session, limit=limit))

    def sessions_page(
        self, *, words: str = "", after: str | None = None, size: int = 50
    ) -> SessionsPage:
        """The sessions of the log, the latest spoken in first; with `words` those whose name holds each of them."""
        return _step(session_pages.sessions_page(self.core, words=words, after=after, size=size))

    def log_page(
        self, session: str, *, after: int = 0, before: int | None = None, size: int = 50
    ) -> LogPage:
        """Messages of a session in order: the first ones behind the number `after`, or the last ones before `before`.

        With the receipts of what was recalled for them. Raises `UnknownSession`.
        """
        return _step(
            session_pages.log_page(self.core, session, after=after, before=before, size=size)
        )

    def steps(self, session: str) -> list[StepEntry]:
        """The steps of a session as they were logged, in order. Reads the whole session. Raises `UnknownSession`."""
        return _step(session_pages.steps(self.core, session))

    def files_of(self, *, after: str | None = None, size: int = 50) -> FilesPage:
        """The subjects that have files in the store, by name, with how many and how large."""
        return _step(files_listing.files_page(self.core, after=after, size=size))

    def replay(
        self,
        session: str,
        *,
        subject: str | None = None,
        budget: int | None = None,
        policy: Policy | None = None,
    ) -> Bill:
        """What a window of `budget` tokens would have held before each answer of a session, what it left out and cost.

        From the messages in the log, each with what its receipt says was recalled for it, as that stands now; the
        system prompt, the standing block and plan files are not logged, so they are not counted. `subject`: only what
        was said with it, where several gave a session one name. Reads and composes the whole session, which for 10,000
        messages takes seconds. Raises `UnknownSession`.
        """
        return _step(
            replay.replay(self.core, session, subject=subject, budget=budget, policy=policy)
        )

    def window_at(
        self,
        session: str,
        step: int,
        *,
        subject: str | None = None,
        budget: int | None = None,
        policy: Policy | None = None,
    ) -> Built:
        """The exact request before the answer of a step, as `replay` builds it: steps are numbered as in its calls.

        Raises `UnknownSession`, `UsageError` where there is no such step, `BudgetTooSmall`.
        """
        return _step(
            replay.window_at(
                self.core, session, step, subject=subject, budget=budget, policy=policy
            )
        )
