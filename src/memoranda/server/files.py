"""The files of a subject, open as long as a request needs them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from memoranda.errors import FileMissing, StoreMissing
from memoranda.filing import Files
from memoranda.memory import Memory


@contextmanager
def opened(memory: Memory, subject: str, *, make: bool = False) -> Iterator[Files]:
    """The files of a subject. Without `make` no folder is made for them: who only looks leaves nothing behind.

    Raises `FileMissing` where there is none, and `StoreError` where it cannot be used.
    """
    try:
        found = memory.files(subject, make=make)
    except StoreMissing:
        raise FileMissing("this subject has no folder of files here") from None
    try:
        yield found
    finally:
        found.close()
