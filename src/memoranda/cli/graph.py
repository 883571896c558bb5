"""ingest --format memory-server: the reference memory server's file, a fact for each observation and relation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from memoranda.cli import codes, place, show
from memoranda.cli.ingest import progress, run_of
from memoranda.errors import IngestError
from memoranda.types import Draft, Origin, Outcome, Verdict

if TYPE_CHECKING:
    from memoranda.memory import Memory
    from memoranda.readers.graph import Line

AT_ONCE = 500


def ingest_graphs(
    files: Sequence[Path],
    subject: str,
    origin: Origin,
    run: str | None,
    *,
    skip: bool,
    db: str | None,
    json: bool,
) -> None:
    """Take the files through the gate. Each is read to its end before anything is written."""
    import typer

    from memoranda.gate.draft import name
    from memoranda.readers.graph import read_graph

    subject, limit = name("subject", subject), place.settings().ingest_bytes
    sources = [(file, read_graph(file, limit, skip=skip)) for file in files]
    faults: list[IngestError] = []
    with place.memory(db, create=True) as memory:
        rows = []
        for file, lines in sources:
            base = Draft(
                "",
                subject,
                origin=origin,
                run=run or run_of(file),
                source_ref="import:memory-server",
            )
            outcomes = observe(memory, file, drafts_of(lines, base, faults))
            rows.append(row_of(file, base, outcomes))
    for fault in faults:
        show.warn(f"{fault.path}, line {fault.line}: {fault.problem}; it was passed over")
    if json:
        show.as_json(rows)
    else:
        tell(rows)
    raise typer.Exit(codes.INPUT if faults else codes.DONE)


def drafts_of(lines: Iterator[Line], base: Draft, faults: list[IngestError]) -> Iterator[Draft]:
    """A draft for each sentence of the file. Its line is its step, so that the same file again adds nothing."""
    for line in lines:
        if line.fault is not None:
            faults.append(line.fault)
        for one in line.statements:
            yield replace(base, text=one.text, tags=one.tags, step=line.number)


def observe(memory: Memory, file: Path, drafts: Iterator[Draft]) -> list[Outcome]:
    """Offer the drafts to the gate, some hundred in a transaction."""
    outcomes: list[Outcome] = []
    with progress(file.name) as tick:
        while some := list(islice(drafts, AT_ONCE)):
            outcomes += memory.remember_many(some)
            tick()
    return outcomes


def row_of(file: Path, base: Draft, outcomes: Sequence[Outcome]) -> dict[str, object]:
    """The report on one file: how many sentences met which verdict, and why."""
    row: dict[str, object] = {"file": str(file), "run": base.run, "statements": len(outcomes)}
    reasons: dict[str, dict[str, int]] = {}
    for verdict in Verdict:
        met = [outcome for outcome in outcomes if outcome.status is verdict]
        row[verdict.value] = len(met)
        for reason in (reason for outcome in met for reason in outcome.reasons):
            counts = reasons.setdefault(verdict.value, {})
            counts[reason] = counts.get(reason, 0) + 1
    return {**row, "reasons": reasons}


def tell(rows: Sequence[dict[str, object]]) -> None:
    """The counts, and what to do with what is held."""
    for row in rows:
        counts = ", ".join(f"{row[verdict.value]} {verdict.value}" for verdict in Verdict)
        show.say(f"{row['file']}: {row['statements']} statements: {counts}")
        reasons = row["reasons"]
        assert isinstance(reasons, dict)
        for status, found in reasons.items():
            for reason, number in sorted(found.items(), key=lambda pair: -pair[1]):
                show.say(f"  {status} {number}: {reason}")
        if row[Verdict.HELD.value]:
            show.say("  what is held waits for a person: memoranda review")
        show.say(f"  take it back with: memoranda forget --run {row['run']}")
