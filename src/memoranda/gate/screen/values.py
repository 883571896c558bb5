"""Does a value look like a secret? What the rules ask of what they found, by shape and by what stands around it."""

from __future__ import annotations

import base64
import binascii
import json
import re
from itertools import pairwise

# Words that stand where a password would, and are none.
NO_VALUES = frozenset(
    """
    a an the my your our his her their its in on at of for to not no none null nil empty blank set unset unknown undefined
    stored kept saved required needed optional wrong correct incorrect weak strong too very still now also here there always
    never same different changed expired invalid valid hidden masked redacted secret password passwort passwords passphrase
    that this what which who whom whose ok okay being been only just important forgotten lost protected encrypted hashed
    reset updated rotated good bad manager field policy prompt reader word phrase account file key code safe secure case and
    or but with from by as if then else when where how why so such than up out off over under again once more most some any
    each every all both few other own can will would should could may might must do does did done is are was were be has
    have had having get gets got give given see use used using uses user username login logon admin name email e-mail
    something anything nothing everything someone anyone nobody everybody simple easy hard difficult common obvious unique
    default temporary permanent private public shared personal long short complex random memorable written printed sent
    taped stuck visible inside below above attached enclosed somewhere elsewhere nowhere pending missing available
    unavailable active inactive enabled disabled ready broken old new fine great terrible awful useless mandatory
    compulsory case-sensitive sensitive confidential known guessable crackable hackable compromised leaked stolen breached
    about after before during without within through between against because until while since though although however
    yes true false string str int bytes text value values placeholder example sample test demo foo bar baz changeme
    change_me replace_me todo tbd tba n/a na xxx xxxx your_password yourpassword mypassword my_password hunter hint hints
    rules rule length minimum maximum characters letters digits numbers symbols protection strength complexity security
    authentication verification validation recovery generator generators storage hygiene managers fields policies resets
    based free less protected-by expiry expiration rotation history management sharing entry box page form screen dialog
    input check checks checker checking handling hashing salting encryption service server database app application site
    website portal button link email-based list lists sheet book notebook note notes vault keychain leak leaks breach
    breaches attack attacks spraying stuffing cracking guessing fatigue problem problems issue issues question questions
    there's it's that's we they he she you i me him them us ours yours hers theirs itself myself himself herself whatever
    whichever gone up-to-date outdated like unlike via per please thanks sorry maybe perhaps probably certainly really
    actually currently usually often sometimes rarely soon later today tomorrow yesterday tonight already yet
    """.split()
)
PROSE_ENDING = re.compile(
    r"(?:ed|ing|able|ible|less|ful|ory|ous|ly|tion|ment|ness|ive|ary|ant|ent|ical|ised|ized)$"
)
MASKS = frozenset("*x.•_X#?-")
HIDDEN = re.compile(r"[A-Za-z0-9_-]{0,12}(?:\.\.\.|\*{3,}|x{4,}|X{4,})[A-Za-z0-9_.-]{0,12}")
OPENERS = ("<", "{", "[", "$", "%", "@")
TEMPLATE = re.compile(r"\$\{|\{\{|\$\(|<[a-z_ -]{2,40}>")
STAND_IN = re.compile(
    r"(?i)(?:your|my|the|some|insert|enter|put|add|replace|change|example|sample|dummy|fake|placeholder|redacted|removed|test)"
    r"[_ -]?(?:own|api|access|secret|auth|private|real)?[_ -]?(?:key|token|secret|password|passwd|value|here|me|it)[_ -]?(?:here|goes.?here)?"
)
# Code that fetches a secret and holds none: calls, subscripts, dotted names.
CODE = re.compile(
    r"[A-Za-z_$][\w$]{0,60}(?:(?:\.|::|->)[A-Za-z_$][\w$]{0,60}){0,8}(?:[(\[].{0,400})?[;,):]{0,4}"
)
HEXES = re.compile(r"[0-9a-f]{16,}|[0-9A-F]{16,}")
UUID = re.compile(r"(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")


