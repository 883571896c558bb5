"""Which parts of a sentence state something: split into clauses, and leave out what is asked, wished or joked.

A rule that is unsure leaves the clause out: a fact not kept is asked for again, a wrong one is believed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from memoranda.gate.extract.sentences import BLANK, Sentence
from memoranda.gate.extract.wording import opened


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch with one statement: without its opener, with what was said about when or where it holds."""

    text: str
    setting: str = ""
    opener: str = ""


_JOKE = re.compile(
    r"""(?ix)(?:\bjust\ )?\b(?:kidding|joking|jk|j/k)\b | \b(?:just|was|is|'s|,|;\S{0,3}|only)\ a\ joke\b | \(joke!?\)
    | (?<!\S)/s(?!\S) | (?<!\S)/j(?!\S) | \(sarcasm\) | \bsarcasm\b | \bpulling\ your\ leg\b | \bgotcha\b
    | \b(?:lol|haha\w*|hehe)\b,?\ (?:no|not\ really|as\ if)\b | \bnot\ really,?\ (?:lol|haha)
    | \byeah,?\ right\b | ^oh\ (?:sure|great|joy)\b | ^great,?\ I\ just\ love\b | \bas\ if\ I\b | \bsaid\ no\ one\b"""
)
_JOKE_ALONE = re.compile(
    r"""(?ix)^(?:\W|\b(?:haha\w*|lol|hehe|no|i|am|im|i'm|was|just|only|that|that's|it|it's|of|course|a|it\ is|is|
    kidding|joking|jk|j/k|joke|sarcasm|sorry|not|really|obviously|don't|worry|ok|okay)\b){1,30}$"""
)

_QUESTION_WORD = (
    r"what|where|when|who|whom|whose|why|how|which|what's|where's|who's|how's|can|could|would|"
    r"will|shall|should|do|"
    r"does|did|is|are|am|was|were|has|have|had|may|might|isn't|aren't|don't|doesn't|didn't|"
    r"can't|won't|haven't|any"
)
_ASKED = re.compile(
    rf"(?i)^(?:(?:so|and|but|ok|okay|hey|hi|well|also|now|then|by the way|btw|"
    rf"please)[, ]+)*(?:{_QUESTION_WORD})\b"
    r"(?! (?:always|never)\b)"
)
_ASK_INSIDE = re.compile(
    rf"(?i)[,;:-] (?:so |and |but )?(?={_QUESTION_WORD}\b)(?!which\b|who\b|when\b)|[,;] "
    rf"(?=what\b|which \w+ (?:should|would|can|do)\b)"
)
_TAG = re.compile(
    r"(?i),? (?:right|correct|no|yes|ok|okay|isn't it|don't I|am I not|aren't I|do I|am I|you "
    r"know|huh|eh)\s*\?+$"
)

_HYPOTHETICAL = re.compile(
    r"""(?ix)\b(?:if|unless|would|might|could|maybe|perhaps|wish|wishing|hypothetical\w*|hopefully|
    thinking\ (?:of|about)|considering|was\ going\ to|were\ going\ to|almost|nearly|supposed\ to|pretend\w*|
    dream(?:ing|t|ed)?\ (?:of|about|that|I)|imagine|suppose|assuming|as\ though|what\ if|
    wonder(?:ing)?|not\ sure|unsure|tempted|used\ to\ think|sometimes\ think|feels?\ like|seems?|seemed|guess|
    I\ should|we\ should|shall\ I|otherwise|in\ theory|in\ case|one\ day|some\ day|someday|or\ so\ they)\b"""
)
_WHOLE = re.compile(
    r"""(?ix)^(?:\W|and\b|but\b|so\b|well\b|ok\b)*(?:if|unless|imagine|suppose|supposing|assuming|assume|
    pretend|what\ if|even\ if|say\ I|let\ us|once\ upon|in\ another\ life|in\ theory|hypothetically|maybe|
    perhaps|when\ I\ was|as\ a\ (?:kid|child))\b"""
)
_HEARSAY = re.compile(
    r"""(?ix)\b(?:says|said|saying|tells|told|wrote|writes|reports?|reported|claims?|claimed|goes|reads|thinks?|
    believes?|according\ to(?!\ (?:my|our|today))|asks|asked|announced|quotes?|lyrics?|song|movie|
    film|novel|episode|scene|    character|headline|joked|insists?|pretends|swears?|begins|titled)\b"""
)
_SAY_OTHERS = re.compile(r"(?i), (?:they|people|he|she|some|others|everyone) (?:says?|said)[.!]*$")
_OWN_SAYING = re.compile(
    r"(?i)^(?:as )?(?:I|we) (?:already |just |have )?(?:said|told|wrote|think|believe|asked)\b"
)
_LIKES_ART = re.compile(
    r"(?i)\b(?:like|love|enjoy|favou?rite|hate|stand|prefer|into|watch|read|write|play|fan)\b"
)

