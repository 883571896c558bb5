"""How near facts and turns are to a question in meaning: their vectors, kept in memory, and the cosines."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memoranda.core import Core
from memoranda.facts.similarity import Matrix
from memoranda.facts.vectors import Key, columns, vectors_of

# texts(items) -> the texts of those that have no vector yet, by item
Texts = Callable[[Sequence[str]], Awaitable[Mapping[str, str]]]


@dataclass(slots=True)
class VectorShelf:
    """The vectors of a subject's facts or turns in one space. tried: what the embedder was given and made none of."""

    held: dict[str, bytes] = field(default_factory=dict)
    tried: set[str] = field(default_factory=set)
    matrix: Matrix | None = None

    def cosines(self, question: bytes) -> dict[str, float]:
        """The cosine of everything held with a question's vector."""
        if self.matrix is None:
            self.matrix = Matrix.of(list(self.held), list(self.held.values()))
        near = self.matrix.similarities(question)
        return dict(zip(self.matrix.ids, near, strict=True))


async def cosines(
    core: Core, question: bytes, subject: str, place: str, items: Iterable[str] | None, texts: Texts
) -> dict[str, float]:
    """The cosines of these items with the question (None: of all that have a vector); some that lack one get it now."""
    shelf = await _shelf(core, subject, place)
    wanted = list(shelf.held) if items is None else list(items)
    missing = [i for i in wanted if i not in shelf.held and i not in shelf.tried]
    if missing:
        await _fill(core, shelf, subject, place, missing, texts)
    if not shelf.held:
        return {}
    near = shelf.cosines(question)
    return near if items is None else {item: near[item] for item in wanted if item in near}


async def _shelf(core: Core, subject: str, place: str) -> VectorShelf:
    assert core.embedder is not None
    space = core.embedder.space
    name = ("vectors", core.tenant, subject, place, space)
    kept: VectorShelf | None = core.shelves.get(name)
    if kept is not None:
        return kept
    rows = await core.store.rows(
        "vectors_of_place", tenant=core.tenant, subject=subject, place=place, **columns(space)
    )
    shelf = VectorShelf(dict(rows))
    core.shelves.put(name, shelf, len(shelf.held))
    return shelf


async def _fill(
    core: Core, shelf: VectorShelf, subject: str, place: str, missing: list[str], texts: Texts
) -> None:
    """Fetch or make the vectors of a few that lack one. The rest is left to `reembed`, upkeep and later questions."""
    now = missing[: core.settings.embed_at_recall]
    found = await texts(now)
    wanted: dict[Key, str] = {(place, item): text for item, text in found.items()}
    made = await vectors_of(core, subject, wanted)
    # A failing embedder may work again at the next question; a text it makes nothing of stays without.
    if made:
        shelf.tried.update(now)
    shelf.held.update({item: vector for (_, item), vector in made.items()})
    shelf.matrix = None
