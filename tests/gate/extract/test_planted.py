"""The planted statements are found, and nothing is found in the harmless ones."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from memoranda.attributes import canonical
from memoranda.gate.extract import extract
from memoranda.types import Draft


def _planted() -> Any:
    spec = importlib.util.spec_from_file_location("planted", Path(__file__).with_name("planted.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


planted = _planted()


def said(text: str, **more: Any) -> list[Draft]:
    return extract(text, subject="user:me", said_at=planted.SAID_AT, **more)


def learnt(statement: Any) -> bool:
    wanted = canonical(statement.attribute) if statement.attribute else ""
    for draft in said(statement.text):
        name = draft.attribute or ""
        key = not wanted or wanted in (name, name.rpartition(".")[2])
        value = statement.value.casefold() in f"{draft.value} {draft.text}".casefold()
        if key and value and statement.positive == (draft.polarity and not draft.ends):
            return True
    return False


def test_at_least_95_of_100_planted_statements_are_learnt() -> None:
    missed = [statement.text for statement in planted.STATED if not learnt(statement)]
    assert len(planted.STATED) == 100
    assert len(missed) <= 5, missed


@pytest.mark.parametrize("text", planted.HARMLESS)
def test_nothing_is_learnt_from(text: str) -> None:
    assert said(text) == []
