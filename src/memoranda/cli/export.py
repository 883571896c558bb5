"""export: all that is known of somebody, as a text to read or as JSON."""

from __future__ import annotations

import json as js
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from memoranda.accounts import Export, Known
from memoranda.cli import place, show
from memoranda.cli.escape import visible, visible_json
from memoranda.cli.options import ME, Db, Json, Subject, readable
from memoranda.errors import UsageError
from memoranda.types import LoggedMessage


def export(
    subject: Subject = ME,
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write to this new file.", callback=readable),
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Say all that is known of a subject: facts of every state, where they came from, messages."""
    with place.memory(db) as memory:
        found = memory.export(subject)
    if out is not None:
        write(Path(out), document(found) if json else "\n".join(map(visible, lines(found))))
        show.say(f"written to {out}")
    elif json:
        show.as_json(found)
    else:
        for line in lines(found):
            show.say(line)
    if not (found.facts or found.messages):
        show.warn(f"nothing is known of {subject}")


def document(found: Export) -> str:
    """The export as JSON."""
    return visible_json(js.dumps(show.plain(found), ensure_ascii=False, indent=2))


def write(file: Path, text: str) -> None:
    """Make a file that its owner alone may read; one that is there is left as it is."""
    try:
        descriptor = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with open(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text + "\n")
    except FileExistsError:
        raise UsageError(f"{file} is there already; name a new file") from None
    except OSError as error:
        raise show.unwritten(file, error) from None


def lines(found: Export) -> Iterator[str]:
    """The export as a text."""
    yield f"What is known of {found.subject}, {show.cell(found.at)}"
    yield ""
    yield f"Facts: {len(found.facts)}"
    for known in found.facts:
        yield from fact_lines(known)
    yield ""
    yield f"Messages: {len(found.messages)}"
    for message in found.messages:
        yield from message_lines(message)


def fact_lines(known: Known) -> Iterator[str]:
    """One fact with its provenance."""
    fact = known.fact
    yield f"- {fact.fact}"
    about = [show.state(fact), fact.kind.value, f"from {fact.origin.value}"]
    about += [
        f"{name} {value}"
        for name, value in (
            ("run", fact.source_run),
            ("step", fact.source_step),
            ("source", fact.source_ref),
        )
        if value is not None
    ]
    about += [f"tags {show.cell(fact.tags)}"] if fact.tags else []
    yield f"  {fact.id}: {', '.join(about)}"
    yield f"  said {show.cell(fact.observed_at)}, expires {show.cell(fact.expires_at)}"
    if fact.quote:
        yield f'  words: "{fact.quote}"'
    for change in known.changes:
        reason = f" ({change.why})" if change.why else ""
        yield f"  {show.cell(change.at)} {change.verb} by {change.actor}{reason}: {change.status.value}"
    for time in known.recalled:
        yield f"  told to a model {show.cell(time.at)}, session {time.session}, run {time.run}"


def message_lines(message: LoggedMessage) -> Iterator[str]:
    """One message: its texts, and other parts by their kind."""
    yield f"- {show.cell(message.at)} {message.session}#{message.n} {message.role} ({message.origin.value})"
    for part in message.body.get("parts", ()):
        text = part.get("text")
        yield f"  {text}" if isinstance(text, str) else f"  [{part.get('type', 'part')}]"
