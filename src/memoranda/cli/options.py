"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from memoranda.errors import UsageError

ME = "user:me"


def readable(text: str | None) -> str | None:
    """Refuse an argument that was not UTF-8: it could be kept, and never be typed again."""
    if text is not None and any("\ud800" <= character <= "\udfff" for character in text):
        raise UsageError("an argument is not valid UTF-8; nothing was done")
    return text


Db = Annotated[
    str | None,
    typer.Option(
        "--db", metavar="PATH", help="The store. Default: MEMORANDA_DB, else your data folder."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Subject = Annotated[
    str, typer.Option("--subject", metavar="KIND:NAME", help="Who it is about.", callback=readable)
]
OneSubject = Annotated[
    str | None,
    typer.Option("--subject", metavar="KIND:NAME", help="Only of this subject.", callback=readable),
]
FactId = Annotated[
    str, typer.Argument(metavar="ID", help="A fact's id, as `memoranda facts` shows it.")
]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
