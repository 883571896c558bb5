"""What a session begins with of its files: the rules that may be read, and what the project says."""

from __future__ import annotations

import logging

from memoranda.errors import FileMissing, FilesError
from memoranda.files import opening as faces
from memoranda.files import projects
from memoranda.files.desk import Desk
from memoranda.files.project import FILE
from memoranda.window import render_files, render_rules

logger = logging.getLogger(__name__)


async def rules(desk: Desk, most: int, nonce: str) -> str:
    """The rule files in at most `most` tokens, each whole or not at all: half a rule may say the opposite."""
    try:
        found = await faces.rules(desk)
    except FilesError as error:
        logger.warning("the rule files were not read: %s", type(error).__name__)
        return ""
    shown: list[str] = []
    for file in found:
        text = (
            render_rules(file.path, file.text, file.approved_by, nonce)
            if file.approved_by
            else render_files([(file.path, file.text)], nonce)
        )
        if desk.core.counter.count("\n".join([*shown, text])) <= most:
            shown.append(text)
        else:
            logger.warning("a rule file is too long for the standing block and was left out")
    return "\n".join(shown)


async def project(desk: Desk, most: int, *, opening: bool) -> list[tuple[str, str]]:
    """Name and report of the project; none when there is no file. A broken one is told, for somebody to mend it."""
    try:
        return [(FILE, await projects.told(desk, tokens=most, opening=opening))]
    except FileMissing:
        return []
    except FilesError as error:
        return [(FILE, str(error))]
