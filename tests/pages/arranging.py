"""What tests of pages put into a store before they look."""

from __future__ import annotations

from typing import Any

from tests.pages.harness import Site

ME = "user:asha"


def said(site: Site, text: str, subject: str = ME, **named: Any) -> str:
    """A statement, by the user unless it says otherwise; its id."""
    done = site.memory.remember(text, subject=subject, **{"origin": "user", **named})
    assert done.id is not None, done.reasons
    return done.id


def held(site: Site, text: str, subject: str = ME, **named: Any) -> str:
    """A statement from outside, which waits; its id."""
    return said(site, text, subject, **{"origin": "external", **named})


def status(site: Site, fact_id: str) -> str:
    """The state of a fact."""
    return site.memory.show(fact_id).status.value
