"""The reference memory server's graph as facts and back: entities, observations, relations; and a reader of its file.

Its file has a JSON object a line: `{"type": "entity", "name", "entityType", "observations"}` or `{"type": "relation",
"from", "to", "relationType"}`. An observation becomes a sentence with its entity's name in it, a relation one of its
three words; tags keep what belongs to what, so that the graph can be told again from facts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from memoranda.errors import IngestError
from memoranda.gate.clean import sentence
from memoranda.readers._json import decoded
from memoranda.readers._source import LINE_BYTES, Source
from memoranda.types import Fact

ENTITY, TYPE, FROM, RELATION, TO = "entity:", "type:", "from:", "relation:", "to:"


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of the graph, with the tags by which it is found again."""

    text: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entity:
    """A node: its name, its type, and what was observed of it."""

    name: str
    type: str
    observations: tuple[str, ...] = ()

    def statements(self) -> list[Statement]:
        """What it is, then what was observed of it."""
        named = f"{ENTITY}{self.name}"
        first = Statement(f"{self.name} is of the type {self.type}.", (named, f"{TYPE}{self.type}"))
        return [first, *observed(self.name, self.observations)]


@dataclass(frozen=True, slots=True)
class Relation:
    """An edge between two names."""

    source: str
    target: str
    type: str

    def statements(self) -> list[Statement]:
        """The one sentence that it is."""
        tags = (f"{FROM}{self.source}", f"{RELATION}{self.type}", f"{TO}{self.target}")
        return [Statement(f"{self.source} {self.type} {self.target}.", tags)]


@dataclass(slots=True)
class Graph:
    """Entities and relations, in the order in which they were met."""

    entities: list[Entity] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)


def observed(name: str, observations: Iterable[str]) -> list[Statement]:
    """What was observed of an entity, a sentence each."""
    return [Statement(f"{name}: {text}", (f"{ENTITY}{name}",)) for text in observations]


def graph_of(facts: Iterable[Fact]) -> Graph:
    """The graph that facts tell; those without its tags tell none."""
    types: dict[str, str] = {}
    seen: dict[str, list[str]] = {}
    graph = Graph()
    for fact in facts:
        tags = {prefix: _tagged(fact, prefix) for prefix in (ENTITY, TYPE, FROM, RELATION, TO)}
        if name := tags[ENTITY]:
            seen.setdefault(name, [])
            if tags[TYPE]:
                types[name] = tags[TYPE]
            else:
                seen[name].append(observation(fact, name))
        elif tags[FROM] and tags[RELATION] and tags[TO]:
            graph.relations.append(Relation(tags[FROM], tags[TO], tags[RELATION]))
    graph.entities = [
        Entity(name, types.get(name, ""), tuple(texts)) for name, texts in seen.items()
    ]
    return graph


def observation(fact: Fact, name: str) -> str:
    """What a fact observes of an entity: its sentence without the name before it."""
    return fact.fact.removeprefix(f"{name}: ")


def key_of(name: str) -> str:
    """A name as tags keep it."""
    return sentence(name)


def _tagged(fact: Fact, prefix: str) -> str:
    return next((tag.removeprefix(prefix) for tag in fact.tags if tag.startswith(prefix)), "")


# Its file


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the file: its number, and what stands there or (`fault`) why it cannot be read."""

    number: int
    statements: tuple[Statement, ...] = ()
    fault: IngestError | None = None


def read_graph(
    path: str | os.PathLike[str], limit_bytes: int, *, skip: bool = False
) -> Iterator[Line]:
    """The lines of a graph's file. A line that cannot be read is an `IngestError`; with `skip` it is handed on as one.

    The file is read to its end before this returns, so that without `skip` nothing is written of one with a fault.
    """
    source = Source(path, limit_bytes, LINE_BYTES)
    found = 0
    for line in _lines(source, skip):
        found += bool(line.statements)
    if not found:
        raise source.fault(
            None, "the file holds no entity and no relation", "give the memory server's own file"
        )
    return _lines(source, skip)


def _lines(source: Source, skip: bool) -> Iterator[Line]:
    for number, text in source.lines():
        if not text.strip():
            continue
        try:
            yield Line(number, tuple(_statements(source, number, text)))
        except IngestError as fault:
            if not skip:
                raise
            yield Line(number, fault=fault)


def _statements(source: Source, number: int, text: str) -> list[Statement]:
    value = decoded(source, number, text)
    kind = value.get("type") if isinstance(value, Mapping) else None
    try:
        if kind == "entity":
            observations = value["observations"]
            if not isinstance(observations, list):
                raise TypeError
            named = Entity(
                _text(value["name"]), _text(value["entityType"]), tuple(map(_text, observations))
            )
            return named.statements()
        if kind == "relation":
            ends = (_text(value["from"]), _text(value["to"]), _text(value["relationType"]))
            return Relation(*ends).statements()
    except (KeyError, TypeError):
        problem = f"this {kind} lacks a field, or has one that is no text"
        raise source.fault(number, problem, REMEDY) from None
    raise source.fault(number, "this is no entity and no relation", REMEDY)


REMEDY = "correct or remove the line, or pass over such lines with --skip-faulty"


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
