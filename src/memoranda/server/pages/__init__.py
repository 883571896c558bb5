"""The pages: server-rendered, each readable without a script."""

from __future__ import annotations

from fastapi import APIRouter

from memoranda.server.pages import entering, facts


def routes() -> APIRouter:
    """All pages. They are no part of the API's description."""
    made = APIRouter(include_in_schema=False)
    made.include_router(facts.router)
    made.include_router(entering.router)
    return made
