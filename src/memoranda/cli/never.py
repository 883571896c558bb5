"""never, rescan: what is never to be kept, and a look at what is kept already."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from memoranda.cli import place, show
from memoranda.cli.options import Db, Json, readable
from memoranda.errors import UsageError
from memoranda.ports import NeverRule, Rescan


def never(
    action: Annotated[
        Literal["add", "list", "remove"], typer.Argument(help="add, list or remove a rule.")
    ],
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The rule's name.", callback=readable)
    ] = None,
    words: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS",
            help="Words; * stands for the rest of a word, ? for a letter.",
            callback=readable,
        ),
    ] = None,
    pattern: Annotated[
        str | None,
        typer.Option(
            metavar="REGEX", help="A regular expression with few repeats.", callback=readable
        ),
    ] = None,
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help="A kind of the screens, such as phone.")
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Say what is never to be kept: words, a pattern or a kind. It is refused everywhere, under the rule's name."""
    if action != "list" and not name:
        raise UsageError(f"never {action} needs the name of the rule")
    if action == "add":
        with place.memory(db, create=True) as memory:
            told([memory.never_add(name or "", words=words, pattern=pattern, kind=kind)], json=json)
        if not json:
            show.say("what is kept already stays until: memoranda rescan")
        return
    with place.memory(db) as memory:
        if action == "remove":
            memory.never_remove(name or "")
        rules = memory.never_list()
    told(rules, json=json)


def told(rules: list[NeverRule], *, json: bool) -> None:
    """Rules, one a line."""
    if json:
        show.as_json(rules)
        return
    rows = [(rule.name, rule.form, rule.value, rule.added_at, rule.added_by) for rule in rules]
    show.table(("rule", "form", "what", "since", "by"), rows, nothing="there are none")


def rescan(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show it and change nothing.")] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Screen what is kept with the present rules: erase secrets, forget what is refused now, blank log and files."""
    with place.memory(db) as memory:
        done = memory.rescan(dry_run=dry_run)
    if json:
        show.as_json(done)
    else:
        rescanned(done)


def rescanned(done: Rescan) -> None:
    """What a rescan found and did, and what it leaves to a person."""
    rows = [(row.place, row.id, row.rule, row.done) for row in done.found]
    show.table(
        ("where", "id", "rule", "would be" if done.dry_run else "done"), rows, nothing="all is well"
    )
    looked = ", ".join(f"{number} of {place}" for place, number in done.looked_at.items())
    show.say(
        f"looked at {looked}; {len(done.found)} to change"
        if done.dry_run
        else f"looked at {looked}"
    )
    if done.blocked_by_reader or done.byte_hits:
        show.warn("a secret is still found in the store's files: rescan again when nobody reads it")
    for what in done.out_of_reach:
        show.say(f"out of reach, look yourself: {what}")
