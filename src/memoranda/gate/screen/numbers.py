"""Check digits: which runs of digits are cards, accounts and national ids, and which only look like it. Pure."""

from __future__ import annotations

from collections.abc import Sequence


def digits_of(text: str) -> list[int]:
    """The digits in a text."""
    return [int(c) for c in text if "0" <= c <= "9"]


def _weighted(digits: Sequence[int], weights: Sequence[int]) -> int:
    return sum(d * w for d, w in zip(digits, weights, strict=False))


def luhn(digits: Sequence[int]) -> bool:
    """ISO/IEC 7812-1, annex B: cards, Canadian SIN, Swedish personnummer, IMEI."""
    doubled = [d if n % 2 == 0 else (2 * d - 9 if d > 4 else 2 * d) for n, d in enumerate(reversed(digits))]  # fmt: skip
    return bool(digits) and sum(doubled) % 10 == 0


# Issuer ranges and lengths: (first, last, digits of the range, lengths). ISO/IEC 7812 and the schemes' own pages.
SCHEMES: tuple[tuple[int, int, int, tuple[int, ...]], ...] = (
    (4, 4, 1, (13, 16, 19)),  # Visa
    (51, 55, 2, (16,)),  # Mastercard
    (2221, 2720, 4, (16,)),  # Mastercard, second range
    (34, 34, 2, (15,)),  # American Express
    (37, 37, 2, (15,)),
    (6011, 6011, 4, (16, 19)),  # Discover
    (644, 659, 3, (16, 19)),
    (3528, 3589, 4, (16, 19)),  # JCB
    (300, 305, 3, (14, 16)),  # Diners Club
    (36, 36, 2, (14, 16)),
    (38, 39, 2, (14, 16)),
    (62, 62, 2, (16, 17, 18, 19)),  # UnionPay
    (50, 50, 2, (12, 13, 14, 15, 16, 17, 18, 19)),  # Maestro
    (56, 69, 2, (12, 13, 14, 15, 16, 17, 18, 19)),
)


def card(digits: Sequence[int]) -> bool:
    """A payment card's number: a scheme's range and length, and Luhn."""
    number = "".join(map(str, digits[:4]))
    return (
        12 <= len(digits) <= 19
        and len(set(digits)) > 1
        and any(
            first <= int(number[:n]) <= last and len(digits) in lengths
            for first, last, n, lengths in SCHEMES
        )
        and luhn(digits)
    )


# Lengths of IBANs by country (ISO 13616 registry).
IBANS = dict(
    part.split(":", 1)
    for part in """
    AD:24 AE:23 AL:28 AT:20 AZ:28 BA:20 BE:16 BG:22 BH:22 BR:29 BY:28 CH:21 CR:22 CY:28 CZ:24 DE:22 DK:18 DO:28 EE:20
    EG:29 ES:24 FI:18 FO:18 FR:27 GB:22 GE:22 GI:23 GL:18 GR:27 GT:28 HR:21 HU:28 IE:22 IL:23 IQ:23 IS:26 IT:27 JO:30
    KW:30 KZ:20 LB:28 LC:32 LI:21 LT:20 LU:20 LV:21 MC:27 MD:24 ME:22 MK:19 MR:27 MT:31 MU:30 NL:18 NO:15 PK:24 PL:28
    PS:29 PT:25 QA:29 RO:24 RS:22 SA:24 SC:31 SE:24 SI:19 SK:24 SM:27 ST:25 SV:28 TL:23 TN:24 TR:26 UA:29 VA:22 VG:24
    XK:20
    """.split()
)


def iban(text: str) -> bool:
    """An account number: its country's length, and mod 97 is 1 (ISO 7064)."""
    bare = "".join(c for c in text.upper() if c.isalnum())
    if not bare.isascii() or IBANS.get(bare[:2]) != str(len(bare)):
        return False
    return int("".join(str(int(c, 36)) for c in bare[4:] + bare[:4])) % 97 == 1


def us_ssn(d: Sequence[int]) -> bool:
    """Social security number: area not 000, 666 or 9xx (an ITIN), group not 00, serial not 0000."""
    if len(d) != 9:
        return False
    area, group, serial = d[0] * 100 + d[1] * 10 + d[2], d[3] * 10 + d[4], any(d[5:])
    return area not in (0, 666) and area < 900 and group != 0 and serial


def uk_nhs(d: Sequence[int]) -> bool:
    """NHS number: weights 10 to 2, modulus 11."""
    return len(d) == 10 and any(d) and (11 - _weighted(d, range(10, 1, -1)) % 11) % 11 == d[9]


def uk_nino(text: str) -> bool:
    """National insurance number: the prefixes that HMRC never gives out are none."""
    bare = "".join(text.split()).upper()
    return bare[:2] not in {"BG", "GB", "NK", "KN", "TN", "NT", "ZZ"}


def de_tax(d: Sequence[int]) -> bool:
    """Steuer-Identifikationsnummer: 11 digits, ISO 7064 mod 11,10; one digit repeats among the first ten."""
    if len(d) != 11 or d[0] == 0 or not 8 <= len(set(d[:10])) <= 9:
        return False
    product = 10
    for digit in d[:10]:
        total = (digit + product) % 10 or 10
        product = total * 2 % 11
    return (11 - product) % 10 == d[10]


def fr_nir(d: Sequence[int]) -> bool:
    """Numéro de sécurité sociale: 13 digits and a key of two, 97 minus the rest."""
    if len(d) != 15 or d[0] not in (1, 2, 3, 4, 7, 8):
        return False
    number = int("".join(map(str, d[:13])))
    return 97 - number % 97 == d[13] * 10 + d[14]


