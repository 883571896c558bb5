"""Where a person is after a change: a page that can be loaded again without changing anything again."""

from __future__ import annotations

from urllib.parse import urlencode

from fastapi.responses import RedirectResponse


def address(path: str, /, **query: object) -> str:
    """The address of a page. What is None is left out; subjects, sessions and paths may hold any character."""
    told = {name: value for name, value in query.items() if value is not None}
    return f"{path}?{urlencode(told)}" if told else path


def on_to(path: str, /, **query: object) -> RedirectResponse:
    """On to a page, to be read, after a form was sent."""
    return RedirectResponse(address(path, **query), 303)
