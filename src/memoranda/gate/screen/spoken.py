"""Secrets as people write them down: key=value, addresses with a login, and sentences.

A sentence names the thing (a password, a PIN, the code of a door) and gives its value in the same clause, behind a word
like "is" or in front of it. The value has to look like one, or the clause has to end behind it.
"""

from __future__ import annotations

import base64
import binascii
import re

from memoranda.gate.screen.rule import Check, Needs, Rule, Where
from memoranda.gate.screen.values import (
    NO_VALUES,
    assigned,
    bare,
    looks_random,
    mixed,
    no_value,
    random_near_key,
    spoken,
    strong,
    varied,
)

PASS = "password|passwords|passwd|passcode|passphrase|passe|pword|passwort|kennwort|passwoerter|wachtwoord|contraseña|contrasena|senha|lösenord|losenord|salasana|hasło|haslo|adgangskode|jelszó|parola|пароль"
PASS_WORDS = tuple(PASS.split("|"))
SHORT = ("pass", "pw", "pwd", "psk", "passkey")
QUALIFIED = (
    r"(?:api|access|secret|auth|authentication|authorization|bearer|refresh|client|private|signing|session|service|account|storage|master|encryption|"
    r"decryption|shared|preshared|pre-shared|deploy|admin|app|application|webhook|hmac|consumer|subscription|license|licence|personal access|security|"
    r"sas|jwt|csrf|oauth|id|bot|user|push|registry|publish|csp|ssh|gpg|pgp|vpn|wireguard|aws|azure|gcp|github|gitlab|stripe|openai|slack|maps|integration)"
)
ANY = r"(\"[^\"\n]{1,300}\"|'[^'\n]{1,300}'|`[^`\n]{1,300}`|[^\s\"'`]{1,400})"
ONE = r"(\"[^\"\n]{3,100}\"|'[^'\n]{3,100}'|`[^`\n]{3,100}`|[^\s\"`]{3,200})"
IS = (
    r"(?:(?<![^\s'])(?:is|was|are|be|equals|reads|says|ist|lautet|es|est|è|jest|är|er|on)(?=[\s:])(?::)?|(?<=['])s(?=\s)|[:=]|--?>|=>|—|(?<=\s)-(?=\s)|→)\s{1,3}"
    r"(?:(?:now|still|currently|just|simply|always|again|only|set to|called|actually|really|the same as before|probably|jetzt|immer noch|noch)[:,]?\s{1,3}){0,2}"
)
# A name of the thing, and nothing that ends the clause between it and the value.
NAMED = re.compile(
    rf"(?:{PASS})(?:'s)?(?!['\w]|[ -](?:manager|reset|field|polic|page|prompt|generator|hash|strength|length|rule|vault|app\b|form\b|hint|expir|rotation))[^\n.;!?]{{0,70}}$"
)
KEYED = re.compile(
    rf"(?:{QUALIFIED}[ _-]{{0,2}}(?:key|token|secret|credential)|\bsecret|apikey)(?:'s|s)?[^\n.;!?]{{0,60}}$"
)
VERBS = re.compile(
    r"(?:chang|set|reset|updat|switch|rotat|renam|made|make)\w{0,4}\b[^\n.;!?]{0,70}$"
)
NOT_VALUES_TO = frozenset(
    "expire access log login unlock protect open enter continue connect decrypt verify proceed work match prevent avoid read write".split()
)


def in_words(value: str, before: str, after: str) -> bool:
    """Behind "password ... is"."""
    return NAMED.search(before) is not None and spoken(value, before, after)


def changed_to(value: str, before: str, after: str) -> bool:
    """Behind "changed the password to"."""
    return (
        NAMED.search(before) is not None
        and VERBS.search(before) is not None
        and bare(value).casefold() not in NOT_VALUES_TO
        and spoken(value, before, after)
    )


