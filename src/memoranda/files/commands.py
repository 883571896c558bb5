"""The six commands of the memory tool: a dictionary in, a text and whether it is an error out. Nothing else comes out.

Types are checked first, then paths, and only then is anything looked at. Every problem, a mistake of ours too, comes
back as a text that a model can act on. No host path is in it, and after an error nothing has changed.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from memoranda.errors import (
    FileExists,
    FileLinked,
    FileMissing,
    FilesError,
    PathRefused,
    StoreError,
)
from memoranda.files import caps, paths, texts
from memoranda.files import desk as desks
from memoranda.files.desk import Change, Desk, Spot
from memoranda.files.wording import MARKS, Answer, echoed, refused_path, resolved, worded
from memoranda.gate.files import MASKED
from memoranda.gate.items import FileVerb
from memoranda.types import Outcome

log = logging.getLogger(__name__)
INTERNAL = "Error: internal error in the memory tool; nothing was changed. Try another way, or go on without it."


async def handle(desk: Desk, command: object) -> tuple[str, bool]:
    """Do one command. Returns the answer and whether it is an error; raises nothing."""
    try:
        name, given = _checked(command)
        return await COMMANDS[name][0](desk, given), False
    except Answer as answer:
        return str(answer), True
    except FileLinked:
        return worded(desk.sdk, "linked", p=_first(command)), True
    except FilesError as error:
        return worded(desk.sdk, "error", why=str(error)), True
    except StoreError as error:
        log.warning("the memory tool's store failed: %s", type(error).__name__)
        return "Error: the memory is not available now; nothing was changed. Try again later.", True
    except Exception as error:
        log.error("unforeseen in the memory tool: %s", type(error).__name__)
        return INTERNAL, True


def _first(command: Any) -> str:
    path = command.get("path") or command.get("old_path")
    return paths.shown(path.removesuffix("/"))


def _checked(command: object) -> tuple[str, dict[str, Any]]:
    """The command's name and its parameters, each of the type that it must have."""
    if not isinstance(command, Mapping):
        raise Answer("Error: the input must be an object with a command and its parameters")
    name = command.get("command")
    if type(name) is not str or name not in COMMANDS:
        raise Answer(f"Error: unknown command; known are: {', '.join(COMMANDS)}")
    known = COMMANDS[name][1]
    given = {key: value for key, value in command.items() if key != "command" and value is not None}
    unknown = [key for key in given if key not in known]
    if unknown:
        raise Answer(f"Error: unknown parameter for {name}; known are: {', '.join(known)}")
    for key, (kind, needed) in known.items():
        if key not in given and needed:
            raise Answer(f"Error: {name} needs the parameter `{key}`")
        # `type(...) is`, not isinstance: True is no line number.
        if key in given and type(given[key]) is not kind:
            raise Answer(f"Error: the parameter `{key}` must be {KINDS[kind]}")
        if key in given and kind is str and key not in PATHS:
            caps.check_text(given[key])
    return name, given


def _spot(desk: Desk, path: str, root: str = "") -> Spot:
    """Where a path leads. root: the text for the root, where a command may not have it under any spelling."""
    try:
        return desks.spot(desk, path)
    except PathRefused as error:
        if root and resolved(path) == paths.ROOT:
            raise Answer(worded(desk.sdk, root)) from None
        raise Answer(refused_path(desk.sdk, paths.shown(path), str(error))) from None


def _shown(place: Spot) -> str:
    return paths.spelt(place.parts)


# view


async def view(desk: Desk, given: dict[str, Any]) -> str:
    """A folder two levels deep, or a file with line numbers."""
    place = _spot(desk, given["path"])
    node = await place.desk.tree.node(place.path)
    if node is None:
        raise Answer(worded(desk.sdk, "no_view", p=_shown(place)))
    if not node.plain:
        raise Answer(worded(desk.sdk, "odd", p=_shown(place)))
    if not node.folder:
        return await _view_file(desk, place, given.get("view_range"))
    if "view_range" in given:
        raise Answer("Error: `view_range` is for files, not for directories")
    return await _view_folder(desk, place, node.size)


