"""Recall as the measuring instruments take it: turns of a conversation in through the log, ids out by recall."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from memoranda.gate.items import LogItem
from memoranda.memory import Memory
from memoranda.messages import said
from memoranda.ports import Embedder
from memoranda.sessions.log import append
from memoranda.settings import Settings
from memoranda.step import step
from memoranda.types import Origin, Selection, Trust, to_micros

FORMATS = (
    "%I:%M %p on %d %B, %Y",
    "%Y/%m/%d (%a) %H:%M",
    "%B-%d-%Y",
    "%d.%m.%Y, %H:%M:%S",
    "%m/%d/%Y, %H:%M:%S",
    "%Y-%m-%d",
)
SUBJECT = "user:me"


def moment(text: str) -> datetime | None:
    """The time that an instrument writes in one of its ways; None for one that is not known here."""
    with suppress(ValueError):
        at = datetime.fromisoformat(text)
        return at if at.tzinfo else at.replace(tzinfo=UTC)
    for form in FORMATS:
        with suppress(ValueError):
            return datetime.strptime(text, form).replace(tzinfo=UTC)
    return None


class Replayed:
    """The time of the newest turn, so that "last week" is meant as it was then."""

    at = to_micros(datetime(2020, 1, 1, tzinfo=UTC))

    def now(self) -> int:
        return self.at


class Retrieval:
    """A conversation in the log; each question is a recall of turns, with the floor off: the instrument ranks."""

    def __init__(self, embedder: Embedder | None = None) -> None:
        self.clock = Replayed()
        settings = Settings(recall_floor=0.0, below_user=10_000, embed_at_recall=100_000)
        self.memory = Memory.open(
            ":memory:", settings=settings, clock=self.clock, embedder=embedder
        )
        self.ids: dict[str, str] = {}

    def index(self, turns: Sequence[Mapping[str, str]]) -> None:
        for number, (session, some) in enumerate(_by_session(turns)):
            messages = tuple(_message(turn) for turn in some)
            times = tuple(self._time(turn) for turn in some)
            name = f"{number}-{session}"
            item = LogItem(name, SUBJECT, messages, run=name, times=times)
            first = step(append(self.memory.core, item)).id
            start = int(str(first).rpartition("#")[2])
            for n, turn in enumerate(some, start):
                self.ids[f"turn:{name}#{n}"] = turn["id"]

    def _time(self, turn: Mapping[str, str]) -> int:
        found = moment(turn["date"])
        self.clock.at = max(
            self.clock.at, to_micros(found) if found else self.clock.at + 60_000_000
        )
        return to_micros(found) if found else self.clock.at

    def search(self, query: str, k: int) -> list[str]:
        found = self.memory.recall(
            query, subjects=[SUBJECT], k=k, turns=k, tokens=10_000_000, min_trust=Trust.MODEL
        )
        return [self.ids[turn.id] for turn in found.turns]

    def close(self) -> None:
        self.memory.close()


def _by_session(
    turns: Sequence[Mapping[str, str]],
) -> Iterator[tuple[str, list[Mapping[str, str]]]]:
    for session, some in groupby(turns, key=lambda turn: turn["session"]):
        yield re.sub(r"[^\w-]", "-", session) or "s", list(some)


def _message(turn: Mapping[str, str]) -> Any:
    speaker, text = turn["speaker"], turn["text"] or "-"
    if speaker in ("user", "assistant"):
        return said("user" if speaker == "user" else "assistant", text)
    return said("user", f"{speaker[:1].upper()}{speaker[1:40]}: {text}" if speaker else text)


class Precision:
    """Facts with scopes: each scope of a user is a subject of its own, asked beside the user's."""

    universal = "user:universal"

    def __init__(self, embedder: Embedder | None = None) -> None:
        settings = Settings(embed_at_recall=10_000)
        self.memory = Memory.open(":memory:", settings=settings, embedder=embedder)
        self.known: dict[str, str] = {}

    def load(self, facts: Sequence[Mapping[str, Any]]) -> None:
        for fact in facts:
            for scope in fact["scope"] or [""]:
                self._add(fact, scope)

    def _add(self, fact: Mapping[str, Any], scope: str) -> None:
        # One fact is one sentence here; the instrument's are up to three, which are joined into one.
        text = re.sub(r"[.;] +(?=[A-Z@])", "; ", fact["text"])
        out = self.memory.remember(
            text,
            subject=f"{fact['subject']} {scope}",
            tags=fact["aliases"],
            origin=Origin.OPERATOR,
            confidence=fact["confidence"],
            observed_at=moment(fact["created_at"] or ""),
        )
        if out.id is None:
            return
        self.known[out.id] = fact["id"]
        if fact["superseded_by"] or fact["resolved_at"] or fact["status"] == "superseded":
            self.memory.retire(Selection(ids=(out.id,)), why="closed in the source")

    def recall(self, query: str, scope: Mapping[str, Any], k: int) -> list[str]:
        scopes = ["", self.universal, *scope["scopes"]]
        subjects = [f"{scope['subject']} {name}" for name in scopes]
        found = self.memory.recall(query, subjects=subjects, k=k, tokens=100_000)
        return list(dict.fromkeys(self.known[fact.id] for fact in found.facts))[:k]

    def close(self) -> None:
        self.memory.close()


def minilm() -> Embedder:
    """The model that the extra `embed` brings."""
    from memoranda.embedders import named

    return named(Settings(embedder="minilm"))


def retrieval() -> Retrieval:
    """A fresh memory for each conversation, recalled by words and meaning."""
    return Retrieval(minilm())


def retrieval_no_model() -> Retrieval:
    """The same by words alone."""
    return Retrieval()


def precision() -> Precision:
    """A fresh memory for each file of facts, with the model."""
    return Precision(minilm())


def precision_no_model() -> Precision:
    """The same by words alone."""
    return Precision()
