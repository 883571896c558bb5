"""Codes that open things: PINs, door and alarm codes, one-time and backup codes, the words that restore a wallet."""

from __future__ import annotations

import re

from memoranda.gate.screen.rule import Check, Rule

# A value of a PIN or a code: 3 to 10 digits, perhaps with a letter, # or *; no price, time, date or measure.
DIGITS = r"(?<![\w.,:/€$£+#-])([#*]?\d(?:[ -]?\d){2,9}[#*]?|\d{1,2}(?:[ -]\d{1,2}){2,4}|[A-Za-z]\d{3,7}[A-Za-z#*]?|\d{2,6}[A-Za-z]\d{0,4}[#*]?)(?![\w/:%€°]|[.,]\d)"
THING = (
    r"(?:door|doors|gate|alarm|safe|lock|locks|lockbox|locker|padlock|keypad|key ?box|key ?safe|garage|entrance|entry|building|house|flat|apartment|lobby|"
    r"intercom|shed|cabin|cottage|bike|suitcase|luggage|briefcase|vault|phone|iphone|ipad|tablet|laptop|sim|voicemail|barrier|car park|elevator|lift|gym|"
    r"cellar|basement|storage|store ?room|staff room|atm|cash ?card|bank ?card|debit ?card|credit ?card|card|burglar|front|back|yard|stable|server ?room|cabinet|drawer|"
    r"mailbox|letter ?box|strongbox|gun|chest|fence|pool|sauna|roof|office|school|clinic|archive|tür|tresor|haustür|garagen|tor|puerta|porte|coffre)"
)
NAMES = re.compile(
    r"(?:\bpin(?:s|code)?\b(?![ -]?(?:pad|board|ball|point|terest|wheel))|\bpass ?codes?|\bcombination|\bcombo\b|\bpuk\b|\bunlock code|\bzugangscode|\bgeheimzahl)[^\n.;!?]{0,60}$"
)
LEADS = re.compile(
    r"(?:\b(?:is|was|are|be|to|with|use|using|enter|entering|type|typing|press|pressing|dial|punch|in|key|number|no|code|codes|pin|pins|combination|combo|passcode|puk|still|now|currently|"
    r"digits|lautet|ist|es|est|remains|stays|always|again|changed|on|at|by|into)\b|no\.|[:=#(\"'>-])\s{0,3}[\"'(]?$"
)
OTHER_CODES = re.compile(
    r"\b(?:zip|post|postal|postcode|area|country|city|dialling|error|status|exit|return|response|http|promo|discount|coupon|voucher|gift|dress|source|bar|qr|product|item|booking|"
    r"reference|tracking|swift|sort|branch|routing|morse|penal|tax|class|course|flight|project|colou?r|hex|key|char|ascii|fault|trouble|diagnostic|icd|cpt|hs|sku|model|room|paint|exam|currency|"
    r"airport|station|version|build|commit|review|lines? of|python|legacy)[ -](?:code|combination)"
)
RECOVERY = re.compile(
    r"backup|back-up|recover|rescue|scratch|emergency|one-time|single-use|one time|\b2fa|two-factor|two factor|2-step|two-step|mfa|factor|reserve|spare|wiederherstellung|notfall"
)
OTP = re.compile(
    r"(?:verification|security|login|log-in|sign-in|confirmation|one-time|one time|authentication|auth|2fa|otp|sms|tan|activation|access)[ -]?(?:pass)?(?:code|number|pin|tan)?\b[^\n.;!?]{0,40}$"
)
YEAR = re.compile(r"(?:19|20)\d\d")
# Words that end a run of a wallet's words; none of them is on the BIP-39 list.
ENDS = r"(?!(?:the|and|for|was|are|were|has|had|have|his|her|our|its|not|from|been|which|who|with|but|their|she|him|got|did|does)\b)"
SEED = rf"(?<![\w-])((?:(?:\d{{1,2}}[.):]?[ \t]{{0,2}})?{ENDS}[a-z]{{3,8}}[\s,;|]{{1,3}}){{11,23}}(?:\d{{1,2}}[.):]?[ \t]{{0,2}})?{ENDS}[a-z]{{3,8}})(?![\w'-])"
# Twelve words with little between them; each repeat is possessive, since what follows it begins with something else.
SEED_HINT = r"(?<![a-z])(?:[a-z]{3,8}+[\s,;|][\s,;|\d.):]{0,7}+){11}[a-z]{3}"
COUNTS = (12, 15, 18, 21, 24)
PIECE = r"(?=[A-Za-z-]{0,24}\d)[A-Za-z0-9]{3,12}(?:-[A-Za-z0-9]{3,12}){0,5}"


