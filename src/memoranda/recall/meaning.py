"""How near facts and turns are to a question in meaning: their vectors, kept in memory, and the cosines."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memoranda.core import Core
from memoranda.facts.similarity import Matrix
from memoranda.facts.vectors import Key, Seen, columns, vectors_of

# texts(items) -> the texts of those that have no vector yet, by item
Texts = Callable[[Sequence[str]], Awaitable[Mapping[str, str]]]


@dataclass(slots=True)
class VectorShelf:
    """The vectors of a subject's facts or turns in one space. tried: what the embedder was given and made none of.

    seen: the change number without which they may be of other texts.
    """

    seen: Seen | None = None
    held: dict[str, bytes] = field(default_factory=dict)
    tried: set[str] = field(default_factory=set)
    matrix: Matrix | None = None

    def cosines(self, question: bytes) -> dict[str, float]:
        """The cosine of everything held with a question's vector."""
        # Another thread may add to what is held while this one reads.
        matrix, held = self.matrix, list(self.held.items())
        if matrix is None or len(matrix.ids) != len(held):
            matrix = Matrix.of([item for item, _ in held], [vector for _, vector in held])
            self.matrix = matrix
        return dict(zip(matrix.ids, matrix.similarities(question), strict=True))

    def keep_only(self, items: Sequence[str]) -> None:
        """Let go of the vectors of all others."""
        if len(self.held) > len(items) or not self.held.keys() <= set(items):
            self.held = {item: self.held[item] for item in items if item in self.held}
            self.matrix = None


async def cosines(
    core: Core,
    question: bytes,
    subject: str,
    place: str,
    items: Iterable[str],
    texts: Texts,
    *,
    seen: Seen | None = None,
    every: bool = False,
) -> dict[str, float]:
    """The cosines of these items with the question; some that lack a vector get it now.

    seen: a change number that is another when an item has got another text; without it what is no item is gone, unless
    `every` says that these are some of many: then the cosines of all that have a vector are given.
    """
    shelf = await _shelf(core, subject, place, seen)
    wanted = list(items)
    if seen is None and not every:
        shelf.keep_only(wanted)
    missing = [i for i in wanted if i not in shelf.held and i not in shelf.tried]
    if missing:
        await _fill(core, shelf, subject, place, missing, texts)
    if not shelf.held:
        return {}
    near = shelf.cosines(question)
    return near if every else {item: near[item] for item in wanted if item in near}


def _name(core: Core, subject: str, place: str) -> Hashable:
    assert core.embedder is not None
    return ("vectors", core.tenant, subject, place, core.embedder.space)


async def _shelf(core: Core, subject: str, place: str, seen: Seen | None) -> VectorShelf:
    assert core.embedder is not None
    space, name = core.embedder.space, _name(core, subject, place)
    kept: VectorShelf | None = core.shelves.get(name)
    if kept is not None and kept.seen == seen:
        return kept
    rows = await core.store.rows(
        "vectors_of_place", tenant=core.tenant, subject=subject, place=place, **columns(space)
    )
    shelf = VectorShelf(seen, dict(rows))
    core.shelves.put(name, shelf, len(shelf.held))
    return shelf


async def _fill(
    core: Core, shelf: VectorShelf, subject: str, place: str, missing: list[str], texts: Texts
) -> None:
    """Fetch or make the vectors of a few that lack one. The rest is left to `reembed`, upkeep and later questions."""
    now = missing[: core.settings.embed_at_recall]
    found = await texts(now)
    wanted: dict[Key, str] = {(place, item): text for item, text in found.items()}
    made = await vectors_of(core, subject, wanted, seen=shelf.seen)
    # A failing embedder may work again at the next question; a text it makes nothing of stays without.
    if made:
        shelf.tried.update(now)
    shelf.held.update({item: vector for (_, item), vector in made.items()})
    shelf.matrix = None
    core.shelves.put(_name(core, subject, place), shelf, len(shelf.held))
