"""What becomes of what the screens find: the policy of each kind, applied to every text of a draft.

Four answers: `allow`, `mask` (kept with a placeholder, and the reasons say so), `ask` (held for a person) and `refuse`.
Names (subject, run, source, actor) are identifiers: nothing is masked or asked about in them, but what is refused
elsewhere is refused there too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from memoranda.errors import ScreenError, UsageError
from memoranda.gate.screen.masking import without
from memoranda.gate.screen.values import OUR_ID
from memoranda.gate.sentences import label
from memoranda.ports import Finding, Screen
from memoranda.settings import SCREENING
from memoranda.types import Draft, Origin

# What users say of themselves so that it is remembered.
OWN = frozenset({"email", "phone", "address", "birth_date", "diet"})
SELF = re.compile(r"(?:the\s)?user(?:'s)?\b|(?:my|i|i'm|i've|our|we)\b", re.IGNORECASE)
NAMES = ("subject", "run", "source_ref", "durable_reason", "actor", "replaces")


@dataclass(frozen=True, slots=True)
class Screened:
    """A draft as the screens leave it: why it is refused, why it must wait, and what else is to be told."""

    item: Draft
    refused: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    told: tuple[str, ...] = ()


def found_in(text: str, screens: Sequence[Screen]) -> tuple[list[Finding], list[str]]:
    """Everything the screens find in a text, and the names of those that could not look."""
    found: list[Finding] = []
    failed = []
    for screen in screens:
        try:
            found += screen.scan(text)
        except ScreenError:
            failed.append(getattr(screen, "name", type(screen).__name__))
    diets = [finding for finding in found if finding.kind == "diet"]
    # "diagnosed with a nut allergy" is what people want remembered, not an illness to ask about.
    return [f for f in found if f.kind != "health" or not _touched(f, diets)], failed


def taken_out(
    text: str, screens: Sequence[Screen], policy: Mapping[str, str] = SCREENING
) -> list[Finding]:
    """What may not stay readable in a log or a file: what is refused or masked elsewhere."""
    found, _ = found_in(text, screens)
    return [finding for finding in found if action(finding, policy) in ("refuse", "mask")]


def named_by_us(text: str) -> str:
    """A name without the identifiers that we made: chance spells "psk" in one of some ten thousand of them."""
    return OUR_ID.sub("", text)


def clean_name(what: str, text: str, screens: Sequence[Screen], policy: Mapping[str, str]) -> None:
    """`UsageError` if a name holds what may not be kept. The error names the rule and not the name."""
    found, _ = found_in(named_by_us(text), screens)
    for finding in found:
        if action(finding, policy) == "refuse":
            raise UsageError(
                f"{what} holds what may not be kept ({finding.rule}); choose another name"
            )


def _touched(finding: Finding, others: Sequence[Finding]) -> bool:
    return any(other.start < finding.end and finding.start < other.end for other in others)


def action(finding: Finding, policy: Mapping[str, str]) -> str:
    """What the policy says of a finding; a kind it does not know is asked about, an unknown secret refused."""
    if finding.group == "never":
        return "refuse"
    if finding.group == "injection":
        return "allow"
    if finding.group == "secret":
        return policy["secret"]
    return policy.get(finding.kind or finding.group, "ask")


def about_self(item: Draft) -> bool:
    """Whether the users speak of themselves: in a chat, of the subject that the fact is about."""
    if item.origin is not Origin.USER:
        return False
    return SELF.match(item.text) is not None or item.text.casefold().startswith(
        label(item.subject).casefold()
    )


def screened(item: Draft, policy: Mapping[str, str], screens: Sequence[Screen]) -> Screened:
    """The draft after the screens."""
    refused: dict[str, None] = {}
    asked: dict[str, None] = {}
    told: dict[str, None] = {}
    own, operator = about_self(item), item.origin is Origin.OPERATOR

    def seen(text: str, *, content: bool = True) -> str:
        found, failed = found_in(text, screens)
        asked.update(dict.fromkeys(f"screen-failed:{name}" for name in failed))
        masked = []
        for finding in found:
            kind, what = finding.kind or finding.group, action(finding, policy)
            if finding.group == "injection":
                told[f"flag:{finding.rule}"] = None
            elif what == "refuse":
                refused[f"{finding.group}:{finding.rule}"] = None
            elif what == "mask" and content:
                told[f"masked:{kind}"] = None
                masked.append(finding)
            elif what == "ask" and content and not operator and not (own and kind in OWN):
                asked[f"ask:{kind}"] = None
        return without(text, masked)

    text, value = seen(item.text), _each(item.value, seen)
    quote, attribute = _each(item.quote, seen), _each(item.attribute, seen)
    tags = tuple(seen(tag) for tag in item.tags)
    for field in NAMES:
        if named := getattr(item, field):
            seen(named_by_us(named), content=False)
    if item.attribute and item.value:
        value = _seen_together(item.attribute, item.value, value, seen)
    kept = replace(item, text=text, value=value, quote=quote, attribute=attribute, tags=tags)
    return Screened(kept, tuple(refused), tuple(asked), tuple(told))


def _each(text: str | None, seen: Callable[[str], str]) -> str | None:
    return seen(text) if text else text


def _seen_together(
    attribute: str, value: str, alone: str | None, seen: Callable[[str], str]
) -> str | None:
    """The value with its attribute in front: "pin" and "4711" say nothing alone."""
    lead = f"{attribute}: "
    together = seen(lead + value)
    return together.removeprefix(lead) if alone == value and together.startswith(lead) else alone
