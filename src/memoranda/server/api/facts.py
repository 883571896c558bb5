"""Facts: lists, one, its trace."""

from __future__ import annotations

from fastapi import APIRouter

from memoranda.server.doors import Reading

router = APIRouter(tags=["facts"])


@router.get("/facts")
def facts(memory: Reading, subject: str) -> dict[str, object]:
    """The live facts of a subject."""
    return {"facts": [{"id": fact.id, "fact": fact.fact} for fact in memory.facts(subject=subject)]}
