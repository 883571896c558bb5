"""Put the ports together: the one place where the flows' registries and the edges meet."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import getattr_static
from os import PathLike, fspath
from threading import Lock

from memoranda.attributes import ATTRIBUTES
from memoranda.core import Core, OpenTree, Writer
from memoranda.errors import UsageError
from memoranda.facts import erase, ledger, maintain, reembed, rescan, vectors
from memoranda.files import ledger as files
from memoranda.files import rescan as files_rescan
from memoranda.files import traces, upkeep
from memoranda.gate.draft import name
from memoranda.gate.items import FileItem, LogItem
from memoranda.gate.screen.never import Never
from memoranda.gate.screen.rules import BuiltIn
from memoranda.gate.screening import clean_name
from memoranda.ports import Clock, Embedder, Ids, Reranker, Screen, Store, TokenCounter, Tree
from memoranda.ranking.shelves import Shelves
from memoranda.sessions import log, turns
from memoranda.settings import Settings
from memoranda.stores.sqlite import blocking
from memoranda.system import SystemClock, SystemIds
from memoranda.trees.table import TableTree
from memoranda.types import Draft
from memoranda.window.tokens import EstimateCounter

__all__ = [
    "assemble",
    "blocking_embedder",
    "blocking_tree",
    "identified",
    "open_blocking",
    "open_threaded",
    "threaded_embedder",
    "threaded_tree",
]

WRITERS: dict[type, Writer] = {
    Draft: ledger.write_fact,
    LogItem: log.write_log,
    FileItem: files.write_file,
}
ERASABLE = {**erase.ERASABLE, **log.ERASABLE, **files.ERASABLE, **vectors.ERASABLE}
SIMILAR = {**erase.SIMILAR, **log.SIMILAR, **traces.SIMILAR}
MAINTENANCE = {
    **maintain.MAINTENANCE,
    **log.MAINTENANCE,
    **turns.MAINTENANCE,
    **upkeep.MAINTENANCE,
    **reembed.MAINTENANCE,
    **maintain.LAST,
}
EMBEDDABLE = {**vectors.EMBEDDABLE, **turns.EMBEDDABLE}
# Facts last: erasing one takes its wording out of the others, and then nobody could tell what had been found.
RESCREENS = {**log.RESCREENS, **files_rescan.RESCREENS, **rescan.RESCREENS}


async def open_blocking(path: str | PathLike[str], *, create: bool, busy_seconds: float) -> Store:
    """Open the store for the blocking face."""
    _a_path(path)
    return blocking.open_blocking(path, create=create, busy_seconds=busy_seconds)


def _a_path(path: object) -> None:
    if not isinstance(path, str | PathLike):
        raise UsageError(f"the path of a store must be text or a Path, not {type(path).__name__}")


async def open_threaded(path: str | PathLike[str], *, create: bool, busy_seconds: float) -> Store:
    """Open the store for an event loop; only here is its machinery loaded."""
    from memoranda.stores.sqlite.threads import open_threaded as opened

    _a_path(path)
    return await opened(path, create=create, busy_seconds=busy_seconds)


async def blocking_tree(core: Core, subject: str, folder: str | None, *, make: bool = True) -> Tree:
    """The files of a subject, for the blocking face: rows in the store, or the folder."""
    if folder is None:
        return TableTree(core.store, core.tenant, subject)
    from memoranda.trees.folder import FolderTree

    return FolderTree(folder, core.settings.busy_seconds, make=make)


async def threaded_tree(core: Core, subject: str, folder: str | None, *, make: bool = True) -> Tree:
    """The same for an event loop; a folder is worked in on a thread."""
    if folder is None:
        return TableTree(core.store, core.tenant, subject)
    from memoranda.trees.threads import open_threaded as opened

    return await opened(folder, core.settings.busy_seconds, make=make)


def blocking_embedder(given: Embedder | None, settings: Settings) -> Embedder | None:
    """The embedder of the blocking face: the one given, else the one that the settings name, else None."""
    if given is None and settings.embedder in ("", "none"):
        return None  # and nothing of that room is loaded
    from memoranda.embedders.cached import CachedEmbedder

    return CachedEmbedder(_embedder(given, settings))


def threaded_embedder(given: Embedder | None, settings: Settings) -> Embedder | None:
    """The same for an event loop: what works in place is called on a thread."""
    if given is None and settings.embedder in ("", "none"):
        return None
    from memoranda.embedders.cached import CachedEmbedder
    from memoranda.embedders.threads import ThreadedEmbedder

    chosen = _embedder(given, settings)
    # The cache outside, so that what it has costs no thread.
    blocks = getattr(chosen, "blocking", False)
    return CachedEmbedder(ThreadedEmbedder(chosen) if blocks else chosen)


def _embedder(given: Embedder | None, settings: Settings) -> Embedder:
    if given is None:
        from memoranda.embedders import named
        from memoranda.models._switch import check_real_calls

        return named(settings, check_real_calls)
    # Looked up and not asked for: to know its space, a model may have to be loaded.
    if not callable(getattr(given, "embed", None)) or not getattr_static(given, "space", None):
        raise UsageError("an embedder has a `space` and an `embed`; see memoranda.ports.Embedder")
    return given


def checked_reranker(given: Reranker | None) -> Reranker | None:
    """The re-ranker as given; `UsageError` for what can't be one, before the first question is asked of it."""
    if given is not None and not callable(getattr(given, "scores", None)):
        raise UsageError("a re-ranker has an async `scores`; see memoranda.ports.Reranker")
    return given


