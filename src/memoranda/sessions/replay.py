"""A session of the log as a window would have held it: every call of it, and the request of one step."""

from __future__ import annotations

from memoranda.core import Core
from memoranda.errors import UsageError
from memoranda.gate.draft import name, whole
from memoranda.messages import Message
from memoranda.sessions import log
from memoranda.sessions.pages import session_of
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
    return list(map(log.message_of, logged))
