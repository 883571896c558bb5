"""What a person or a pipe says, line by line: a faulty line is told and passed over, and the rest is heard."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from typing import BinaryIO

from memoranda.cli import ask, show

LONGEST = 100_000  # bytes; what is longer is a document, and `ingest` is for those


class Lines:
    """The lines of standard input. `faults` counts those that could not be read."""

    def __init__(self) -> None:
        self.faults = 0

    def __iter__(self) -> Iterator[str]:
        return self.typed() if sys.stdin.isatty() else self.piped(sys.stdin.buffer)

    def typed(self) -> Iterator[str]:
        """Lines from a terminal, until Ctrl-D."""
        if isinstance(sys.stdin, io.TextIOWrapper):
            # A byte that is not UTF-8 must reach us as a mark, not end the conversation.
            sys.stdin.reconfigure(errors="surrogateescape")
        prompt = "> " if ask.somebody_there() else ""
        number = 0
        while True:
            number += 1
            try:
                raw = input(prompt).encode(errors="surrogateescape")
            except EOFError:
                show.say()
                return
            yield from self.read(raw, number)

    def piped(self, stream: BinaryIO) -> Iterator[str]:
        """Lines from a pipe or a file, never more than one in memory."""
        number = 0
        while raw := stream.readline(LONGEST + 1):
            number += 1
            if len(raw) > LONGEST and not raw.endswith(b"\n"):
                while (rest := stream.readline(LONGEST)) and not rest.endswith(b"\n"):
                    pass
            yield from self.read(raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw, number)

    def read(self, raw: bytes, number: int) -> Iterator[str]:
        """The text of one line; nothing, and a word about it, when it is at fault."""
        if len(raw.rstrip(b"\r\n")) > LONGEST:
            self.fault(
                number, f"is longer than {LONGEST} bytes; put it in a file and use memoranda ingest"
            )
            return
        try:
            yield raw.decode().rstrip("\r\n")
        except UnicodeDecodeError:
            self.fault(number, "is not UTF-8; convert it, for example with iconv -t UTF-8")

    def fault(self, number: int, problem: str) -> None:
        """Say which line was passed over and why."""
        self.faults += 1
        show.warn(f"line {number} {problem}; it was passed over")