def chosen_settings(given: Settings | None) -> Settings:
    """The settings as given, else the defaults."""
    if given is not None and not isinstance(given, Settings):
        raise UsageError(f"settings must be Settings(...), not {type(given).__name__}")
    return given or Settings()


def named_folder(given: str | PathLike[str] | None) -> str | None:
    """A folder's path as text; None for none."""
    if given is None:
        return None
    path = fspath(given) if isinstance(given, str | PathLike) else given
    if not isinstance(path, str):
        raise UsageError(f"folder must be text or a Path, not {type(path).__name__}")
    return path


def extract(
    text: str,
    *,
    subject: str,
    said_at: int,
    previous: Sequence[Draft] = (),
    project: str | None = None,
) -> list[Draft]:
    """The built-in extractor. Its tables of rules take a while to load, and most commands never need them."""
    from memoranda.gate.extract import extract as read

    return read(text, subject=subject, said_at=said_at, previous=previous, project=project)


def identified(tenant: str, actor: str, settings: Settings) -> tuple[str, str]:
    """Tenant and actor as they are kept, or `UsageError`; asked before a store is opened, so that nothing is left."""
    if name("tenant", tenant) != tenant:
        raise UsageError(
            "a tenant's name is taken as it is: no spaces around it, one form of a letter"
        )
    actor = name("actor", actor)
    for what, text in (("a tenant", tenant), ("an actor", actor)):
        clean_name(what, text, (BuiltIn(),), settings.screening)
    return tenant, actor


def assemble(
    store: Store,
    *,
    open_tree: OpenTree = blocking_tree,
    tenant: str = "default",
    settings: Settings | None = None,
    actor: str = "integrator",
    clock: Clock | None = None,
    ids: Ids | None = None,
    screens: Sequence[Screen] = (),
    embedder: Embedder | None = None,
    counter: TokenCounter | None = None,
) -> Core:
    """The core over an open store, with the system's clock and ids unless others are given."""
    settings, never = settings or Settings(), Never()
    seen: tuple[Screen, ...] = (BuiltIn(), never, *screens)
    return Core(
        store=store,
        open_tree=open_tree,
        clock=clock or SystemClock(),
        ids=ids or SystemIds(),
        tenant=tenant,
        actor=actor,
        settings=settings,
        attributes=ATTRIBUTES.with_aliases(settings.aliases).with_multi(settings.multi_valued),
        counter=counter or EstimateCounter(),
        screens=seen,
        never=never,
        extract=extract,
        writers=WRITERS,
        erasable=ERASABLE,
        maintenance=MAINTENANCE,
        rescreens=RESCREENS,
        similar=SIMILAR,
        outside=traces.OUTSIDE,
        shelves=Shelves(settings.recall_rows, Lock()),
        embedder=embedder,
        embeddable=EMBEDDABLE,
    )
