"""How somebody wants to be dealt with, told by what it is about: tone, form, address. Such a wish is meant for good.

"Use the second version" is meant once. "Use simple words", "I'd rather you didn't joke" and "no emojis, please" speak
of a manner, and nobody says so for one answer alone unless they say which.
"""

from __future__ import annotations

import re
from dataclasses import replace

from memoranda.gate.extract.classes import preference_attribute
from memoranda.gate.extract.finding import Found
from memoranda.gate.extract.subjects import ME
from memoranda.gate.extract.values import is_vague, tidy
from memoranda.gate.extract.wording import in_third, persons, third
from memoranda.types import Kind

# Said of one thing at hand: then it is no wish for good, whatever it is about.
ONCE = re.compile(
    r"(?i)\b(?:this|that(?! (?:you|I|the|my)\b)|these|those|here|below|above|following|today|tonight|tomorrow|right now|this time|for once|"
    r"just once|attached|previous|in the (?:table|text|list|document|file|code|image|message)|last (?:one|message|answer))\b"
)
_TONE = (
    r"(?:concise|brief|short|terse|blunt|direct|frank|formal|informal|casual|friendly|polite|honest|strict|gentle|"
    r"patient|thorough|critical|encouraging|serious|playful|kind|professional|succinct|straightforward|sincere|"
    r"nicer|kinder|briefer|shorter|stricter|chatty|verbose|sarcastic|condescending|patroni[sz]ing|pushy)"
)
_OUTPUT = (
    r"(?:emojis?|emoticons?|smileys|jargon|slang|tables?|bullet points?|bullets|markdown|exclamation (?:marks|points)|"
    r"disclaimers?|apologies|pleasantries|small talk|filler(?: words)?|acronyms|abbreviations|headings|headers|"
    r"em[- ]dashes|dashes|semicolons|all caps|capital letters|swear(?: words|ing)?|profanity|sarcasm|humou?r|jokes|"
    r"puns|metaphors|idioms|analogies|buzzwords|clich[eé]s|flattery|compliments|nicknames|footnotes|italics|bold|"
    r"long (?:sentences|words|answers|paragraphs|lists|explanations)|passive voice|contractions|spoilers|links|greetings?|"
    r"introductions?|preambles?|sign-?offs?|caveats|hedging|rambling)"
)
_GENERIC = (
    r"(?:answers?|replies|responses|explanations|summaries|amounts|prices|dates|times|units|temperatures|distances|"
    r"weights|lengths|measurements|quantities|percentages|durations|currencies|numbers|names|titles|headings|sources|"
    r"links|citations|references|examples|recipes|paragraphs|sentences|messages|e-?mails|reports|lists|steps|results|"
    r"figures|code(?: blocks| samples| snippets| examples)?|comments|variables|function names|file names|subtitles|"
    r"notes|words|language|feedback|advice|opinions|criticism|reminders|everything)"
)
_ITEMS = rf"(?:(?:all |any |every |your |the |my |more |only |fewer |simple |plain |short |clear |full |long )*(?:[\w-]+ )?{_GENERIC})"
_ITEMS_X, _OUTPUT_X = (text.replace(" ", "\\ ") for text in (_ITEMS, _OUTPUT))
BY_NATURE = re.compile(
    rf"""(?ix)^(?:
      be\ (?:more\ |very\ |as\ |always\ |a\ (?:bit|little)\ (?:more|less)\ |less\ )?{_TONE}\b(?!\ about)
    | (?:speak|talk|write|explain\ things?)\ (?:to\ me\ )?(?:like|as\ if|as\ though|plainly|simply|formally|informally|slowly)\b
    | treat\ me\ (?:like|as)\b
    | (?:address|refer\ to)\ me\ (?:as|by|with|formally|informally|using)\b
    | use\ (?:only\ |more\ |a\ |an\ |the\ |my\ )?(?:simple|plain|short|formal|informal|gender-neutral|inclusive|active|polite|
      oxford|serial|first\ names?|last\ name|title\ case|sentence\ case|single\ quotes|double\ quotes|tabs|spaces|
      snake_case|camel_?case|present\ tense|passive|proper|everyday|conversational|technical)\b
    | (?:round|write|format|show|give|express|put|quote|state|spell|number|sort|order|list|convert|keep|limit)\ {_ITEMS_X}
      \ (?:as|in|with|to|out|first|short|brief|simple|alphabetically|including|before|after|at|by|under|below|without|down)\b
    | number\ {_ITEMS_X}
    | (?:do\ not|avoid|skip|stop|drop|cut|leave\ out|omit|spare\ me|less|fewer|no\ more)\ (?:with\ |out\ |on\ )?(?:us(?:e|ing)\ |
      add(?:ing)?\ |includ(?:e|ing)\ |giv(?:e|ing)\ (?:me\ )?|mak(?:e|ing)\ |put(?:ting)?\ |writ(?:e|ing)\ )?
      (?:any\ |the\ |all\ |your\ |so\ many\ |too\ many\ )*{_OUTPUT_X}\b
    | (?:do\ not|stop|avoid|never)\ (?:call(?:ing)?\ me\b(?!\ (?:back|later|at|on|again|tomorrow|before|after)\b)|apologi[sz](?:e|ing)|swear(?:ing)?|lecture|lecturing|patroni[sz](?:e|ing)|
      flatter(?:ing)?|interrupt(?:ing)?|repeat(?:ing)?\ (?:my\ question|yourself)|be(?:ing)?\ (?:so\ |too\ )?{_TONE})
    | (?:ask|check\ with|confirm\ with|warn|tell|consult|notify|alert)\ me\ (?:first\ |for\ \w+\ )?(?:before|whenever)\b
    | ask\ before\ (?:you\b|\w+ing\b)
    | ask\ (?:me\ )?(?:\w+\ )?questions?\ (?:before|first|when|if)\b
    | (?:spell|pronounce|write)\ my\ (?:\w+\ )?(?:name|surname)\b
    | call\ me\ by\b
    | sign\ my\ (?:letters|e-?mails|messages|posts|notes|replies)\b
    | (?:let\ me\ know|inform\ me|notify\ me|double-check\ with\ me)\ (?:first\ )?(?:before|whenever)\b
    | do\ not\ (?:contact|call|message|e-?mail|text|phone|disturb|ring|interrupt|notify|remind)\ me\ (?:on|at|after|before|during|
      between|unless|by|about|with)\b(?!\ (?:it|him|her|them))
    | be\ (?:careful|mindful|cautious|sensitive|considerate|discreet|tactful)\ (?:with|about|around|of)\ (?!the\b|it\b|my\b)\w
    | \w+\b.*\b(?:whenever|before|if|when|(?:every|each|the\ first)\ time|any\ [\w-]+|everything|all\ [\w-]+)\ you\ (?!are\b|can\b
      |could\b|have\b|get\b|want\b|like\b|need\b|see\b|think\b|know\b|come\b|go\b|leave\b|finish|arrive|find\b|do\b|did\b|will\b|would\b
      |were\b|feel\b|happen|wish\b|must\b|may\b|start\b|meet\b|wrote\b|said\b|made\b|gave\b|sent\b|broke\b|found\b|'ll\b|\w+ed\b)[a-z]{{3,}}
    | (?:give|show|tell|include|add|list|offer|mention|name|state|cite|put|use)\ .*\b(?:for|in|with|to|of|after|before)\ (?:every|each|any)\ (?!one\b)\w+(?!.*\b(?:of|in)\ the\b)
    | (?:write|speak|answer|reply|respond)\ in\ (?:the\ |a\ |an\ )?(?:[\w-]+\ )?(?:voice|tense|person|tone|style|register|english)\b
    | use\ (?:a\ |an\ )?(?:more\ )?[\w-]+\ (?:tone|style|voice|register|vocabulary)\b
    | do\ not\ (?:guess|apologi[sz]e|hurry|ramble|assume)$
    | prefer\ (?!the\b|this\b)\w
    | (?:do\ not|avoid|stop)\ (?:us(?:e|ing)|say(?:ing)?|writ(?:e|ing))\ (?:the\ )?(?:words?|phrases?|terms?|expressions?)\b
    | do\ not\ (?:mention|ask(?:\ me)?\ about|bring\ up|talk\ about|discuss)\ my\b
    | use\ (?!the\b|my\b|your\b|it\b)[\w\ ]{{2,30}}?,?\ (?:not|instead\ of|rather\ than)\ (?!the\b|my\b|your\b|it\b)\w
    | \w+\b.*\bin\ (?:all\ )?(?:your|all|any)\ (?:answers|replies|responses|messages|e-?mails|summaries|explanations)\b
    | (?:only\ (?:suggest|recommend|answer|reply|respond|speak|write|e-?mail|contact|book|buy|order|offer)
      |(?:answer|reply|respond|write|speak)\ only\ (?:in|with))\ (?!the\b)
    | do\ not\ (?:suggest|recommend|offer|propose|guess|bring\ up|sugar-?coat)\ (?!the\b)
    | (?:challenge|criticise|criticize|correct|question|push\ back\ on|encourage|teach|coach|quiz|motivate)\ (?:me\b
      |my\ (?:ideas|thinking|assumptions|grammar|mistakes|spelling|plans|arguments|pronunciation)\b)
    | \w+\b.*\b(?:every|each|all\ (?:your|my|the|of\ your))\ (?:[\w-]+\ ){{0,2}}(?:answers?|repl(?:y|ies)|responses?|messages?|
      e-?mails?|summar(?:y|ies)|reports?|recipes?|functions?|files?|commits?|paragraphs?|suggestions?|recommendations?)\b
    )"""
)
# "I love it when you ..." is praise, and "I appreciate that you ..." thanks: neither asks for anything.
_PREFERS_YOU = re.compile(
    r"(?i)^(?:I (?:really |much |strongly |would )*(?:prefer(?: it)? (?:that|if|when|for)|"
    r"(?:like|hate|dislike|appreciate|do not like|cannot stand|find it \w+|would be grateful)(?: it)? (?:if|when)) you\b|"
    r"I prefer you\b|it (?:really |always )?(?:helps|annoys|bothers|confuses|irritates|bugs|distracts) me "
    r"(?:a lot |most )?(?:when|if) you\b) .+"
)
_WANTS = re.compile(
    rf"(?i)^I (?:(?P<always>always|only|generally|usually) )?(?P<verb>want|would like|would appreciate|like|need|expect) "
    rf"(?P<v>(?P<all>all |any |every |your |only )*(?:[\w-]+ ){{0,3}}?(?:{_GENERIC}|summary|overview|explanation|example)\b.*"
    rf"|(?:[\w-]+ )?{_OUTPUT}\b.*)$"
)
_ALWAYS_WANTS = re.compile(
    r"(?i)^I always (?P<verb>want|need|like|prefer|expect) (?P<v>(?!to\b).+)$"
)
_IN_CASE = re.compile(
    r"(?i)^(?P<lead>(?:in|for|on|with) (?:(?:my|all|any|your|every) )?[\w -]{3,24}?),? (?=I\b)"
)
_HAD = re.compile(
    r"(?i)^I (?:would )?(?:like|take|want) my (?P<v>(?:coffee|tea|eggs?|steak|meat|toast|pizza|food|wine|water|salad|pasta|"
    r"code|answers|reports|slides|news|bread|rice|fish) .+)$"
)
_WANTS_NOT_TO = re.compile(
    r"(?i)^I (?P<not>do not|never) (?P<verb>want|like|wish) to (?P<v>(?:see|hear|read|get|receive|pay|be (?:called|contacted|asked|"
    r"told|reminded|addressed|interrupted|disturbed|emailed)|eat|drink|stay|use|work with|deal with)\b.+)$"
)
_NO_NEED = re.compile(
    r"(?i)^(?:there is |please, )?(?:no need to|you (?:do not (?:need|have) to|need not|can skip)) (?P<v>(?:explain|apologi[sz]e|repeat|"
    r"justify|comment|summari[sz]e|translate|convert|thank|greet|remind|spell out|list|mention|add|include|be )\b.*)$"
)
_WANTS_NO = re.compile(
    rf"(?i)^I do not (?P<verb>want|need|care for) (?P<v>(?:any |so many |so much )?(?:[\w-]+ )?(?:{_OUTPUT}|{_GENERIC})\b.*)$"
)
_NONE_OF = re.compile(
    rf"(?i)^(?:please,? )?no (?P<v>(?:more )?(?:{_OUTPUT}\b.*|(?!thanks|problem|worries|need|idea|rush|way|one|matter|doubt)"
    r"[\w-]+(?: [\w-]+){0,6}(?= ?,? ?(?:please|with me|for me)\b)).*)$"
)
_BEST = re.compile(
    r"(?i)^(?P<v>(?!it\b|that\b|this\b|which\b|what\b|he\b|she\b|you\b)[\w-]+(?: [\w-]+){0,4}?) "
    r"(?:(?:is|are|works?|suits?|fits?)(?: (?:best|better|easiest|easier))(?: with| for)? me|(?:suits?|fits?) me best)$"
)
_PRONOUNS = re.compile(
    r"(?i)^(?:please |(?:and )?my )?(?:use |I use |I go by |pronouns(?: are|:)? )?(?P<v>(?:he|she|they|xe|ze|ey|it|any)/[a-z]+(?:/[a-z]+)?)"
    r"(?: pronouns)?(?: (?:for|with|about) me)?(?:,? please)?$"
)
_DOES = re.compile(
    r"(?i)^I (?:only (?=work|travel|read|shop|cook|fly|watch|wear)|always (?=travel|work|wear|carry|bring|pay|sit|sleep|fly|eat)|never )"
    r"(?P<v>(?:fly|drive|eat|drink|smoke|work|travel|swear|shop|cook|answer|take|wear|use|buy|read|watch|"
    r"ride|go|pay|play|gamble)\b(?!.*\b(?:this|that|it|them)\b)[^,;]*)$"
)


