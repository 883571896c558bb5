"""Projects at work: flows over a subject's files, each change compared with what was read and kept as a version."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from memoranda.errors import FileChanged, FileExists, FileMissing, FilesError
from memoranda.files import opening, project
from memoranda.files.desk import Desk
from memoranda.files.project import FILE, Project
from memoranda.gate.draft import texts
from memoranda.ports import Tx
from memoranda.types import FileText, from_micros

logger = logging.getLogger(__name__)
TRIES = 20
MOST_TOKENS = 600


async def init(desk: Desk, goal: str, items: Sequence[str] = (), setup: str = "") -> Project:
    """Make the project's file; `FileExists` when there is one."""
    made = project.new(goal, texts("items", items), setup)
    try:
        await opening.write(desk, FILE, project.render(made), if_sha256="")
    except FileChanged:
        raise FileExists(f"{FILE} is there already") from None
    return made


async def status(desk: Desk) -> Project:
    """The project as its file says; `FileMissing` when there is none, `FileUnfit` when it cannot be read."""
    return await _read(desk, (await _file(desk)).text)


async def _file(desk: Desk) -> FileText:
    try:
        return await opening.read(desk, FILE)
    except FileMissing:
        raise FileMissing(f"there is no {FILE} here; make one with project init") from None


async def open_session(desk: Desk, *, tokens: int = 600) -> str:
    """What a session reads first, in at most `tokens`; the log notes that one was opened."""
    before = await status(desk)
    told = report(desk, before, tokens)
    await log(desk, f"opened (run {run})" if (run := desk.who().run) else "opened")
    return told


async def told(desk: Desk, *, tokens: int, opening: bool) -> str:
    """What a window shows of the project; a file with a mark counts as viewed. With `opening` the log notes that a
    session was opened, if it can."""
    file = await _file(desk)
    desk.seen = desk.seen or bool(file.mark)
    shown = report(desk, await _read(desk, file.text), min(tokens, MOST_TOKENS))
    if opening:
        try:
            await log(desk, f"opened (run {run})" if (run := desk.who().run) else "opened")
        except FilesError as error:
            logger.warning("the opening of a project was not noted: %s", type(error).__name__)
    return shown


def report(desk: Desk, found: Project, tokens: int) -> str:
    """The report with as many lines of the log as fit; cut at the end when even none do."""
    told = ""
    for lines in range(min(len(found.log), 20), -1, -1):
        told = project.report(found, lines)
        if desk.core.counter.count(told) <= tokens:
            return told
    while told and desk.core.counter.count(told) > tokens:
        told = told[: len(told) * 9 // 10]
    return told


async def log(desk: Desk, text: str) -> Project:
    """One line more in the log."""
    return await _changed(desk, lambda found: project.logged(found, _now(desk), text))


async def begin(desk: Desk, n: int) -> Project:
    """Item `n` is in progress, and no other."""
    return await _changed(desk, lambda found: project.begun(found, n))


async def tick(desk: Desk, n: int, proof: str) -> Project:
    """Item `n` is done by a check (`project.check_proof`) or a step (`step: ...`), or claimed (`claimed: ...`)."""
    found = await status(desk)
    if 1 <= n <= len(found.items) and not proof.startswith("claimed: "):
        await _seal(desk, project.seal(found.items[n - 1].text, " ".join(proof.split())))
    return await _changed(
        desk,
        lambda found: project.logged(
            project.ticked(found, n, proof), _now(desk), f"item {n}: {proof}"[:480]
        ),
    )


async def close(desk: Desk, *, finished: str = "", remaining: str = "") -> Project:
    """The end of a session: what was finished, what remains."""
    parts = [f"finished: {finished}"] if finished else []
    parts += [f"remaining: {remaining}"] if remaining else []
    return await log(desk, "closed" + (f" ({'; '.join(parts)})" if parts else ""))


async def _read(desk: Desk, text: str) -> Project:
    rows = await desk.core.store.rows("ticks", tenant=desk.core.tenant, subject=desk.subject)
    return project.verified(project.parse(text), {row[0] for row in rows})


async def _seal(desk: Desk, seal: str) -> None:
    """Write down that an item was ticked: in the operation log, where no file command reaches."""
    core, who = desk.core, desk.who()

    async def body(tx: Tx) -> None:
        await tx.rows("bump_subject", tenant=core.tenant, subject=f"files of {desk.subject}")
        await tx.run(
            "add_operation",
            tenant=core.tenant,
            id=core.ids.new("o_"),
            at=core.clock.now(),
            actor=who.actor,
            verb="tick",
            why=seal,
            run=who.run,
            subject=desk.subject,
            undo_of=None,
        )

    await core.store.atomic(body)


async def _changed(desk: Desk, edit: Callable[[Project], Project]) -> Project:
    """Read, edit, write over what was read; again when somebody was quicker."""
    for _ in range(TRIES):
        file = await opening.read(desk, FILE)
        made = edit(await _read(desk, file.text))
        try:
            await opening.rewrite(desk, file, project.render(made))
        except FileChanged:
            continue
        return made
    raise FileChanged(f"{FILE} changes faster than it can be written; try again")


def _now(desk: Desk) -> str:
    return from_micros(desk.core.clock.now()).strftime("%Y-%m-%d %H:%M")
