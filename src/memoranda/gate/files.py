"""What the gate decides about a file: whether this text, under this path, may be kept. Pure rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memoranda.gate.clean import storable
from memoranda.gate.items import Admission, FileItem, FileVerb, Refusal
from memoranda.gate.screen.secrets import without_secrets
from memoranda.ports import Finding, Screen
from memoranda.settings import Settings
from memoranda.types import TRUST_OF, Origin, Trust

MASKED = "masked:"


def judge_file(
    item: FileItem, settings: Settings, screens: Sequence[Screen]
) -> Admission[FileItem] | Refusal:
    """Refuse a secret, or mask it where the settings say so. A name with a secret is always refused.

    What was changed from outside is there already: it is never refused, and what is kept of it holds no secret.
    """
    trust = _trust(item)
    if item.text is None:
        return Admission(item, trust)
    outside = item.verb is FileVerb.OUTSIDE
    if not outside and (named := secrets_of(item.path.replace("/", "\n"), screens)):
        return Refusal(tuple(dict.fromkeys(f"secret-in-name:{found.rule}" for found in named)))
    text = storable(item.text)
    if not (found := secrets_of(text, screens)):
        return Admission(replace(item, text=text), trust)
    rules = tuple(dict.fromkeys(finding.rule for finding in found))
    if not outside and settings.file_secrets != "mask":
        return Refusal(tuple(f"secret:{rule}" for rule in rules))
    mark = f"{item.mark} secret".strip() if outside else item.mark
    masked = replace(item, text=without_secrets(text, found), mark=mark)
    return Admission(masked, trust, reasons=tuple(MASKED + rule for rule in rules))


def secrets_of(text: str, screens: Sequence[Screen]) -> list[Finding]:
    """The secrets in a text."""
    return [found for screen in screens for found in screen.scan(text) if found.group == "secret"]


def masked(text: str, screens: Sequence[Screen]) -> str:
    """The text with every secret covered."""
    return without_secrets(text, secrets_of(text, screens))


def _trust(item: FileItem) -> Trust:
    return TRUST_OF[Origin.EXTERNAL if item.mark else Origin.MODEL]
