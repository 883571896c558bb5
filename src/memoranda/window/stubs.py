"""A result in one line: `[read_file src/retry.py — 240 lines, from step 7, elided at step 31]`.

The stub stands in the place of the result, under its call, in at most `LONGEST` characters. It says what was
called and how much came back, and keeps what a later step acts on: an exit status, the line of an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from memoranda.messages import Text, ToolCall, ToolResult
from memoranda.window.names import squeezed
from memoranda.window.toolbook import arguments_of

LONGEST = 200
ARGUMENT, OUTCOME = 80, 60
MARK = "memoranda_stub"
EXIT = re.compile(
    r"\b(?:exit(?:ed)?(?: with)?(?: code| status)?|return ?code)[ :=]+(-?\d{1,5})\b", re.IGNORECASE
)
ERROR = re.compile(
    r"\b(?:errors?|exceptions?|traceback|failed|failure|fatal|panic|denied|not found|no such|cannot)\b"
    r"|\b[A-Z]\w*(?:Error|Exception)\b",
    re.IGNORECASE,
)
LINE = 240


def is_stub(result: ToolResult) -> bool:
    """Whether the result is one of ours already."""
    return MARK in result.extra


def exit_status(text: str) -> int | None:
    """The exit status that the text of a result names near its beginning or end; None if it names none."""
    found = EXIT.search(text[:400]) or EXIT.search(text[-400:])
    return int(found[1]) if found else None


def error_lines(text: str, most: int = 1) -> list[str]:
    """The first lines that tell of an error, as they stand but on one line each. Looks at head and tail."""
    lines = [
        squeezed(line[:LINE]) for line in f"{text[:8_000]}\n{text[8_000:][-8_000:]}".split("\n")
    ]
    return [line for line in lines if line and ERROR.search(line)][:most]


def outcome(result: ToolResult) -> str:
    """What came of a call, in a few words; "" when it just worked or does not say."""
    text = result.text
    status = exit_status(text)
    said = [] if status is None else [f"exit {status}"]
    if result.is_error or status:
        said += [line[:OUTCOME] for line in error_lines(text)] or (
            ["error"] if result.is_error else []
        )
    return ", ".join(said)


def argument_of(call: ToolCall) -> str:
    """What the call was about: its first argument that is a text, on one line."""
    values = arguments_of(call.arguments).values()
    return squeezed(next((v[:LINE] for v in values if isinstance(v, str) and v.strip()), ""))


def stub_text(call: ToolCall | None, result: ToolResult, step: int, why: str) -> str:
    """The line. `why`: what ends it (`elided at step 31`, `read again in step 12`)."""
    text = result.text
    lines = text.count("\n") + 1
    size = f"{lines} lines" if lines > 1 else f"{len(text)} characters"
    name = call.name if call else result.name or "tool"
    argument = argument_of(call) if call else ""
    shown = f"{name[:40]} {_short(argument)}".rstrip()
    came = outcome(result)
    return f"[{shown} — {size}{f', {came}' if came else ''}, from step {step}, {why[:40]}]"


def stub(call: ToolCall | None, result: ToolResult, step: int, why: str, kind: str) -> ToolResult:
    """The result with the line in its place; the result itself where the line would not be shorter.

    kind: `elided` or `superseded`, for the record.
    """
    if is_stub(result):
        return result
    line = stub_text(call, result, step, why)
    carried = any(not isinstance(part, Text) for part in result.parts)
    if len(line) >= len(result.text) and not carried:
        return result
    extra: Mapping[str, object] = {**result.extra, MARK: kind}
    return replace(result, parts=(Text(line),), extra=extra)


def _short(argument: str) -> str:
    """Its beginning; of a path its end, which says more."""
    if len(argument) <= ARGUMENT:
        return argument
    if " " not in argument and "/" in argument:
        return "…" + argument[-ARGUMENT + 1 :]
    return argument[: ARGUMENT - 1] + "…"
