"""Memoranda as measuring instruments take it. Outside the wheel: nothing in the product knows of these.

updates(), precision(), window(): a fresh object for each case. screen(text): findings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from bench.adapters_files import files_folder, files_folder_sdk, files_table
from bench.adapters_recall import (
    precision,
    precision_no_model,
    retrieval,
    retrieval_no_model,
)
from bench.adapters_window import faithful, window
from memoranda.gate.screen.rules import RULES, engine
from memoranda.memory import Memory
from memoranda.messages import said
from memoranda.types import to_micros


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


def updates() -> Updates:
    """A fresh memory for each scenario, with its own clock."""
    return Updates()


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
    "precision_no_model",
    "retrieval",
    "retrieval_no_model",
    "screen",
    "updates",
    "window",
]
