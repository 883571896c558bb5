"""What all routes of the API have in common: how an answer is written, and what is believed."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import APIRouter
from fastapi.routing import APIRoute

from memoranda.server.problems import Json
from memoranda.types import Fact, Status


def _name(route: APIRoute) -> str:
    return route.name


def tagged(tag: str) -> APIRouter:
    """A router whose operations are named after their functions."""
    return APIRouter(tags=[tag], default_response_class=Json, generate_unique_id_function=_name)


def believed(facts: Iterable[Fact]) -> list[Fact]:
    """Those that are live: what everybody may read."""
    return [fact for fact in facts if fact.status is Status.LIVE]
