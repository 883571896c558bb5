"""Vectors of what is recalled: read, made where they are missing, and kept; never by a write, never instead of words.

They are derived from texts and can be made again at any time. A recall makes the few it finds missing, `reembed` and
`maintain` make the rest. When the embedder fails, there are fewer vectors or none, and recall goes by words.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Mapping, Sequence

from memoranda.core import Core, Erased
from memoranda.errors import EmbedderError, StoreError
from memoranda.gate.rules import refresh
from memoranda.gate.screen.messages import screened_text
from memoranda.gate.screening import taken_out
from memoranda.ports import Space, Store, Tx

log = logging.getLogger(__name__)

Key = tuple[str, str]  # place and item
Seen = tuple[str, int]  # a change number and its name
# So few are looked up one by one; of more, all that the subject has are read at once.
FEW = 16
SETTERS = {"fact": "set_fact_vector", "turn": "set_turn_vector"}


async def vectors_of(
    core: Core,
    subject: str,
    wanted: Mapping[Key, str],
    most: int | None = None,
    *,
    seen: Seen | None = None,
) -> dict[Key, bytes]:
    """The vectors of these texts, by place and item, in the embedder's space; what could not be had is left out.

    At most `most` (default `embed_at_recall`) are made now, in the order given. `seen` is a change number from before
    the texts were read: when it is another by the time the vectors are ready, they are not kept.
    """
    space = space_of(core)
    if space is None or not wanted:
        return {}
    digests = {key: digest(text) for key, text in wanted.items()}
    found = await _stored(core, subject, digests, space)
    missing = {key: text for key, text in wanted.items() if key not in found}
    made = await make(core, missing, core.settings.embed_at_recall if most is None else most) or {}
    try:
        await keep(core, subject, {key: (digests[key], made[key]) for key in made}, seen=seen)
    except StoreError as error:
        # A recall must not fail for want of room or a writer's turn.
        log.warning("vectors were made and not kept: %s", type(error).__name__)
    return {**found, **made}


def space_of(core: Core) -> Space | None:
    """The space of the present embedder; None without one, or when its model cannot be loaded."""
    try:
        return core.embedder.space if core.embedder is not None else None
    except EmbedderError as error:
        log.warning("no vectors, so words alone count: %s", type(error).__name__)
        return None


async def query_vector(core: Core, text: str) -> bytes | None:
    """The vector of a question, in which secrets gave way to placeholders; None without one."""
    if core.embedder is None or not text.strip():
        return None
    made = await embedded(core, [screened_text(text, core.screens)], query=True)
    return made[0] if made else None


async def embedded(core: Core, texts: Sequence[str], *, query: bool = False) -> list[bytes] | None:
    """The embedder's vectors of `texts`; None when it fails or gives something else, which is logged by type."""
    if core.embedder is None:
        return None
    try:
        made = await core.embedder.embed(texts, query=query)
        size = 4 * core.embedder.space.dim
        fits = len(made) == len(texts) and all(len(vector) == size for vector in made)
    except Exception as error:
        log.warning("no vectors, so words alone count: %s", type(error).__name__)
        return None
    if not fits:
        log.warning(
            "no vectors, so words alone count: the embedder gave the wrong number or length"
        )
    return made if fits else None


async def make(core: Core, missing: Mapping[Key, str], most: int) -> dict[Key, bytes] | None:
    """Vectors of at most `most` of the texts, equal ones made once; None when the embedder failed.

    What may not be kept is not sent to a model.
    """
    if missing and most > 0:
        await refresh(core, core.store)
    chosen = dict(_fit(core, missing, most))
    texts = list(dict.fromkeys(chosen.values()))
    vectors = await embedded(core, texts) if texts else []
    if vectors is None:
        return None
    by_text = dict(zip(texts, vectors, strict=True))
    return {key: by_text[text] for key, text in chosen.items()}


def _fit(core: Core, missing: Mapping[Key, str], most: int) -> Iterator[tuple[Key, str]]:
    left = most
    for key, text in missing.items():
        if left <= 0:
            return
        if text.strip() and not taken_out(text, core.screens, core.settings.screening):
            left -= 1
            yield key, text


async def keep(
    core: Core, subject: str, made: Mapping[Key, tuple[str, bytes]], *, seen: Seen | None = None
) -> int | None:
    """Store vectors with the digests of their texts, in one transaction; how many, or None when `seen` is past.

    The model is done by now. What was taken back meanwhile gets none: its row is asked for in the same statement.
    No change number is bumped: nothing that a reader could see has changed.
    """
    if core.embedder is None or not made:
        return 0
    space = columns(core.embedder.space)

    async def body(tx: Tx) -> int | None:
        if seen is not None and seen[1] != await change_number(core, tx, seen[0]):
            return None
        kept = 0
        for (place, item), (text_digest, vector) in made.items():
            more = _message(item) if place == "turn" else {}
            kept += await tx.run(
                SETTERS[place],
                tenant=core.tenant,
                item=item,
                digest=text_digest,
                vector=vector,
                **space,
                **more,
            )
        return kept

    return await core.store.atomic(body)


async def change_number(core: Core, source: Store | Tx, subject: str) -> int:
    """How often a subject was written about: by it a reader sees that texts it read may have changed."""
    rows = await source.rows("change_number", tenant=core.tenant, subject=subject)
    return int(rows[0][0]) if rows else 0


async def _stored(
    core: Core, subject: str, digests: Mapping[Key, str], space: Space
) -> dict[Key, bytes]:
    """The stored vectors whose texts are still these."""
    if len(digests) > FEW:
        rows = await core.store.rows(
            "vectors_of_subject", tenant=core.tenant, subject=subject, **columns(space)
        )
        return {
            (place, item): vector
            for place, item, kept, vector in rows
            if digests.get((place, item)) == kept
        }
    found = {}
    for (place, item), wanted in digests.items():
        for kept, vector in await core.store.rows(
            "vector_of_item", tenant=core.tenant, place=place, item=item, **columns(space)
        ):
            if kept == wanted:
                found[place, item] = vector
    return found


def digest(text: str) -> str:
    """By what a stored vector is known to be of this text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def columns(space: Space) -> dict[str, str | int]:
    """A space as query parameters."""
    return {"model": space.model, "dim": space.dim, "weights": space.weights}


def _message(item: str) -> dict[str, str | int]:
    session, _, number = item.rpartition("#")
    return {"session": session, "n": int(number)}


# The facts among what gets a vector, and where vectors go


async def live_texts(core: Core, subject: str) -> Mapping[str, str]:
    """The facts of a subject that can be recalled, newest first."""
    rows = await core.store.rows(
        "live_texts", tenant=core.tenant, subject=subject, now=core.clock.now()
    )
    return dict(rows)


async def wipe_vectors(core: Core, tx: Tx, erased: Erased) -> int:
    """The vectors of the erased facts, in every space. Those of messages go with their wording (`sessions.log`)."""
    removed = 0
    for fact_id in erased.ids:
        removed += await tx.run("drop_item_vectors", tenant=core.tenant, place="fact", item=fact_id)
    return removed


EMBEDDABLE = {"fact": live_texts}
ERASABLE = {"vectors": wipe_vectors}


async def drop_idle(core: Core) -> int:
    """Drop the vectors of what is gone or cannot be recalled any more, in every space."""

    async def body(tx: Tx) -> int:
        facts = await tx.run("drop_idle_fact_vectors", tenant=core.tenant, now=core.clock.now())
        return facts + await tx.run("drop_gone_turn_vectors", tenant=core.tenant)

    return await core.store.atomic(body)
