"""What the flows ask of the outside: protocols, no I/O. Every port has a conformance suite in `memoranda.testing`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol, TypeVar

from memoranda.messages import Message

T = TypeVar("T")
Row = tuple[Any, ...]


class Tx(Protocol):
    """One open write transaction. A body awaits only its methods, so that it can be run again after a conflict."""

    async def rows(self, name: str, /, **params: Any) -> list[Row]:
        """Run the named query and return all its rows."""
        ...

    async def run(self, name: str, /, **params: Any) -> int:
        """Run the named statement and return how many rows it changed."""
        ...

    async def run_many(self, name: str, params: Sequence[dict[str, Any]], /) -> None:
        """Run the named statement once for each set of parameters."""
        ...


class Store(Protocol):
    """Where rows are kept. Few methods over named queries (`stores/sql`); parameters are plain scalars.

    Times are integer microseconds, lists are JSON text, truth values are 0 and 1. `rows` reads outside a
    transaction; `atomic` runs a body in one write transaction and commits when it returns. The body may be run
    more than once. A cancelled `atomic` may still have committed.
    """

    @property
    def place(self) -> str:
        """Where the store is, as a person would name it (a path, or a server and database without password)."""
        ...

    async def rows(self, name: str, /, **params: Any) -> list[Row]:
        """Run the named query outside a transaction and return all its rows."""
        ...

    async def atomic(self, body: Callable[[Tx], Awaitable[T]]) -> T:
        """Run `body(tx)` in one write transaction; raise `NestedTransaction` inside another."""
        ...

    async def scrub(self, needles: Sequence[str]) -> Scrubbed:
        """Make deleted text unreadable in the store's bytes and count what is left of each needle there."""
        ...

    async def measure(self) -> dict[str, int]:
        """Sizes in bytes of the parts of the store (for `doctor`)."""
        ...

    async def check(self) -> list[str]:
        """What the engine's own integrity check finds wrong; empty when all is well."""
        ...

    async def close(self) -> None:
        """Close the store; calling it twice is harmless."""
        ...


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """What `Store.scrub` reached: byte hits left, whether an open reader kept old pages, files searched."""

    hits: int
    blocked_by_reader: bool
    searched: tuple[str, ...] = ()


class Clock(Protocol):
    """The time. Tests and replays bring their own."""

    def now(self) -> int:
        """Microseconds since 1970, UTC."""
        ...


class Ids(Protocol):
    """A source of new identifiers."""

    def new(self, prefix: str) -> str:
        """A new identifier that begins with `prefix` and sorts by time of making."""
        ...


class TokenCounter(Protocol):
    """Counts tokens of a text. `exact` is False for an estimate; an estimate leans high."""

    exact: bool

    def count(self, text: str) -> int:
        """Tokens of `text`."""
        ...


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model is told of it: name, what it does, and a JSON schema of its arguments."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent to a model: the system prompt apart, the messages in order, the tools, the answer's cap."""

    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    max_tokens: int = 1024


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider reports them; None where it says nothing."""

    input: int | None = None
    output: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer: an assistant message, why it stopped, and the usage."""

    message: Message
    stop: str = "end"
    usage: Usage = field(default_factory=Usage)


class Model(Protocol):
    """A language model. Raises `ModelError` (or `ContextTooLong`) and nothing else of its own."""

    name: str

    async def complete(self, request: Request) -> Reply:
        """Answer `request`."""
        ...


@dataclass(frozen=True, slots=True)
class Space:
    """Which vectors can be compared with each other: those of one model, one length and one file of weights.

    weights: sha256 in hex of the weights that made them, "" where a service keeps them. Spaces are never mixed.
    """

    model: str
    dim: int
    weights: str = ""


class Embedder(Protocol):
    """Turns texts into vectors. Raises `EmbedderError` and nothing else of its own.

    One that works in place, as those over a model on this machine do, says so by an attribute `blocking = True`;
    under an event loop it is then called on a thread.
    """

    @property
    def space(self) -> Space:
        """What its vectors may be compared with; the same for as long as it lives."""
        ...

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[bytes]:
        """One vector for each text, in order: `4 * dim` bytes of little-endian float32, of length 1.

        query: the texts are questions, which some models want to be told.
        """
        ...


class Reranker(Protocol):
    """Reads a question and texts together and says how well each answers.

    Raises `EmbedderError` and nothing else of its own. Under an event loop it must not block.
    """

    async def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """For each text, in order, how well it answers: 0 (not at all) to 1."""
        ...


