"""The table of rules: what it finds, where, and what it leaves alone."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memoranda.gate.screen.engine import Engine, _runs
from memoranda.gate.screen.masking import without
from memoranda.gate.screen.normal import form_of, plain
from memoranda.gate.screen.rule import Rule
from memoranda.gate.screen.rules import RULES, BuiltIn
from memoranda.testing import ScreenSuite
from tests.gate.screen.made import CARD, KEYS, PASSWORD, WORDS, an_iban, made

SCREEN = BuiltIn()


def rules(text: str, group: str = "") -> set[str]:
    return {f.rule for f in SCREEN.scan(text) if not group or f.group == group}


class TestBuiltIn(ScreenSuite):
    texts = (*KEYS.values(), f"the router login is admin / {PASSWORD}", CARD, an_iban())

    def screen(self) -> BuiltIn:
        return BuiltIn()


def test_every_rule_is_named_once_and_its_pattern_compiles() -> None:
    names = [rule.name for rule in RULES]
    assert len(names) == len(set(names))
    for rule in RULES:
        rule.compiled()
        assert rule.anchors or rule.where in ("run", "text"), rule.name
    assert [
        r.name for r in RULES if r.group == "secret" and r.where == "literal" and not r.source
    ] == []


def test_no_pattern_repeats_without_a_bound() -> None:
    unbounded = re.compile(r"(?<!\\)(?:[*+]|\{\d+,\})(?![^\[]*\])")
    for rule in RULES:
        bare = re.sub(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", "x", rule.pattern)
        assert not unbounded.search(bare), rule.name


@pytest.mark.parametrize("name", KEYS)
def test_a_vendors_key_is_found_whole_wherever_it_stands(name: str) -> None:
    for text in (
        "{}",
        "User said: please remember {} for later.",
        "export X={}",
        'call(key="{}")',
        "({})",
    ):
        found = [f for f in SCREEN.scan(text.format(KEYS[name])) if f.rule == name]
        start = text.index("{}")
        assert any(f.start <= start and start + len(KEYS[name]) <= f.end for f in found), text


def test_windows_of_a_rule_that_touch_are_searched_once() -> None:
    looked: list[str] = []

    def holds(value: str, before: str, after: str) -> bool:
        looked.append(value)
        return True

    rule = Rule("r", "secret", "secret", r"[0-9]{1,9}", ("pin",), before=40, after=40, holds=holds)
    text = " pin".join(map(str, range(50)))
    assert len(Engine([rule]).scan(text)) == len(looked) == 50


SPOKEN = [
    "the router login is admin / {}",
    "wifi: HomeNet pass {}",
    "my Netflix password's {}",
    "Use {} as the password for the portal.",
    "{} is my mail password",
    "I changed the admin password to {} yesterday.",
    "Mein Passwort ist {}",
    "mon mot de passe est {}",
    "La contraseña del correo es {}",
    "password={}",
    '"password": "{}"',
    "https://deploy:{}@git.example/x.git",
    "Server=db;User Id=sa;Password={};",
    "curl -u bob:{} https://x.example",
    "My password? {}",
    "pw {}",
]


@pytest.mark.parametrize("text", SPOKEN)
def test_a_password_in_words_is_found_and_taken_out(text: str) -> None:
    said = text.format(PASSWORD)
    found = [f for f in SCREEN.scan(said) if f.group == "secret"]
    assert found
    assert PASSWORD not in without(said, found)


@pytest.mark.parametrize(
    "text",
    [
        "the door PIN is 8289",
        "use 4711 to open the gate",
        "The safe opens with the code 591960.",
        "PIN for the garage: 4711",
        "The alarm is disarmed with 2580#",
        "The bike lock combination is 3-7-1",
        "Your verification code is 482913",
        "2FA backup codes 36a43-3feb2, 791f9-6de7a",
        "My 2FA backup code is 8f3k-29dk",
        "wallet seed phrase: " + " ".join(WORDS),
        " ".join(WORDS),
        "Seed: " + " ".join(f"{n}. {w}" for n, w in enumerate(WORDS, 1)),
        "TOTP secret JBSW Y3DP EHPK 3PXP",
        "The map service key is " + made(32, "0123456789abcdef") + ".",
        "My mail password is still sunflowers.",
    ],
)  # fmt: skip
def test_codes_and_weak_passwords_are_found(text: str) -> None:
    assert rules(text, "secret")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"Pay with {CARD}", "card"),
        (f"Salary goes to {an_iban('FR')} from May.", "iban"),
        ("SSN 175-32-6547", "national_id"),
        ("My NINO is AB 12 34 56 C", "national_id"),
        ("Her passport (K12345678) expires soon", "passport"),
        ("driver's license W0846535", "driving_licence"),
        ("MRN 31062828", "medical_record"),
        ("reach me at +44 7700 900123", "phone"),
        ("Call me at 202-555-0122.", "phone"),
        ("mail a.b@mailhost.test", "email"),
        ("Logged in from 93.179.149.167", "ip"),
        ("I live at 93 Alder Lane, Dayton, OH 45402", "address"),
        ("date of birth 27.7.1958", "birth_date"),
        ("Dana was diagnosed with diabetes.", "health"),
        ("He is openly gay.", "sexuality"),
        ("She is a devout Catholic.", "religion"),
        ("He voted for the Green Party.", "politics"),
        ("She is a member of the workers union.", "union"),
        ("He was arrested for fraud.", "legal"),
        ("The user is allergic to peanuts.", "diet"),
    ],
)  # fmt: skip
def test_personal_data_and_topics_have_their_kind(text: str, kind: str) -> None:
    assert kind in {f.kind for f in SCREEN.scan(text)}


@pytest.mark.parametrize(
    "text",
    [
        "My password manager is 1Password.",
        "The password must be changed every 90 days.",
        "She wants to change her password to something stronger.",
        "The PIN code has 6 digits.",
        "Her zip code is 78704.",
        "The error code at the gate is 404.",
        "The door opens at 0900.",
        "Commit 3f2a9c1b7d4e5f60718293a4b5c6d7e8f9012345 fixes the token refresh.",
        "password = getpass.getpass('DB: ')",
        "if password == confirm_password:",
        "secret: ${{ secrets.API }}",
        "DATABASE_URL=postgres://user:password@localhost/dev",
        "OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxx",
        "Version 4.12.0.3 fixes it.",
        "The printer has 192.168.0.14.",
        "Order 4929118822037742 was shipped.",
        "Born in 1984, she moved in 2019-2023.",
        "The passport office opens at 9.",
        "The MIT license applies since 2019.",
        "My favourite number is 1234567",
        "They visited the Catholic school and a gay bar.",
        "Our charity walk is for cancer research.",
    ],
)
def test_ordinary_notes_are_left_alone(text: str) -> None:
    assert rules(text, "secret") | rules(text, "personal") | rules(text, "topic") == set()


WHO = ["Lena", "The user", "My neighbour", "Acme Corp", "The team", "Tom's sister"]
DOES = [
    "prefers",
    "likes",
    "plans",
    "wants to see",
    "talked about",
    "bought",
    "repaired",
    "painted",
]
WHAT = ["the blue bicycle", "a long walk", "the new release", "red tulips", "a wooden table", "two old chairs",
        "the password rules", "their secret garden", "a key ring", "the code review", "the phone call"]  # fmt: skip
WHEN = [
    "in May",
    "on 12.11.2026",
    "at 14:30",
    "last week",
    "in room 12",
    "for 49.90 euro",
    "every Sunday",
]


@given(st.lists(st.tuples(*map(st.sampled_from, (WHO, DOES, WHAT, WHEN))), min_size=1, max_size=4))
def test_no_false_alarm_on_ordinary_sentences(parts: list[tuple[str, ...]]) -> None:
    text = ". ".join(" ".join(part) for part in parts) + "."
    assert SCREEN.scan(text) == []


HIDE = st.sampled_from(["\u200b", "\u00ad", "\u2060", "\u202e", "\ufeff", "\u200d"])


@given(st.sampled_from(sorted(KEYS)), st.data())
def test_a_key_split_by_unseen_characters_is_found_and_taken_out_whole(
    name: str, data: st.DataObject
) -> None:
    secret = KEYS[name].split("\n")[0] if "\n" in KEYS[name] else KEYS[name]
    if name == "private-key":
        return
    at = data.draw(st.integers(1, len(secret) - 1))
    hidden = secret[:at] + data.draw(HIDE) + secret[at:]
    text = f"Höre: {hidden} – merk dir das"
    found = [f for f in SCREEN.scan(text) if f.rule == name]
    assert [text[f.start : f.end] for f in found] == [hidden]
    left = without(text, found)
    assert plain(secret) not in plain(left)
    assert (left[:6], left[-15:]) == ("Höre: ", " – merk dir das")


def test_full_width_digits_are_digits() -> None:
    wide = "".join(chr(ord(c) + 0xFEE0) for c in CARD)
    arabic = "".join(chr(ord(c) - 48 + 0x660) for c in CARD)
    for digits in (wide, arabic):
        text = f"card {digits} ok"
        [found] = [f for f in SCREEN.scan(text) if f.kind == "card"]
        assert text[found.start : found.end] == digits


@given(st.text(max_size=60))
def test_places_lie_inside_any_text_and_the_form_is_stable(text: str) -> None:
    form = form_of(text)
    assert len(form.low) == len(form.text)
    assert plain(form.text) == form.text
    assert form_of(form.text).text == form.text
    for n in range(len(form.text)):
        start, end = form.place(n, n + 1)
        assert 0 <= start < end <= len(text)
    for finding in SCREEN.scan(text):
        assert 0 <= finding.start < finding.end <= len(text)


@given(
    st.text(max_size=20),
    st.sampled_from(SPOKEN),
    st.text("abcXYZ0189!?$", min_size=8, max_size=20),
    st.text(max_size=20),
)
def test_masking_never_leaves_a_value_that_was_found(
    before: str, told: str, value: str, after: str
) -> None:
    text = f"{before} {told.format(value)} {after} {value}"
    found = SCREEN.scan(text)
    left = without(text, found)
    for finding in found:
        taken = text[finding.start : finding.end]
        if len(taken) >= 6:
            assert taken not in left.replace("[secret removed]", "")


# What spares the engine work must not spare it a finding


HINTED = [rule for rule in RULES if rule.hint]


@given(st.data())
def test_a_hint_is_in_everything_that_its_pattern_finds(data):
    rule = data.draw(st.sampled_from(HINTED))
    text = data.draw(st.from_regex(re.compile(rule.pattern)))
    assume(rule.compiled().search(text))
    assert rule.hinted(text)


WHOLE_RUN = re.compile(r"(?<![0-9])[+(]{0,2}[0-9](?:[ .()/-]{0,3}[0-9]){3,60}(?![0-9])")


@given(
    st.text("0123456789+( ).-a", max_size=40)
    | st.builds(
        "{}{}{}".format,
        st.sampled_from(["", "+", "((", "5+(", "x"]),
        st.text("01", min_size=55, max_size=80),
        st.text("01 +", max_size=9),
    )
)
def test_runs_of_digits_are_what_one_pattern_would_find(text):
    found = [(sum(c.isdigit() for c in run[0]), *run.span()) for run in WHOLE_RUN.finditer(text)]
    assert list(_runs(text)) == found
