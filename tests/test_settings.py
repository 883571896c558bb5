"""Settings: a value that means nothing is told when it is given, in the file and in Python alike."""

from typing import Any

import pytest

from memoranda.errors import SettingsError
from memoranda.settings import LIFETIMES, MOST_DAYS, Settings, settings_from
from memoranda.types import Trust

WRONG: tuple[dict[str, Any], ...] = (
    {"recall_floor": 7},
    {"recall_floor": float("nan")},
    {"min_confidence": float("inf")},
    {"min_trust": 5},
    {"busy_seconds": float("inf")},
    {"recall_k": "3"},
    {"recall_k": True},
    {"recall_k": -1},
    {"recall_k": 10**20},
    {"fact_characters": 0},
    {"pending_days": MOST_DAYS + 1},
    {"log_days": 10**11},
    {"reviewer_key_sha256": "zz"},
    {"file_secrets": "keep"},
    {"file_rules_approved": 1},
    {"lifetimes": {"preference": 3_000_000}},
    {"lifetimes": {"dream": 3}},
    {"lifetimes": {"plan": True}},
    {"lifetimes": 3},
)


@pytest.mark.parametrize("values", WRONG, ids=str)
def test_what_means_nothing_is_refused_and_named(values: dict[str, Any]) -> None:
    name = next(iter(values))
    with pytest.raises(SettingsError, match="lifetime" if name == "lifetimes" else name):
        settings_from(values)
    with pytest.raises(SettingsError):
        Settings(**values)


def test_what_means_something_is_taken() -> None:
    assert Settings(recall_floor=1, busy_seconds=3, min_trust=Trust.USER).busy_seconds == 3
    assert Settings(lifetimes={"plan": 2}).lifetimes == {**LIFETIMES, "plan": 2}
    base = Settings(lifetimes={"plan": 2})
    assert settings_from({"lifetimes": {"fact": 3}}, base).lifetimes["plan"] == 2
    assert settings_from({}) == Settings()
