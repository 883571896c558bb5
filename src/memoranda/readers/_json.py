"""JSON values of a file, one at a time: on lines, or in one document that is decoded as it
comes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from typing import Any, NoReturn

from memoranda.errors import IngestError
from memoranda.readers._source import Source

Value = tuple[int, int, Any]
_CORRECT = "correct it; each line must be one complete JSON value"


class _Refused(ValueError):
    """JSON that the parser takes and we do not; its text says why."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Refused("an object has the same key twice")
    return found


def _no_constant(_: str) -> NoReturn:
    raise _Refused("NaN or Infinity, which JSON does not have")


def _float(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise _Refused("a number out of range")
    return number


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_float
)


def _decode(source: Source, text: str, start: int, line: int) -> tuple[Any, int]:
    """The value at `start` and where it ends. Raises `JSONDecodeError` alone for what more text
    might mend.
    """
    try:
        return _DECODER.raw_decode(text, start)
    except _Refused as error:
        raise source.fault(line, str(error), "correct this value") from None
    except RecursionError:
        raise source.fault(line, "the JSON is nested too deep", "flatten this value") from None
    except json.JSONDecodeError:
        raise
    except ValueError:
        # Python's own bound on digits.
        raise source.fault(line, "a number of too many digits", "write it as a string") from None


def line_values(source: Source) -> Iterator[Value]:
    """The value on each line that is not blank."""
    for number, line in source.lines():
        if text := line.strip():
            yield number, len(text), decoded(source, number, line)


def decoded(source: Source, number: int, line: str) -> Any:
    """The one value on a line. Raises `IngestError`."""
    text = line.strip()
    try:
        value, end = _decode(source, text, 0, number)
    except json.JSONDecodeError as error:
        raise _broken(source, number, error, line.endswith("\n")) from None
    if end < len(text):
        problem = f"more text after the JSON value, at column {end + 1}"
        raise source.fault(number, problem, _CORRECT)
    return value


def _broken(source: Source, line: int, error: json.JSONDecodeError, ended: bool) -> IngestError:
    if not ended and _unfinished(error):
        return source.fault(
            line,
            "the file ends in the middle of a JSON value",
            "it may be cut off: copy it again, or remove its last line",
        )
    reason = error.msg.partition(":")[0]
    return source.fault(line, f"this is not JSON ({reason}, column {error.colno})", _CORRECT)


_LITERALS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")
_ESCAPE = 7


def _unfinished(error: json.JSONDecodeError) -> bool:
    """Whether the text ended too early, rather than being wrong."""
    if error.msg.startswith("Unterminated string"):
        return True
    left = error.doc[error.pos : error.pos + 16]
    if "escape" in error.msg:
        return len(left) <= _ESCAPE
    return any(literal.startswith(left) for literal in _LITERALS)


def in_lines(source: Source) -> bool:
    """Whether a file that begins with an object has one value on each line, by its first two
    lines.
    """
    with closing(source.lines()) as lines:
        texts = list(islice((text for _, line in lines if (text := line.strip())), 2))
    first, second = (_alone(text) for text in [*texts, ""][:2])
    # A first line that is wrong in itself, or a whole value after a broken one, is a fault in a
    # file of lines.
    opened = texts[0].endswith(("{", "[", ",", ":"))
    return first != "unfinished" or (second == "whole" and not opened)


def _alone(text: str) -> str:
    """Whether a line is a `whole` value, an `unfinished` one, or `wrong`."""
    try:
        _, end = _DECODER.raw_decode(text)
    except json.JSONDecodeError as error:
        return "unfinished" if _unfinished(error) else "wrong"
    except (ValueError, RecursionError):
        return "wrong"
    return "whole" if end == len(text) else "wrong"


class _Text:
    """The text of a file from the place reached, read on as it is needed."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.line = 1
        self._chunks = source.chunks()
        self._text, self._at = "", 0

    def close(self) -> None:
        """Let go of the file."""
        self._chunks.close()

    def _more(self) -> bool:
        """Read at least as much again as is pending, so that trying again stays linear."""
        got: list[str] = []
        wanted = max(1, len(self._text) - self._at)
        while wanted > 0 and (chunk := next(self._chunks, None)) is not None:
            got.append(chunk)
            wanted -= len(chunk)
        self._text, self._at = self._text[self._at :] + "".join(got), 0
        return any(got)

    def _go(self, end: int) -> None:
        self.line += self._text.count("\n", self._at, end)
        self._at = end

    def peek(self) -> str:
        """The next character that is not blank, or "" at the end."""
        while True:
            found = _SPACE.match(self._text, self._at)
            self._go(found.end() if found else self._at)
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def skip(self) -> None:
        """Pass the character that `peek` showed."""
        self._go(self._at + 1)

    def value(self) -> Value:
        """The value that begins here: line, size and value."""
        line = self.line
        while True:
            try:
                value, end = _decode(self.source, self._text, self._at, line)
            except json.JSONDecodeError as error:
                pending = len(self._text) - self._at
                if _unfinished(error) and pending > self.source.line_bytes:
                    raise self.source.too_long(line, "value") from None
                if not _unfinished(error) or not self._more():
                    raise self._broken(error) from None
                continue
            size = end - self._at
            if size > self.source.line_bytes:
                raise self.source.too_long(line, "value")
            self._go(end)
            return line, size, value

    def _broken(self, error: json.JSONDecodeError) -> IngestError:
        if _unfinished(error):
            return self.cut_off()
        self._go(error.pos)
        reason = error.msg.partition(":")[0]
        return self.source.fault(self.line, f"this is not JSON ({reason})", "correct it")

    def cut_off(self) -> IngestError:
        """The error for a file that ends too early."""
        self._go(len(self._text))
        return self.source.fault(
            self.line,
            "the file ends in the middle of a JSON value",
            "it may be cut off: copy it again",
        )


_SPACE = re.compile(r"[ \t\r\n]*")


def document_values(source: Source, array: bool) -> Iterator[Value]:
    """The items of a list, or the objects that follow each other."""
    with closing(_Text(source)) as text:
        if array:
            yield from _listed(text)
        while text.peek():
            if array:
                raise source.fault(
                    text.line,
                    "more text after the end of the list",
                    'put {"messages": [...]} on each line, or one list in the file',
                )
            yield text.value()


def _listed(text: _Text) -> Iterator[Value]:
    text.peek()
    text.skip()
    if text.peek() == "]":
        text.skip()
        return
    while True:
        yield text.value()
        after = text.peek()
        if after not in (",", "]"):
            break
        text.skip()
        if after == "]":
            return
        text.peek()
    if not after:
        raise text.cut_off()
    raise text.source.fault(text.line, "a comma or ] is missing in the list", "correct it")
