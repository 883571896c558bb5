"""The turns of the log as recall finds them: which messages may be recalled in other sessions, and by what words.

What users and operators said and what trusted tools returned; what the model said, marked as such, unless text from
outside stood in its session or its run before; text from outside never. Nothing that the screens would have a person
asked about.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memoranda.analysis import all_words, fold
from memoranda.core import Core
from memoranda.gate.screening import OWN, action, found_in
from memoranda.messages import Message
from memoranda.messages.neutral import from_json
from memoranda.ports import Row, Store, Tx
from memoranda.ranking.times import tells_time
from memoranda.ranking.turns import Key, Turn, said_terms
from memoranda.types import Origin
from memoranda.window.render import without_blocks

# What the note of a tenant says when the turns of its older messages are made; the migration says 0.
TURNS_VERSION = 1
PAGE = 500
OWNERS = (Origin.USER, Origin.OPERATOR)
# "Caroline: I went to Graz", as transcripts of several people are kept.
SPEAKER = re.compile(r"([A-Z\u00c0-\u017f][\w'. -]{0,39}): (?=\S)")


def log_of(subject: str) -> str:
    """Under what name the change number of a subject's turns is kept: a word said must not make facts be read anew."""
    return f"log of {subject}"


def rewritten(subject: str) -> str:
    """Under what name is counted how often turns of a subject were taken out or got another text."""
    return f"rewritten log of {subject}"


def item_of(key: Key) -> str:
    """A turn's name among the items that have vectors."""
    return f"{key[0]}#{key[1]}"


def said_in(message: Message) -> tuple[str, str]:
    """Who speaks in a message ("" for nobody by name), and what is said, without blocks of ours."""
    if message.role == "tool":
        return "", "\n".join(without_blocks(result.text) for result in message.results).strip()
    text = without_blocks(message.text).strip()
    if message.role != "user":
        return message.role, text
    match = SPEAKER.match(text)
    return (match[1], text[match.end() :]) if match else ("", text)


def terms_in(message: Message) -> frozenset[str]:
    """The terms of what is said in a message and of who says it, as those of its turn."""
    speaker, text = said_in(message)
    return said_terms(all_words(text), speaker)


async def add_turn(core: Core, tx: Tx, row: Mapping[str, Any], message: Message) -> int:
    """Make the turn of a message that was logged with these columns, if it may be recalled. How many were made."""
    speaker, text = said_in(message)
    if not text or not await _may(core, tx, row, message.source, text):
        return 0
    return await tx.run(
        "add_turn",
        tenant=core.tenant,
        session=row["session"],
        message=row["n"],
        subject=row["subject"],
        run=row["run"],
        step=row["step"],
        speaker=speaker,
        origin=message.source,
        at=row["at"],
        asks=int(text.endswith(("?", "？", "؟"))),
        timed=int(tells_time(fold(text[:4096]))),
        words=" ".join(all_words(text)),
    )


async def _may(
    core: Core, source: Store | Tx, row: Mapping[str, Any], origin: Origin, text: str
) -> bool:
    if origin is Origin.EXTERNAL or row["role"] == "system":
        return False
    if origin is Origin.MODEL and await source.rows(
        "heard_outside",
        tenant=core.tenant,
        session=row["session"],
        message=row["n"],
        run=row["run"],
        at=row["at"],
    ):
        return False
    found, failed = found_in(text, core.screens)
    return not failed and all(_harmless(core, finding, origin) for finding in found)


def _harmless(core: Core, finding: Any, origin: Origin) -> bool:
    """What the users say of themselves so that it is remembered is no reason to ask them about it."""
    what = action(finding, core.settings.screening)
    own = origin in OWNERS and (finding.kind or finding.group) in OWN
    return what == "allow" or (what == "ask" and own)


async def renew_turn(core: Core, tx: Tx, session: str, n: int) -> None:
    """A message was rewritten: its turn is made anew, under a new number."""
    if not await tx.run("drop_turn", tenant=core.tenant, session=session, message=n):
        return
    rows = await tx.rows("message", tenant=core.tenant, session=session, n=n)
    for row in map(_named, rows):
        await _bump(core, tx, row["subject"])
        await add_turn(core, tx, row, from_json(json.loads(row["body"])))


