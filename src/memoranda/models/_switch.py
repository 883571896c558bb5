"""One switch for the whole process: may a model's service be called at all? Tests turn it off."""

from __future__ import annotations

from memoranda.errors import NotAllowed

_allowed = True


def allow_real_calls(allowed: bool = True) -> bool:
    """Allow or forbid calls of real services from now on; gives the earlier state, to put it back."""
    global _allowed
    before, _allowed = _allowed, allowed
    return before


def check_real_calls() -> None:
    """Raise `NotAllowed` when real calls are switched off."""
    if not _allowed:
        raise NotAllowed("calls of real model services are switched off; use a ScriptedModel")
