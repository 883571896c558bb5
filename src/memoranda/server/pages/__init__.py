"""The pages: server-rendered, each readable without a script."""

from __future__ import annotations

from fastapi import APIRouter

from memoranda.server.pages import (
    entering,
    facts,
    file_changes,
    files,
    operations,
    projects,
    receipts,
    sessions,
    store,
    windows,
)

PLACES = (sessions, windows, receipts, files, file_changes, projects, operations, store)


def routes() -> APIRouter:
    """All pages. They are no part of the API's description."""
    made = APIRouter(include_in_schema=False)
    made.include_router(facts.router)
    made.include_router(entering.router)
    for place in PLACES:
        made.include_router(place.router)
    return made