async def _view_folder(desk: Desk, place: Spot, top: int) -> str:
    found = [
        (node, node.path.removeprefix(place.path).lstrip("/"))
        for node in await place.desk.tree.walk(place.path, 2)
    ]
    if not place.parts:
        for name, mount in desk.mounts.items():
            found = [(n, path) for n, path in found if path.split("/")[0] != name]
            root = await desks.node_at(Spot(mount, "", True, (name,)))
            found.append((root, name))
            found += [(node, f"{name}/{node.path}") for node in await mount.tree.walk("", 1)]
    listed = [(n, path) for n, path in found if all(map(paths.is_name, path.split("/")))]
    listed.sort(key=lambda entry: entry[1].split("/"))
    most = desk.core.settings.file_view_characters
    lines = texts.listing(_shown(place), top, listed, sdk=desk.sdk, most=most)
    return f"{worded(desk.sdk, 'listing', p=_shown(place))}\n{lines}"


async def _view_file(desk: Desk, place: Spot, view_range: list[Any] | None) -> str:
    try:
        file = await desks.read(place, use=True)
    except FileMissing:
        raise Answer(worded(desk.sdk, "no_view", p=_shown(place))) from None
    count = file.text.count("\n") + 1
    if count > texts.MOST_LINES:
        raise Answer(worded(desk.sdk, "too_long", p=_shown(place)))
    first, last = _range(desk, view_range, count)
    page = texts.page(file.text, first, last, desk.core.settings.file_view_characters)
    desk.seen = desk.seen or bool(file.mark)
    mark = [MARKS[file.mark]] if file.mark and not desk.sdk else []
    head = worded(desk.sdk, "content", p=_shown(place))
    return "\n".join([*mark, head, page.text, *([page.more] if page.more else [])])


def _range(desk: Desk, view_range: list[Any] | None, count: int) -> tuple[int, int]:
    if view_range is None:
        return 1, -1
    if len(view_range) != 2 or any(type(n) is not int for n in view_range):
        raise Answer(
            "Error: `view_range` must be two whole numbers, [start, end]; an end of -1 is the last line"
        )
    first, last = view_range
    if not 1 <= first <= count or (last != -1 and last < first):
        given = f"[{_number(first)}, {_number(last)}]"
        raise Answer(worded(desk.sdk, "bad_range", range=given, most=count))
    return first, last


def _number(n: int) -> str:
    """A number from a call as its answer repeats it: one of a thousand digits cannot even be written."""
    return str(n) if abs(n) < 10**18 else "(a number out of all bounds)"


# create, str_replace, insert


async def create(desk: Desk, given: dict[str, Any]) -> str:
    """A new file; an existing one only where the desk allows it."""
    place = _spot(desk, given["path"])
    _not_root(desk, place, "exists")
    text = given["file_text"]

    async def body(now: Change) -> Outcome:
        node = await now.shelf.node(place.path)
        if node is not None and not (desk.overwrite and node.plain and not node.folder):
            raise Answer(worded(desk.sdk, "exists", p=_shown(place)))
        old = None if node is None else await now.text(place.path)
        await caps.check_room(now, place.path, text, old)
        verb = FileVerb.CREATED if old is None else FileVerb.MODIFIED
        return await now.put(place.path, text, verb, "", old=old)

    try:
        outcome = await desks.change(place, body)
    except FileExists:
        raise Answer(worded(desk.sdk, "exists", p=_shown(place))) from None
    except FileMissing:
        raise Answer(
            f"Error: part of the path {_shown(place)} is a file, not a directory"
        ) from None
    return worded(desk.sdk, "created", p=_shown(place)) + _masked(outcome)


async def str_replace(desk: Desk, given: dict[str, Any]) -> str:
    """One exact text in a file for another."""
    place, old, new = _spot(desk, given["path"]), given["old_str"], given.get("new_str", "")
    _not_root(desk, place, "no_file_replace")
    if not old:
        raise Answer("Error: `old_str` must not be empty")
    answer = ""

    async def edit(text: str) -> str:
        nonlocal answer
        done = texts.replaced(text, old, new)
        if len(done.lines) != 1:
            name = "several" if done.lines else "not_found"
            lines = ", ".join(map(str, done.lines))
            raise Answer(worded(desk.sdk, name, p=_shown(place), old=echoed(old), lines=lines))
        shown = texts.snippet(done.text, done.line, new)
        answer = f"{worded(desk.sdk, 'edited')}\n{_short(desk, shown)}"
        return done.text

    outcome = await _edited(desk, place, edit, "replace")
    if masked := _masked(outcome):
        return worded(desk.sdk, "edited") + masked
    return answer


