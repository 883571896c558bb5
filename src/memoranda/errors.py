"""Every error Memoranda raises on purpose, as one tree.

    MemorandaError
    ├── UsageError                 the call itself is wrong; nothing was touched
    │   ├── UnknownFact            no fact with this id (another tenant's id looks the same)
    │   ├── UnknownOperation       no operation with this id
    │   ├── UnknownReceipt         no receipt with this id
    │   ├── UnknownSession         no session with this name
    │   ├── ScopeMissing           a bulk verb was given nothing to select by
    │   └── SettingsError          the settings file or a setting is wrong
    ├── StoreError                 the place where memory is kept
    │   ├── StoreMissing           the file is not there, and this call does not create one
    │   ├── ForeignStore           the file exists and is not ours (an empty file too)
    │   ├── CorruptStore           the file is ours and damaged
    │   ├── NewerStore             a newer Memoranda wrote it
    │   ├── StoreBusy              other writers held it longer than the waiting time
    │   ├── StoreFull              no room, or the place is read-only
    │   ├── StoreClosed            used after close, or across a fork
    │   ├── NestedTransaction      `atomic` inside `atomic`
    │   └── Conflict               a write lost a race and may be run again (the store retries by itself)
    ├── WindowError                the next request cannot be built
    │   └── BudgetTooSmall         system, task and newest user message alone are over the budget
    ├── FilesError                 the files of a subject; nothing was changed, and the message may be shown to a model
    │   ├── PathRefused            a path that no command takes
    │   ├── FileMissing            nothing is there
    │   ├── FileExists             something is there already
    │   ├── FileUnfit              no plain text file of one name within the caps, or not what the call is for
    │   ├── FileChanged            it is not what the caller last saw (its sha256 differs)
    │   ├── FileRefused            the gate does not let this text be kept
    │   ├── FilesFull              a cap is reached; names what can be deleted
    │   └── FilesUnavailable       the place is read-only, busy, out of room or broken
    ├── MessageError               a message that cannot be read or converted
    ├── IngestError                a file that cannot be read: names file, line and remedy
    ├── UndoConflict               what would be undone has changed since
    ├── ScreenError                a screen could not look at a text; the item is held
    ├── NotAllowed                 a door that this caller may not use
    ├── ModelError                 the model's service answered with a fault, or not at all
    │   └── ContextTooLong         the service says the request is over its context
    ├── EmbedderError              no vectors could be made; recall goes on by words alone
    ├── MissingExtra               an optional part is not installed; names the extra
    │   └── OutdatedExtra          it is installed, and older than what is needed
    └── WouldSuspend               a flow waited on something asynchronous under the blocking face

A message says what happened, where, and what to do next. It never holds remembered text, a message or a secret.
"""

from __future__ import annotations

import re
from types import TracebackType


class MemorandaError(Exception):
    """The base of every error that Memoranda raises on purpose."""


class UsageError(MemorandaError, ValueError):
    """The call itself is wrong; nothing was touched."""


class UnknownFact(UsageError):
    """There is no fact with this id in this tenant."""

    def __init__(self, fact_id: str) -> None:
        # Only what looks like an id is repeated: a slip of the hand may have put anything there.
        shown = repr(fact_id) if re.fullmatch(r"[a-z]_\w{1,30}", fact_id) else "that was given"
        super().__init__(f"no fact has the id {shown}; a list of the facts has their ids")
        self.fact_id = fact_id


class UnknownOperation(UsageError):
    """There is no operation with this id in this tenant."""

    def __init__(self, operation: str) -> None:
        super().__init__("no operation has the id that was given; `operations` lists the ids")
        self.operation = operation


class UnknownReceipt(UsageError):
    """There is no receipt with this id in this tenant."""

    def __init__(self) -> None:
        super().__init__("no receipt has the id that was given; `receipts` lists the ids")


class UnknownSession(UsageError):
    """There is no session with this name in this tenant."""

    def __init__(self) -> None:
        super().__init__("no session has the name that was given; `sessions` lists the names")


class ScopeMissing(UsageError):
    """A verb that acts on many facts was given nothing to select them by, and will not take them all."""


class SettingsError(UsageError):
    """A setting is unknown, of the wrong type or out of range."""


class StoreError(MemorandaError):
    """The base of all errors about the place where memory is kept."""


class StoreMissing(StoreError):
    """There is no store at this place, and this call does not create one."""


class ForeignStore(StoreError):
    """The file exists and was not written by Memoranda. It was not changed."""


class CorruptStore(StoreError):
    """The file is ours and damaged. It was not changed."""