def bare(value: str) -> str:
    """The value without the punctuation around it."""
    return value.strip("\"'`,;()[]{}<>").rstrip(".:")


def no_value(value: str) -> bool:
    """A word, a placeholder, a row of stars: what stands where a secret would and is none."""
    word = bare(value)
    if word.casefold() in NO_VALUES or len(set(word)) < 3 or MASKS.issuperset(word):
        return True
    if value.lstrip("\"'`").startswith(OPENERS) or TEMPLATE.search(value):
        return True
    return len(word) < 60 and (HIDDEN.fullmatch(word) or STAND_IN.fullmatch(word)) is not None


# Rows that a person types to fill a place.
ROWS = (
    "xxxxx",
    ".....",
    "*****",
    "#####",
    "1234567890",
    "abcdefghij",
    "aaaaaaaa",
    "00000000",
    "exampleexample",
)


def varied(value: str, before: str = "", after: str = "") -> bool:
    """A key as a machine makes it: no placeholder, not one character over and over."""
    low = value.lower()
    return len(set(value[-12:])) >= 3 and not any(row in low for row in ROWS)


def decodes_to_json(value: str, before: str, after: str) -> bool:
    """The first part of a token is a JSON object in base64."""
    head = value.split(".", 1)[0]
    try:
        return isinstance(json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4))), dict)
    except (ValueError, binascii.Error, RecursionError):
        return False


def mixed(value: str) -> bool:
    """Letters with digits, signs or capitals inside: not a word of any language."""
    word = bare(value)
    letters = any(c.isalpha() for c in word)
    digits = any(c.isdigit() for c in word)
    signs = any(not c.isalnum() and c not in "-'_./&" for c in word)
    capitals = any(c.isupper() for c in word[1:]) and any(c.islower() for c in word)
    return (letters and (digits or signs or capitals)) or (digits and signs and len(word) > 5)


def spoken(value: str, before: str, after: str) -> bool:
    """A password in prose: odd in some way, or a plain word where the clause ends right behind it."""
    word = bare(value)
    if len(word) < 4 or no_value(value) or "://" in value or TIME.fullmatch(word):
        return False
    if value[:1] in "\"'`" and value[-1:] in "\"'`":
        return True
    if CALL.match(value) or ("_" in word and word.replace("_", "").isalpha() and word.islower()):
        return False
    if mixed(word):
        return not (word.isalpha() and BRANDS.search(word.lower())) and not DOTTED.fullmatch(word)
    if word.isdigit():
        return len(word) >= 4
    ends = not after.strip() or after.lstrip(" ")[:1] in ".,;!?)\n" or value.rstrip()[-1:] in ".,;!"
    return ends and len(word) >= 5 and PROSE_ENDING.search(word.lower()) is None


NAME = re.compile(r"[A-Za-z_]\w{0,40}(?:\.[A-Za-z_]\w{1,40}){1,4}")
CALL = re.compile(r"[A-Za-z_][\w.]{0,60}[(\[]")
TIME = re.compile(r"\d{1,2}[:.]\d{2}(?:am|pm)?|(?:19|20)\d{2}-\d{2}-\d{2}|\d+(?:st|nd|rd|th|s)")
BRANDS = re.compile(
    r"^(?:1password|lastpass|keepassx?c?|bitwarden|github|gitlab|oauth|openid|webauthn|ios|macos|iphone|icloud|youtube|linkedin|onedrive|dropbox)$"
)
DOTTED = re.compile(r"/?[a-z_-]{2,30}(?:[./][A-Za-z_-]{2,30}){1,6}/?")


def strong(value: str, before: str, after: str) -> bool:
    """A password where nothing says so but the word before it: a digit with letters, or a sign inside."""
    word = bare(value)
    if (
        len(word) < 6
        or no_value(value)
        or "://" in value
        or TIME.fullmatch(word)
        or DOTTED.fullmatch(word)
    ):
        return False
    digits, letters = any(c.isdigit() for c in word), any(c.isalpha() for c in word)
    signs = any(not c.isalnum() and c not in "-'_./" for c in word)
    return (not NAME.fullmatch(word) and (digits and letters and word.lower() != "1password")) or (
        signs and (digits or letters) and re.search(r"[!@#$%^&*+=?]", word) is not None
    )