async def drop(core: Core, tx: Tx, session: str, n: int) -> int:
    """Take a turn out of recall, with its vectors. How many there were."""
    rows = await tx.rows("message", tenant=core.tenant, session=session, n=n)
    dropped = await tx.run("drop_turn", tenant=core.tenant, session=session, message=n)
    for row in map(_named, rows if dropped else ()):
        await _bump(core, tx, row["subject"])
        item = item_of((session, n))
        await tx.run("drop_item_vectors", tenant=core.tenant, place="turn", item=item)
    return dropped


async def _bump(core: Core, tx: Tx, subject: str) -> None:
    # The subject's own number too: by it `reembed` sees that texts it read may have changed.
    for name in (subject, log_of(subject), rewritten(subject)):
        await tx.rows("bump_subject", tenant=core.tenant, subject=name)


NAMES = ("session", "n", "run", "step", "role", "origin", "subject", "at", "body")


def _named(row: Row) -> dict[str, Any]:
    return dict(zip(NAMES, row, strict=True))


def turn_of(row: Row) -> tuple[int, Turn]:
    """The number and the turn of a row of the queries that read turns."""
    n, session, message, speaker, origin, at, asks, timed, words, run, step = row
    held = tuple(words.split())
    return n, Turn(session, message, speaker, origin, at, held, bool(asks), bool(timed), run, step)


async def texts_of(core: Core, keys: Iterable[Key]) -> dict[Key, tuple[str, str]]:
    """Who spoke and what was said in these messages; those that are gone are left out."""
    places = json.dumps([list(key) for key in keys], ensure_ascii=False)
    rows = await core.store.rows("turn_texts", tenant=core.tenant, places=places)
    return {(session, n): said_in(from_json(json.loads(body))) for session, n, body in rows}


async def embeddable_turns(core: Core, subject: str) -> Mapping[str, str]:
    """What vectors are made of: each turn with its speaker, newest first."""
    rows = await core.store.rows("turns_after", tenant=core.tenant, subject=subject, after=0)
    keys = [turn.key for _, turn in sorted(map(turn_of, rows), key=lambda pair: -pair[0])]
    found = await texts_of(core, keys)
    return {item_of(key): spoken(*found[key]) for key in keys if key in found}


def spoken(speaker: str, text: str) -> str:
    """A turn as it is embedded: measured better with its speaker than without."""
    return f"{speaker}: {text}" if speaker else text


# Upkeep


async def index_old(core: Core) -> int:
    """Make the turns of messages that were logged before there were any, a page at a time. How many were made."""
    key = f"turns/{core.tenant}"
    noted = await core.store.rows("meta", key=key)
    if not noted or int(noted[0][0]) == TURNS_VERSION:
        return 0
    made, place = 0, ("", 0)
    while page := await _page(core, place):
        made += await _indexed(core, page)
        place = page[-1]["session"], page[-1]["n"]

    async def body(tx: Tx) -> None:
        await tx.run("set_meta", key=key, value=str(TURNS_VERSION))

    await core.store.atomic(body)
    return made


async def _page(core: Core, after: Key) -> list[dict[str, Any]]:
    rows = await core.store.rows(
        "messages_after", tenant=core.tenant, session=after[0], message=after[1], most=PAGE
    )
    return [_named(row) for row in rows]


async def _indexed(core: Core, page: Sequence[Mapping[str, Any]]) -> int:
    async def body(tx: Tx) -> int:
        for subject in sorted({log_of(row["subject"]) for row in page}):
            await tx.rows("bump_subject", tenant=core.tenant, subject=subject)
        made = 0
        for row in page:
            made += await add_turn(core, tx, row, from_json(json.loads(row["body"])))
        return made

    return await core.store.atomic(body)


async def forget_turns(core: Core, tx: Tx, before: int) -> None:
    """The turns of messages that the log's retention takes."""
    rows = await tx.rows("subjects_of_old_turns", tenant=core.tenant, before=before)
    for (subject,) in rows:
        await _bump(core, tx, subject)
    await tx.run("forget_turns_before", tenant=core.tenant, before=before)


EMBEDDABLE = {"turn": embeddable_turns}
MAINTENANCE = {"turns": index_old}
MAINTAINED = {
    "turns": "log-retention",
    "fact_numbers": "trace",
    "indexed": "bytes",
    "index_gone": "bytes",
}
