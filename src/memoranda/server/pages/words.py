"""Names of the house in words for a person who never read its documents."""

from __future__ import annotations

from collections.abc import Mapping

# States to choose from, as a person means them.
STATES: Mapping[str, str] = {
    "live": "believed",
    "superseded": "replaced",
    "retired": "forgotten",
    "expired": "expired",
    "pending": "waiting for a person",
    "rejected": "turned down",
    "all": "all",
}

# Why a recall left something out. A test compares these with the reasons that recall gives.
LEFT_OUT: Mapping[str, str] = {
    "in-window": "it stands in the window already",
    "below-floor": "it does not answer the question well enough",
    "far-behind": "it answers much worse than the best one",
    "low-trust": "its source is trusted too little",
    "low-confidence": "it is not certain enough",
    "over-cap": "there were enough already",
    "over-turns": "there were enough turns of earlier talks already",
    "low-trust-share": "there was enough already that is trusted less than the user",
    "same-source": "there was enough of its source already",
    "near-duplicate": "it says nearly the same as another one",
    "over-budget": "there was no room left for it",
}

# What an operation did, behind the name of who did it.
VERBS: Mapping[str, str] = {
    "remember": "remembered",
    "confirm": "was told again",
    "renew": "was told again",
    "correct": "corrected",
    "approve": "approved",
    "reject": "turned down",
    "retire": "forgot",
    "rollback": "rolled back a run, and forgot",
    "undo": "undid an operation on",
    "erase": "erased",
    "purge": "erased what was kept for the trace",
    "pin": "pinned",
    "unpin": "took the pin off",
    "lapse": "let lapse what waited too long",
    "summarise": "summarised old episodes into",
    "reanalyse": "analysed facts anew",
    "trim": "dropped what the log no longer keeps",
    "tick": "ticked an item of a project",
    "never-add": "added a rule of what is never to be kept",
    "never-remove": "removed a rule of what is never to be kept",
    "rescan": "looked at what is kept with the rules of now, and took back",
}
FINAL = ("erase", "purge")

# What fills a window, in the order of the picture.
FILLED: tuple[tuple[str, str], ...] = (
    ("system", "system prompt"),
    ("user", "the user"),
    ("notes", "notes"),
    ("stubs", "stubs"),
    ("results", "results of tools"),
    ("assistant", "the model"),
)
