"""Identifiers that we make ourselves are no secrets, whatever chance spells in them."""

import pytest

from memoranda.errors import UsageError
from memoranda.gate.screen.rules import BuiltIn
from memoranda.gate.screening import clean_name
from memoranda.memory import Memory
from memoranda.settings import SCREENING
from memoranda.system import SystemIds

SPELT = "s01m8nrqzwcf828en9p3psk9w4h"


def test_a_session_that_spells_a_word_for_a_key_can_be_opened() -> None:
    with Memory.open(":memory:") as m:
        window = m.window(session=SPELT, run=f"run_{SPELT[1:]}")
        window.build("I live in Graz.")
        assert [out.status for out in window.end()] == ["accepted"]
        assert m.rescan(dry_run=True).out_of_reach == ()


def test_any_identifier_of_ours_can_be_a_name() -> None:
    ids, screens = SystemIds(), (BuiltIn(),)
    for prefix in ("s", "run_", "session:s"):
        for _ in range(20_000):
            clean_name("a name", ids.new(prefix), screens, SCREENING)


def test_an_identifier_beside_the_word_key_stays_in_the_log() -> None:
    with Memory.open(":memory:") as m:
        window = m.window(session="s1")
        window.build(f"The key fact is f_{SPELT[1:]}, says the token counter.")
        assert SPELT[1:] in repr(m.log("s1"))


def test_a_secret_in_a_name_is_refused_as_before() -> None:
    with Memory.open(":memory:") as m, pytest.raises(UsageError, match="may not be kept"):
        m.window(session="ghp_" + "a8F3kd93jDk2la93" + "Kd8sQ0xZ7pLm4TnVb6Yc").build("Hello.")
