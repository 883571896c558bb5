"""Style, script and pictures of the pages: cacheable for good under an address that holds their hash."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from urllib.parse import parse_qs

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope


@cache
def version(name: str) -> str:
    """The first digits of a file's SHA-256."""
    found = files("memoranda.server") / "static" / name
    return hashlib.sha256(found.read_bytes()).hexdigest()[:16]


def address(name: str) -> str:
    """Where a file of `static` is, by name and hash: `/static/app.css?v=...`."""
    return f"/static/{name}?v={version(name)}"


class Assets(StaticFiles):
    """The files of `static`. One that is asked for by its hash never changes; any other is asked for anew."""

    def __init__(self) -> None:
        super().__init__(directory=str(files("memoranda.server") / "static"))

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, or the error of its absence."""
        answer = await super().get_response(path, scope)
        asked = parse_qs(scope["query_string"].decode("latin-1")).get("v")
        known = answer.status_code in (200, 304) and asked == [version(path)]
        answer.headers["cache-control"] = (
            "public, max-age=31536000, immutable" if known else "no-cache"
        )
        return answer