def read(text: str) -> list[Found]:
    """Wishes about the manner that are no commands."""
    text = text.strip(" .!")
    if pronouns := _PRONOUNS.match(text):
        value = pronouns["v"].lower()
        return [Found("pronouns", value, f"{ME}'s pronouns are {value}", 0.9)]
    if ONCE.search(text):
        return []
    if _PREFERS_YOU.match(text):
        told = persons(tidy(text))
        return (
            [Found("instruction", told, told.replace("the user", ME, 1), 0.85, Kind.PROCEDURE)]
            if told
            else []
        )
    if (case := _IN_CASE.match(text)) and (found := _preferred(text[case.end() :])):
        lead = persons(case["lead"])
        return [replace(one, text=f"{lead[:1].upper()}{lead[1:]}, {one.text}") for one in found]
    if nothing := _NONE_OF.match(text):
        return _wants(f"no {tidy(nothing['v'])}", "wants")
    return _preferred(text)


def _preferred(text: str) -> list[Found]:
    if re.match(r"(?i)I like (?:your|the)\b", text):
        return []
    if wanted := _ALWAYS_WANTS.match(text) or _WANTS.match(text):
        once = re.search(
            r"(?i) (?:of|about|from|on|to(?! (?:be|include|have|use|start|end|contain|come|stay|look|sound)\b)) ",
            wanted["v"],
        )
        often = wanted.re is _ALWAYS_WANTS or wanted["always"] or wanted["all"]
        often = often or re.search(r"(?i)\b(?:every|each|all|any)\b", wanted["v"])
        plural = re.match(r"(?i)(?!an? )", wanted["v"])
        verb = "wants" if wanted["verb"].lower().startswith("would ") else third(wanted["verb"])
        return _wants(tidy(wanted["v"]), verb) if often or (plural and not once) else []
    if had := _HAD.match(text):
        return _wants(f"their {tidy(had['v'])}", "likes")
    if unasked := _NO_NEED.match(text):
        told = f"{ME} does not need the assistant to {persons(tidy(unasked['v']))}"
        return [Found("instruction", tidy(unasked["v"]), told, 0.8, Kind.PROCEDURE, False)]
    if refused := _WANTS_NOT_TO.match(text):
        value = tidy(refused["v"])
        told = f"{ME} {'never wants' if refused['not'] == 'never' else 'does not want'} to {persons(value)}"
        return [] if is_vague(value) else [Found("preference", value, told, 0.8, polarity=False)]
    if unwanted := _WANTS_NO.match(text):
        value = tidy(re.sub(r"(?i)^(?:any|so many|so much) ", "", unwanted["v"]))
        told = f"{ME} does not {unwanted['verb'].lower()} {persons(value)}"
        return [Found("preference", persons(value), told, 0.85, polarity=False)] if value else []
    if best := _BEST.match(text):
        return _wants(tidy(best["v"]), "prefers")
    if does := _DOES.match(text):
        how = text.split()[1].lower()
        what = f"{how} {persons(in_third(tidy(does['v'])))}"
        return [Found("preference", what, f"{ME} {what}", 0.75)]
    return []


def _wants(value: str, verb: str) -> list[Found]:
    value = persons(value)
    if not value or is_vague(re.sub(r"the (?:user|assistant)'s ", "", value)):
        return []
    return [Found(preference_attribute(value), value, f"{ME} {verb} {value}", 0.85)]
