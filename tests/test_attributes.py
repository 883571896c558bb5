"""The table of attributes: one meaning for every name."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.attributes import (
    ATTRIBUTES,
    TABLE,
    canonical,
    is_multi,
    kind_of,
    search_words,
    slug,
)
from memoranda.errors import UsageError
from memoranda.types import Kind


def test_no_name_means_two_things() -> None:
    names = Counter([row.name for row in TABLE] + [alias for row in TABLE for alias in row.aliases])
    assert [name for name, n in names.items() if n > 1] == []


def test_aliases_lead_to_the_name() -> None:
    assert {canonical(name) for name in ("city", "Lives in", "residence", "home")} == {"home"}
    assert canonical("favorite color") == "favourite_colour"


def test_owners_keep_the_attribute() -> None:
    assert canonical("Sister.city") == "sister.home"
    assert kind_of("sister.city") is Kind.IDENTITY
    assert is_multi("sister.language")
    assert "sister" in search_words("sister.home")


def test_plans_are_many_and_an_appointment_has_one_date() -> None:
    assert is_multi("plan")
    assert not is_multi("dentist.plan")


def test_a_question_about_the_job_finds_the_employer() -> None:
    assert {"work", "job", "company"} <= set(search_words("employer"))


def test_unknown_names_are_single_facts() -> None:
    assert (canonical("shelf no"), is_multi("shelf no"), kind_of("shelf no")) == (
        "shelf_no",
        False,
        Kind.FACT,
    )


def test_users_add_aliases_without_changing_the_table() -> None:
    mine = ATTRIBUTES.with_aliases({"Wohnort": "city"})
    assert mine.canonical("wohnort") == "home"
    assert canonical("wohnort") == "wohnort"
    with pytest.raises(UsageError):
        ATTRIBUTES.with_aliases({"home": "employer"})
    with pytest.raises(UsageError):
        ATTRIBUTES.with_aliases({"...": "employer"})


@given(st.text(max_size=50))
def test_canonical_is_canonical(name: str) -> None:
    once = canonical(name)
    assert canonical(once) == once
    assert slug(slug(name)) == slug(name)
    search_words(name), is_multi(name), kind_of(name)