def _clause(before: str, after: str) -> str:
    """What stands in the same clause around a value."""
    return (
        re.split(r"[\n.;!?](?:\s|$)", before)[-1]
        + " ~ "
        + re.split(r"[\n;!?]|\.(?:\s|$)", after)[0]
    )


def _leads(value: str, before: str) -> bool:
    lead = LEADS.search(before)
    if lead is None:
        return False
    # "in 2024", "on 2024-05-01": a time, not a value.
    return not (YEAR.fullmatch(value) and re.search(r"\b(?:in|on|at|by|to|was)\s+$", before))


def pin(value: str, before: str, after: str) -> bool:
    """Behind "PIN ... is"."""
    return NAMES.search(before) is not None and _leads(value, before) and not _measure(after)


def door_code(value: str, before: str, after: str) -> bool:
    """Behind "code ... is", where the clause names something that such a code opens."""
    clause = _clause(before, after)
    return (
        re.search(r"\bcodes?\b|\bnumber\b|\bcombination\b", before) is not None
        and re.search(rf"\b{THING}\b", clause) is not None
        and OTHER_CODES.search(clause) is None
        and re.search(
            r"\bcodes?\b|\bcombination\b|(?:lock|safe|alarm|door|gate)\s(?:number|no)", clause
        )
        is not None
        and _leads(value, before)
        and not _measure(after)
    )


def opens(value: str, before: str, after: str) -> bool:
    """ "Use 4711 to open the gate", "the safe opens with 4711"."""
    clause = _clause(before, after)
    if _measure(after) or not re.search(rf"\b{THING}\b", clause):
        return False
    if re.search(
        r"\b(?:opens?|opened|unlocks?|unlocked|disarms?|disarmed|deactivates?|disables?|arms?)\s(?:(?:up|it|the [\w ]{1,20})\s)?(?:with|using|by (?:typing|entering|pressing)|on|via)\s(?:the\s)?(?:code\s|number\s|combination\s|pin\s|digits\s)?$",
        before,
    ):
        return True
    if re.search(
        r"(?:^|[\s\"'(])(?:use|type|enter|press|punch|dial|key|tap|input|try)\s(?:in\s)?(?:the\s)?(?:code\s|number\s|pin\s|digits\s)?[\"'(]?$",
        before,
    ):
        return (
            re.match(r"[\"')#*]{0,2}\s(?:to|at|on|for|and|in|into|when|then|as)\b", after)
            is not None
        )
    return (
        re.match(
            r"[\"')]{0,2}\s(?:opens|unlocks|disarms|deactivates|lets you in|gets you in|works (?:on|for|at))\b",
            after,
        )
        is not None
    )


def _measure(after: str) -> bool:
    return (
        re.match(
            r"\s?(?:km|kg|m|cm|mm|g|l|ml|w|kw|v|euros?|eur|usd|dollars?|pounds?|percent|am|pm|a\.m|p\.m|o'clock|minutes?|hours?|days?|weeks?|years?|people|times|steps|attempts?|tries|digits?|characters?|letters?|bytes?|mb|gb|errors?|tests?|square)\b",
            after,
        )
        is not None
    )


def one_time(value: str, before: str, after: str) -> bool:
    """A code that was just sent: "your verification code is 482913"."""
    return (
        OTP.search(before) is not None
        and _leads(value, before)
        and 4 <= sum(c.isdigit() for c in value) <= 8
        and not _measure(after)
        and OTHER_CODES.search(before[-40:]) is None
    )


