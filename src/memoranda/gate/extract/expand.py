"""One clause that says several things, said as several: "I am Ana, a nurse from Graz with two cats"."""

from __future__ import annotations

import re

MOST = 6

_RULES: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(pattern), parts)
    for pattern, parts in (
        (
            (
                r"^(I am (?:Dr\. |Prof\. |Mr\. |Mrs\. |Ms\. )?[A-Z][\w'-]+(?: [A-Z][\w'-]+)?), "
                r"(?:and )?(?P<b>\d{1,3})(?:,|$)(?P<c>.*)$"
            ),
            (r"\1", r"I am \g<b> years old", r"I am\g<c>"),
        ),
        (
            (
                r"^(I am (?:Dr\. |Prof\. |Mr\. |Mrs\. |Ms\. )?[A-Z][\w'-]+(?: [A-Z][\w'-]+)?),? "
                r"(?:and |a )?(?P<b>(?:an?|the) .+|from .+|based in .+|\w+ing .+)$"
            ),
            (r"\1", r"I am \g<b>"),
        ),
        (
            (
                r"^(I am (?:Dr\. |Prof\. |Mr\. |Mrs\. |Ms\. )?[A-Z][\w'-]+(?: [A-Z][\w'-]+)?) "
                r"(?P<b>from .+)$"
            ),
            (r"\1", r"I am \g<b>"),
        ),
        (r"^(My name is [A-Z][\w'-]+(?: [A-Z][\w'-]+)?), (?P<b>.+)$", (r"\1", r"I am \g<b>")),
        (
            r"^I am an? (?P<n>\d{1,3})[- ]year[- ]old (?P<b>.+)$",
            (r"I am \g<n> years old", r"I am a \g<b>"),
        ),
        (r"^(I am an? [\w -]+?) (?P<b>from (?!home)[A-Z].+)$", (r"\1", r"I am \g<b>")),
        (
            r"^(I am an? [\w -]+?),? (?:who is )?(?P<b>(?:living|based|working) .+)$",
            (r"\1", r"I am \g<b>"),
        ),
        (
            r"^(I am .+?) with (?P<b>(?:an?|one|two|three|four|five|\d) .+)$",
            (r"\1", r"I have \g<b>"),
        ),
        (r"^(I am .+?),? and (?P<b>an? .+)$", (r"\1", r"I am \g<b>")),
        (
            (
                r"^(I have (?:an?|one|two|three|four|\d) [^,]+?),? and (?P<b>(?:an?|one|two|three|"
                r"four|\d) .+)$"
            ),
            (r"\1", r"I have \g<b>"),
        ),
        (
            (
                r"^I teach (?P<b>[\w ]+?) at (?P<c>(?:an? |the )?.*(?:school|university|college|"
                r"kindergarten).*)$"
            ),
            (r"I teach \g<b>", r"I work as \g<b> teacher", r"I work at \g<c>"),
        ),
        (
            r"^I was born (?P<b>(?:on|in) .*\d.*?) (?P<c>in (?!\d)[A-Z].+)$",
            (r"I was born \g<b>", r"I was born \g<c>"),
        ),
        (
            (
                r"^I (?:traded|swapped|exchanged) (?:in )?(?:my|our) (?P<a>[\w -]+?)(?: in)? for "
                r"(?P<b>.+)$"
            ),
            (r"I sold my \g<a>", r"I have \g<b>"),
        ),
        (
            (
                r"^(?P<n>[A-Z][\w'-]+) is (?:my|our) (?P<k>sister|brother|wife|husband|partner|son|"
                r"daughter|mother|father|boss|manager|cousin|best friend|girlfriend|boyfriend)$"
            ),
            (r"my \g<k> is called \g<n>",),
        ),
        (
            (
                r"^I (?:have )?(?:gave|given) up (?P<b>meat|sugar|dairy|gluten|bread|fish|eggs|"
                r"cheese|carbs|red meat)\b.*$"
            ),
            (r"I do not eat \g<b>",),
        ),
        (
            (
                r"^I (?:have )?(?:gave|given) up (?P<b>coffee|alcohol|wine|beer|soda|tea|"
                r"caffeine)\b.*$"
            ),
            (r"I no longer drink \g<b>",),
        ),
        (
            (
                r"^I cannot (?:have|tolerate|digest|stomach) (?P<b>meat|sugar|dairy|gluten|bread|fish|eggs|milk|nuts|"
                r"peanuts|shellfish|seafood|cheese|wheat|soy|pork|beef|onions|garlic|caffeine|alcohol)\b.*$"
            ),
            (r"I do not eat \g<b>",),
        ),
        (r"^[Mm]y (?P<a>[\w-]+) allergy is to (?P<b>.+)$", (r"I am allergic to \g<b>",)),
        (r"^[Yy]ou (?:can )?reach me (?P<b>.+)$", (r"I am reachable \g<b>",)),
        (
            (
                r"^(?:[Aa]nother|[Oo]ne|[Aa]|[Tt]he other) [\w-]+(?: that)? I (?P<v>like|love|use|"
                r"play|speak|read|know|enjoy|hate) is (?P<b>.+)$"
            ),
            (r"I \g<v> \g<b>",),
        ),
        (
            (
                r"^it is (?:mostly |mainly |really )?(?P<b>.+) that I (?P<v>like|love|use|play|"
                r"prefer|enjoy|hate)$"
            ),
            (r"I \g<v> \g<b>",),
        ),
        (r"^[Tt]hey (?:moved|put|changed|switched) me (?:to|in) (?P<b>.+)$", (r"it is now \g<b>",)),
        (
            (
                r"^I do (?P<b>(?!not\b)(?:eat|like|speak|have|drink|use|play|work|live|own|"
                r"drive)\b.+)$"
            ),
            (r"I \g<b>",),
        ),
        (
            r"^(?P<n>[A-Z]\w+) and I (?P<b>broke up|split up|separated|got divorced).*$",
            (r"I broke up with \g<n>",),
        ),
        (
            r"^(?:I|We) gave (?:the|my) (?P<b>[\w ]+?) away and (?P<c>\w+ .+)$",
            (r"I gave away my \g<b>", r"I \g<c>"),
        ),
    )
)


def expanded(text: str) -> list[str]:
    """The clause as its simple statements, in order; itself alone when it makes one."""
    todo = [text]
    out: list[str] = []
    while todo and len(out) < MOST:
        current = todo.pop(0)
        for pattern, parts in _RULES:
            match = pattern.match(current)
            if match:
                made = [match.expand(part).strip(" ,") for part in parts]
                todo = [
                    piece for piece in made if piece != current and piece not in ("I am", "I have")
                ] + todo
                break
        else:
            out.append(current)
    return out
