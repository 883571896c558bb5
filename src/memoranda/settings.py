"""Every setting, with its default: one table, read from one TOML file, documented in docs/settings.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import timedelta
from typing import Any

from memoranda.errors import SettingsError

DAY = timedelta(days=1)

LIFETIMES: Mapping[str, int] = {
    "fact": 365,
    "identity": 365,
    "preference": 183,
    "plan": 7,
    "activity": 7,
    "episode": 30,
    "procedure": 183,
}

CHOICES: Mapping[str, tuple[str, ...]] = {"file_secrets": ("refuse", "mask")}


ACTIONS = ("allow", "mask", "ask", "refuse")
# What is done with each kind that the screens know.
SCREENING: Mapping[str, str] = {
    "secret": "refuse",
    "card": "refuse",
    "iban": "refuse",
    "national_id": "refuse",
    "passport": "ask",
    "driving_licence": "ask",
    "medical_record": "ask",
    "email": "ask",
    "phone": "ask",
    "address": "allow",
    "birth_date": "allow",
    "ip": "ask",
    "mac": "allow",
    "health": "ask",
    "sexuality": "ask",
    "religion": "ask",
    "politics": "ask",
    "union": "ask",
    "biometrics": "ask",
    "legal": "ask",
    "diet": "allow",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings. Sizes in characters or tokens as named, times in days or seconds as named.

    lifetimes: days until a fact of this kind expires (a plan: days after its date; a procedure: until its
    next review). pending_days: how long a held item waits for a person. recall_k and recall_tokens: the caps
    of one recall. recall_floor: the least share (0 to 1) of a question's weight that a fact must cover.
    min_confidence and min_trust: floors of recall. below_user: most facts of a recall whose trust is
    below `user`. fact_characters: longest fact. ingest_bytes: largest file that ingest reads.
    busy_seconds: how long a writer waits for others. window_budget: tokens of a window by default.
    standing_tokens: cap of the standing block. episode_days: age at which a week of episodes is summarised
    (0: never). trace_days: how long what cannot be recalled any more is kept for the trace (0: for good).
    log_days: retention of the session log (0: kept).
    files_folder: folder in which each subject's files get one of their own ("": they are rows in the store).
    file_bytes, file_count, file_total_bytes, file_depth: caps of one file and of a subject's files.
    file_view_characters: most characters of a view. file_versions: versions kept of each file.
    file_deleted_days: how long the versions of a deleted file are kept. file_unused_days: files not used for
    so long are announced and a week later deleted (0: never). file_secrets: `refuse` or `mask`.
    file_rules: names of files that are read at session start. file_rules_approved: only those whose present
    text a person approved.
    screening: what is done with each kind that the screens find (allow, mask, ask, refuse).
    secrets_allowed_because: the reason without which secrets cannot be set to anything but refuse or mask.
    reviewer_key_sha256: hex digest of the key that opens `review` without a terminal ("" : none).
    """

    lifetimes: Mapping[str, int] = field(default_factory=lambda: dict(LIFETIMES))
    pending_days: int = 14
    recall_k: int = 5
    recall_tokens: int = 600
    recall_floor: float = 0.3
    min_confidence: float = 0.3
    min_trust: int = 1
    below_user: int = 2
    fact_characters: int = 300
    ingest_bytes: int = 50_000_000
    busy_seconds: float = 30.0
    window_budget: int = 8000
    standing_tokens: int = 800
    episode_days: int = 21
    trace_days: int = 0
    log_days: int = 0
    files_folder: str = ""
    file_bytes: int = 102_400
    file_count: int = 1000
    file_total_bytes: int = 20_000_000
    file_depth: int = 8
    file_view_characters: int = 16_000
    file_versions: int = 50
    file_deleted_days: int = 90
    file_unused_days: int = 0
    file_secrets: str = "refuse"
    file_rules: str = "rules.md"
    file_rules_approved: bool = True
    reviewer_key_sha256: str = ""
    screening: Mapping[str, str] = field(default_factory=lambda: dict(SCREENING))
    secrets_allowed_because: str = ""

    def __post_init__(self) -> None:
        # The table may name some kinds only; the others keep their default.
        object.__setattr__(self, "screening", _screening(self.screening))
        if (
            self.screening["secret"] in ("allow", "ask")
            and not self.secrets_allowed_because.strip()
        ):
            raise SettingsError(
                "secrets are refused or masked; to keep them, also set secrets_allowed_because to the reason"
            )


def settings_from(table: Mapping[str, Any], base: Settings | None = None) -> Settings:
    """Settings from a parsed TOML table. Unknown names and wrong types raise `SettingsError`."""
    base = base or Settings()
    known = {f.name: getattr(base, f.name) for f in fields(Settings)}
    changes: dict[str, Any] = {}
    for name, value in table.items():
        if name not in known:
            raise SettingsError(f"unknown setting {name!r}; known are {', '.join(sorted(known))}")
        changes[name] = (
            _lifetimes(value, base)
            if name == "lifetimes"
            else {**base.screening, **_checked(value)}
            if name == "screening"
            else _typed(name, value, known)
        )
    return replace(base, **changes)


def _typed(name: str, value: Any, known: Mapping[str, Any]) -> Any:
    wanted = type(known[name])
    if wanted is float and type(value) is int:
        value = float(value)
    if type(value) is not wanted:
        raise SettingsError(
            f"setting {name!r} must be {wanted.__name__}, not {type(value).__name__}"
        )
    if wanted in (int, float) and value < 0:
        raise SettingsError(f"setting {name!r} must not be negative")
    if name in CHOICES and value not in CHOICES[name]:
        raise SettingsError(f"setting {name!r} must be one of {', '.join(CHOICES[name])}")
    return value


def _lifetimes(value: Any, base: Settings) -> Mapping[str, int]:
    if not isinstance(value, Mapping):
        raise SettingsError("setting 'lifetimes' must be a table of kinds and days")
    for kind, days in value.items():
        if kind not in base.lifetimes:
            raise SettingsError(
                f"unknown kind {kind!r} in lifetimes; known are {', '.join(base.lifetimes)}"
            )
        if type(days) is not int or days < 1:
            raise SettingsError(f"lifetime of {kind!r} must be a whole number of days, at least 1")
    return {**base.lifetimes, **value}


def _screening(value: Any) -> Mapping[str, str]:
    return {**SCREENING, **_checked(value)}


def _checked(value: Any) -> Mapping[str, str]:
    if not isinstance(value, Mapping):
        raise SettingsError(
            "setting 'screening' must be a table of kinds and what is done with them"
        )
    for kind, action in value.items():
        if not isinstance(kind, str) or not kind:
            raise SettingsError("a kind in screening must be a name")
        if action not in ACTIONS:
            raise SettingsError(f"screening of {kind!r} must be one of {', '.join(ACTIONS)}")
    return dict(value)
