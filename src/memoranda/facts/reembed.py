"""Make the vectors that are missing: all of them after a change of models, some at upkeep. Each batch is kept when it
is made, so that an interrupted run goes on where it stopped; recall works meanwhile, with the vectors there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from memoranda.core import Core
from memoranda.errors import EmbedderError, UsageError
from memoranda.facts.vectors import Key, change_number, columns, digest, drop_idle, keep, make
from memoranda.gate.draft import name
from memoranda.ports import Embedder, Tx
from memoranda.types import Reembedding

BATCH = 64
Progress = Callable[[int, int], None]  # how many of how many


@dataclass
class Work:
    """How far a run is. `left`: most that it may still make; None for all."""

    progress: Progress = field(default=lambda done, total: None)
    total: int = 0
    done: int = 0
    made: int = 0
    left_out: int = 0
    left: int | None = None

    def advance(self, made: int, passed: int) -> None:
        """Note that of `passed` texts `made` have a vector now."""
        self.made += made
        self.left_out += passed - made
        self.done += passed
        self.progress(self.done, max(self.total, self.done))

    def size(self) -> int:
        """How many the next batch may hold."""
        return BATCH if self.left is None else max(0, min(BATCH, self.left - self.made))


async def reembed(
    core: Core, *, subject: str | None = None, progress: Progress | None = None
) -> Reembedding:
    """See `Memory.reembed`."""
    embedder = _embedder(core)
    subjects = await _subjects(core, subject)
    work = Work(progress) if progress else Work()
    texts = 0
    for one in subjects:
        wanted, missing = await _missing(core, one)
        texts += len(wanted)
        work.total += len(missing)
    for one in subjects:
        if not await _filled(core, one, work):
            raise EmbedderError(
                f"the embedder failed after {work.made} texts; what was made is kept: run this again to go on there"
            )
    return Reembedding(
        embedder.space.model, texts, work.made, work.left_out, await _dropped(core, subject)
    )


async def fill(core: Core) -> int:
    """Upkeep: make some of what is missing (`embed_at_maintain`)."""
    work = Work(left=core.settings.embed_at_maintain)
    for one in await _subjects(core, None) if core.embedder is not None and work.left else ():
        if not work.size() or not await _filled(core, one, work):
            break
    return work.made


def _embedder(core: Core) -> Embedder:
    if core.embedder is None:
        raise UsageError(
            "there is no embedder, so there are no vectors to make: pip install 'memoranda[embed]', or name one in the "
            "settings (docs/embedders.md)"
        )
    return core.embedder


async def _subjects(core: Core, subject: str | None) -> list[str]:
    if subject is not None:
        return [name("subject", subject)]
    return [row[0] for row in await core.store.rows("every_subject", tenant=core.tenant)]


async def _filled(core: Core, subject: str, work: Work) -> bool:
    """Make what a subject lacks, in batches; False when the embedder failed. A change meanwhile is looked at again."""
    passed: set[Key] = set()
    while work.size():
        seen = await change_number(core, core.store, subject)
        _, missing = await _missing(core, subject)
        fresh = {key: text for key, text in missing.items() if key not in passed}
        if not fresh:
            return True
        for batch in _batches(fresh, work):
            made = await make(core, batch, len(batch))
            if made is None:
                return False
            digests = {key: (digest(batch[key]), made[key]) for key in made}
            kept = await keep(core, subject, digests, seen=(subject, seen))
            if kept is None:
                break  # something was written meanwhile: the texts are read again
            passed.update(batch)
            work.advance(kept, len(batch))
    return True


def _batches(missing: Mapping[Key, str], work: Work) -> Iterator[dict[Key, str]]:
    waiting = iter(missing.items())
    while (size := work.size()) and (batch := dict(islice(waiting, size))):
        yield batch


async def _missing(core: Core, subject: str) -> tuple[dict[Key, str], dict[Key, str]]:
    """All texts of a subject that get a vector, and those that have none of the present model."""
    space = _embedder(core).space
    wanted = {
        (place, item): text
        for place, texts in core.embeddable.items()
        for item, text in (await texts(core, subject)).items()
    }
    rows = await core.store.rows(
        "vector_digests", tenant=core.tenant, subject=subject, **columns(space)
    )
    kept = {(place, item): of for place, item, of in rows}
    missing = {key: text for key, text in wanted.items() if kept.get(key) != digest(text)}
    return wanted, missing


async def _dropped(core: Core, subject: str | None) -> int:
    """Drop the vectors of other spaces, which nothing reads any more."""
    space = columns(_embedder(core).space)

    async def body(tx: Tx) -> int:
        if subject is None:
            return await tx.run("drop_other_spaces", tenant=core.tenant, **space)
        return await tx.run(
            "drop_other_spaces_of_subject",
            tenant=core.tenant,
            subject=name("subject", subject),
            **space,
        )

    return await core.store.atomic(body)


MAINTENANCE = {"vectors": drop_idle, "missing-vectors": fill}
MAINTAINED = {"vectors": "vectors"}
