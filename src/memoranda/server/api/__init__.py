"""JSON under /v1 for what the page needs. Keys and tenants join in a place of their own: `doors`."""

from __future__ import annotations

from fastapi import APIRouter

from memoranda.server.api import (
    changes,
    facts,
    files,
    health,
    recall,
    review,
    sessions,
    taking_back,
)


def routes() -> APIRouter:
    """All routes for programs: those under /v1, and /health."""
    made = APIRouter()
    made.include_router(health.alive)
    for part in (facts, changes, taking_back, review, recall, sessions, files, health):
        made.include_router(part.router, prefix="/v1")
    return made
