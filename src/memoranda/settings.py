"""Every setting, with its default: one table, read from one TOML file, documented in docs/settings.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
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

EMBEDDERS = ("", "none", "minilm", "hashing", "openai")
CHOICES: Mapping[str, tuple[str, ...]] = {"file_secrets": ("refuse", "mask")}

# The least and the most that means something. Days beyond these would leave the calendar (the year 9999), and
# whole numbers beyond these the 64 bits of a column; a share over 1 would silently recall nothing at all.
MOST_DAYS = 100_000
MOST = 10**12
RANGES: Mapping[str, tuple[int, int]] = {
    "recall_floor": (0, 1),
    "recall_subject_share": (0, 1),
    "recall_whole": (1, MOST),
    "min_confidence": (0, 1),
    "min_trust": (0, 4),
    "busy_seconds": (0, 86_400),
    "fact_characters": (1, MOST),
    "embedder_seconds": (0, 3600),
    "embedder_threads": (1, 256),
    "embedder_dim": (0, 65_536),
}


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
    of one recall. recall_floor: the least score (0 to 1) that a fact must have; a question about the person who asks
    needs less, one that an encyclopaedia answers more. recall_turns: most turns of earlier conversations among what is
    recalled (0: none); recall_turn_characters: how much of one is shown. recall_subject_share: of several subjects, the
    share (0 to 1) that one may have while others have some left. recall_per_source: most of one source that is trusted
    less than the user. recall_whole: of a subject with more rows the engine's index chooses which are ranked;
    recall_rows: how many rows recall keeps in memory.
    min_confidence and min_trust: floors of recall. below_user: most facts of a recall whose trust is
    below `user`. fact_characters: longest fact. ingest_bytes: largest file that ingest reads.
    embedder: "" (the command's own choice, in Python none), "none", "minilm", "hashing", "openai" or "onnx:FOLDER".
    embedder_url, embedder_model, embedder_dim, embedder_key_env, embedder_seconds: of an endpoint: where, which model,
    how long its vectors are (0: as is known of the model), the environment variable with the key, the longest wait.
    embedder_threads: of a model on this machine. embed_at_recall: most texts that one recall makes vectors of;
    embed_at_maintain: and one `maintain` (0: none).
    busy_seconds: how long a writer waits for others. window_budget: tokens of a window by default.
    standing_tokens: cap of the standing block. plan_tokens: cap of the plan files in a request. scratch_characters:
    cap of a run's scratchpad. result_characters: a longer tool result is cut as it enters the window (the log has it
    whole). reopen_share: most of a window's budget (0 to 1) that one reopened step takes. cache_seconds: how long a
    provider keeps a prefix; after that a compaction costs nothing extra.
    episode_days: age at which a week of episodes is summarised
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
    side_effect_trust: while the window holds anything of lower trust, an agent asks before a tool that changes
    something. facts_per_run: most facts that one run may write; facts_per_source: most that one source below the
    user's trust may have of a subject, waiting ones included; pending_per_subject: most that wait of a subject.
    aliases: more names of attributes. multi_valued: attributes that may hold several values at once.
    A value of another type or out of range raises `SettingsError`; kinds that `lifetimes` lacks keep their default.
    """

    lifetimes: Mapping[str, int] = field(default_factory=lambda: dict(LIFETIMES))
    pending_days: int = 14
    recall_k: int = 5
    recall_tokens: int = 600
    recall_floor: float = 0.27
    recall_turns: int = 3
    recall_turn_characters: int = 500
    recall_subject_share: float = 0.6
    recall_per_source: int = 3
    recall_whole: int = 5000
    recall_rows: int = 50_000
    min_confidence: float = 0.3
    min_trust: int = 1
    below_user: int = 2
    fact_characters: int = 300
    embedder: str = ""
    embedder_url: str = ""
    embedder_model: str = ""
    embedder_dim: int = 0
    embedder_key_env: str = ""
    embedder_seconds: float = 20.0
    embedder_threads: int = 1
    embed_at_recall: int = 64
    embed_at_maintain: int = 1000
    ingest_bytes: int = 50_000_000
    busy_seconds: float = 30.0
    window_budget: int = 8000
    standing_tokens: int = 800
    plan_tokens: int = 1000
    scratch_characters: int = 4000
    result_characters: int = 100_000
    reopen_share: float = 0.25
    cache_seconds: int = 300
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
    side_effect_trust: int = 3
    facts_per_run: int = 10_000
    facts_per_source: int = 200
    pending_per_subject: int = 1000
    aliases: Mapping[str, str] = field(default_factory=dict)
    multi_valued: Sequence[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name in READERS:
                object.__setattr__(self, one.name, READERS[one.name](value))
            else:
                _check(one.name, value, type(one.default))
        kept = self.screening["secret"] in ("allow", "ask")
        if kept and not self.secrets_allowed_because.strip():
            raise SettingsError(
                "secrets are refused or masked; to keep them, also set secrets_allowed_because to the reason"
            )


def settings_from(table: Mapping[str, Any], base: Settings | None = None) -> Settings:
    """Settings from a parsed TOML table. Unknown names, wrong types and values out of range raise `SettingsError`."""
    base = base or Settings()
    known = sorted(one.name for one in fields(Settings))
    for name in table:
        if name not in known:
            raise SettingsError(f"unknown setting {name!r}; known are {', '.join(known)}")
    changes = dict(table)
    if "lifetimes" in changes:
        changes["lifetimes"] = {**base.lifetimes, **_lifetimes(changes["lifetimes"], {})}
    if "screening" in changes:
        changes["screening"] = {**base.screening, **_checked(changes["screening"])}
    return replace(base, **changes)


def _check(name: str, value: Any, wanted: type) -> None:
    """Raise `SettingsError` unless `value` is of the default's type and in range. A whole number is a float too."""
    kinds = (int, float) if wanted is float else (wanted,)
    fits = any(isinstance(value, kind) for kind in kinds)
    if not fits or (isinstance(value, bool) and wanted is not bool):
        raise SettingsError(
            f"setting {name!r} must be {wanted.__name__}, not {type(value).__name__}"
        )
    if wanted in (int, float):
        least, most = RANGES.get(name, (0, MOST_DAYS if name.endswith("_days") else MOST))
        if value < 0:
            raise SettingsError(f"setting {name!r} must not be negative")
        if not least <= value <= most:
            raise SettingsError(f"setting {name!r} must be from {least} to {most}")
    if name in CHOICES and value not in CHOICES[name]:
        raise SettingsError(f"setting {name!r} must be one of {', '.join(CHOICES[name])}")
    if name == "embedder" and value not in EMBEDDERS and not value.startswith("onnx:"):
        raise SettingsError(
            "setting 'embedder' must be none, minilm, hashing, openai, onnx:FOLDER or empty"
        )
    if name == "reviewer_key_sha256" and not re.fullmatch(r"(?:[0-9a-fA-F]{64})?", value.strip()):
        raise SettingsError(f"setting {name!r} must be the 64 hexadecimal digits of a SHA-256")


def _lifetimes(value: Any, base: Mapping[str, int] = LIFETIMES) -> Mapping[str, int]:
    if not isinstance(value, Mapping):
        raise SettingsError("setting 'lifetimes' must be a table of kinds and days")
    for kind, days in value.items():
        if kind not in LIFETIMES:
            raise SettingsError(
                f"unknown kind {kind!r} in lifetimes; known are {', '.join(LIFETIMES)}"
            )
        if type(days) is not int or not 1 <= days <= MOST_DAYS:
            raise SettingsError(
                f"lifetime of {kind!r} must be a whole number of days, from 1 to {MOST_DAYS}"
            )
    return {**base, **value}


def _aliases(value: Any) -> Mapping[str, str]:
    texts = isinstance(value, Mapping) and all(
        isinstance(part, str) for pair in value.items() for part in pair
    )
    if not texts:
        raise SettingsError("setting 'aliases' must be a table of names and attributes")
    return dict(value)


def _multi_valued(value: Any) -> Sequence[str]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise SettingsError("setting 'multi_valued' must be a list of attributes")
    return list(value)


def _screening(value: Any) -> Mapping[str, str]:
    """The table whole: kinds that it does not name keep their default."""
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


READERS: Mapping[str, Callable[[Any], Any]] = {
    "lifetimes": _lifetimes,
    "aliases": _aliases,
    "multi_valued": _multi_valued,
    "screening": _screening,
}
