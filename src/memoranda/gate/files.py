"""What the gate decides about a file: whether this text, under this path, may be kept. Pure rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from memoranda.gate.clean import storable
from memoranda.gate.items import Admission, FileItem, FileVerb, Refusal
from memoranda.gate.screen.masking import without
from memoranda.gate.screening import action, taken_out
from memoranda.ports import Finding, Screen
from memoranda.settings import SCREENING, Settings
from memoranda.types import TRUST_OF, Origin, Trust

MASKED = "masked:"
REACH = 4096


def judge_file(
    item: FileItem, settings: Settings, screens: Sequence[Screen]
) -> Admission[FileItem] | Refusal:
    """Refuse a secret, or mask it where the settings say so. A name with a secret is always refused.

    What was changed from outside is there already: it is never refused, and what is kept of it holds no secret.
    """
    trust = _trust(item)
    if item.text is None:
        return Admission(item, trust)
    policy = settings.screening
    outside = item.verb is FileVerb.OUTSIDE
    if not outside and (refused := judge_name(item.path, screens, policy)):
        return Refusal(refused)
    text = storable(item.text)
    near = text if item.clean is None else near_changes(item.clean, text)
    if not taken_out(near, screens, policy) or not (found := taken_out(text, screens, policy)):
        return Admission(replace(item, text=text), trust)
    reasons = dict.fromkeys(f"{f.group}:{f.rule}" for f in found if action(f, policy) == "refuse")
    if reasons and not outside and settings.file_secrets != "mask":
        return Refusal(tuple(reasons))
    rules = tuple(dict.fromkeys(finding.rule for finding in found))
    mark = f"{item.mark} secret".strip() if outside else item.mark
    masked = replace(item, text=without(text, found), mark=mark)
    return Admission(masked, trust, reasons=tuple(MASKED + rule for rule in rules))


def judge_name(
    path: str, screens: Sequence[Screen], policy: Mapping[str, str] = SCREENING
) -> tuple[str, ...]:
    """Why a path may not be that of a file or of a folder; () when it may."""
    found = in_name(path, screens, policy)
    return tuple(dict.fromkeys(sorted(f"{f.group}-in-name:{f.rule}" for f in found)))


def near_changes(old: str, new: str) -> str:
    """What of `new` a secret could be in that is not in `old`: what changed, and `REACH` characters on both sides.

    A secret that comes in two edits overlaps the second one. The longest that a rule finds without a part that is a
    finding by itself (a key's first line) is shorter than `REACH`.
    """
    if old == new or len(new) <= 2 * REACH:
        return "" if old == new else new
    shorter = min(len(old), len(new))
    start = _alike(old, new, shorter)
    end = _alike(old[start:][::-1], new[start:][::-1], shorter - start)
    return new[max(0, start - REACH) : len(new) - end + REACH]


def _alike(one: str, two: str, most: int) -> int:
    """How many characters both begin with, at most `most`; by halving, so that it costs comparing and no loop."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == two[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def masked(text: str, screens: Sequence[Screen], policy: Mapping[str, str] = SCREENING) -> str:
    """The text with everything covered that may not be kept."""
    return without(text, taken_out(text, screens, policy))


def in_name(
    path: str, screens: Sequence[Screen], policy: Mapping[str, str] = SCREENING
) -> list[Finding]:
    """What may not be kept of the names in a path: each for itself, and as they are read one after the other."""
    found = taken_out(path, screens, policy)
    if "/" in path:
        found += [f for f in taken_out(path.replace("/", "\n"), screens, policy) if f not in found]
    return found


def masked_name(path: str, screens: Sequence[Screen], policy: Mapping[str, str] = SCREENING) -> str:
    """The path with everything covered that may not be kept."""
    lines = path.replace("/", "\n")
    return without(lines, in_name(path, screens, policy)).replace("\n", "/")


def _trust(item: FileItem) -> Trust:
    return TRUST_OF[Origin.EXTERNAL if item.mark else Origin.MODEL]
