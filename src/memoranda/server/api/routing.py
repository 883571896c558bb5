"""What all routes of the API have in common: how an answer is written."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.routing import APIRoute

from memoranda.server.problems import Json


def _name(route: APIRoute) -> str:
    return route.name


def tagged(tag: str) -> APIRouter:
    """A router whose operations are named after their functions."""
    return APIRouter(tags=[tag], default_response_class=Json, generate_unique_id_function=_name)
