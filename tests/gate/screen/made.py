"""Secrets and numbers made at run time from parts, so that no scanner takes these tests for a leak."""

import random
import string

from memoranda.gate.screen import numbers

LETTERS = string.ascii_letters + string.digits


def chance(seed: object = 7) -> random.Random:
    return random.Random(repr(seed))


def made(length: int, alphabet: str = LETTERS, seed: object = 7) -> str:
    """A run of letters in which every kind of the alphabet occurs."""
    pick = chance((length, seed))
    while True:
        text = "".join(pick.choice(alphabet) for _ in range(length))
        kinds = [str.isdigit, str.isupper, str.islower]
        if (
            all(any(map(k, text)) or not any(map(k, alphabet)) for k in kinds)
            and len(set(text)) > 4
        ):
            return text


HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
RAIL = "-" * 5
# What a vendor's key looks like, without one standing here.
KEYS = {
    "aws-access-key": "AK" + "IA" + made(16, UPPER),
    "google-api-key": "AI" + "za" + made(35),
    "github-token": "gh" + "p_" + made(36),
    "gitlab-token": "gl" + "pat-" + made(20),
    "slack-token": "xo" + "xb-" + "203808847166-531812594574-" + made(24),
    "stripe-key": "sk_" + "live_" + made(24),
    "anthropic-key": "sk-" + "ant-api03-" + made(93) + "AA",
    "openai-key": "sk-" + "proj-" + made(48),
    "huggingface-token": "hf" + "_" + made(34),
    "npm-token": "np" + "m_" + made(36),
    "pypi-token": "py" + "pi-" + made(70),
    "sendgrid-key": "S" + "G." + made(22) + "." + made(43),
    "twilio-key": "S" + "K" + made(32, HEX),
    "telegram-token": "952934" + "4113:A" + made(34),
    "digitalocean-token": "do" + "p_v1_" + made(64, HEX),
    "databricks-token": "da" + "pi" + made(32, HEX),
    "tailscale-key": "ts" + "key-auth-" + made(12) + "-" + made(32),
    "docker-token": "dckr" + "_pat_" + made(27),
    "shopify-token": "sh" + "pat_" + made(32, HEX),
    "hetzner-vault-token": "hv" + "s." + made(60),
    "age-key": "AGE-SECRET" + "-KEY-1" + made(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
    "private-key": f"{RAIL}BEGIN RSA PRIVATE KEY{RAIL}\n{made(600)}\n{RAIL}END RSA PRIVATE KEY{RAIL}",
}
PASSWORD = "Xk9v" + "Lm2q!"
WORDS = "galaxy above castle abandon barrel kitten hammer carbon abuse jungle about bargain".split()


def with_luhn(prefix: str, length: int) -> str:
    body = prefix + made(length - len(prefix) - 1, string.digits, prefix)
    return next(body + d for d in string.digits if numbers.luhn([int(c) for c in body + d]))


CARD = with_luhn("4111", 16)


def an_iban(country: str = "DE") -> str:
    body = made(int(numbers.IBANS[country]) - 4, string.digits, country)
    return next(text for n in range(100) if numbers.iban(text := f"{country}{n:02d}{body}"))