def es_dni(text: str) -> bool:
    """DNI or NIE: the letter is the number modulo 23."""
    bare = "".join(c for c in text.upper() if c.isalnum())
    number = {"X": "0", "Y": "1", "Z": "2"}.get(bare[:1], bare[:1]) + bare[1:-1]
    return number.isdigit() and "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == bare[-1]


_ODD = dict(
    zip(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        (
            *(1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21),
            *(2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23),
        ),
        strict=True,
    )
)


def it_cf(text: str) -> bool:
    """Codice fiscale: the last letter is a sum over odd and even places."""
    bare = text.upper()
    if len(bare) != 16 or not bare.isalnum() or not bare.isascii():
        return False
    even = sum(int(c) if c.isdigit() else ord(c) - 65 for c in bare[1:15:2])
    return chr(65 + (even + sum(_ODD[c] for c in bare[0:15:2])) % 26) == bare[15]


def nl_bsn(d: Sequence[int]) -> bool:
    """Burgerservicenummer: the test of eleven."""
    return len(d) == 9 and any(d) and (_weighted(d, range(9, 1, -1)) - d[8]) % 11 == 0


def pl_pesel(d: Sequence[int]) -> bool:
    """PESEL: weights 1 3 7 9, and a month in one of the five centuries."""
    if len(d) != 11 or not 1 <= (d[2] * 10 + d[3]) % 20 <= 12 or not 1 <= d[4] * 10 + d[5] <= 31:
        return False
    return (10 - _weighted(d, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10) % 10 == d[10]


def se_personnummer(d: Sequence[int]) -> bool:
    """Personnummer: Luhn over the last ten digits, with a month and a day (a coordination number: day + 60)."""
    last = d[-10:]
    if len(d) not in (10, 12) or not 1 <= last[2] * 10 + last[3] <= 12:
        return False
    return 1 <= (last[4] * 10 + last[5]) % 60 <= 31 and luhn(last)


_D5 = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    (1, 2, 3, 4, 0, 6, 7, 8, 9, 5),
    (2, 3, 4, 0, 1, 7, 8, 9, 5, 6),
    (3, 4, 0, 1, 2, 8, 9, 5, 6, 7),
    (4, 0, 1, 2, 3, 9, 5, 6, 7, 8),
    (5, 9, 8, 7, 6, 0, 4, 3, 2, 1),
    (6, 5, 9, 8, 7, 1, 0, 4, 3, 2),
    (7, 6, 5, 9, 8, 2, 1, 0, 4, 3),
    (8, 7, 6, 5, 9, 3, 2, 1, 0, 4),
    (9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
)
_SHUFFLE = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    (1, 5, 7, 6, 2, 8, 3, 0, 9, 4),
    (5, 8, 0, 3, 7, 9, 6, 1, 4, 2),
    (8, 9, 1, 6, 0, 4, 3, 5, 2, 7),
    (9, 4, 5, 3, 1, 2, 6, 8, 7, 0),
    (4, 2, 8, 6, 5, 7, 3, 9, 0, 1),
    (2, 7, 9, 3, 8, 0, 6, 4, 1, 5),
    (7, 0, 4, 6, 9, 1, 3, 2, 5, 8),
)


def verhoeff(d: Sequence[int]) -> bool:
    """The dihedral check digit."""
    c = 0
    for n, digit in enumerate(reversed(d)):
        c = _D5[c][_SHUFFLE[n % 8][digit]]
    return bool(d) and c == 0


def in_aadhaar(d: Sequence[int]) -> bool:
    """Aadhaar: 12 digits that do not begin with 0 or 1, Verhoeff."""
    return len(d) == 12 and d[0] > 1 and verhoeff(d)


def br_cpf(d: Sequence[int]) -> bool:
    """CPF: two check digits modulo 11."""
    if len(d) != 11 or len(set(d)) == 1:
        return False
    first = _weighted(d[:9], range(10, 1, -1)) * 10 % 11 % 10
    second = _weighted(d[:10], range(11, 1, -1)) * 10 % 11 % 10
    return [first, second] == list(d[9:])


def ca_sin(d: Sequence[int]) -> bool:
    """Social insurance number: nine digits, not from 0 or 8, Luhn."""
    return len(d) == 9 and d[0] not in (0, 8) and luhn(d)


def au_tfn(d: Sequence[int]) -> bool:
    """Tax file number: weighted sum divisible by 11."""
    return len(d) == 9 and any(d) and _weighted(d, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0


def ch_ahv(d: Sequence[int]) -> bool:
    """AHV number: 756 and an EAN-13 check digit."""
    if len(d) != 13 or list(d[:3]) != [7, 5, 6]:
        return False
    return (10 - _weighted(d, (1, 3) * 6) % 10) % 10 == d[12]


def be_nrn(d: Sequence[int]) -> bool:
    """Belgian national register number: 97 minus the rest, with a 2 in front for births from 2000 on."""
    if len(d) != 11 or (d[2] * 10 + d[3]) % 20 > 12:
        return False
    number, key = int("".join(map(str, d[:9]))), d[9] * 10 + d[10]
    return key in (97 - number % 97, 97 - (2_000_000_000 + number) % 97)


def cn_id(text: str) -> bool:
    """Resident identity number: 17 digits and a check character, modulo 11 (GB 11643)."""
    d = digits_of(text[:17])
    if len(d) != 17 or len(text) != 18 or not 1 <= d[10] * 10 + d[11] <= 12:
        return False
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    return "10X98765432"[_weighted(d, weights) % 11] == text[17].upper()


def fi_hetu(text: str) -> bool:
    """Henkilötunnus: the last character is the number modulo 31."""
    number = text[:6] + text[7:10]
    if not number.isdigit() or len(text) != 11:
        return False
    return "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(number) % 31] == text[10].upper()
