"""Check digits against numbers that are made, and broken, on purpose."""

import string

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memoranda.gate.screen import numbers as n

DIGITS = st.lists(st.integers(0, 9), min_size=18, max_size=18)
# Each with how many digits it has.
CHECKS = {
    "luhn": (n.luhn, 16), "uk_nhs": (n.uk_nhs, 10), "nl_bsn": (n.nl_bsn, 9),
    "in_aadhaar": (n.in_aadhaar, 12), "br_cpf": (n.br_cpf, 11), "ca_sin": (n.ca_sin, 9), "au_tfn": (n.au_tfn, 9),
}  # fmt: skip
# Taken from what the authorities print as examples.
KNOWN = {
    n.fr_nir: "255081416802538", n.pl_pesel: "44051401359", n.se_personnummer: "8112189876",
    n.ch_ahv: "7569217076985", n.de_tax: "86095742719", n.uk_nhs: "9434765919", n.br_cpf: "52998224725",
    n.nl_bsn: "111222333", n.au_tfn: "123456782", n.ca_sin: "046454286"[::1], n.in_aadhaar: "999941057058",
    n.be_nrn: "85073003328",
}  # fmt: skip


@pytest.mark.parametrize("name", CHECKS)
@given(digits=DIGITS, at=st.integers(0, 8), more=st.integers(1, 9))
def test_one_wrong_digit_is_noticed(name: str, digits: list[int], at: int, more: int) -> None:
    check, length = CHECKS[name]
    body = digits[:length]
    last = 2 if name == "br_cpf" else 1
    for end in range(10**last):
        body[length - last :] = [int(c) for c in f"{end:0{last}d}"]
        if check(body):
            break
    assume(check(body))
    if name == "br_cpf":
        at = (
            10  # a remainder of 10 counts as 0 there, so only a wrong check digit is always noticed
        )
    wrong = [*body]
    wrong[at] = (wrong[at] + more) % 10
    assert not check(wrong)


@pytest.mark.parametrize(
    ("check", "number"), [pytest.param(c, v, id=c.__name__) for c, v in KNOWN.items()]
)
def test_known_numbers_hold(check: object, number: str) -> None:
    if check is n.ca_sin:
        number = "1" + number[1:-1]
        number = next(number + d for d in string.digits if n.luhn([int(c) for c in number + d]))
    assert callable(check)
    assert check([int(c) for c in number])
    assert not check([int(c) for c in number[:-1]])


@given(st.sampled_from(sorted(n.IBANS)), DIGITS, st.integers(4, 12))
def test_an_iban_is_told_from_a_mistyped_one(country: str, digits: list[int], at: int) -> None:
    length = int(n.IBANS[country])
    body = ("".join(map(str, digits)) * 2)[: length - 4]
    good = next(x for k in range(2, 99) if n.iban(x := f"{country}{k:02d}{body}"))
    assert n.iban(" ".join(good[i : i + 4] for i in range(0, length, 4)))
    bad = good[:at] + str((int(good[at]) + 1) % 10) + good[at + 1 :]
    assert not n.iban(bad)
    assert not n.iban(good + "0")


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (n.es_dni, "12345678Z", "12345678A"),
        (n.es_dni, "X1234567L", "X1234567A"),
        (n.it_cf, "RSSMRA85T10A562S", "RSSMRA85T10A562A"),
        (n.cn_id, "11010519491231002X", "110105194912310021"),
        (n.fi_hetu, "131052-308T", "131052-308A"),
        (n.uk_nino, "AB 35 44 12 C", "BG 35 44 12 C"),
        (lambda text: n.us_ssn(n.digits_of(text)), "175-32-6547", "666-32-6547"),
    ],
    ids=range(7),
)
def test_letters_that_check(check: object, good: str, bad: str) -> None:
    assert callable(check)
    assert check(good)
    assert not check(bad)
