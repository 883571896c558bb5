"""Whether the server and its store are well."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends

from memoranda.errors import StoreError
from memoranda.server.api import told
from memoranda.server.api.description import installed
from memoranda.server.api.routing import tagged
from memoranda.server.doors import Changing, Doors, Reading, doors
from memoranda.server.problems import Json
from memoranda.step import step
from memoranda.types import Health

router = tagged("health")
alive = tagged("health")
EXAMPLE = {"ok": False, "version": "0.1.0", "schema": None}


@alive.get(
    "/health",
    response_model=told.Alive,
    responses={503: {"model": told.Alive, "description": "The store cannot be read."}},
    summary="Is it alive?",
)
def alive_now(behind: Annotated[Doors, Depends(doors)]) -> Any:
    """Whether the server answers and its store can be read. Costs next to nothing; `/v1/health` looks closely."""
    try:
        schema = step(behind.memory.core.store.rows("schema_version"))[0][0]
    except StoreError:
        return Json({"ok": False, "version": installed(), "schema": None}, 503)
    return {"ok": True, "version": installed(), "schema": schema}


@router.get("/health", response_model=told.Health, summary="How the store is")
def health(memory: Reading) -> Health:
    """Place, schema, sizes, counts and findings. `/v1/health/thorough` looks for damage too."""
    return memory.health(thorough=False)


@router.get(
    "/health/thorough", response_model=told.Health, summary="How the store is, every byte of it"
)
def thorough(hands: Changing) -> Health:
    """The same, and whether the store is damaged. It reads the whole store, so a person asks for it."""
    return hands.memory.health()
