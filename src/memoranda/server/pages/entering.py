"""In by the link of the terminal, and out again."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse

from memoranda.errors import NotAllowed
from memoranda.server.doors import Doors, doors
from memoranda.server.entrance import COOKIE

router = APIRouter()


@router.get("/enter/{token}")
def enter(token: str, behind: Annotated[Doors, Depends(doors)]) -> RedirectResponse:
    """Open a session for whoever brings a link that was not used."""
    session = behind.entrance.enter(token)
    if session is None:
        raise NotAllowed(
            "this link was used or is too old; press Enter in its terminal for another"
        )
    answer = RedirectResponse("/", 303)
    # A page of another site cannot make the browser bring it, and no script can read it.
    answer.set_cookie(COOKIE, session, httponly=True, samesite="strict", path="/")
    return answer


@router.post("/leave")
def leave(request: Request, behind: Annotated[Doors, Depends(doors)]) -> RedirectResponse:
    """End the session."""
    behind.entrance.leave(request.cookies.get(COOKIE))
    answer = RedirectResponse("/", 303)
    answer.delete_cookie(COOKIE)
    return answer
