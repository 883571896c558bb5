"""chat: talk and see what is remembered. Without a model it shows what one would be told, and what the gate did."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from memoranda.cli import ask, codes, facts, place, show, taking_back
from memoranda.cli.lines import Lines
from memoranda.cli.options import ME, Db, Subject, readable, subjects_here
from memoranda.cli.voices import Voice, voice
from memoranda.errors import MemorandaError, StoreError, UsageError
from memoranda.messages import Message, Recalled, Text
from memoranda.types import Fact, Outcome, Recall, Verdict

if TYPE_CHECKING:
    from memoranda.memory import Memory, Window
    from memoranda.ports import Request

HELP = (
    ("/facts", "what is remembered of you and of the project"),
    ("/why [ID]", "why these facts were recalled; with an id, where that fact came from"),
    ("/forget ID", "never recall that fact again (memoranda undo takes it back)"),
    ("/request", "what was last sent, or would have been sent, to a model"),
    ("/window", "session, run and size of what a model sees"),
    ("/quit", "leave"),
    ("/help", "this list; begin with // to say something that begins with /"),
)


def chat(
    subject: Subject = ME,
    session: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Continue or begin this session; default: a new one.",
            callback=readable,
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="A model's name; default: none.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="An OpenAI-compatible service that has it.")
    ] = None,
    project: Annotated[
        bool,
        typer.Option(
            "--project/--no-project",
            help="Know the project of the checkout around the working directory too.",
        ),
    ] = True,
    db: Db = None,
) -> None:
    """Talk, line by line; from a pipe, a line of standard input is a turn."""
    lines, run = Lines(), new_name()
    name = run if session is None else session
    with voice(model, base_url) as speaker, place.memory(db, create=True) as memory:
        about = subjects_here(subject) if project else [subject]
        window = memory.window(session=name, subject=subject, run=run, subjects=about)
        talk = Chat(memory, window, speaker, db=db, subject=subject, session=name, run=run)
        talk.greet()
        for line in lines:
            if not talk.hear(line):
                break
    if lines.faults:
        raise typer.Exit(codes.INPUT)
    if talk.faults:
        raise typer.Exit(codes.PART)


def new_name() -> str:
    """A name for a session and run that nobody has yet, sorted by time."""
    return f"chat-{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(2)}"


class Chat:
    """One conversation: each line is a command or a turn."""

    def __init__(
        self,
        memory: Memory,
        window: Window,
        speaker: Voice,
        *,
        db: str | None,
        subject: str,
        session: str,
        run: str,
    ) -> None:
        self.memory, self.window, self.voice = memory, window, speaker
        self.db, self.subject, self.session, self.run = db, subject, session, run
        self.request: Request | None = None
        self.faults = 0
        self.commands: dict[str, Callable[[str], None]] = {
            "/facts": self.facts,
            "/why": self.why,
            "/forget": self.forget,
            "/request": self.sent,
            "/window": self.about,
            "/help": self.help,
        }

    def greet(self) -> None:
        """Say to a person what this is; a script knows."""
        if ask.somebody_there():
            show.say(f"{self.voice.greeting} /help lists the commands, /quit or Ctrl-D leaves.")
            show.say(f"about: {', '.join(self.window.state.subjects)}")

    def hear(self, line: str) -> bool:
        """Take one line; False when the conversation is over."""
        if line.strip() in ("/quit", "/exit"):
            return False
        if line.startswith("/") and not line.startswith("//"):
            self.command(line)
        elif line.strip():
            self.turn(line.removeprefix("/") if line.startswith("//") else line)
        return True

    def command(self, line: str) -> None:
        """Carry out a command; a mistake in it is told and the conversation goes on."""
        name, _, rest = line.strip().partition(" ")
        try:
            self.commands.get(name, self.unknown)(rest.strip())
        except StoreError:
            raise
        except MemorandaError as fault:
            show.say(str(fault))

    def turn(self, text: str) -> None:
        """Recall, ask the model or nobody, remember; only then reply, so that a reply is never lost memory."""
        try:
            self.request = self.window.build(text)
        except StoreError:
            raise
        except MemorandaError as fault:
            show.warn(str(fault))
            return
        said, reply = self.voice.answer(self.request)
        self.faults += said.failed
        outcomes = self.window.end() if reply is None else self.window.append(reply)
        self.told()
        for line in said.text.splitlines():
            show.say(line)
        self.gate(outcomes)

    def told(self) -> None:
        """What was put before the model of what is remembered."""
        got = self.window.recalled
        there = self.there(got) if got is not None else []
        if not (got or there):
            show.say("recalled: nothing that is remembered bears on this")
            return
        show.say(
            "recalled (/why says how):"
            if self.voice.real
            else "a model would be told (/why says how):"
        )
        for fact in got.facts if got else ():
            show.say(told_of(fact))
        for fact in there:
            show.say(f"{told_of(fact)} (in the request already)")

    def there(self, got: Recall) -> list[Fact]:
        """What answers too and stands before the model already: in the standing block, or told before."""
        floor = self.memory.core.settings.recall_floor
        found = [left for left in got.receipt.left_out if left.reason == "in-window"]
        return [self.memory.show(left.id) for left in found if left.score >= floor]

    def gate(self, outcomes: list[Outcome]) -> None:
        """What became of the person's words, and at most one question about them."""
        if not outcomes:
            show.say("gate: nothing to remember in that")
        for outcome in outcomes:
            show.outcome(outcome, text=self.text(outcome))
        held = [outcome for outcome in outcomes if outcome.status is Verdict.HELD and outcome.id]
        if held and ask.somebody_there():
            self.ask(held[0])
            held = held[1:]
        if held:
            show.say(f"{len(held)} held, pending until a person decides: memoranda review")

    def text(self, outcome: Outcome) -> str | None:
        """The sentence that an outcome is about, where it is kept."""
        return outcome.fact or (self.memory.show(outcome.id).fact if outcome.id else None)

    def ask(self, outcome: Outcome) -> None:
        """Ask the person whose words they are; anything but a clear yes leaves the item as it waits."""
        said = ask.answer("Keep this? [y/N/edit]").lower()
        better = ask.answer("Better:") if said in ("e", "edit") else None
        if outcome.id is None or not (said in ("y", "yes") or better):
            show.say("it stays pending: memoranda review")
            return
        try:
            with place.reviewer(self.db) as reviewer:
                show.outcome(reviewer.approve(outcome.id, text=better), text=better)
        except UsageError as fault:
            show.say(f"it stays pending: {fault}")

    # Commands

    def facts(self, _: str) -> None:
        """List what is remembered of the person and the project."""
        about = self.window.state.subjects
        found = [fact for one in about for fact in self.memory.facts(subject=one)]
        show.facts(found, nothing="nothing is remembered yet")

    def why(self, fact_id: str) -> None:
        """Explain the last recall, or one fact."""
        if fact_id:
            facts.traced(self.memory.why(fact_id))
        elif self.window.recalled is None:
            show.say("nothing was asked yet")
        else:
            facts.reasons(self.window.recalled)

    def forget(self, fact_id: str) -> None:
        """Retire one fact by its id."""
        if not fact_id:
            raise UsageError("/forget needs an id; /facts lists them")
        gone = self.memory.show(fact_id)
        done = self.memory.retire(fact_id, why="in chat")
        show.say(f"forgot {taking_back.count(done.facts)}: {gone.fact}")
        show.say(f"take it back with: memoranda undo {done.id}")

    def sent(self, _: str) -> None:
        """Show the last request as it is, part by part."""
        if self.request is None:
            show.say("nothing was sent yet")
            return
        show.say(f"system: {self.request.system}")
        for message in self.request.messages:
            for line in spelt(message):
                show.say(line)

    def about(self, _: str) -> None:
        """Show session, run and sizes."""
        now, got = self.window.summary(), self.window.recalled
        about = "" if now.exact else "about "
        show.pairs(
            [
                ("session", self.session),
                ("run", self.run),
                ("subject", self.subject),
                *(("also", one) for one in self.window.state.subjects[1:]),
                ("model", self.voice.name),
                ("messages in the window", now.messages),
                ("tokens", f"{about}{now.tokens} of {now.budget}"),
                ("compactions", now.compactions),
                ("recalled", f"{len(got.facts)} facts, {got.tokens} tokens" if got else "nothing"),
            ]
        )

    def help(self, _: str) -> None:
        """List the commands."""
        show.table(("command", "what it does"), HELP, nothing="")

    def unknown(self, _: str) -> None:
        """Say that there is no such command."""
        show.say(
            "there is no such command; /help lists them, and // says a line that begins with /"
        )


def told_of(fact: Fact) -> str:
    """A fact as a line of what a model is told."""
    return f"  {fact.id} [{fact.origin.value}, {show.cell(fact.observed_at)}] {fact.fact}"


def spelt(message: Message) -> list[str]:
    """A message in lines, recalled blocks included and marked."""
    lines = []
    for part in message.parts:
        if isinstance(part, Text | Recalled):
            mark = " (recalled)" if isinstance(part, Recalled) else ""
            lines += [f"{message.role}{mark}: {line}" for line in part.text.splitlines()]
    return lines
