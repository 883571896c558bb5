"""What was seen is what is decided: digests of what a person was shown, compared before it is carried out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence

from memoranda.errors import UnknownFact
from memoranda.server.doors import Hands
from memoranda.types import Fact, ReviewItem


def of_facts(facts: Iterable[Fact]) -> str:
    """The digest of these facts in any order: what is taken must be what was shown."""
    ids = sorted(fact.id for fact in facts)
    return hashlib.sha256("\n".join(ids).encode()).hexdigest()


def of_item(item: ReviewItem) -> str:
    """The digest of what waits: the sentence, whose it is, and what its approval would replace."""
    fact = item.fact
    said = [fact.id, fact.subject, fact.fact, fact.attribute, fact.value, fact.quote]
    replaced = sorted([one.id, one.fact] for one in item.replaces)
    return hashlib.sha256(json.dumps([said, replaced]).encode()).hexdigest()


def unchanged(hands: Hands, seen: Sequence[tuple[str, str]]) -> bool:
    """Whether all of this (ids, each with the digest of what was shown) still waits, and is what was shown."""
    try:
        subjects = {hands.memory.show(fact_id).subject for fact_id, _ in seen}
    except UnknownFact:
        return False
    waiting = [item for one in sorted(subjects) for item in hands.reviewer.batch(subject=one)]
    now = {item.fact.id: of_item(item) for item in waiting}
    return all(now.get(fact_id) == digest for fact_id, digest in seen)
