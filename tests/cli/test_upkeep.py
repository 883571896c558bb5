"""maintain: what it did, in words."""

from memoranda import wiring
from memoranda.cli.upkeep import DONE
from tests.cli.running import Inside


def test_every_job_has_words_for_what_it_did() -> None:
    assert set(DONE) == set(wiring.MAINTENANCE)


def test_nothing_due_is_said(cli: Inside) -> None:
    cli("remember", "The user owns a kayak.", "--kind", "fact")
    assert cli("maintain").out == "1 vectors were made that were missing\n"
    assert cli("maintain").out == "nothing was due\n"
    assert set(cli("maintain", "--json").json()["done"]) == set(wiring.MAINTENANCE)
