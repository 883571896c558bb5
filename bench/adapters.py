"""Memoranda as measuring instruments take it. Outside the wheel: nothing in the product knows of these.

updates(), precision(), window(): a fresh object for each case. screen(text): findings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from bench.adapters_files import files_folder, files_folder_sdk, files_table
from bench.adapters_window import faithful, window
from memoranda.gate.screen.rules import RULES, engine
from memoranda.memory import Memory
from memoranda.messages import said
from memoranda.types import Origin, Selection, to_micros


def moment(text: str | None) -> datetime | None:
    """An ISO 8601 time; one without a zone is taken as UTC."""
    if not text:
        return None
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)


class ReplayClock:
    """The instrument's time is the clock."""

    at = 0

    def now(self) -> int:
        return self.at


class Updates:
    """What is believed after people changed their minds: messages in through `observe`, texts out of `recall`."""

    def __init__(self) -> None:
        self.clock = ReplayClock()
        self.memory = Memory.open(":memory:", clock=self.clock)
        self.subject = ""
        self.run = 0

    def observe(self, messages: Sequence[Mapping[str, str]], subject: str, time: str) -> None:
        self.clock.at = to_micros(moment(time) or datetime.now(UTC))
        self.subject = subject
        self.run += 1
        told = [
            said("user" if m["role"] == "user" else "assistant", m["content"]) for m in messages
        ]
        times = [moment(m.get("time")) for m in messages]
        self.memory.observe(told, subject=subject, run=f"run-{self.run}", times=times)

    def recall(self, query: str, as_of: str | None = None) -> list[str]:
        found = self.memory.recall(query, subjects=[self.subject], as_of=moment(as_of))
        return [fact.fact for fact in found.facts]

    def close(self) -> None:
        self.memory.close()


class Precision:
    """Facts with scopes: each scope of a user is a subject of its own, asked beside the user's."""

    universal = "user:universal"

    def __init__(self) -> None:
        self.memory = Memory.open(":memory:")
        self.known: dict[str, str] = {}

    def load(self, facts: Sequence[Mapping[str, Any]]) -> None:
        for fact in facts:
            for scope in fact["scope"] or [""]:
                self._add(fact, scope)

    def _add(self, fact: Mapping[str, Any], scope: str) -> None:
        out = self.memory.remember(
            fact["text"],
            subject=f"{fact['subject']} {scope}",
            tags=fact["aliases"],
            origin=Origin.OPERATOR,
            confidence=fact["confidence"],
            observed_at=moment(fact["created_at"]),
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


def updates() -> Updates:
    """A fresh memory for each scenario, with its own clock."""
    return Updates()


def precision() -> Precision:
    """A fresh memory for each file of facts."""
    return Precision()


# Names, places, dates of birth and addresses are normal memory; a network card is no person.
STRONG = {"card", "iban", "national_id", "passport", "driving_licence", "medical_record"} | {
    "email",
    "phone",
    "ip",
}
for rule in RULES:
    rule.compiled()  # so that the instrument's clock does not run for it


def screen(text: str) -> list[dict[str, Any]]:
    """The secrets and the strong personal data in a text."""
    return [
        {"type": f.rule, "start": f.start, "end": f.end}
        for f in engine(("secret", "personal")).scan(text)
        if f.group == "secret" or f.kind in STRONG
    ]


__all__ = [
    "faithful",
    "files_folder",
    "files_folder_sdk",
    "files_table",
    "precision",
    "screen",
    "updates",
    "window",
]
