"""maintain: all upkeep at once, and what it did."""

from __future__ import annotations

from memoranda.cli import place, show
from memoranda.cli.options import Db, Json

# What a job did, by its name.
DONE = {
    "pending": "held facts that waited too long were turned down",
    "episodes": "summaries of old episodes were made",
    "trace": "facts that were kept for the trace alone were erased",
    "terms": "facts were analysed anew",
    "log-retention": "messages left the log",
    "turns": "messages of an old log can be recalled",
    "unused-files": "files that nobody used were deleted, a week after that was announced",
    "deleted-files": "versions of deleted files were dropped",
    "vectors": "vectors were dropped whose fact or message cannot be recalled any more",
    "missing-vectors": "vectors were made that were missing",
    "bytes": "erasures that a reader had blocked were finished",
}


def maintain(db: Db = None, json: Json = False) -> None:
    """Do all upkeep: lapse, summarise, forget what is past its time, clear the bytes."""
    with place.memory(db) as memory:
        done = memory.maintain()
        findings = memory.health().findings
    if json:
        show.as_json({"done": done, "findings": findings})
        return
    for job, number in done.items():
        if number:
            show.say(f"{number} {DONE[job]}")
    if not any(done.values()):
        show.say("nothing was due")
    for finding in findings:
        show.warn(finding)
