"""doctor: where memory is, whether it is well, and what to do about what is not."""

from __future__ import annotations

import os
from importlib.util import find_spec

import typer

from memoranda.cli import codes, place, show
from memoranda.cli.options import Db, Json
from memoranda.errors import MemorandaError, SettingsError, StoreError
from memoranda.ports import Embedder
from memoranda.step import step
from memoranda.types import Health

# Extra, a module that it brings, what it is for.
OPTIONAL = (
    ("cli", "rich", "this command"),
    ("embed", "onnxruntime", "recall by meaning, with a model on this machine"),
    ("openai", "openai", "chat with a model behind an OpenAI-compatible service"),
)


def doctor(db: Db = None, json: Json = False) -> None:
    """Look at the store and say what is wrong and what helps."""
    chosen = place.find(db)
    report: dict[str, object] = {"place": os.path.abspath(chosen.path), "chosen_by": chosen.how}
    report["settings"], faults = settings()
    report["optional_parts"] = parts()
    try:
        with place.memory(db) as memory:
            health = memory.health()
    except SettingsError:
        report["findings"], code = faults, codes.USAGE
    except StoreError as error:
        report["findings"], code = [*faults, str(error)], codes.STORE
    else:
        report |= described(health)
        report["embedder"], trouble = embedder(health)
        report["findings"] = [*health.findings, *trouble]
        code = codes.DONE if health.ok else codes.STORE
    report["ok"] = code == codes.DONE
    tell(report, json=json)
    raise typer.Exit(code)


def settings() -> tuple[str, list[str]]:
    """Where the settings come from, and what is wrong with them."""
    chosen = place.config()
    try:
        place.settings()
    except MemorandaError as error:
        return str(chosen.path), [str(error)]
    return (str(chosen.path), []) if chosen.path.exists() else ("the defaults", [])


def parts() -> list[dict[str, object]]:
    """The optional parts and whether each is installed."""
    return [
        {"extra": extra, "installed": find_spec(module) is not None, "for": purpose}
        for extra, module, purpose in OPTIONAL
    ]


def embedder(health: Health) -> tuple[str, list[str]]:
    """What makes vectors, by a trial; or why nothing does, which is a finding where the settings ask for one."""
    chosen = place.settings()
    found, why = place.embedder(chosen)
    if found is not None:
        why = trial(found)
    if not why:
        return health.embedder, []
    said = f"none, so recall goes by words alone: {why}"
    missing = found is None and chosen.embedder in ("", "none")
    return said, [] if missing else [f"the embedder does not work: {why}"]


def trial(found: Embedder) -> str:
    """Why the embedder cannot make a vector now; "" when it can."""
    try:
        step(found.embed(["A trial."]))
    except MemorandaError as error:
        return str(error)
    return ""


def described(health: Health) -> dict[str, object]:
    """What the store says about itself."""
    return {"schema": health.schema, "bytes": dict(health.bytes), "counts": dict(health.counts)}


def tell(report: dict[str, object], *, json: bool) -> None:
    """The report as JSON or in lines."""
    if json:
        show.as_json(report)
        return
    for name, value in report.items():
        if name == "optional_parts":
            part_lines(value)
        elif isinstance(value, list):
            show.pairs((name, item) for item in value)
        elif isinstance(value, dict):
            show.pairs((f"{name}, {key}", number) for key, number in value.items())
        else:
            show.pairs([(name, value)])


def part_lines(found: object) -> None:
    """One line for each optional part that is missing."""
    for part in found if isinstance(found, list) else []:
        if not part["installed"]:
            show.say(f"missing: pip install 'memoranda[{part['extra']}]' ({part['for']})")
