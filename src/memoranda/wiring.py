"""Put the ports together: the one place where the flows' registries and the edges meet."""

from __future__ import annotations

from memoranda.attributes import DEFAULT_ATTRIBUTES
from memoranda.core import Core
from memoranda.facts import erase, ledger, maintain
from memoranda.gate.items import LogItem
from memoranda.gate.screen.secrets import Secrets
from memoranda.ports import Clock, Ids, Store
from memoranda.sessions import log
from memoranda.settings import Settings
from memoranda.stores.sqlite import open_blocking
from memoranda.system import SystemClock, SystemIds
from memoranda.types import Draft
from memoranda.window.tokens import EstimateCounter

__all__ = ["assemble", "open_blocking", "open_threaded"]

WRITERS = {Draft: ledger.write_fact, LogItem: log.write_log}
ERASABLE = {**erase.ERASABLE, **log.ERASABLE}
MAINTENANCE = {**maintain.MAINTENANCE, **log.MAINTENANCE}


def assemble(
    store: Store,
    *,
    tenant: str = "default",
    settings: Settings | None = None,
    actor: str = "integrator",
    clock: Clock | None = None,
    ids: Ids | None = None,
) -> Core:
    """The core over an open store, with the system's clock and ids unless others are given."""
    return Core(
        store=store,
        clock=clock or SystemClock(),
        ids=ids or SystemIds(),
        tenant=tenant,
        actor=actor,
        settings=settings or Settings(),
        attributes=DEFAULT_ATTRIBUTES,
        counter=EstimateCounter(),
        screens=(Secrets(),),
        writers=WRITERS,
        erasable=ERASABLE,
        maintenance=MAINTENANCE,
    )
