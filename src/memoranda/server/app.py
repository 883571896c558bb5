"""The application: guards, routes and what is answered when something goes wrong, put together in one place."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.routing import iter_route_contexts
from starlette.exceptions import HTTPException
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memoranda.errors import MemorandaError, place_of
from memoranda.server import api, pages
from memoranda.server.api.description import described, misfits
from memoranda.server.assets import Assets
from memoranda.server.doors import Doors
from memoranda.server.guard import Guard, Limits
from memoranda.server.lanes import Lanes
from memoranda.server.pages.render import problem_page
from memoranda.server.problems import OWN, own, status_of, told

log = logging.getLogger("memoranda.server")
# What programs ask for; everything else is a page.
FOR_PROGRAMS = ("/v1", "/health", "/openapi.json")
BY_STATUS = {404: "NotFound", 405: "MethodNotAllowed"}


def application(doors: Doors, *, hosts: Sequence[str], limits: Limits | None = None) -> FastAPI:
    """The application over these faces, which answers only where the request names one of `hosts` (`name:port`)."""
    made = FastAPI(
        title="Memoranda",
        docs_url=None,  # its page would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,  # one address for one thing
        exception_handlers={
            MemorandaError: _told,
            RequestValidationError: _invalid,
            HTTPException: _unrouted,
        },
    )
    made.state.doors = doors
    made.add_middleware(Lanes, entrance=doors.entrance)
    made.add_middleware(Answering)
    made.add_middleware(Guard, hosts=tuple(hosts), limits=limits)
    made.include_router(api.routes())
    made.include_router(pages.routes())
    made.mount("/static", Assets(), name="static")
    described(made)
    return made


def for_program(request: Request) -> bool:
    """Whether a program asks, so that a problem is told as JSON."""
    path: str = request.scope["path"]
    return any(path == root or path.startswith(f"{root}/") for root in FOR_PROGRAMS)


async def _told(request: Request, error: Exception) -> Response:
    """An error of ours as an answer: a problem for programs, a page for people."""
    assert isinstance(error, MemorandaError)
    if for_program(request):
        return told(error)
    return problem_page(request, status_of(error), str(error))


async def _invalid(request: Request, error: Exception) -> Response:
    """What does not fit its description, place by place; never what was sent."""
    assert isinstance(error, RequestValidationError)
    found = misfits(error.errors())
    if for_program(request):
        return own("Invalid", found)
    status, _detail = OWN["Invalid"]
    return problem_page(
        request, status, "; ".join(f"{one['at']}: {one['problem']}" for one in found)
    )


async def _unrouted(request: Request, error: Exception) -> Response:
    """No such address, or not by this method."""
    assert isinstance(error, HTTPException)
    name = BY_STATUS.get(error.status_code, "BadRequest")
    answer = own(name) if for_program(request) else problem_page(request, *OWN[name])
    answer.headers.update(error.headers or {})
    if name == "MethodNotAllowed":
        # The library names the methods of one route; several may share an address.
        answer.headers["allow"] = ", ".join(methods_at(request.app, request.scope["path"]))
    return answer


def methods_at(app: FastAPI, path: str) -> list[str]:
    """The methods that an address takes."""
    found: set[str] = set()
    for route in iter_route_contexts(app.routes):
        if route.path and route.methods and compile_path(route.path)[0].match(path):
            found |= route.methods
    return sorted(found)


class Answering:
    """Sees to it that every request is answered, whatever happens in a route."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and answer it if nobody else did."""
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        answer = await failed(self.app, scope, receive, noted)
        # An answer that has begun cannot be taken back: the connection ends in the middle of it.
        if answer is not None and not begun:
            await answer(scope, receive, send)


async def failed(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> Response | None:
    """Run the application; the answer to an error that nobody foresaw, which the log names by type and place alone."""
    try:
        await app(scope, receive, send)
    except Exception as error:
        place = place_of(error.__traceback__)
        log.error("unforeseen %s at %s", type(error).__name__, place)
        return own("Unforeseen")
    return None