class NewerStore(StoreError):
    """The store's schema is newer than this version of Memoranda."""


class StoreBusy(StoreError):
    """Other writers held the store for longer than the waiting time; nothing was written."""


class StoreFull(StoreError):
    """The disk is full, the quota is used up or the place is read-only; nothing was written."""


class StoreClosed(StoreError):
    """The store was closed, or its connection was carried into a forked process."""


class NestedTransaction(StoreError):
    """`atomic` was called inside `atomic` of the same store."""


class Conflict(StoreError):
    """A write lost a race and can be run again; `atomic` does so by itself."""


class WindowError(MemorandaError):
    """The next request cannot be built."""


class BudgetTooSmall(WindowError):
    """What must always be sent is larger than the budget.

    `sizes` maps the parts (system, task, newest user message) to their tokens.
    """

    def __init__(self, budget: int, sizes: dict[str, int]) -> None:
        parts = ", ".join(f"{name} {size}" for name, size in sizes.items())
        super().__init__(
            f"the budget of {budget} tokens is smaller than what must always be sent ({parts}); "
            "raise the budget or shorten these parts"
        )
        self.budget = budget
        self.sizes = sizes


class FilesError(MemorandaError):
    """The files of a subject cannot do this. Nothing was changed; the message names no place of the machine."""


class PathRefused(FilesError, ValueError):
    """The path is one that no command takes."""


class FileMissing(FilesError):
    """Nothing is at this path."""


class FileExists(FilesError):
    """Something is at this path already."""


class FileUnfit(FilesError):
    """What is at this path is no plain text file of one name within the caps, or not what the call is for."""


class FileLinked(FileUnfit):
    """A link stands in the way, and links are not followed."""


class FileChanged(FilesError):
    """The file is not what the caller last saw: read it again."""


class FileRefused(FilesError):
    """The gate does not let this text be kept."""

    def __init__(self, message: str, reasons: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.reasons = reasons


class FilesFull(FilesError):
    """A cap on files is reached. The message names what can be deleted."""


class FilesUnavailable(FilesError):
    """The place where the files are is read-only, busy, out of room or broken."""


class MessageError(MemorandaError, ValueError):
    """A message is not of the shape that its format promises."""


class IngestError(MemorandaError):
    """A file cannot be read. Names the file, the line (None when no line is at fault) and the remedy."""

    def __init__(self, path: str, line: int | None, problem: str, remedy: str) -> None:
        place = path if line is None else f"{path}, line {line}"
        super().__init__(f"{place}: {problem}; {remedy}")
        self.path, self.line, self.problem, self.remedy = path, line, problem, remedy


class UndoConflict(MemorandaError):
    """What would be undone has changed since, so undoing it would lose a later decision."""


class NotAllowed(MemorandaError):
    """This caller may not use this door."""


class ScreenError(MemorandaError):
    """A screen could not look at a text. Raised by screens; the gate holds the item and names the screen."""


class ModelError(MemorandaError):
    """The model's service answered with a fault, or not at all."""


class ContextTooLong(ModelError):
    """The model's service says that the request is longer than its context."""


class EmbedderError(MemorandaError):
    """An embedder could not make vectors. Recall goes on by words alone."""


class MissingExtra(MemorandaError, ImportError):
    """An optional part is not installed."""

    def __init__(self, extra: str, what: str) -> None:
        super().__init__(f"{what} needs an optional part: pip install 'memoranda[{extra}]'")
        self.extra = extra


class OutdatedExtra(MissingExtra):
    """An optional part is installed, and it is older than what is needed."""

    def __init__(self, extra: str, what: str, needed: str) -> None:
        ImportError.__init__(
            self,
            f"{what} needs a newer optional part: pip install '{needed}' (another package may hold the older one; "
            "then give memoranda an environment of its own)",
        )
        self.extra = extra


class WouldSuspend(MemorandaError, RuntimeError):
    """A flow waited on something asynchronous under the blocking face: use AsyncMemory."""

    def __init__(self) -> None:
        super().__init__(
            "a flow waited on something asynchronous under the blocking face; use AsyncMemory"
        )


def place_of(trace: TracebackType | None) -> str:
    """The innermost line of this package that an error passed through: what a log may tell of it, no content."""
    found = "an unknown place"
    while trace is not None:
        package, _, name = trace.tb_frame.f_code.co_filename.replace("\\", "/").rpartition(
            "/memoranda/"
        )
        found = f"{name}:{trace.tb_lineno}" if package else found
        trace = trace.tb_next
    return found
