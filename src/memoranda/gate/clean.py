"""Text made safe to keep and fit to be screened. What a text means is left alone."""

from __future__ import annotations

import re
import unicodedata

SURROGATES = re.compile("[\ud800-\udfff]")
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
SPACES = re.compile(r"\s+")
# Zero-width and bidi marks hide words from a screen: stripped before one looks, kept in what is stored.
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)


def storable(text: str) -> str:
    """The text without what stores refuse: lone surrogates become U+FFFD, NUL goes."""
    return SURROGATES.sub("\ufffd", text).replace("\x00", "")


def nameable(text: str) -> bool:
    """Whether a text can name something: two names that a store would keep as one must not both be taken."""
    return not SURROGATES.search(text) and not CONTROLS.search(text)


def sentence(text: str) -> str:
    """One line, NFC, without control characters, white space folded."""
    text = CONTROLS.sub(" ", SURROGATES.sub("\ufffd", text))
    return SPACES.sub(" ", unicodedata.normalize("NFC", text)).strip()


def named(name: str | None) -> str | None:
    """A name (subject, tag, run, ...) as it is stored and looked up; None for none or an empty one."""
    return None if name is None else sentence(name) or None


def screened_form(text: str) -> str:
    """The text as screens read it: NFKC, invisible characters stripped."""
    if text.isascii():
        return text
    return INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