def behind_name(value: str, before: str, after: str) -> bool:
    """Directly behind the word: strong, or "with the password sunshine."."""
    with_it = re.search(
        rf"\b(?:with|using|use|mit|via)\s(?:the\s|a\s|this\s|my\s|dem\s)?(?:[\w-]{{1,20}}\s)?(?:{PASS}|pass|pw)\s+$",
        before,
    )
    return strong(value, before, after) or (with_it is not None and spoken(value, before, after))


def in_front(value: str, before: str, after: str) -> bool:
    """In front of "is my password": odd, or quoted, or the first word of the sentence."""
    if no_value(value) or len(bare(value)) < 4:
        return False
    first = not before.strip() or before.rstrip()[-1:] in ".:;!?\n"
    plain = bare(value).isalpha() and bare(value).islower() and len(bare(value)) >= 6
    using = re.search(r"\b(?:use|using|type|enter|try|put)\s+$", before) is not None
    return strong(value, before, after) or value[:1] in "\"'`" or (plain and (first or using))


def key_in_words(value: str, before: str, after: str) -> bool:
    """Behind "the API key ... is": it must look made up."""
    return (
        KEYED.search(before) is not None
        and strong(value, before, after)
        and len(bare(value)) >= 8
        and not re.search(r"public[ _]key|key[ _](?:id|name)", before[-40:])
    )


QUALIFIES = re.compile(rf"{QUALIFIED}[ _.-]?$")
PARTS = re.compile(
    r"(?<![a-z])(?:public|primary|foreign|cache|sort|partition|row|index|object|key|foreign|next|page|continuation|max|num|n|total|count|hot|short|tokenizer)[ _.-]?$"
)


def key_value(value: str, before: str, after: str) -> bool:
    """Behind `..._key=`: the name says what kind of key, or the value looks machine-made."""
    name = re.sub(r"[\"'`\]]{0,2}\s{0,3}[:=>?|]{0,5}\s{0,3}[\"'`]?$", "", before)
    word = re.search(r"(key|token|secret|credential|signature|sig|auth)s?$", name)
    head = name[: word.start()] if word else name
    if PARTS.search(head) or not assigned(value, before, after):
        return False
    if bare(value).isdigit() or bare(value).isalpha():
        return False
    secret = word is not None and word[1] == "secret"
    return (
        secret
        or looks_random(bare(value))
        or (
            QUALIFIES.search(head) is not None
            and len(bare(value)) >= 8
            and any(c.isdigit() for c in value)
        )
    )


def login_of(value: str, before: str, after: str) -> bool:
    """The second half of "login: admin / Xk9..."."""
    return strong(value, before, after) or (
        mixed(value) and len(bare(value)) >= 8 and not no_value(value) and "." not in bare(value)
    )


def basic(value: str, before: str, after: str) -> bool:
    """RFC 7617: user and password in base64, with a colon between them."""
    try:
        return b":" in base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except (ValueError, binascii.Error):
        return False


def url_login(value: str, before: str, after: str) -> bool:
    """A password in an address; words that stand for one are none."""
    return not no_value(value) and bare(value).casefold() not in {
        "pass",
        "passwd",
        "pwd",
        "secret",
        "postgres",
        "root",
        "guest",
    }


def machine_made(value: str, before: str, after: str) -> bool:
    """Long and without words in it."""
    return varied(value) and looks_random(value.replace("%", "").replace(".", ""))


ASSIGN = r"[\"'`\])]{0,2}\s{0,3}(?:=>|:{1,3}=|[?!]?={1,3}|:|\|)(?!:|=)\s{0,3}"

_PASS: Check = lambda value, before, after: assigned(value, before, after)  # noqa: E731


def _secret(
    name: str,
    pattern: str,
    anchors: tuple[str, ...],
    value: int = 1,
    before: int = 0,
    after: int = 160,
    holds: Check | None = None,
    source: str = "",
    needs: Needs = "",
) -> Rule:
    where: Where = "word" if anchors[0].isalpha() else "mark"
    return Rule(name, "secret", "secret", pattern, anchors, where, value, before, after, holds, source, needs)  # fmt: skip