async def insert(desk: Desk, given: dict[str, Any]) -> str:
    """A text as lines of its own."""
    place, line = _spot(desk, given["path"]), given["insert_line"]
    _not_root(desk, place, "no_file_insert")

    async def edit(text: str) -> str:
        most = texts.line_count(text)
        if not 0 <= line <= most:
            raise Answer(worded(desk.sdk, "bad_line", n=_number(line), most=most))
        return texts.inserted(text, line, given["insert_text"])

    outcome = await _edited(desk, place, edit, "insert")
    return worded(desk.sdk, "inserted", p=_shown(place)) + _masked(outcome)


async def _edited(
    desk: Desk, place: Spot, edit: Callable[[str], Awaitable[str]], command: str
) -> Outcome | None:
    """Read, edit and write under one lock."""

    async def body(now: Change) -> Outcome | None:
        node = await now.shelf.node(place.path)
        if node is None or node.folder:
            missing = f"no_{command}" if node is None else f"no_file_{command}"
            raise Answer(worded(desk.sdk, missing, p=_shown(place)))
        if not node.plain:
            raise Answer(worded(desk.sdk, "odd", p=_shown(place)))
        old = await now.text(place.path)
        new = await edit(old.text)
        if new == old.text:
            return None
        await caps.check_room(now, place.path, new, old)
        mark = old.mark.removesuffix("secret").strip()
        return await now.put(place.path, new, FileVerb.MODIFIED, mark, old=old)

    try:
        return await desks.change(place, body)
    except FileMissing:
        raise Answer(worded(desk.sdk, f"no_{command}", p=_shown(place))) from None


def _short(desk: Desk, text: str) -> str:
    most = desk.core.settings.file_view_characters
    return text if len(text) <= most else f"{text[:most]}\n[cut at {most} characters]"


def _masked(outcome: Outcome | None) -> str:
    """Said when the gate masked a secret: what is kept is not what was sent."""
    rules = [
        r.removeprefix(MASKED) for r in (outcome.reasons if outcome else ()) if r.startswith(MASKED)
    ]
    return f"\nWhat may not be kept ({', '.join(rules)}) was masked in it." if rules else ""


# delete, rename


async def delete(desk: Desk, given: dict[str, Any]) -> str:
    """A file, or a directory with all it holds."""
    place = _spot(desk, given["path"], "root_delete")
    _not_root(desk, place, "root_delete")

    async def body(now: Change) -> None:
        await now.remove(place.path)

    try:
        await desks.change(place, body)
    except FileMissing:
        raise Answer(worded(desk.sdk, "no_delete", p=_shown(place))) from None
    return worded(desk.sdk, "deleted", p=_shown(place))


async def rename(desk: Desk, given: dict[str, Any]) -> str:
    """A file or directory gets another place, never that of something else."""
    old, new = _spot(desk, given["old_path"], "root_rename"), _spot(desk, given["new_path"])
    _not_root(desk, old, "root_rename")
    try:
        await desks.move(old, new)
    except FileExists:
        raise Answer(worded(desk.sdk, "rename_exists", p=_shown(new))) from None
    except FileMissing:
        raise Answer(worded(desk.sdk, "no_rename", p=_shown(old))) from None
    return worded(desk.sdk, "renamed", p=_shown(old), new=_shown(new))


def _not_root(desk: Desk, place: Spot, name: str) -> None:
    if not place.path:
        raise Answer(worded(desk.sdk, name, p=_shown(place)))


Parameters = Mapping[str, tuple[type, bool]]
PATHS = frozenset({"path", "old_path", "new_path"})
KINDS: Mapping[type, str] = {
    str: "a text",
    int: "a whole number",
    list: "a list of two whole numbers",
}
COMMANDS: Mapping[str, tuple[Callable[[Desk, dict[str, Any]], Awaitable[str]], Parameters]] = {
    "view": (view, {"path": (str, True), "view_range": (list, False)}),
    "create": (create, {"path": (str, True), "file_text": (str, True)}),
    "str_replace": (
        str_replace,
        {"path": (str, True), "old_str": (str, True), "new_str": (str, False)},
    ),
    "insert": (
        insert,
        {"path": (str, True), "insert_line": (int, True), "insert_text": (str, True)},
    ),
    "delete": (delete, {"path": (str, True)}),
    "rename": (rename, {"old_path": (str, True), "new_path": (str, True)}),
}
