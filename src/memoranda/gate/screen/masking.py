"""Take what was found out of a text. Places are those of the original, so that the rest of it stays as it was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memoranda.ports import Finding

# Shorter pieces would be found all over other words.
SHORTEST_AGAIN = 6


def placeholder(finding: Finding) -> str:
    """What stands where something was taken out: its kind, or the name of a person's own rule."""
    if finding.group == "never":
        return f"[removed: {finding.rule}]"
    return f"[{(finding.kind or finding.group).replace('_', ' ')} removed]"


def without(text: str, findings: Sequence[Finding]) -> str:
    """The text with each finding replaced by a placeholder, wherever its value stands; itself if there is none."""
    if not findings:
        return text
    kept, at = [], 0
    for start, end, mark in _joined(findings):
        kept += [text[at:start], mark]
        at = end
    kept.append(text[at:])
    # The same value may stand there again, where nothing around it says what it is.
    again = {text[found.start : found.end]: placeholder(found) for found in findings}
    for value in sorted(again, key=len, reverse=True):
        if len(value) >= SHORTEST_AGAIN:
            kept = [
                part if n % 2 else part.replace(value, again[value]) for n, part in enumerate(kept)
            ]
    return "".join(kept)


def _joined(findings: Iterable[Finding]) -> list[tuple[int, int, str]]:
    """Places that overlap as one, named by the first of them, a secret before all others."""
    spans: list[tuple[int, int, str]] = []
    ordered = sorted(findings, key=lambda f: (f.start, f.group != "secret", -f.end))
    for finding in ordered:
        if spans and finding.start < spans[-1][1]:
            start, end, mark = spans[-1]
            spans[-1] = (start, max(end, finding.end), mark)
        else:
            spans.append((finding.start, finding.end, placeholder(finding)))
    return spans
