"""The pages: server-rendered, each readable without a script."""

from __future__ import annotations

from fastapi import APIRouter

from memoranda.server.pages import entering, erasing, fact, facts, reviewing, runs, undoing


def routes() -> APIRouter:
    """All pages. They are no part of the API's description."""
    made = APIRouter(include_in_schema=False)
    for room in (facts, fact, erasing, reviewing, runs, undoing, entering):
        made.include_router(room.router)
    return made
