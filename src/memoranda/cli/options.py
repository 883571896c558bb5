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


def subjects_here(me: str = ME) -> list[str]:
    """Who is meant when nobody is named: the person, and the project of the checkout around the working directory."""
    from memoranda.cli.checkout import project_here

    project = project_here()
    return [me, project] if project else [me]


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
Subjects = Annotated[
    list[str] | None,
    typer.Option(
        "--subject",
        metavar="KIND:NAME",
        help=f"Whose; may be given again. Default: {ME}, and in a checkout its project too.",
    ),
]
Name = Annotated[
    str | None, typer.Option(metavar="NAME", help="Who decides. Default: your login name.")
]
FactId = Annotated[
    str, typer.Argument(metavar="ID", help="A fact's id, as `memoranda facts` shows it.")
]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
