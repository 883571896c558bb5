"""The ports that every flow is given, in one value. Faces assemble it (`wiring.py`); rules never see it."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from memoranda.analysis import terms
from memoranda.attributes import Attributes
from memoranda.ports import (
    Clock,
    Embedder,
    Ids,
    NeverRule,
    Reranker,
    Rescreened,
    Screen,
    Store,
    TokenCounter,
    Tree,
    Tx,
)
from memoranda.ranking.shelves import Shelves
from memoranda.ranking.taken import TakenBack
from memoranda.settings import Settings
from memoranda.types import Draft
from memoranda.wordings import cut, cut_short, squeezed

# wipe(core, tx, needles of text, ids of facts) -> how many places were cleaned
Wipe = Callable[["Core", Tx, "Erased"], Awaitable[int]]
# job(core) -> how many rows were touched
Job = Callable[["Core"], Awaitable[int]]
# rescreen(core, dry) -> what of a place the present rules would not have kept; unless dry, it is gone or replaced
Rescreen = Callable[["Core", bool], Awaitable["Looked"]]
# writer(core, tx, admission) -> Outcome; the admission is made by the gate alone
Writer = Callable[["Core", Tx, Any], Awaitable[Any]]

# embeddable(core, subject) -> the texts of a place that vectors are made of, by item, the most wanted first
Embeddable = Callable[["Core", str], Awaitable[Mapping[str, str]]]
# similar(core, erased) -> the names of what shares most words with what was erased
Similar = Callable[["Core", "Erased"], Awaitable[list[str]]]


class OpenTree(Protocol):
    """Opens the files of a subject: rows with `folder` None, else the folder, which is made only if `make` is true."""

    def __call__(
        self, core: Core, subject: str, folder: str | None, *, make: bool = True
    ) -> Awaitable[Tree]:
        """The tree. Raises `StoreError` when it cannot be opened."""
        ...


class Extractor(Protocol):
    """Finds what a user's message says of its subject. Must be fast and must not wait: it runs inside a flow."""

    def __call__(
        self,
        text: str,
        *,
        subject: str,
        said_at: int,
        previous: Sequence[Draft] = (),
        project: str | None = None,
    ) -> list[Draft]:
        """Drafts from `text`, said at `said_at` (microseconds); `previous` is what was said and believed before.

        What is said of the project at hand becomes a draft of the subject `project`, if there is one.
        """
        ...


class Follower(Protocol):
    """A place whose entries were made from facts and must go where these go, in the same transaction.

    A place that keeps nothing but rows of `agent_facts` needs none: derived facts are followed anyway.
    """

    async def hide(self, core: Core, tx: Tx, ids: Sequence[str], operation: str) -> int:
        """Take out of sight what was made from these facts; return how much it was."""
        ...

    async def restore(self, core: Core, tx: Tx, operation: str, by: str) -> int:
        """Undo what `operation` did here, as a part of the operation `by`, which may be undone again."""
        ...


ERASED = "[erased]"
# Another text is worth a person's look when it has so much of an erased fact's words, and so many if there are.
SIMILAR = 0.6
FEWEST_SHARED = 2


@dataclass(frozen=True, slots=True)
class Erased:
    """What an erasure takes: the facts' ids, the subjects they are of, and every text that must not be left.

    runs and sessions: where it was said; words of these facts in there are cleaned whoever said them. answers: quotes
    of a word or two ("Graz"), which stand for themselves only where they are all that was said. words: the
    terms of each fact, by which paraphrases are told. taken: the facts as recall knows what is taken back: when their
    rows are gone, nothing else keeps away the turns in which they were said.
    """

    ids: tuple[str, ...]
    subjects: tuple[str, ...]
    needles: tuple[str, ...]
    runs: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    answers: frozenset[str] = frozenset()
    words: tuple[frozenset[str], ...] = ()
    taken: TakenBack = field(default_factory=TakenBack)
    flat: tuple[str, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "flat", tuple(dict.fromkeys(map(squeezed, self.needles))))

    def without(self, text: str) -> str:
        """The text with every wording of the erased facts replaced, in any case and spelling."""
        if self.answers and squeezed(text) in self.answers:
            return ERASED
        return cut(text, self.flat, ERASED)

    def without_start(self, text: str) -> str:
        """As `without`, for a text that was cut to a length and may end in the middle of a wording."""
        return cut_short(text, self.flat, ERASED)

    def resembles(self, text: str) -> bool:
        """Whether a text shares most words with one of the facts."""
        found = set(terms(text))
        return any(
            len(words & found) >= max(min(FEWEST_SHARED, len(words)), SIMILAR * len(words))
            for words in self.words
            if words
        )


@dataclass(frozen=True, slots=True)
class Looked:
    """What looking at a place again gave: the rows that would not be kept now, how many were looked at, the values
    whose bytes must be gone, and what a person must look at.
    """

    found: tuple[Rescreened, ...] = ()
    rows: int = 0
    needles: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


class NeverRules(Protocol):
    """The screen of a person's own rules, which are read anew when they change."""

    mark: str | None

    def take(self, mark: str | None, rules: Sequence[NeverRule]) -> None:
        """Screen by these rules from now on."""
        ...


@dataclass(frozen=True, slots=True)
class Core:
    """The ports behind a face, its tenant and settings, and the registries of the places.

    writers: by type of item, who stores what the gate admits. erasable: by table, how to wipe what it holds of
    a fact. maintenance: by name, jobs of upkeep; every table is in one or says why not (a test compares). similar: by
    place, how to find paraphrases there. outside: by place beyond the store, how to find where the wording still
    stands. followers: by place, what goes where the facts go that it was made from. rescreens: by place, how to look
    at it again with the present rules. never: the screen of a person's own rules. shelves: what recall keeps in
    memory. embedder: None for recall by words alone. reranker: None for
    the order of the ranking. embeddable: by place, which of its texts get a vector.
    """

    store: Store
    open_tree: OpenTree
    clock: Clock
    ids: Ids
    tenant: str
    actor: str
    settings: Settings
    attributes: Attributes
    counter: TokenCounter
    screens: Sequence[Screen]
    never: NeverRules
    extract: Extractor
    writers: Mapping[type, Writer]
    erasable: Mapping[str, Wipe]
    maintenance: Mapping[str, Job]
    rescreens: Mapping[str, Rescreen]
    similar: Mapping[str, Similar] = field(default_factory=dict)
    outside: Mapping[str, Similar] = field(default_factory=dict)
    followers: Mapping[str, Follower] = field(default_factory=dict)
    shelves: Shelves = field(default_factory=lambda: Shelves(50_000))
    embedder: Embedder | None = None
    reranker: Reranker | None = None
    embeddable: Mapping[str, Embeddable] = field(default_factory=dict)


def fresh_nonce(core: Core) -> str:
    """A nonce for a fence: sixteen hexadecimal digits that no text can know ahead."""
    return hashlib.sha256(core.ids.new("n_").encode()).hexdigest()[:16]
