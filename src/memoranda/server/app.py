"""The application: guards, routes and what is answered when something goes wrong, put together in one place."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles

from memoranda.errors import MemorandaError
from memoranda.server import api, pages
from memoranda.server.doors import Doors
from memoranda.server.guard import Guard
from memoranda.server.pages.render import problem_page
from memoranda.server.problems import kind_of, problem, status_of


def application(doors: Doors, *, hosts: Sequence[str]) -> FastAPI:
    """The application over these faces, which answers only where the request names one of `hosts` (`name:port`)."""
    made = FastAPI(
        title="Memoranda",
        docs_url=None,  # its page would load scripts from elsewhere
        redoc_url=None,
        exception_handlers={MemorandaError: _told},
    )
    made.state.doors = doors
    made.add_middleware(Guard, hosts=tuple(hosts))
    made.include_router(api.routes())
    made.include_router(pages.routes())
    static = files("memoranda.server") / "static"
    made.mount("/static", StaticFiles(directory=str(static)), name="static")
    return made


async def _told(request: Request, error: Exception) -> Response:
    """An error of ours as an answer: a problem for programs, a page for people."""
    assert isinstance(error, MemorandaError)
    status = status_of(error)
    if request.url.path.startswith("/v1"):
        return JSONResponse(
            problem(status, str(error), kind_of(error)),
            status,
            media_type="application/problem+json",
        )
    return problem_page(request, status, str(error))