def recovery(value: str, before: str, after: str) -> bool:
    """Codes to get back into an account, one or a list."""
    around = before[-70:] + " ~ " + after[:60]
    if not RECOVERY.search(around) or not re.search(
        r"\b(?:codes?|keys?|tokens?|2fa|restore|recover)\b", around
    ):
        return False
    tokens = re.split(r"[\s,;/|]+", value)
    if re.fullmatch(
        r"\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd|th)?|(?:19|20)\d\d|2fa", tokens[0].lower()
    ) or re.fullmatch(r"\d{4}", value):
        return False
    return len(value) >= 8 and (len(tokens) > 1 or sum(c.isdigit() for c in value) >= 2)


def seed_words(value: str, before: str, after: str) -> bool:
    """Twelve words and more in a row that make no sentence: behind a colon or the like, or of a number BIP-39 has."""
    words = re.findall(r"[a-z]{3,8}", value)
    if len(words) < 12 or len(set(words)) < 10:
        return False
    return (
        len(words) in COUNTS
        or re.search(r"(?:^|[:=(\[\"'\n>-]|\b(?:is|are))\s{0,2}$", before) is not None
    )


def bare_seed_words(value: str, before: str, after: str) -> bool:
    """The same without a word that says so: exactly a number of words that BIP-39 has, no list of tags."""
    words = re.findall(r"[a-z]{3,8}", value)
    return (
        len(words) in COUNTS
        and len(set(words)) >= len(words) - 2
        and "," not in value
        and words != sorted(words)
        and not after[:1].isalnum()
    )


def _code(
    name: str,
    pattern: str,
    anchors: tuple[str, ...],
    before: int,
    after: int,
    holds: Check,
    source: str = "",
) -> Rule:
    return Rule(
        name,
        "secret",
        "secret",
        pattern,
        anchors,
        "word",
        1,
        before,
        after,
        holds,
        source,
        "" if "phrase" in name else "digit",
    )


CODES: tuple[Rule, ...] = (
    _code("pin", DIGITS, ("pin", "pins", "pincode", "passcode", "passcodes", "combination", "combo", "puk", "geheimzahl", "zugangscode"), 1, 90, pin),
    _code("door-code", DIGITS, ("code", "codes", "combination", "zugangscode", "türcode", "código", "number"), 60, 90, door_code),
    _code("opens-with", DIGITS, ("opens", "open", "unlock", "unlocks", "unlocked", "opened", "disarm", "disarmed", "disarms", "deactivate", "deactivates", "enter", "type", "press", "punch", "dial", "keypad", "tap", "gets", "lets", "arm", "arms", "disable", "disables"), 50, 70, opens),
    _code("one-time-code", DIGITS, ("code", "otp", "tan", "passcode", "verification"), 1, 60, one_time),
    _code("recovery-codes", rf"(?<![\w-])({PIECE}(?:(?:,|;|\s|/|\|| and | or |\d{{1,2}}[.)]){{1,4}}{PIECE}){{0,24}})(?![\w-])", ("codes", "code", "backup", "recovery", "recover", "rescue", "scratch", "emergency", "fa", "factor"), 60, 300, recovery),
    Rule("recovery-code-list", "secret", "secret", hint=r"-[a-z0-9]{5}[\s,;/|]", pattern=r"(?<![\w-])(?=[a-z]{0,5}\d)[a-z0-9]{5}-[a-z0-9]{5}(?:[\s,;/|]{1,4}[a-z0-9]{5}-[a-z0-9]{5}){1,20}(?![\w-])", where="text", holds=lambda v, b, a: any(c.isalpha() for c in v), source="GitHub: recovery codes", least=23),
    _code("seed-phrase", SEED, ("seed", "mnemonic", "wallet", "recovery", "restore", "restores", "words", "phrase", "metamask", "ledger", "trezor", "backup"), 200, 320, seed_words, "BIP-39"),
    Rule("seed-words", "secret", "secret", SEED, hint=SEED_HINT, where="text", value=1, holds=bare_seed_words, source="BIP-39", least=47),
)  # fmt: skip