ASSIGNED: tuple[Rule, ...] = (
    _secret("password-value", rf"(?i)(?:{PASS}|pass|pw|pwd|psk|passkey)(?:_?(?:value|text|plain))?{ASSIGN}{ANY}",
            (*PASS_WORDS, *SHORT), holds=_PASS),
    _secret("key-value", rf"(?i)(?:key|token|secret|credential|signature|sig|auth)s?{ASSIGN}{ANY}",
            ("key", "keys", "token", "secret", "secrets", "credential", "credentials", "apikey", "sig", "signature", "auth"), holds=key_value),
    _secret("connection-string", r"(?i)(?:accountkey|sharedaccesskey|sharedaccesssignature|sharedsecret|primarykey|secondarykey)\s{0,2}=\s{0,2}([A-Za-z0-9+/%&=_-]{20,400})",
            ("accountkey", "sharedaccesskey", "sharedaccesssignature", "sharedsecret"), source="Microsoft: Azure Storage and Service Bus connection strings", needs="long"),
    _secret("url-login", r"://[^\s:/@\"'<>]{0,100}:([^\s/@\"'<>]{2,200})@", ("://",), holds=url_login, source="RFC 3986, section 3.2.1"),
    _secret("url-token", r"://([A-Za-z0-9_.-]{20,200})(?::x-oauth-basic)?@", ("://",), holds=machine_made, source="RFC 3986, section 3.2.1"),
    _secret("otpauth", r"otpauth(?:-migration)?://[^\s\"'<>]{8,600}", ("otpauth",), value=0, source="Key Uri Format"),
    _secret("bearer", r"(?i)bearer\s{1,3}([A-Za-z0-9._~+/-]{12,2000}={0,2})(?![A-Za-z0-9])", ("bearer",), holds=lambda v, b, a: varied(v) and not no_value(v) and any(c.isdigit() for c in v), source="RFC 6750", needs="long"),
    _secret("basic-auth", r"(?i)basic\s{1,2}([A-Za-z0-9+/]{8,400}={0,2})(?![A-Za-z0-9])", ("basic",), holds=basic, source="RFC 7617"),
    _secret("authorization", r"(?i)authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:[a-z]{2,20}\s{1,2})?([A-Za-z0-9._~+/=|-]{16,2000})", ("authorization",), holds=lambda v, b, a: varied(v) and any(c.isdigit() for c in v) and not no_value(v), source="RFC 9110", needs="long"),
    _secret("curl-login", r"(?:-u|--user|--proxy-user)[ =]{0,2}[\"']?([^\s\"':$]{0,100}:[\"']?[^\s\"']{3,200})", ("curl", "wget", "http"), before=1, after=400, holds=lambda v, b, a: url_login(v.partition(":")[2], b, a) and v.split(":")[0] != "username", source="curl manual: --user"),
    _secret("session-cookie", r"(?i)(?:session[_-]?id|session|sess|sid|phpsessid|jsessionid|auth[\w-]{0,20}|remember[\w-]{0,20}|[cx]srf[\w-]{0,12}|token|_?gitlab_session|user_session)[\"']?\s{0,2}=\s{0,2}[\"']?(?:s%3A)?([A-Za-z0-9%._~+/-]{16,500}={0,2})",
            ("cookie", "cookies", "session", "sessionid", "sess", "sid", "phpsessid", "jsessionid"), before=30, after=300, holds=machine_made, source="RFC 6265", needs="long"),
    _secret("machine-made", r"(?<![A-Za-z0-9+/_.-])([A-Za-z0-9+/_-]{20,200}={0,2})(?![A-Za-z0-9+/_=-])",
            ("key", "keys", "apikey", "token", "tokens", "secret", "secrets", "credential", "credentials", "bearer", "hmac", "signing", "encryption", "encrypted", "webhook", "psk", "password", "passphrase", "license", "licence", "schlüssel", "clave", "clé"),
            before=70, after=140, holds=random_near_key, needs="long"),
    _secret("private-key-hex", r"(?<![A-Za-z0-9])((?:0x)?[0-9a-fA-F]{64})(?![A-Za-z0-9])", ("wallet", "private", "privkey", "ethereum", "eth", "bitcoin", "btc", "metamask"), before=80, after=140, holds=lambda v, b, a: varied(v) and not re.search(r"(?:transaction|tx|hash|block|address)\W{0,4}(?:is |id )?$", b), source="SEC 1: private keys of 32 bytes", needs="long"),
    _secret("totp-secret", r"(?<![A-Za-z0-9])([A-Z2-7]{16,64}={0,6}|[A-Za-z2-7]{4}(?:[ -][A-Za-z2-7]{4}){3,15})(?![A-Za-z0-9])", ("totp", "otp", "authenticator", "mfa", "fa", "factor"), before=80, after=140, holds=lambda v, b, a: any(c.isdigit() for c in v) and any(c.isalpha() for c in v), source="RFC 6238, RFC 4648 base32"),
    _secret("licence-key", r"(?<![A-Za-z0-9-])([A-Z0-9]{4,7}(?:-[A-Z0-9]{4,7}){3,7})(?![A-Za-z0-9-])", ("license", "licence", "serial", "product", "activation", "key", "registration"), before=60, after=120, holds=lambda v, b, a: any(c.isdigit() for c in v) and (any(c.isalpha() for c in v) or "licen" in b[-40:]), source="Microsoft and others: product keys", needs="long"),
)  # fmt: skip

