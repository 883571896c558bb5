"""What a question asks for: its terms, whether it is about the person who asks, and the time it names. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memoranda.analysis import LONGEST_TEXT, asked_terms, fold
from memoranda.ranking.times import Span, spans

# "How do I descale a kettle?" asks the world and not the memory, although it says "I".
HOW_TO = re.compile(
    r"\W*(?:(?:please|hey|ok|so)\W+)*(?:"
    r"how (?:do|can|could|would|should|might|shall) (?:i|we|you|one) (?!(?:feel|look|like|prefer|want)\b)[\w'-]+\W+\w"
    r"|how to\b|how (?:long|much|many|often|fast|far|hot|big|old|late|early) "
    r"(?:should|do|does|can|must) (?:i|we|you|one|it)\b"
    r"|how (?:do|does|did|is|are|was|were|can|could|has|have|fast|many|far|deep|high|tall) "
    r"(?!.*\b(?:i|my|me|we|our|mine)\b)"
    r"|wie (?:kann|mache?|macht|soll|geht)\b|comment (?:faire|puis|peut|est-ce)\b|c[oó]mo (?:se|puedo|hago)\b"
    r"|come (?:si|posso|faccio)\b|como (?:se|posso|fa[cç]o)\b|hoe (?:kan|maak|doe)\b)"
)
# "What is a leap year?", "Why do ships float?", "Who painted the Night Watch?": what an encyclopaedia answers.
WORLD = re.compile(
    r"\W*(?:what (?:is|are|was|were|does|do) (?:an? )?[\w'-]+(?: [\w'-]+)?(?: (?:mean|do|made of|stand for))?\W*$"
    r"|what (?:is|are|was|were) an? |why (?:do|does|did|is|are|was|were|can)\b|what (?:makes|causes|happens)\b"
    r"|who (?:wrote|painted|invented|discovered|directed|composed|founded|built|was|were|won)\b"
    r"|(?:when|where) (?:was|were|did) .*\b(?:invented|founded|discovered|written|built|born|begin|end|start)\b"
    r"|.*\bthe (?:most|least|\w{3,}est)\b)"
)
# "Explain recursion to me", "Write me a limerick": a task, unless it is one about what is the person's own.
TASK = re.compile(
    r"\W*(?:(?:please|hey|ok|so)\W+)*(?:(?:can|could|would|will) you (?:please )?)?"
    r"(?P<verb>explain|write|give|suggest|recommend|define|describe|translate|compose|draft|draw|make|help"
    r"|show|list|name|tell|summari[sz]e|remind)\b"
)
ASKING = ("show", "list", "name", "tell", "summarise", "summarize", "remind")
# The person who asks. Words of European languages, then signs of scripts without spaces.
FIRST = re.compile(
    r"\b(?:my|mine|myself|i|i'm|i've|i'd|i'll|me"
    r"|mein(?:e[mnrs]?)?|mich|mir|ich|mon|ma|mes|moi|je|j'|mi|mis|m[ií]o|yo|mio|mia|miei|mie|io|meu|minha|meus|minhas|eu"
    r"|mijn|ik|mij|мой|моя|мое|мои|меня|мне|я)\b|[我私僕俺]|わたし|제가|저는|나는|내가|내|나의|أنا|لي\b|मेरा|मेरी|मेरे|मुझे|मैं"
)
MINE = re.compile(r"\b(?:my|mine)\b")
# "the weather for me", "explain it to me": the person is only whom the answer is for.
TO_ME = re.compile(
    r"\b(?:tell|give|show|remind|help|let|teach|send) me\b|\bto me\b|\bi (?:wonder|guess|think|mean|heard|read)\b"
)


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it is scored with.

    terms: stems, each once, stop words dropped. words: the same words as they were written. personal: it is about
    the person who asks. general: it asks the world how something is done. when: it asks for a time. spans: times it
    names, in microseconds. world: it can be answered without knowing anybody.
    """

    text: str
    terms: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    personal: bool = False
    general: bool = False
    world: bool = False
    when: bool = False
    spans: tuple[Span, ...] = ()


def read(text: str, now: int) -> Question:
    """The question in `text`, asked at `now` (microseconds). Any length; what is cut off is not looked at."""
    folded = fold(text[:LONGEST_TEXT]).replace("\u2019", "'")
    terms, held = asked_terms(folded)
    personal, general = _about(folded)
    world = general or (not personal and WORLD.match(folded) is not None)
    return Question(
        text=text,
        terms=tuple(terms),
        words=frozenset(held),
        personal=personal,
        general=general,
        world=world,
        when=folded.lstrip().startswith(("when ", "what date", "what day", "what year")),
        spans=spans(folded, now),
    )


def _about(folded: str) -> tuple[bool, bool]:
    """Whether a question is about the person who asks, and whether it asks the world."""
    if HOW_TO.match(folded):
        return False, True
    if task := TASK.match(folded):
        own = MINE.search(folded) is not None
        return own and task["verb"] in ASKING, not own
    return FIRST.search(TO_ME.sub(" ", folded)) is not None, False
