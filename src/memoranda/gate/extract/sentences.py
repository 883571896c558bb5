"""A message cut into sentences, with what is not the speaker's own statement blanked out.

Code, block quotes, quotations, forwarded mail, text handed over to be worked on and role play are blanked in a
copy of the same length, so that a sentence's verbatim text can always be cut from the message as it came.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LIMIT = 100_000
LONGEST = 600
MOST = 2_000
BLANK = "\x01"

_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "`", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
                           " ": " ", "\t": " ", "\r": "\n", "\x00": " ", "…": "."})  # fmt: skip

_FENCE = re.compile(r"```.{0,100000}?(?:```|\Z)", re.DOTALL)
_INLINE = re.compile(r"`[^`\n]{1,300}`")
_BLOCK_QUOTE = re.compile(r"^[ \t]{0,3}>[^\n]*", re.MULTILINE)
_QUOTED = re.compile(r'"[^"\n]{1,1500}(?:"|$)', re.MULTILINE)
_QUOTED_SINGLE = re.compile(r"(?<![\w'])'[^'\n]{1,40}(?:'\w[^'\n]{0,300}){0,20}'(?!\w)")
_OWN_WORDS = re.compile(r"(?i)\b(?:i|i'm|im|my|me|we|our|you|your|ich|je|yo)\b")

# From here to the end of the message the words are somebody else's, or a part the speaker plays.
_REST = re.compile(
    r"""(?imx)
    ^(?:from|to|subject|cc|sent):[ ] [^\n]{1,200}\n (?=(?:from|to|subject|cc|date|sent|\n))
    | ^-{2,}[ ]?(?:original|forwarded)\ message
    | ^on\ [^\n]{5,100}\ wrote:
    | \bfor\ (?:example|instance), | \be\.g\.
    | (?<![\w'])(?<!not\ )(?<!can't\ )(?<!I\ )(?<!to\ )(?:pretend|imagine|suppose|supposing|hypothetically|
        let'?s\ (?:role-?\ ?play|pretend|say|imagine|assume|suppose)|let\ us\ (?:pretend|say|assume)|
        role-?play:?|in\ (?:this|the|my|our)\ (?:story|scene|scenario|game|novel|
            book|film|movie|dream|example|script|play)\b|
        act\ as|play\ the\ (?:part|role)\ of|
        say\ i\ (?:am|was|were|had|have)|assuming\ i|assume\ (?:i|that|we|my)|
        in\ (?:another\ life|a\ perfect\ world|theory|a\ parallel))\b
    """
)
_HANDED_OVER = re.compile(
    r"""(?ix)(?<!I\ must\ )(?<!I\ should\ )\b(?:translate|proof-?read|re-?write|rephrase|
    paraphrase|summari[sz]e|correct|edit|improve|polish|
    shorten|explain|classify|analy[sz]e|review|continue|complete|fix|write|draft|compose|check|parse|convert|
    begins|starts|says|said|reads|goes|wrote|reports|reported|writes|following|this\ (?:text|sentence|message))\b
    [^\n:.!?]{0,80}:[ \n]"""
)

_END = re.compile(r"[.!?]+[\"')\]]*(?=\s|$)|\n+")
_ABBREVIATION = re.compile(
    r"(?i)(?:^|[\s(])(?:dr|mr|mrs|ms|prof|st|sr|jr|vs|e\.g|i\.e|approx|no|mt|[a-z])\.$"
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: as it stands in the message, and as it is read (straight quotes, others' words blank)."""

    verbatim: str
    plain: str

    @property
    def asks(self) -> bool:
        """Whether it ends in a question mark."""
        return self.plain.rstrip("\"') ").endswith("?")


def _blank(match: re.Match[str]) -> str:
    return BLANK * len(match[0])


def _blank_statement(match: re.Match[str]) -> str:
    """Blank a quotation that speaks; leave a quoted name or term, which is the speaker's own value."""
    inner = match[0]
    speaks = len(inner.split()) > 4 or _OWN_WORDS.search(inner) is not None
    return BLANK * len(inner) if speaks else inner


def readable(text: str) -> str:
    """A copy of `text`, of the same length, with everything blanked that the speaker does not state."""
    plain = text.translate(_STRAIGHT)
    plain = _FENCE.sub(_blank, plain)
    plain = _INLINE.sub(_blank, plain)
    plain = _BLOCK_QUOTE.sub(_blank, plain)
    plain = _QUOTED.sub(_blank_statement, plain)
    plain = _QUOTED_SINGLE.sub(_blank_statement, plain)
    for pattern, keep in ((_REST, False), (_HANDED_OVER, True)):
        found = pattern.search(plain)
        if found is not None:
            cut = found.end() if keep else found.start()
            plain = plain[:cut] + BLANK * (len(plain) - cut)
    return plain


def _ends(plain: str) -> list[int]:
    ends = []
    for match in _END.finditer(plain):
        before = plain[max(0, match.start() - 8) : match.start() + 1]
        initial = match[0] == "." and _ABBREVIATION.search(before) is not None
        if not initial or (before.endswith(" I.") or plain[match.end() :].strip() == ""):
            ends.append(match.end())
    return [*ends, len(plain)]


def sentences(text: str) -> list[Sentence]:
    """The sentences of the message's first 100,000 characters; over-long ones are left out."""
    text = text[:LIMIT]
    plain = readable(text)
    out: list[Sentence] = []
    start = 0
    for end in _ends(plain):
        piece = plain[start:end]
        lead = len(piece) - len(piece.lstrip(" \n" + BLANK))
        a, b = start + lead, start + len(piece.rstrip())
        start = end
        if 1 < b - a <= LONGEST:
            out.append(Sentence(text[a:b], plain[a:b]))
        if len(out) == MOST:
            break
    return out