IN_WORDS: tuple[Rule, ...] = (
    _secret("password-in-words", rf"(?i){IS}{ONE}", PASS_WORDS, before=1, after=130, holds=in_words),
    _secret("password-changed-to", rf"(?i)\b(?:to|into|auf|zu|por|a|en)\s{{1,2}}{ONE}", PASS_WORDS, before=1, after=110, holds=changed_to),
    _secret("password-behind-name", rf"(?i)(?:{PASS}|pass|pw|pwd)[?,]?\s{{1,2}}[(\[]?{ONE}", (*PASS_WORDS, "pass", "pw", "pwd"), holds=behind_name),
    _secret("passphrase", r"(?i)(?:passphrase|pass phrase)\b[^\n.;!?:=]{0,60}?(?:\bis|[:=])\s{1,3}[\"']?([a-z]{3,12}(?:[ -][a-z]{3,12}){2,11})(?=[\"'.;\n]|$)", ("passphrase", "pass"), holds=lambda v, b, a: not any(word in NO_VALUES for word in re.split(r"[ -]", v.lower()))),
    _secret("pass-in-words", rf"(?i){IS}{ONE}", ("pass", "pw", "pwd"), before=1, after=80, holds=lambda v, b, a: re.search(r"\b(?:pass|pw|pwd)\b[^\n.;!?]{0,50}$", b) is not None and strong(v, b, a)),
    _secret("password-option", r"(?:mysql|mysqldump|mysqladmin|mariadb|sshpass|redis-cli|psql|mongo|mongosh|sqlplus|docker login|net use|smbclient)\b[^\n|;]{0,100}?\s(?:-p\s?|--?password[= ]|-a\s|--pass[= ])[\"']?([^\s\"'-][^\s\"']{3,100})", ("mysql", "mysqldump", "mysqladmin", "mariadb", "sshpass", "redis", "psql", "mongo", "mongosh", "sqlplus", "docker", "net", "smbclient"), holds=lambda v, b, a: strong(v, b, a)),
    _secret("password-in-brackets", rf"(?i)(?:{PASS}|pw|pwd)\b[^\n.;:=]{{0,40}}?\s?[(\[]([^\s()\[\]]{{5,60}})[)\]]", (*PASS_WORDS, "pw", "pwd"), holds=strong),
    _secret("password-in-front", rf"(?i)(?<!\S)(\"[^\"\n]{{3,60}}\"|'[^'\n]{{3,60}}'|[^\s\"]{{4,80}})\s(?:is|was|as|for|=|works as|works for|ist|es|est)\s(?:(?:the|my|our|his|her|its|their|a|your|das|mein|mi|mon|(?:[\w-]{{1,20}}'s))\s)(?:(?!not|never)[\w'-]{{1,20}}\s){{0,3}}?(?:{PASS})(?!\w)(?!\s(?:manager|policy|reset|field|hash|rule|hint|generator|app|page))",
            PASS_WORDS, before=130, after=2, holds=in_front),
    _secret("key-in-words", rf"(?i){IS}{ONE}", ("key", "token", "secret", "apikey", "credential"), before=1, after=110, holds=key_in_words),
    _secret("login-pair", rf"(?i)(?:login|log-?in|log-?on|credentials?|creds|sign-?in|account|access|zugang|anmeldung)(?:s|'s)?\b[^\n.;]{{0,60}}?(?:\bis\b|\bare\b|[:=]|\bwith\b|\bas\b|-|\()\s{{0,3}}[\"'`]?([^\s/,;:|\"'`]{{2,60}})[\"'`]?\s{{0,2}}(?:/|\||,|:|&|\band\b|\bund\b|\bwith\b)\s{{0,2}}(?:(?:the\s)?(?:password|passwort|pass|pw|pwd)[:=]?\s)?{ONE}",
            ("login", "logins", "logon", "credentials", "credential", "creds", "account", "signin", "sign", "log", "access", "zugang", "anmeldung"), value=2, holds=login_of),
    # `user:NAME` is how a subject is written, here and in many systems: a colon alone makes no login of it.
    _secret("user-slash-password", r"(?i)(?<![\w/])(?:(?:admin|root|guest|pi|ubuntu|administrator|sa|postgres)\s{0,2}[/:|]|(?:user|operator|support|test|demo)\s{0,2}[/|])\s{0,2}(\S{5,60})", ("admin", "root", "guest", "administrator", "user", "operator", "ubuntu"), holds=lambda v, b, a: strong(v, b, a) and "/" not in v and "." not in bare(v) and not a.startswith("=")),
    _secret("wifi-key", rf"(?i)\b(?:pass|pw|pwd|key|code|psk|passkey|schlüssel|login)(?:\s(?:is|was|ist))?\s{{0,2}}[:=]?\s{{1,2}}{ONE}", ("wifi", "wlan", "ssid", "hotspot", "fi", "wpa", "router", "network"), before=1, after=120,
            holds=lambda v, b, a: re.search(r"(?:wi-?fi|wlan|ssid|hotspot|wpa|router|network)[^\n.!?]{0,70}$", b) is not None and (strong(v, b, a) or (spoken(v, b, a) and re.search(r"[:=]\s*$|\bis\s+$", b) is not None))),
    _secret("wifi-pair", rf"(?i)\b(?:wi-?fi|wlan|ssid|hotspot)\b[^\n.;]{{0,20}}?[:=]\s{{0,2}}([^\s/,;|]{{2,40}})\s{{0,2}}[/,|]\s{{0,2}}{ONE}", ("wifi", "wlan", "ssid", "hotspot", "wi"), value=2, holds=strong),
    _secret("security-answer", r"(?i)(?:answer|antwort)s?\s(?:to|for|of)\s(?:the|my|his|her|their|our|a)\s(?:[\w'-]{1,20}\s){0,3}security question[^\n.;]{0,60}?(?:\bis\b|:)\s{0,2}(\S[^\n.;]{1,60})", ("answer", "answers", "antwort")),
)  # fmt: skip

__all__ = ["ASSIGNED", "IN_WORDS", "NO_VALUES"]
