"""Obvious secrets, as one table of rules. Every pattern takes time linear in the text.

Prefixes and lengths are those the vendors document for their keys. A value that a key=value rule finds must look
like one (a digit or both cases, or long), so that "password: see the vault" is no finding.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from memoranda.gate.clean import screened_form
from memoranda.ports import Finding

PLACEHOLDER = "[secret removed]"


@dataclass(frozen=True, slots=True)
class Rule:
    """A named pattern; `value` is the group to judge and cover, `holds` says whether that value counts."""

    name: str
    pattern: re.Pattern[str]
    value: int = 0
    holds: Callable[[str], bool] = bool


# Words that stand where a password would, and are none.
NO_VALUES = frozenset(
    """
    a an the my your our his her their its in on at of for to not no none null nil empty blank set unset unknown
    stored kept saved required needed optional wrong correct incorrect weak strong too very still now also here
    there always never same different changed expired invalid valid hidden masked redacted secret password that
    this what which who ok okay being been only just important forgotten lost protected encrypted hashed reset
    updated rotated good bad manager field policy prompt reader word phrase account file key code safe secure
    case and or but with from by
    """.split()
)


def _looks_made_up(value: str) -> bool:
    """A password in prose: not a plain dictionary-like lower-case word unless it is odd in some way."""
    bare = value.strip("\"'`.,;:!?()[]{}<>")
    if len(bare) < 4 or bare.casefold() in NO_VALUES or set(bare) <= set("*x.•-_X"):
        return False
    return (
        any(c.isdigit() for c in bare)
        or any(not c.isalnum() for c in bare.strip(".-_'’"))
        or _mixed_case(bare)
    )


def _mixed_case(value: str) -> bool:
    return any(c.isupper() for c in value[1:]) and any(c.islower() for c in value)


def _is_value(value: str) -> bool:
    """A value after `key=`: any word of six characters or more that is no placeholder."""
    bare = value.strip("\"'`,;")
    if (
        bare.casefold() in NO_VALUES
        or bare.startswith(("$", "{", "<", "%", "["))
        or set(bare) <= set("*x.•-_X")
    ):
        return False
    return len(bare) >= 6


def _rule(name: str, pattern: str, value: int = 0, holds: Callable[[str], bool] = bool) -> Rule:
    return Rule(
        name, re.compile(pattern, re.IGNORECASE if pattern.startswith("(?i)") else 0), value, holds
    )


_KEY = (
    r"(?:api|access|secret|private|auth|client|signing|encryption|account|service)[ _.-]?(?:key|token|secret)|"
    r"(?:pass|auth|bearer|refresh)[ _-]?token|passw(?:or)?d|passwd|pwd|passphrase|secret[ _-]?key|credentials?"
)

RULES: tuple[Rule, ...] = (
    _rule("aws-access-key", r"\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b"),
    _rule("github-token", r"\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{40,255})"),
    _rule("gitlab-token", r"\bgl(?:pat|ptt|dt|rt|soat|agent)-[A-Za-z0-9_-]{16,255}"),
    _rule("slack-token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,250}"),
    _rule("slack-webhook", r"hooks\.slack\.com/services/[A-Za-z0-9/+]{20,100}"),
    _rule("model-api-key", r"\bsk-[A-Za-z0-9][A-Za-z0-9_-]{18,250}"),
    _rule("google-api-key", r"\bAIza[A-Za-z0-9_-]{30,60}"),
    _rule("google-oauth", r"\b(?:ya29\.[A-Za-z0-9_-]{20,250}|GOCSPX-[A-Za-z0-9_-]{20,60})"),
    _rule("stripe-key", r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{10,200}|\bwhsec_[A-Za-z0-9+/]{20,100}"),
    _rule("npm-token", r"\bnpm_[A-Za-z0-9]{30,60}"),
    _rule("pypi-token", r"\bpypi-[A-Za-z0-9_-]{30,250}"),
    _rule("sendgrid-key", r"\bSG\.[A-Za-z0-9_-]{16,60}\.[A-Za-z0-9_-]{16,80}"),
    _rule("telegram-token", r"\b[0-9]{8,10}:A[A-Za-z0-9_-]{33,40}"),
    _rule("huggingface-token", r"\bhf_[A-Za-z0-9]{30,60}"),
    _rule("digitalocean-token", r"\bdo[opr]_v1_[a-f0-9]{60,70}"),
    _rule("twilio-key", r"\b(?:SK|AC)[0-9a-f]{32}\b"),
    _rule("jwt", r"\beyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{6,2000}"),
    _rule(
        "private-key",
        r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----[^-]{0,20000}(?:-----END [A-Z ]{0,30}-----)?",
    ),
    _rule(
        "url-credentials",
        r"\b[a-zA-Z][a-zA-Z0-9+.-]{1,30}://[^\s:/@\"'<>]{0,100}:([^\s/@\"'<>]{2,200})@",
        1,
        _is_value,
    ),
    _rule(
        "key-value",
        rf"(?i)\b(?:[a-z0-9]{{1,30}}[_.-]){{0,3}}(?:{_KEY})[\"'`]?\s{{0,3}}(?:=>?|:=?)\s{{0,3}}([^\s,;]{{1,400}})",
        1,
        _is_value,
    ),
    _rule(
        "bearer",
        r"(?i)\bauthorization\s{0,3}:\s{0,3}(?:bearer|basic|token)\s{1,3}([^\s,;\"']{8,2000})",
        1,
    ),
    _rule(
        "password-in-words",
        rf"(?i)\b(?:passcode|passphrase|{_KEY})\b(?:[^\n.;]{{0,60}}?)\s(?:is|was|=|:|are)\s{{1,3}}([^\s]{{4,200}})",
        1,
        _looks_made_up,
    ),
    _rule(
        "pin-in-words",
        r"(?i)\b(?:pin|(?:door|gate|alarm|safe|entry|unlock|access) code|combination)(?: (?:code|number))?\b"
        r"[^\n.;0-9]{0,60}?\s(?:is|was|=|:)\s{0,3}([0-9][0-9 #*-]{2,12}[0-9#*])",
        1,
    ),
    _rule(
        "seed-phrase",
        r"(?i)\b(?:seed|recovery|mnemonic|backup) (?:phrase|words?)\b[^\n.;]{0,40}?(?:is|are|:|=)\s{0,3}"
        r"((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})",
        1,
    ),
    _rule(
        "backup-codes",
        r"(?i)\b(?:backup|recovery|scratch) codes?\b[^\n.;]{0,40}?(?:is|are|:|=)\s{0,3}"
        r"([a-z0-9]{4,10}[- ]?[a-z0-9]{4,10}(?:[,; ]{1,3}[a-z0-9-]{4,20}){0,20})",
        1,
        lambda value: any(c.isdigit() for c in value),
    ),
)


class Secrets:
    """The built-in screen for secrets."""

    def scan(self, text: str) -> list[Finding]:
        """Every finding in `text`; places are those of `screened_form(text)`."""
        form = screened_form(text)
        return [
            Finding(rule.name, "secret", *match.span(rule.value))
            for rule in RULES
            for match in rule.pattern.finditer(form)
            if rule.holds(match.group(rule.value))
        ]


def without_secrets(text: str, findings: list[Finding]) -> str:
    """The text with every secret replaced by a placeholder; unchanged when there is none."""
    if not findings:
        return text
    form, kept, at = screened_form(text), [], 0
    for finding in sorted(findings, key=lambda f: (f.start, -f.end)):
        if finding.end <= at:
            continue
        if finding.start >= at:
            kept += [form[at : finding.start], PLACEHOLDER]
        at = finding.end
    return "".join([*kept, form[at:]])
