"""A second look at the first: a re-ranker reads question and text together and orders what passed the floor anew."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from memoranda.core import Core
from memoranda.errors import EmbedderError
from memoranda.gate.screen.messages import screened_text
from memoranda.ranking.question import Question
from memoranda.recall.picking import Entry
from memoranda.sessions.turns import spoken, texts_of

log = logging.getLogger(__name__)

# So many are read together with the question: it costs a model's call for each.
MOST = 32


async def reranked(core: Core, question: Question, entries: Sequence[Entry]) -> list[Entry]:
    """The entries with the re-ranker's scores where it looked: at the best that are above their floors.

    It cannot bring back what is below the floor, trusted too little or taken back. When it fails, the order stays.
    """
    if core.reranker is None or not question.text.strip():
        return list(entries)
    passed = [entry for entry in entries if entry.score >= entry.floor and entry.score]
    first = sorted(passed, key=lambda entry: -entry.score)[:MOST]
    texts = await _texts(core, first)
    first = [entry for entry in first if entry.id in texts]
    try:
        asked = screened_text(question.text, core.screens)
        given = await core.reranker.scores(asked, [texts[entry.id] for entry in first])
        if len(given) != len(first):
            raise EmbedderError("the re-ranker gave another number of scores than of texts")
    except EmbedderError as error:
        log.warning("not ranked anew: %s", type(error).__name__)
        return list(entries)
    anew = {
        entry.id: entry._replace(
            score=share, floor=0.0, parts={**entry.parts, "rerank": round(share, 6)}
        )
        for entry, value in zip(first, given, strict=True)
        for share in [min(1.0, max(0.0, value))]
    }
    return [anew.get(entry.id, entry) for entry in entries]


async def _texts(core: Core, entries: Sequence[Entry]) -> dict[str, str]:
    """What each entry says, by its id."""
    found = {entry.id: entry.fact.text for entry in entries if entry.fact is not None}
    keys = {entry.said.turn.key: entry.id for entry in entries if entry.said is not None}
    said = await texts_of(core, keys) if keys else {}
    return {**found, **{keys[key]: spoken(*one) for key, one in said.items()}}
