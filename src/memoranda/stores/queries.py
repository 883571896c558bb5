"""Read the named queries and the numbered migrations from `sql/`: the only place where SQL is written.

`sql/common/*.sql` holds what every engine understands, `sql/<dialect>/*.sql` the rest, each query under a heading
`-- name: x`. Files whose names begin with four digits are migrations. Parameters are written `:name` everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from memoranda.errors import UsageError

_SQL = Path(__file__).with_name("sql")
_HEADING = re.compile(r"^--[ \t]*name:[ \t]*(\S+)[ \t]*$", re.MULTILINE)
_MIGRATION = re.compile(r"^(\d{4})_(\w+)\.sql$")
# Steps over strings, quoted names, comments and casts, so that what looks like a parameter inside them is none.
_TOKEN = re.compile(
    r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|(?P<comment>--[^\n]*|/\*.*?\*/)|::"""
    r"""|:(?P<param>[a-z_][a-z0-9_]*)|(?P<end>;)|(?P<write>\b(?:INSERT|UPDATE|DELETE)\b)""",
    re.DOTALL | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Query:
    """One named statement: its text without comments, its parameters, and whether it changes rows."""

    name: str
    text: str
    params: frozenset[str]
    writes: bool


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered step of the schema. Its last statement records `number` as the schema's version."""

    number: int
    name: str
    text: str


@cache
def load(dialect: str) -> Mapping[str, Query]:
    """All named queries of `dialect` by name. Raises `UsageError` for a double name or a malformed file."""
    found: dict[str, Query] = {}
    for folder in ("common", dialect):
        for file, text in _files(folder):
            if _MIGRATION.match(file):
                continue
            for query in parse(text, f"{folder}/{file}"):
                if query.name in found:
                    raise UsageError(f"{folder}/{file}: the query {query.name!r} is there twice")
                found[query.name] = query
    return MappingProxyType(found)


@cache
def migrations(dialect: str) -> tuple[Migration, ...]:
    """The migrations of `dialect` in order. Raises `UsageError` unless they are numbered 1, 2, 3, ..."""
    found = tuple(
        Migration(int(match[1]), match[2], text)
        for file, text in _files(dialect)
        if (match := _MIGRATION.match(file))
    )
    if [m.number for m in found] != list(range(1, len(found) + 1)):
        raise UsageError(f"the migrations in sql/{dialect} are not numbered 1, 2, 3, ...")
    return found


def parse(text: str, where: str) -> list[Query]:
    """The named queries of one file; `where` names it in errors (`UsageError`)."""
    preamble, *rest = _HEADING.split(text)
    if _strip(preamble):
        raise UsageError(f"{where}: SQL before the first '-- name:' heading")
    return [_query(name, body, where) for name, body in zip(rest[::2], rest[1::2], strict=True)]


def _query(name: str, body: str, where: str) -> Query:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise UsageError(f"{where}: {name!r} is no name for a query")
    text = _strip(body).removesuffix(";").rstrip()
    tokens = list(_TOKEN.finditer(text))
    if not text or any(t["end"] for t in tokens):
        raise UsageError(f"{where}: the query {name!r} must be exactly one statement")
    params = frozenset(t["param"] for t in tokens if t["param"])
    return Query(name, text, params, writes=any(t["write"] for t in tokens))


def _strip(text: str) -> str:
    return _TOKEN.sub(lambda t: " " if t["comment"] else t[0], text).strip()


def _files(folder: str) -> Iterator[tuple[str, str]]:
    # A dialect without a folder has only what is common; sorted, so that errors do not depend on the disk.
    for file in sorted((_SQL / folder).glob("*.sql")):
        yield file.name, file.read_text(encoding="utf-8")
