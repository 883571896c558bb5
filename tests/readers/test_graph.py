"""The reference memory server's file: every line or a named fault."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import IngestError
from memoranda.readers.graph import Entity, Relation, read_graph

LIMIT = 1_000_000
ALICE = '{"type": "entity", "name": "Alice", "entityType": "person", "observations": ["likes tea"]}'
KNOWS = '{"type": "relation", "from": "Alice", "to": "Bob", "relationType": "knows"}'
TORN = '{"type": "entity", "name": "Bob", "entityTy'


def file(folder: Path, *lines: str, end: str = "\n") -> Path:
    path = folder / "memory.json"
    path.write_text("\n".join(lines) + end, "utf-8")
    return path


def test_every_line_is_its_sentences(tmp_path: Path) -> None:
    lines = list(read_graph(file(tmp_path, ALICE, "", KNOWS), LIMIT))
    assert [(line.number, [one.text for one in line.statements]) for line in lines] == [
        (1, ["Alice is of the type person.", "Alice: likes tea"]),
        (3, ["Alice knows Bob."]),
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (TORN, "JSON"),
        ('{"type": "entity", "name": "Bob"}', "this entity lacks a field"),
        ('{"type": "entity", "name": 5, "entityType": "x", "observations": []}', "lacks a field"),
        (
            '{"type": "entity", "name": "B", "entityType": "x", "observations": "no"}',
            "lacks a field",
        ),
        ('{"type": "relation", "from": "Alice"}', "this relation lacks a field"),
        ('{"role": "user", "content": "hello"}', "no entity and no relation"),
        ("[]", "no entity and no relation"),
    ],
)
def test_a_faulty_line_is_named_and_the_rest_can_be_read(
    tmp_path: Path, line: str, problem: str
) -> None:
    """With one torn line, every read of the reference server fails."""
    path = file(tmp_path, ALICE, line, KNOWS)
    with pytest.raises(IngestError, match=problem) as caught:
        read_graph(path, LIMIT)
    assert caught.value.line == 2
    lines = list(read_graph(path, LIMIT, skip=True))
    assert [line.fault.line for line in lines if line.fault] == [2]
    assert [line.number for line in lines if line.statements] == [1, 3]


def test_a_file_cut_off_says_so(tmp_path: Path) -> None:
    with pytest.raises(IngestError, match="ends in the middle"):
        read_graph(file(tmp_path, ALICE, TORN, end=""), LIMIT)


@pytest.mark.parametrize("lines", [(TORN,), ("\n",)], ids=["torn", "blank"])
def test_a_file_with_nothing_in_it_is_refused(tmp_path: Path, lines: tuple[str, ...]) -> None:
    with pytest.raises(IngestError, match="no entity and no relation"):
        read_graph(file(tmp_path, *lines), LIMIT, skip=True)


words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=20)


@given(words, words, st.lists(words, max_size=3))
def test_what_the_reference_server_writes_is_read(
    tmp_path_factory: pytest.TempPathFactory, name: str, kind: str, observations: list[str]
) -> None:
    rows = [
        {"type": "entity", "name": name, "entityType": kind, "observations": observations},
        {"type": "relation", "from": name, "to": kind, "relationType": "knows"},
    ]
    path = tmp_path_factory.mktemp("graph") / "memory.json"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    first, second = read_graph(path, LIMIT)
    assert list(first.statements) == Entity(name, kind, tuple(observations)).statements()
    assert list(second.statements) == Relation(name, kind, "knows").statements()
