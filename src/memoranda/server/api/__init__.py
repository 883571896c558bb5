"""JSON under /v1 for what the page needs. Keys and tenants join in a place of their own: `doors`."""

from __future__ import annotations

from fastapi import APIRouter

from memoranda.server.api import facts


def routes() -> APIRouter:
    """All routes under /v1."""
    made = APIRouter(prefix="/v1")
    made.include_router(facts.router)
    return made
