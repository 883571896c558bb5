"""The pages: server-rendered, each readable without a script."""

from __future__ import annotations

from fastapi import APIRouter

from memoranda.server.pages import (
    entering,
    erasing,
    fact,
    facts,
    file_changes,
    files,
    operations,
    projects,
    receipts,
    reviewing,
    runs,
    sessions,
    store,
    undoing,
    windows,
)

ROOMS = (
    *(facts, fact, erasing, reviewing, runs, undoing, entering),
    *(sessions, windows, receipts, files, file_changes, projects, operations, store),
)


def routes() -> APIRouter:
    """All pages. They are no part of the API's description."""
    made = APIRouter(include_in_schema=False)
    for room in ROOMS:
        made.include_router(room.router)
    return made