_OPENER = re.compile(
    r"""(?ix)^(?:\W|(?:hi|hey|hello|well|so|and|but|actually|oh|ah|yes|yeah|yep|no|nope|ok|okay|btw|by\ the\ way|also|
    besides\ \w+,|the\ \w+\ (?:showed|shows|confirmed)(?:\ that)?|
    fyi|sorry|wait|anyway|besides|plus|first|then|honestly|basically|frankly|thanks|thank\ you|sure|right|look|
    listen|great|wow|cool|oops|hmm+|um+|uh+|good\ morning|good\ evening|hi\ there|update|correction|final\ date|
    to\ be\ (?:exact|honest|precise|clear|fair)|in\ fact|in\ addition|additionally|apparently|for\ the\ record|
    just\ so\ you\ know|for\ your\ information|as\ you\ know|you\ know|note\ that|I\ mean|I\ meant|
    I\ mistyped|I\ misspoke|I\ must\ correct|I\ was\ wrong|wrong\ \w+|I\ found\ out\ that|it\ turns\ out(?:\ that)?|
    turns\ out(?:\ that)?|I\ (?:just\ )?(?:realised|realized|learned|learnt)\ (?:that\ )?|now|currently|
    at\ the\ moment|these\ days|nowadays|recently|lately|today|yesterday|by\ now|this\ (?:year|week|month)|
    from\ (?:today|now\ on)|as\ of\ (?:today|now)|since\ \w+|last\ (?:week|month|year|weekend)|finally|unfortunately|
    sadly|luckily|personally|after\ the\ \w+|with\ the\ (?:new\ )?\w+|it\ is\ (?:just\ )?that|the\ thing\ is|
    I\ think(?:\ that)?|I\ (?:just\ )?wanted\ to\ (?:say|tell\ you)(?:\ that)?|I\ told\ you(?:\ that)?|
    did\ I\ mention\ that|besides\ \w+|a\ fun\ fact|fun\ fact|we\ changed\ our\ minds|they\ called|
    they\ (?:changed|moved|switched)\ it(?:\ again)?|I\ misread\ it|quick\ (?:update|note))
    (?=[\W]|$)[,:.!]?)+"""
)
_SETTING = re.compile(
    r"(?i)^((?:at|in|for|on|to|when|during|as) [^,;:]{2,60}?),? (?=(?:I|we|you (?:reach|can "
    r"reach)|my|our|it is|the [\w-]+(?: [\w-]+)? (?:is|are))\b)"
)
_BREAK = re.compile(
    r"""(?ix)
      ;\ | \ -+\ | \ ?[–—]\ ?| :\ |\ \((?=I\b|my\b|we\b)
    | ,?\ (?:and|but|so|or|because|although|though|while|whereas|yet)[ ]
      (?=(?:I|we|my|our|he|she|they|it|you|there|this|that|the\ \w+)\b)
    | ,\ (?=(?:I|we|my|our|he|she|they|it|you|please|so|but|thanks|nothing|which)\b)
    | ,?\ (?=(?:because|since|if|unless|although|though|whereas)[ ]
      (?:I|we|my|our|he|she|they|it|you|the|there)\b)
    | ,\ (?=(?:who|where)\ )
    | ,?\ so\ (?=(?:please|keep|avoid|use|be|make|write|do\ not|give|speak|talk)\b)
    | ,\ (?=the\ [\w-]+(?:\ [\w-]+)?\ (?:is|are|costs|has|gets)\ )
    """
)
# Verbs that may follow "and" with the subject left out: "I live in Graz and work at Acme".
_JOINED = re.compile(
    r"""(?ix),?\ (?:and|but)\ (?=(?:also\ |now\ |currently\ |then\ )?(?:live|work|have|am|speak|play|use|study|love|
    hate|like|own|drive|moved|started|joined|prefer|teach|do\ not|don't|will|collect|run|code|write|got|want|
    was\ born|need|quit|sold|switched|commute)\ )"""
)
_OTHERS = re.compile(r"(?i)\b(?:you|they|he|she|it|how|people|to (?!and\b)[a-z]+ (?:and|or))\b")
_SUBJECT = re.compile(r"(?i)^(?:I|we)\b")


