"""What the screens cost: all rules against one pass of the costliest single rule, and a megabyte of stress."""

import time
from collections.abc import Callable, Sequence

from memoranda.gate.screen.rules import RULES, engine

CHAT = [
    f"{who} {does} {what} {when}."
    for who in ("Lena", "The user", "My neighbour", "Tom's sister")
    for does in ("prefers", "talked about", "bought", "wants to see", "repaired")
    for what in (
        "the blue bicycle",
        "two old chairs",
        "the new release",
        "a long walk in the hills",
    )
    for when in ("in May", "on 12.11.2026", "at 14:30", "last week", "for 49.90 euro")
]
DIGITS = "1234 " * 200_000


def seconds(work: Callable[[str], object], texts: Sequence[str]) -> float:
    """Processor time, the best of three."""
    best = 9e9
    for _ in range(3):
        start = time.process_time()
        for text in texts:
            work(text)
        best = min(best, time.process_time() - start)
    return best


def bench_screen() -> None:
    scan = engine(("secret", "personal")).scan
    scan(CHAT[0])
    largest = max(seconds(rule.compiled().findall, CHAT) for rule in RULES)
    print(f"\nall rules over the largest single rule: {seconds(scan, CHAT) / largest:.2f}")
    quarter, whole = seconds(scan, [DIGITS[:250_000]]), seconds(scan, [DIGITS])
    print(f"1 MB of digit groups: {whole:.2f} s, {whole / quarter:.1f} times 250 KB of it")
