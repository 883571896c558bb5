"""Templates to pages. Whatever was remembered is text in them, never markup: escaping is on everywhere."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from memoranda.server.doors import doors, person

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


@cache
def templates() -> Environment:
    """The templates of this room, loaded once."""
    return Environment(
        loader=PackageLoader("memoranda.server"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def page(request: Request, template: str, /, status: int = 200, **values: object) -> HTMLResponse:
    """A page from a template, which is also told who looks (`person`, None for everybody) and where (`here`)."""
    who = person(request, doors(request))
    text = (
        templates()
        .get_template(template)
        .render(values, person=who, here=request.url.path, places=PLACES)
    )
    return HTMLResponse(text, status)


def problem_page(request: Request, status: HTTPStatus, detail: str) -> HTMLResponse:
    """What went wrong, for a person."""
    return page(request, "problem.html", status, title=status.phrase, detail=detail)