def assigned(value: str, before: str, after: str) -> bool:
    """A value behind `key=`: no placeholder, no code, no plain word that only names or describes one."""
    quoted = value[:1] in "\"'`" and len(value) > 2
    word = bare(value)
    if len(word) < 4 or no_value(value) or after[:1] in ("(", "["):
        return False
    if after.lstrip()[:1] in ("%", "+") or word.startswith(
        ("http://", "https://", "/", "./", "--")
    ):
        return False
    if quoted:
        return len(word) >= 5 and not (" " in word and not mixed(word))
    if CODE.fullmatch(value) and not mixed_code(value):
        return False
    return mixed(word) or word.isdigit() or spoken(value, before, after)


def mixed_code(value: str) -> bool:
    """A value that could be a name in a program, but has digits among its letters as no name has."""
    word = bare(value)
    if any(c in word for c in "([") or re.search(r"[A-Za-z_]\.[A-Za-z_]", word):
        return False
    digits = sum(c.isdigit() for c in word)
    return (
        digits >= 1
        and (digits >= 2 or len(word) >= 6)
        and not re.fullmatch(r"[A-Za-z_]+_?v?\d", word)
    )


def looks_random(value: str) -> bool:
    """A machine-made value: long hex, or letters of both cases with digits, without words in it."""
    word = value.rstrip("=")
    if UUID.fullmatch(word) or HEXES.fullmatch(word):
        return len(set(word)) >= 6
    if len(set(word)) < 10 or ("/" in word and word.count("/") > 5):
        return False
    if wordy(word):
        return False
    kinds = sum(
        (
            any(c.isupper() for c in word),
            any(c.islower() for c in word),
            any(c.isdigit() for c in word),
        )
    )
    if kinds < 3:
        return kinds == 2 and len(word) >= 24 and changes(word) >= len(word) // 4
    return changes(word) >= len(word) // 3


def wordy(word: str) -> bool:
    """Made of words: most letters stand in runs of small ones, as in SalesResults-2 or a file's name."""
    letters = sum(c.isalpha() for c in word)
    return sum(map(len, re.findall(r"[A-Z]?[a-z]{3,}", word))) * 10 >= letters * 7


def changes(word: str) -> int:
    """How often the kind of character changes from one to the next: often in keys, seldom in names."""
    kind = [0 if c.isupper() else 1 if c.islower() else 2 if c.isdigit() else 3 for c in word]
    return sum(a != b for a, b in pairwise(kind))


HARMLESS = re.compile(
    r"(?:commit|sha-?\d{0,3}|md5|digest|checksum|hash|fingerprint|public[ _-]?(?:key|token)|pubkey|etag|revision|rev|uuid|guid|trace|span|"
    r"run[ _]id|request[ _]id|session[ _]id|build|image|docker|blob|order|tracking|invoice|version|primary[ _]key|foreign[ _]key|cache[ _-]?key|"
    r"integrity|srcrev|object|signature|key[ _]?(?:name|id|vault)|keyword|monkey|keyboard)[\w .:=@/\"'-]{0,12}$"
)


# As `system.SystemIds` makes them: a short prefix, the time and chance in 26 digits of Crockford's alphabet.
OUR_ID = re.compile(r"(?<![0-9A-Za-z])[a-z]{0,4}_?01[0-9a-hjkmnp-tv-z]{24}(?![0-9A-Za-z])")


def random_near_key(value: str, before: str, after: str) -> bool:
    """A machine-made value near a word that says key, secret or token, and no word that says what else it is."""
    return (
        looks_random(value)
        and not OUR_ID.search(value)
        and not value.startswith("AAAA")
        and not HARMLESS.search(before)
        and not before.endswith(("/", "sha256:", "sha512-", "sha256-"))
    )
