"""The bodies of answers about sessions, windows, receipts and files."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from memoranda.server.api.fields import Answer
from memoranda.server.api.told import Fact, example
from memoranda.types import Origin

AT = "2026-11-30T10:00:00Z"
SESSION = {"session": "session-1", "messages": 2, "first": AT, "last": AT}
MESSAGE = {
    "session": "session-1",
    "n": 1,
    "run": "run-7",
    "step": 1,
    "role": "user",
    "origin": "user",
    "subject": "user:me",
    "at": AT,
    "body": {"role": "user", "parts": [{"type": "text", "text": "Which theme do I like?"}]},
}
RECEIPT = {
    "id": "r_01jdyq4c6s8m2n0v3x5z7b9d1f",
    "session": "session-1",
    "run": "run-7",
    "at": AT,
    "subjects": ["user:me"],
    "considered": 12,
    "tokens": 60,
    "message": 1,
    "chosen": 1,
    "left_out": 0,
}
VERSION = {
    "path": "/memories/notes/a.md",
    "n": 1,
    "verb": "create",
    "sha256": "0" * 64,
    "size": 5,
    "mark": "",
    "actor": "page:asha",
    "run": None,
    "step": None,
    "at": AT,
    "source": None,
}
FILE = {
    "path": "/memories/notes/a.md",
    "text": "milk\n",
    "sha256": "0" * 64,
    "n": 1,
    "mark": "",
    "approved_by": None,
}


class SessionEntry(Answer):
    """A session of the log: its number of messages, and when the first and the last came."""

    session: str
    messages: int
    first: datetime
    last: datetime


class SessionsPage(Answer):
    """Sessions, the latest spoken in first."""

    model_config = example(sessions=[SESSION], after=None)
    sessions: list[SessionEntry]
    after: str | None


class Message(Answer):
    """A message as it was sent, secrets replaced."""

    session: str
    n: int
    run: str | None
    step: int | None
    role: str
    origin: Origin
    subject: str
    at: datetime
    body: dict[str, Any]


class LogPage(Answer):
    """Messages of a session in order; `receipts`: what was recalled for a message, by its number."""

    model_config = example(
        session=SESSION, messages=[MESSAGE], after=None, before=None, receipts={}
    )
    session: SessionEntry
    messages: list[Message]
    after: int | None
    before: int | None
    receipts: dict[int, str]


class ReceiptEntry(Answer):
    """A receipt in a list: when and of whom was recalled, how much was considered and chosen."""

    id: str
    session: str | None
    run: str | None
    at: datetime
    subjects: list[str]
    considered: int
    tokens: int
    message: int | None
    chosen: int
    left_out: int


class Receipts(Answer):
    """The latest receipts, newest first."""

    model_config = example(receipts=[RECEIPT])
    receipts: list[ReceiptEntry]


class RecordedItem(Answer):
    """A fact or turn that a recall considered: its score then, why it was left out, and what it is now.

    Without a session only facts that are believed now, and no messages.
    """

    id: str
    score: float
    reason: str | None
    fact: Fact | None
    message: Message | None


class Receipt(Answer):
    """A recall as it is stored."""

    model_config = example(entry=RECEIPT, step=1, chosen=[], left_out=[])
    entry: ReceiptEntry
    step: int | None
    chosen: list[RecordedItem]
    left_out: list[RecordedItem]


class Compaction(Answer):
    """The record of one compaction: why, at which step, tokens before and after, which steps lost what."""

    why: str
    at_step: int
    budget: int
    before: int
    after: int
    rewritten: int
    dropped: list[int]
    blocks: int
    cut: list[int]
    superseded: list[int]
    stubbed: list[int]
    notes: int
    summary: str
    refused: int


class Call(Answer):
    """One model call of a replay: tokens of all that was said and of the request, and of its parts by kind."""

    step: int
    history: int
    sent: int
    read: int
    written: int
    fresh: int
    output: int
    broke: bool
    compaction: Compaction | None
    refused: bool
    filled: dict[str, int]


class Replay(Answer):
    """What a window would have held before each answer of a session, and what that cost (in input tokens)."""

    model_config = example(policy="token-budget", calls=[], cost=0.0, breaks=0)
    policy: str
    calls: list[Call]
    cost: float
    breaks: int


class Request(Answer):
    """The request before the answer of a step: the system prompt, the messages, their tokens."""

    model_config = example(system="", messages=[MESSAGE["body"]], tokens=20, compaction=None)
    system: str
    messages: list[dict[str, Any]]
    tokens: int
    compaction: Compaction | None


class FilesOf(Answer):
    """A subject with files in the store: how many, their bytes, when one was last written."""

    subject: str
    files: int
    bytes: int
    written: datetime | None


class FilesPage(Answer):
    """Subjects with files, by name."""

    model_config = example(
        subjects=[{"subject": "user:me", "files": 1, "bytes": 5, "written": AT}], after=None
    )
    subjects: list[FilesOf]
    after: str | None


class Paths(Answer):
    """The paths of a subject's files."""

    model_config = example(paths=["/memories/notes/a.md"])
    paths: list[str]


class File(Answer):
    """A file as it stands. `mark`: why its text is data and no instruction ("" for none)."""

    model_config = example(**FILE)
    path: str
    text: str
    sha256: str
    n: int
    mark: str
    approved_by: str | None


class Version(Answer):
    """One version of a file: what was done, by whom and when."""

    path: str
    n: int
    verb: str
    sha256: str
    size: int
    mark: str
    actor: str
    run: str | None
    step: int | None
    at: datetime
    source: str | None


class History(Answer):
    """The versions of a file, newest first."""

    model_config = example(versions=[VERSION])
    versions: list[Version]


class Diff(Answer):
    """A unified diff of two versions."""

    model_config = example(diff="--- version 1\n+++ now\n@@ -1 +1 @@\n-milk\n+tea\n")
    diff: str


class Item(Answer):
    """A line of a checklist. state: " " open, ">" in progress, "x" done, "?" claimed."""

    text: str
    state: str
    proof: str


class Project(Answer):
    """A project as its file says. `next`: the number of the item to work on."""

    model_config = example(
        goal="Ship the importer",
        setup="make setup",
        items=[{"text": "Parse the file", "state": " ", "proof": ""}],
        log=[],
        rest=[],
        next=1,
        left_open=False,
    )
    goal: str
    setup: str
    items: list[Item]
    log: list[str]
    rest: list[str]
    next: int | None
    left_open: bool
