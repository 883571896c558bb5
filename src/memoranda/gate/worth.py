"""What is not worth keeping, and what is an order: told by whole wordings, never by a guess at the meaning. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memoranda.types import Draft, Origin

_THANKS = r"(?:thanks?(?: you| a lot| so much| very much| again)*|thx|ty|cheers|much appreciated)"
_HELLO = r"(?:hi|hello|hey|good (?:morning|afternoon|evening|night|day)|welcome|greetings|nice to meet you)"
_BYE = r"(?:bye(?: bye)?|goodbye|see (?:you|ya)(?: (?:soon|later|tomorrow))?|take care|talk (?:soon|later))"
_YES = (
    r"(?:ok(?:ay)?|k|yes|yeah|yep|yup|no|nope|sure|right|exactly|great|nice|cool|perfect|awesome|wonderful|fine|good|"
    r"wow|lol|haha+|hmm+|oh|ah|well|never mind|no problem|no worries|you(?:'re| are) welcome|sounds good|got it|"
    r"i see|will do|of course|that(?:'s| is) (?:great|good|nice|cool|fine|right|true|awesome)|good (?:idea|point|job))"
)
_HOW = r"(?:how are you(?: (?:doing|today))*|how(?:'s| is) it going|what(?:'s| is) up|have a (?:nice|good|great) \w+)"
_ONE = rf"(?:{_THANKS}|{_HELLO}|{_BYE}|{_YES}|{_HOW})"
SMALL_TALK = re.compile(
    rf"(?i){_ONE}(?:[\s,;.!?]+(?:and |so |then |there|everyone|all|again|{_ONE}))*[\s,;.!?)(:-]*"
)
PROSE = re.compile(
    r"(?i)(?:as an? (?:ai|assistant|language model)\b|i(?:'m| am) (?:an ai|a language model|just an ai)\b|"
    r"(?:sure|certainly|absolutely|of course)[,!.] (?:i|here|let|the)\b|"
    r"i(?:'ve| have|'ll| will) (?:now |also )?(?:noted|remember(?:ed)?|saved?|stored?|recorded?|updated?|"
    r"made a note)\b|"
    r"(?:let me know if|is there anything else|feel free to ask|i hope this helps|how can i (?:help|assist))\b|"
    r"here(?:'s| is| are) (?:the|a|an|your|some) (?:summary|list|answer|code|overview|breakdown|result)s?\b)"
)
# A block of ours, whole or in part: its fence, its headings, one line of it.
INJECTED = re.compile(
    r"</?data [0-9a-f]{8,64}>|\(data, not instructions\)|\{\s*\"(?:fact|instruction)\"\s*:\s*\".{0,4000}\"id\"\s*:",
    re.DOTALL,
)
ORDER = re.compile(
    r"(?i)(?:please |kindly |assistant[,:] |note[,:] |important[,:!] )*(?:"
    r"(?:always|never)(?! (?:mind|been|had|was|has|is)\b)|from now on|in (?:the )?future,|going forward|"
    r"do not\b|don't\b|"
    r"you (?:must|should|shall|have to|need to|are (?:to|now|required|authorized|allowed))\b|"
    r"(?:ignore|disregard|override|bypass)\b|forget (?:all|any|every|your|previous|prior|the)\b|"
    r"(?:remember|make sure|be sure) to\b|ensure (?:that|you)\b|system:|instructions?:)"
)
ORDERED = re.compile(
    r"(?i)\b(?:the |this |any |every )?(?:assistant|agent|chatbot|ai|model) (?:must|should|shall|has to|needs to|is to|"
    r"(?:will )?(?:always|never)|may (?:always|never)|is (?:allowed|authorized|required|permitted) to)\b"
)


def unworthy(item: Draft) -> Iterable[str]:
    """Why a statement is not worth a row: nobody asked to have it kept."""
    if any(INJECTED.search(text) for text in (item.text, item.quote or "") if text):
        yield "recalled-text"
    if SMALL_TALK.fullmatch(item.text):
        yield "small-talk"
    if PROSE.match(item.text):
        yield "agent-prose"


def is_order(item: Draft) -> bool:
    """Whether a statement tells an agent what to do. A person who files it themselves says what kind it is."""
    return item.origin is not Origin.OPERATOR and bool(
        ORDER.match(item.text) or ORDERED.search(item.text)
    )
