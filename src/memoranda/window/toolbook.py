"""What tools do, by name: which argument names the object, and whether it is read, written or run.

A table, so that it can be read and extended: `Toolbook((*BUILT_IN, Rule(("fetch_page",), READ, ("url",))))`.
Names are matched in lower case and without the prefix of a server (`mcp__fs__read_file` is `read_file`). A tool
that no rule names is not guessed at: its results are never taken for superseded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from memoranda.messages import ToolCall

Access = Literal["read", "write", "run"]
READ: Access = "read"
WRITE: Access = "write"
RUN: Access = "run"
PATHS = ("path", "file_path", "filepath", "file", "filename", "file_name", "target_file", "uri")
PLACES = ("path", "directory", "dir", "folder", "root", "cwd")
VIEWS = {"view", "read", "cat", "open"}


@dataclass(frozen=True, slots=True)
class Rule:
    """Tools of these names do `access` to the object that the first of `objects` among the arguments names.

    by: an argument that says what is done (`command` of an editor): `views` among its values only read.
    """

    names: tuple[str, ...]
    access: Access
    objects: tuple[str, ...]
    by: str = ""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


BUILT_IN: tuple[Rule, ...] = (
    Rule(
        _words("str_replace_editor str_replace_based_edit_tool text_editor"),
        WRITE,
        PATHS,
        "command",
    ),
    Rule(_words("memory"), WRITE, _words("path old_path"), "command"),
    Rule(
        _words(
            "read read_file view view_file open open_file cat get_file_contents read_text_file "
            "read_media_file goto"
        ),
        READ,
        PATHS,
    ),
    Rule(_words("list_directory list_dir ls list_files tree directory_tree"), READ, PLACES),
    Rule(
        _words(
            "grep grep_search search search_files glob find find_file search_dir search_file "
            "codebase_search"
        ),
        READ,
        _words("pattern query search_term file_name regex"),
    ),
    Rule(
        _words(
            "edit edit_file multiedit multi_edit str_replace insert insert_line append apply_patch "
            "patch search_replace notebookedit"
        ),
        WRITE,
        PATHS,
    ),
    Rule(
        _words(
            "write write_file create create_file save_file delete_file remove_file "
            "create_or_update_file"
        ),
        WRITE,
        PATHS,
    ),
    Rule(
        _words(
            "bash shell sh run execute execute_bash execute_command run_command run_terminal_cmd "
            "terminal exec python ipython run_tests"
        ),
        RUN,
        _words("command cmd code script input"),
    ),
    Rule(
        _words(
            "fetch web_fetch webfetch fetch_url http_get browse open_url navigate goto_url "
            "browser_navigate visit visit_page"
        ),
        READ,
        _words("url uri"),
    ),
    Rule(_words("web_search websearch google_search brave_web_search"), READ, _words("query q")),
    Rule(_words("browser_snapshot browser_take_screenshot screenshot page_snapshot"), READ, ()),
)


@dataclass(frozen=True, slots=True)
class Use:
    """What one call does: `access` to `target`. `exactly`: all its arguments, so that two calls can be told apart."""

    access: Access
    target: str
    exactly: str


@dataclass(frozen=True, slots=True)
class Toolbook:
    """Rules by name; an earlier one wins, so put your own in front."""

    rules: tuple[Rule, ...] = BUILT_IN

    def use(self, call: ToolCall) -> Use | None:
        """What this call does, None if no rule knows."""
        return _use(self.rules, call.name, call.arguments)


DEFAULT_TOOLBOOK = Toolbook()


def plain_name(name: str) -> str:
    """A tool's own name without its server's."""
    for mark in ("__", ".", "/", ":"):
        name = name.rpartition(mark)[2] or name
    return name.lower().replace("-", "_")


@lru_cache(maxsize=4_000)
def arguments_of(text: str) -> Mapping[str, Any]:
    """The arguments of a call; empty when they are no JSON object."""
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


@lru_cache(maxsize=4_000)
def _use(rules: tuple[Rule, ...], name: str, arguments: str) -> Use | None:
    plain = plain_name(name)
    rule = next((rule for rule in rules if plain in rule.names), None)
    if rule is None:
        return None
    given = arguments_of(arguments)
    target = next((given[k] for k in rule.objects if isinstance(given.get(k), str)), None)
    if target is None:
        if rule.objects:
            return None
        target = plain
    access = rule.access
    if rule.by and str(given.get(rule.by, "")).lower() in VIEWS:
        access = READ
    exactly = json.dumps([plain, given], sort_keys=True, default=str)
    return Use(access, target, exactly)
