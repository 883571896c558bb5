"""A file as bounded lines and chunks of text, with every fault of file and encoding named by its
line.
"""

from __future__ import annotations

import codecs
import os
import re
import stat
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from memoranda.errors import IngestError

LINE_BYTES = 16_000_000
CHUNK_BYTES = 1 << 16

_OTHER_ENCODINGS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
_TO_UTF8 = "save it as UTF-8 and try again"
# How a JSON document begins; `[10:30] Anna: hello` and `{draft} ...` are plain text.
_ARRAY = re.compile(r"\s*\[\s*(?:[\[{\]]|\Z)")
_OBJECT = re.compile(r'\s*\{\s*(?:["}]|\Z)')


class Source:
    """One file. Both passes must see the same bytes, so its size and times are compared."""

    def __init__(self, path: str | os.PathLike[str], limit_bytes: int, line_bytes: int) -> None:
        self.path = os.fspath(path)
        self.limit_bytes = limit_bytes
        self.line_bytes = line_bytes
        self.kind = ""
        self.bytes = 0
        self._seen: tuple[int, ...] | None = None

    def fault(self, line: int | None, problem: str, remedy: str) -> IngestError:
        """The error for this file. A path that is no text is shown with escapes."""
        shown = self.path.encode("utf-8", "backslashreplace").decode("utf-8")
        return IngestError(shown, line, problem, remedy)

    @contextmanager
    def _open(self) -> Iterator[BinaryIO]:
        try:
            # Looked at before it is opened, and opened without waiting: a pipe must not hang us.
            self._must_be_a_file(Path(self.path).stat())
            handle = os.open(self.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
            with os.fdopen(handle, "rb") as file:
                self._must_be_a_file(os.fstat(handle))
                self._same(os.fstat(handle))
                yield file
                self._same(os.fstat(handle))
        except FileNotFoundError:
            raise self.fault(None, "there is no such file", "check the path") from None
        except PermissionError:
            raise self.fault(
                None, "the file may not be read", "change its permissions or ask its owner"
            ) from None
        except OSError as error:
            problem = f"the file cannot be read ({error.strerror or type(error).__name__})"
            raise self.fault(None, problem, "check the path and the disk") from None
        except ValueError as error:
            if "null" not in str(error):
                raise
            raise self.fault(None, "the path holds a NUL", "check the path") from None

    def _must_be_a_file(self, found: os.stat_result) -> None:
        if stat.S_ISDIR(found.st_mode):
            raise self.fault(None, "this is a folder", "give the files in it one by one")
        if not stat.S_ISREG(found.st_mode):
            raise self.fault(
                None, "this is a pipe or a device, not a file", "save its content in a file first"
            )
        if found.st_size == 0:
            raise self.fault(None, "the file is empty", "give a file with messages in it")
        if found.st_size > self.limit_bytes:
            raise self._too_large()

    def _too_large(self) -> IngestError:
        problem = f"the file is larger than the limit of {self.limit_bytes:,} bytes"
        return self.fault(None, problem, "split it, or raise the setting ingest_bytes")

    def _same(self, found: os.stat_result) -> None:
        seen = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
        if self._seen is not None and seen != self._seen:
            raise self.fault(
                None, "the file changed while it was read", "wait until it is complete"
            )
        self._seen = seen

    def sniff(self) -> str:
        """What the file looks like: an `array` or an `object` of JSON, or `text`."""
        with self._open() as file:
            head = file.read(CHUNK_BYTES)
            self._must_be_text(head, 1, head)
        start = head.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace").lstrip()
        if _ARRAY.match(start):
            return "array"
        return "object" if _OBJECT.match(start) else "text"

    def lines(self) -> Generator[tuple[int, str], None, None]:
        """Numbered lines with their ends. The numbers count from 1."""
        with self._open() as file:
            number = total = 0
            while line := file.readline(self.line_bytes + 1):
                number, total = number + 1, total + len(line)
                self._count(total)
                if len(line) > self.line_bytes:
                    raise self.too_long(number, "line")
                if number == 1:
                    self._must_be_text(line, 1, line)
                    line = line.removeprefix(codecs.BOM_UTF8)
                yield number, self._decoded(line, number)

    def chunks(self) -> Generator[str, None, None]:
        """The text in chunks of no particular boundary."""
        decoder = codecs.getincrementaldecoder("utf-8-sig")()
        line = 1
        with self._open() as file:
            total = 0
            while chunk := file.read(CHUNK_BYTES):
                total += len(chunk)
                self._count(total)
                self._must_be_text(chunk, line, chunk if line == 1 else b"")
                try:
                    yield decoder.decode(chunk)
                except UnicodeDecodeError as error:
                    at = line + error.object[: error.start].count(b"\n")
                    raise self._not_utf8(at) from None
                line += chunk.count(b"\n")
            try:
                decoder.decode(b"", final=True)
            except UnicodeDecodeError:
                raise self._not_utf8(line) from None

    def too_long(self, line: int, what: str) -> IngestError:
        """The error for a line or a value over the limit of one."""
        return self.fault(
            line,
            f"this {what} is longer than {self.line_bytes:,} bytes",
            "put each conversation, or each message, on a line of its own",
        )

    def _count(self, total: int) -> None:
        if total > self.limit_bytes:
            raise self._too_large()
        self.bytes = total

    def _decoded(self, line: bytes, number: int) -> str:
        self._must_be_text(line, number, b"")
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError:
            raise self._not_utf8(number) from None

    def _must_be_text(self, data: bytes, line: int, head: bytes) -> None:
        if head.startswith(_OTHER_ENCODINGS):
            raise self.fault(line, "the file is in UTF-16 or UTF-32, not in UTF-8", _TO_UTF8)
        if b"\0" in data:
            at = line + data[: data.index(b"\0")].count(b"\n")
            problem = "a NUL byte: the file is binary, or in another encoding"
            raise self.fault(at, problem, f"if it is text, {_TO_UTF8}")

    def _not_utf8(self, line: int) -> IngestError:
        return self.fault(line, "the text is not in UTF-8", f"if the file is text, {_TO_UTF8}")
