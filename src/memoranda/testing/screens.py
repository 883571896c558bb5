"""What every screen promises, as tests: an own scanner is one subclass away from being checked."""

from __future__ import annotations

import time
from collections.abc import Callable

from memoranda.errors import ScreenError
from memoranda.ports import Finding, Screen

GROUPS = {"secret", "personal", "topic", "injection"}
ODD = (
    "",
    " ",
    "\x00",
    "\ud800",
    "e\u0301",
    "\u200b" * 9,
    "ﬀ １２３",
    "a" * 5000,
    "\n" * 50,
    "😀" * 30,
)


class ScreenSuite:
    """Tests of `ports.Screen`. A subclass makes the screen, and may name texts in which it finds something."""

    texts: tuple[str, ...] = ()

    def screen(self) -> Screen:
        """The screen under test."""
        raise NotImplementedError

    def test_findings_lie_inside_the_text_and_are_named(self) -> None:
        for text in (*self.texts, *ODD):
            for finding in found(self.screen(), text):
                assert finding.rule, repr(text)
                assert finding.group in GROUPS, finding.rule
                assert 0 <= finding.start < finding.end <= len(text), finding.rule

    def test_it_finds_what_it_says(self) -> None:
        for text in self.texts:
            assert found(self.screen(), text), "nothing found in one of `texts`"

    def test_the_same_text_gives_the_same_findings(self) -> None:
        screen = self.screen()
        for text in self.texts:
            assert found(screen, text) == found(screen, text)

    def test_time_grows_with_the_text_and_not_faster(self) -> None:
        screen = self.screen()
        for piece in ("a", "a1", "1234 ", "a@", "password=", "key: ", *self.texts):
            short, long = piece * (20_000 // len(piece)), piece * (160_000 // len(piece))
            took(screen.scan, short)
            assert took(screen.scan, long) < 40 * took(screen.scan, short) + 0.2, piece[:8]


def found(screen: Screen, text: str) -> list[Finding]:
    """What a screen finds; nothing where it cannot look."""
    try:
        return screen.scan(text)
    except ScreenError:
        return []


def took(work: Callable[[str], object], text: str) -> float:
    """Seconds of processor time."""
    start = time.process_time()
    work(text)
    return time.process_time() - start
