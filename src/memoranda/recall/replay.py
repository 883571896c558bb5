"""A session of the log as a window would have held it: every call of it, and the request of one step.

The log keeps what was said and no block of ours. What was recalled for a message is told by its receipt, so the block
is written again from there, with facts and turns as they stand now; what was erased since is missing in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from memoranda.core import Core
from memoranda.errors import UsageError
from memoranda.gate.draft import name, whole
from memoranda.messages import Message, Recalled
from memoranda.recall.said import shown_again
from memoranda.sessions import log
from memoranda.sessions.pages import session_of
from memoranda.types import Fact, LoggedMessage, RecalledTurn
from memoranda.window import render_recalled, with_recalled
from memoranda.window.bill import Bill, bill, request_at
from memoranda.window.build import Built
from memoranda.window.policy import Policy, TokenBudget


async def replay(
    core: Core,
    session: str,
    *,
    subject: str | None = None,
    budget: int | None = None,
    policy: Policy | None = None,
) -> Bill:
    """See `Memory.replay`."""
    messages = await _messages(core, session, subject)
    most = core.settings.window_budget if budget is None else whole("budget", budget)
    return bill(messages, most, policy or TokenBudget(), counter=core.counter)


async def window_at(
    core: Core,
    session: str,
    step: int,
    *,
    subject: str | None = None,
    budget: int | None = None,
    policy: Policy | None = None,
) -> Built:
    """See `Memory.window_at`."""
    step, messages = whole("step", step), await _messages(core, session, subject)
    most = core.settings.window_budget if budget is None else whole("budget", budget)
    built = request_at(messages, step, most, policy or TokenBudget(), counter=core.counter)
    if built is None:
        raise UsageError(f"the log of this session has no step {step} that a request comes before")
    return built


async def _messages(core: Core, session: str, subject: str | None) -> list[Message]:
    entry = await session_of(core, session)
    logged = await log.read(core, entry.session)
    if subject is not None:
        subject = name("subject", subject)
        logged = [message for message in logged if message.subject == subject]
    blocks = await _blocks(core, entry.session, logged)
    return [with_recalled(log.message_of(message), blocks.get(message.n)) for message in logged]


async def _blocks(core: Core, session: str, logged: Sequence[LoggedMessage]) -> dict[int, Recalled]:
    """The recalled block of each message that had one, by its number."""
    if not logged:
        return {}
    # The same session is to give the same request twice.
    nonce = hashlib.sha256(f"replay of {session}".encode()).hexdigest()[:16]
    found: dict[int, Recalled] = {}
    for n, receipt in await core.store.rows(
        "receipts_of_messages",
        tenant=core.tenant,
        session=session,
        first=logged[0].n,
        last=logged[-1].n,
    ):
        rows = await core.store.rows("receipt_items", tenant=core.tenant, receipt=receipt)
        # A standing fact is named in the receipt too, without a score: it stood elsewhere in the request.
        ids = [item for item, chosen, score, _ in rows if chosen and score]
        items = [item for one in ids if (item := await shown_again(core, one))]
        facts = [item for item in items if isinstance(item, Fact)]
        said = [item for item in items if isinstance(item, RecalledTurn)]
        if items:
            text = render_recalled(facts, nonce, said)
            found[n] = Recalled(text, tuple(item.id for item in items), receipt)
    return found