def is_joke(sentence: Sentence) -> bool:
    """Whether the sentence is marked as a joke or as sarcasm."""
    return _JOKE.search(sentence.plain) is not None


def is_joke_alone(sentence: Sentence) -> bool:
    """Whether it only says that what came before was a joke."""
    return is_joke(sentence) and _JOKE_ALONE.search(sentence.plain) is not None


def is_a_saying(sentence: Sentence) -> bool:
    """Whether it is what others say: "always test your code, they say"."""
    return _SAY_OTHERS.search(sentence.plain.strip(" " + BLANK)) is not None


def clauses(sentence: Sentence) -> list[Clause]:
    """The clauses of the sentence that state something."""
    text = _told(sentence)
    if not text or _WHOLE.search(text):
        return []
    out: list[Clause] = []
    opener = ""
    for part in _parts(opened(text)):
        if _is_hearsay(part):
            break
        clause = _trim(part)
        if clause is None:
            opener += f" {part}"
            continue
        clause, opener = replace(clause, opener=f"{opener} {clause.opener}".strip()), ""
        if not _HYPOTHETICAL.search(clause.text) and not _ASKED.search(clause.text):
            out.append(clause)
    return out


def _told(sentence: Sentence) -> str:
    """The sentence without the question at its end; "" when all of it asks."""
    text = sentence.plain.strip(" " + BLANK)
    if _ASKED.search(text):
        return ""
    if not sentence.asks:
        return text
    inside = _ASK_INSIDE.search(text)
    if _TAG.search(text) or inside is None:
        return ""
    return text[: inside.start()]


def _is_hearsay(part: str) -> bool:
    if _OWN_SAYING.search(part) or (_SUBJECT.search(part) and _LIKES_ART.search(part[:30])):
        return False
    if re.match(r"(?i)(?:my|our) favou?rite\b", part) and BLANK not in part:
        return False
    return _HEARSAY.search(part) is not None


def _parts(text: str) -> list[str]:
    parts: list[str] = []
    for piece in filter(None, _BREAK.split(text)):
        subject = _SUBJECT.match(piece.strip())
        if subject is None or _OTHERS.search(piece):
            parts.append(piece)
            continue
        first, *more = _JOINED.split(piece)
        parts += [first, *(f"{subject[0]} {rest}" for rest in more)]
    return [stripped for part in parts if (stripped := part.strip(" ,;"))]


def _trim(part: str) -> Clause | None:
    found = _OPENER.match(part)
    opener = found[0] if found else ""
    rest = part[len(opener) :].strip(" ,;:.!~")
    setting = _SETTING.match(rest)
    if setting:
        rest = rest[setting.end() :]
    return Clause(rest, setting[1] if setting else "", opener.strip(" ,:.!")) if rest else None
