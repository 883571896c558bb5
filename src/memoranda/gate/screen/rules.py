"""All rules, in one table. What a text is screened for is here and nowhere else."""

from __future__ import annotations

import hashlib
from functools import cache

from memoranda.gate.screen.codes import CODES
from memoranda.gate.screen.engine import Engine
from memoranda.gate.screen.injection import INJECTION
from memoranda.gate.screen.personal import PERSONAL
from memoranda.gate.screen.rule import Rule
from memoranda.gate.screen.spoken import ASSIGNED, IN_WORDS
from memoranda.gate.screen.topics import TOPICS
from memoranda.gate.screen.vendors import VENDORS
from memoranda.ports import Finding

RULES: tuple[Rule, ...] = (*VENDORS, *ASSIGNED, *IN_WORDS, *CODES, *PERSONAL, *TOPICS, *INJECTION)
# Ends of longer names: dbpassword, authToken.
STEMS = (
    "password",
    "passwd",
    "passphrase",
    "token",
    "secret",
    "apikey",
    "key",
    "credentials",
    "straße",
    "strasse",
    "platz",
    "allee",
    "gasse",
)


@cache
def engine(groups: tuple[str, ...] = ()) -> Engine:
    """The rules (of these groups), ready to run. Made at first use."""
    return Engine([rule for rule in RULES if not groups or rule.group in groups], STEMS)


class BuiltIn:
    """The built-in screen: secrets, personal data, sensitive topics, and injection wording as a flag."""

    name = "built-in"

    def scan(self, text: str) -> list[Finding]:
        """Every finding, by place in `text`."""
        return engine().scan(text)


@cache
def version() -> str:
    """Changes when a rule does: the mark by which `rescan` knows that stored rows were judged by others."""
    told = "\n".join(f"{rule.name} {rule.group} {rule.kind} {rule.pattern}" for rule in RULES)
    return hashlib.sha256(told.encode()).hexdigest()[:16]
