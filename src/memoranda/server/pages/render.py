"""Templates to pages. Whatever was remembered is text in them, never markup: escaping is on everywhere."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from memoranda.moments import local
from memoranda.server import assets
from memoranda.server.doors import doors, person
from memoranda.server.pages.notices import noticed
from memoranda.server.pages.visible import UNSEEN, seen

# The bar on top, in the order of use.
PLACES = (
    ("/", "Facts"),
    ("/review", "Review"),
    ("/runs", "Runs"),
    ("/sessions", "Sessions"),
    ("/files", "Files"),
    ("/projects", "Projects"),
    ("/operations", "What was done"),
    ("/store", "Store"),
)

# More than so many that wait are not counted for the bar.
MANY = 100

# What a person reads above a problem.
TITLES = {
    HTTPStatus.FORBIDDEN: "This is for a person who came in by the link",
    HTTPStatus.NOT_FOUND: "Nothing is here",
    HTTPStatus.CONFLICT: "This does not fit what is there now",
    HTTPStatus.UNPROCESSABLE_ENTITY: "This could not be read",
    HTTPStatus.SERVICE_UNAVAILABLE: "The store is busy",
    HTTPStatus.INSUFFICIENT_STORAGE: "There is no room left",
}


@cache
def templates() -> Environment:
    """The templates of this room, loaded once. `seen` is for whatever was remembered or named by somebody."""
    made = Environment(
        loader=PackageLoader("memoranda.server"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals["asset"] = assets.address
    made.filters["seen"] = seen
    made.filters["local"] = local
    # For a field where a text is changed: what cannot be seen there would be kept without being read.
    made.filters["typed"] = lambda text: UNSEEN.sub("", str(text))
    return made


def page(request: Request, template: str, /, status: int = 200, **values: object) -> HTMLResponse:
    """A page from a template, which is also told who looks (`person`, None for everybody), where (`here`), what
    was just done (`note`) and, for a person, how much waits for them (`waiting`, up to `MANY`).
    """
    behind = doors(request)
    who = person(request, behind)
    text = (
        templates()
        .get_template(template)
        .render(
            person=who,
            here=request.url.path,
            places=PLACES,
            waiting=behind.memory.counts(most=MANY).pending if who else 0,
            many=MANY,
            linked=behind.entrance.linked,
            note=noticed(request) if who else None,
            **values,
        )
    )
    # Half a character cannot be sent, and no store keeps one: it is what somebody typed into the address.
    return HTMLResponse(text.encode(errors="replace"), status)


def problem_page(
    request: Request, status: HTTPStatus, detail: str, title: str | None = None
) -> HTMLResponse:
    """What went wrong, for a person."""
    told = detail[:1].upper() + detail[1:]
    return page(
        request,
        "problem.html",
        status,
        title=title or TITLES.get(status, status.phrase),
        detail=told if told.endswith((".", "?")) else f"{told}.",
    )