class PlanSource(Protocol):
    """Where plan files are read from, each time anew: the file is the state, not a copy of it in a window."""

    async def read(self, name: str) -> str | None:
        """The text of the file as it is now; None when there is none (or none that can be read)."""
        ...


@dataclass(frozen=True, slots=True)
class Finding:
    """What a screen found: the rule, its class (secret, personal, topic, injection), the place in the text, and the
    kind that a policy is set for ("" : the class itself).
    """

    rule: str
    group: str
    start: int
    end: int
    kind: str = ""


class Screen(Protocol):
    """Looks for what must not be kept. A plug-in point: further scanners are called after ours."""

    def scan(self, text: str) -> list[Finding]:
        """All findings in `text`, by place. Must take time linear in the text.

        Raises `ScreenError` when it could not look, and nothing else of its own: the item is then held.
        """
        ...


@dataclass(frozen=True, slots=True)
class Node:
    """One entry of a tree. `path` is below the root, names joined by "/", "" for the root itself.

    size: bytes. stamp: a text that differs when the content may have changed; "" for a folder. plain: an ordinary
    file or folder; a link, a device or a file of several names is not, and is never followed or read.
    """

    path: str
    folder: bool
    size: int
    stamp: str = ""
    plain: bool = True


class Shelf(Protocol):
    """A tree as one caller sees and changes it. Paths are below the root and have passed `files.paths`.

    Raises `FilesError`s and nothing else of its own; after one nothing has changed. `put` makes missing folders.
    """

    async def node(self, path: str) -> Node | None:
        """What is at `path`; None when nothing is, or when the way to it is no folder."""
        ...

    async def read(self, path: str, most: int) -> tuple[Node, str]:
        """The text of a file of at most `most` bytes, with what it was read from. `FileMissing`, `FileUnfit`."""
        ...

    async def walk(self, path: str, depth: int) -> list[Node]:
        """What is in a folder, `depth` levels deep: names sorted, a folder before its content."""
        ...

    async def names(self, path: str) -> list[str]:
        """The names in a folder, any kind of entry; empty when there is no such folder."""
        ...

    async def twins(self, path: str) -> list[str]:
        """The paths of neighbours that differ from `path` only in the case of its last name."""
        ...

    async def put(self, path: str, text: str, *, new: bool) -> Node:
        """Write the whole file at once; with `new` only where nothing is (`FileExists`)."""
        ...

    async def remove(self, path: str) -> None:
        """Take away a file, or a folder with all it holds, at once. `FileMissing`."""
        ...

    async def move(self, old: str, new: str) -> None:
        """Give a file or folder another place, where nothing is yet. `FileMissing`, `FileExists`."""
        ...


class Tree(Shelf, Protocol):
    """Where the files of one subject are. `change` is the only door to `put`, `remove` and `move`.

    root: "" for rows in the store, else the folder. writable: whether changes can be made at all.
    """

    root: str
    writable: bool

    async def change(self, body: Callable[[Shelf, Tx | None], Awaitable[T]]) -> T:
        """Run `body` while nobody else who uses this tree changes it. With rows in the store, the second argument is
        the open transaction, everything in it happens or nothing, and the body may be run again; with a folder it is
        None, and each change is on disk when it returns."""
        ...

    async def sweep(self) -> int:
        """Take away what killed writers left beside the tree. Returns how many."""
        ...

    async def close(self) -> None:
        """Let go of what the tree holds open; calling it twice is harmless."""
        ...


@dataclass(frozen=True, slots=True)
class NeverRule:
    """What a person said is never to be kept: words, a pattern or a whole kind, under a name."""

    name: str
    form: Literal["words", "pattern", "kind"]
    value: str
    added_at: datetime
    added_by: str


@dataclass(frozen=True, slots=True)
class Rescreened:
    """One stored row that the present rules would not have kept: where, its id, the rule, and what was done."""

    place: str
    id: str
    rule: str
    done: Literal["erased", "retired", "replaced", "left"]


@dataclass(frozen=True, slots=True)
class Rescan:
    """What a rescan found and did (with `dry_run`: would do). It holds ids and names of rules, never a text."""

    dry_run: bool
    rules: str
    looked_at: Mapping[str, int]
    found: tuple[Rescreened, ...]
    byte_hits: int = 0
    blocked_by_reader: bool = False
    out_of_reach: tuple[str, ...] = ()
