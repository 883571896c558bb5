"""Personal data: numbers with check digits first, then shapes with a word that says what they are.

`kind` is what the policy is set for. Dates of birth, street addresses and network hardware are found too; the policy
lets most of them pass.
"""

from __future__ import annotations

import ipaddress
import re

from memoranda.gate.screen import numbers
from memoranda.gate.screen.numbers import digits_of
from memoranda.gate.screen.rule import Check, Needs, Rule, Where

# Between a name and its value, in one clause; the point of "no." ends none.
GAP = r"(?:[^\n.;]|(?<=[nN][oOrR])\.){0,40}?"
_BY_LENGTH: dict[str, list[str]] = {}
for _country, _length in numbers.IBANS.items():
    _BY_LENGTH.setdefault(_length, []).append(_country)
IBAN = "|".join(
    rf"(?:{'|'.join(countries)})\d\d(?:[ -]?[A-Z0-9]){{{int(length) - 4}}}"
    for length, countries in _BY_LENGTH.items()
)
EDGE = r"(?<![\w.-])"
END = r"(?![\w-]|[.,]\d)"

CARD_WORDS = re.compile(
    r"\b(?:card|visa|master ?card|amex|american express|maestro|discover|diners|jcb|credit|debit|cc|kreditkarte|tarjeta|carte)\b"
)
NO_CARD = re.compile(
    r"\b(?:order|tracking|invoice|isbn|imei|iccid|ref|reference|ticket|parcel|shipment|serial|timestamp|id|build|run|commit|ean|upc|gtin|meter|policy|case|booking|issue|bug|epoch|unix)\b[\w .#:'-]{0,14}$"
)
PHONE_WORDS = re.compile(
    r"\b(?:phone|phones|tel|telephone|telefon|telefono|teléfono|téléphone|mobile|mobil|cell|cellphone|cellular|handy|call|calls|called|calling|ring|ringing|rings|dial|text|texts|sms|whatsapp|signal|fax|reach|reached|reachable|contact|"
    r"hotline|landline|number is|number|numbers|desk|office|home|work|answering|messages|message|voicemail|pager|ruf|rufnummer|erreichbar|anrufen|nummer|móvil|portable|appeler|llamar|phone:|line)\b"
)
NO_PHONE = re.compile(
    r"\b(?:order|tracking|invoice|isbn|issn|imei|ref|reference|ticket|parcel|serial|version|release|build|run|commit|issue|bug|port|room|flight|score|account|iban|card|passport|policy|case|booking|customer|patient|record|mrn|"
    r"licen[cs]e|dl|ssn|tax|vat|rfc|page|pages|chapter|zip|postcode|price|cost|costs|usd|eur|euros?|area|population|year|years|date|id|model|part|sku|barcode|from|between|batch|lot|member|membership|student|employee|insurance|nhs|social security|favou?rite|lucky|steuer\w*|ni)\b[\w .#:'/-]{0,14}$"
)
DATE = re.compile(
    r"(?:19|20)\d\d[-./]\d{1,2}[-./]\d{1,2}(?:[ T]?\d{0,2})|\d{1,2}[-./]\d{1,2}[-./](?:(?:19|20)\d\d|\d\d)|\d{1,2}[-./](?:19|20)\d\d|(?:19|20)\d\d ?[-/] ?(?:19|20)?\d\d"
)
GROUPED = re.compile(
    r"\(\d{2,5}\) ?\d{2,4}[ .-]?\d{3,5}|\(\d{3}\) ?\d{3}[-. ]\d{4}|\d{3}[-. ]\d{3}[-. ]\d{4}|1[-. ]\d{3}[-. ]\d{3}[-. ]\d{4}|0\d{1,5}[ /-]{1,3}\d{3,9}(?:[ -]\d{1,5}){0,3}|0\d(?:[ .]\d\d){4}|0\d{2,4}(?:[ -]\d{2,4}){2,3}|\(0\d{1,4}\) ?\d{3,8}(?:[ -]\d{2,5}){0,2}"
)


def card(value: str, before: str, after: str) -> bool:
    """A payment card, unless the words before it say what else the number is."""
    digits = digits_of(value)
    told = CARD_WORDS.search(before + " " + after) is not None
    if NO_CARD.search(before) and not CARD_WORDS.search(before[-30:]):
        return False
    if told:
        return 12 <= len(digits) <= 19 and len(set(digits)) > 1 and numbers.luhn(digits)
    return len(digits) >= 14 and numbers.card(digits)


def phone(value: str, before: str, after: str) -> bool:
    """A telephone number: international, in a national shape, or any digits behind a word that says so."""
    count = len(digits_of(value))
    if (
        not 6 <= count <= 17
        or DATE.fullmatch(value)
        or re.fullmatch(r"\d{1,3}(?:\.\d{1,3}){3}", value)
    ):
        return False
    if value.startswith("+"):
        return count >= 8
    if NO_PHONE.search(before) and not re.search(
        r"(?:phone|mobile|cell|tel|call)[\w .#:]{0,12}$", before
    ):
        return False
    if re.fullmatch(r"\d+(?:\.\d+){1,4}", value) and not re.fullmatch(
        r"\d{3}\.\d{3}\.\d{4}|0\d(?:\.\d\d){4}", value
    ):
        return False
    told = (
        PHONE_WORDS.search(before[-45:]) is not None
        or re.match(r"[\s,\-\\]{0,3}(?:office|mobile|home|cell|fax|desk|work|direct)\b", after)
        is not None
    )
    if GROUPED.fullmatch(value):
        return told or value[0] in "0(" or count in (10, 11)
    grouped = re.search(r"[ ().-]", value) is not None
    return (
        told
        and (count >= 7 or grouped)
        and (
            grouped
            or value[0] == "0"
            or re.search(
                r"(?:phone|mobile|cell|tel|number|call|ring|text|handy|fax|whatsapp)[^\n.;]{0,25}$",
                before,
            )
            is not None
        )
    )


def ssn(value: str, before: str, after: str) -> bool:
    """US social security number: in its own shape, or nine digits behind its name."""
    told = (
        re.search(r"\b(?:ssn|social security|itin|tax ?id)\b", before + " " + after[:30])
        is not None
    )
    digits = digits_of(value)
    if not numbers.us_ssn(digits) and not (told and "-" in value and len(digits) == 9):
        return False
    return "-" in value or told


def nino(value: str, before: str, after: str) -> bool:
    """UK: a prefix that is given out, or its name beside it."""
    letters = re.match(r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]", value) is not None
    return (letters and numbers.uk_nino(value)) or re.search(
        r"\b(?:nino|ni|national insurance)\b", before + " " + after[:40]
    ) is not None


def ip_address(value: str, before: str, after: str) -> bool:
    """A public address that is no version number."""
    try:
        address = ipaddress.ip_address(value)
    except ValueError:
        return False
    if not address.is_global or address.is_multicast:
        return False
    if re.search(
        r"\b(?:ip|ips|ipv4|ipv6|address|logged in|login|host|server|ping|ssh|from|subnet|gateway|dns|vpn|router|seen)\b[\w\s.:='\"/-]{0,20}$",
        before,
    ):
        return re.search(r"\b(?:version|release|upgrade[ds]?)\b[\w .:]{0,10}$", before) is None
    if re.search(
        r"(?:\bv|version|release|upgrade|update|section|chapter|firmware|driver|build|patch|kernel|fix|rev)\b[\w .:]{0,14}$",
        before,
    ):
        return False
    return ":" in value or sum(len(part) for part in value.split(".")) >= 8


def letters_and_digits(least: int) -> Check:
    """At least so many digits."""
    return lambda value, before, after: sum(c.isdigit() for c in value) >= least


def no_year(value: str, before: str, after: str) -> bool:
    """No year, and no date."""
    return len(digits_of(value)) >= 5 and not DATE.fullmatch(value)


def mail(value: str, before: str, after: str) -> bool:
    """An e-mail address; not the login of a repository's address, and no file name."""
    if re.match(r"(?i)(?:no-?reply|do-?not-?reply|mailer-daemon)@", value):
        return False
    return (
        not (value.startswith("git@") and after[:1] == ":")
        and not before.endswith(("://", "//"))
        and not re.search(r"\.(?:png|jpe?g|gif|svg|webp|css|js|py|md)$", value.lower())
    )


def _personal(
    name: str,
    kind: str,
    pattern: str,
    anchors: tuple[str, ...] = (),
    where: Where = "run",
    value: int = 1,
    before: int = 1,
    after: int = 2,
    holds: Check | None = None,
    source: str = "",
    least: int = 0,
    hint: str = "",
) -> Rule:
    needs: Needs = (
        "digit" if where == "word" and kind not in ("email", "address", "mac", "birth_date") else ""
    )
    return Rule(name, "personal", kind, pattern, anchors, where, value, before, after, holds, source, needs, least, hint)  # fmt: skip


def _id(name: str, pattern: str, words: str, test: Check, source: str) -> Rule:
    """A national id: its shape and its check digit, near a word that names it."""
    return _personal(
        name,
        "national_id",
        rf"{EDGE}({pattern}){END}",
        tuple(words.split()),
        "word",
        before=70,
        after=70,
        holds=test,
        source=source,
    )


NUMBERS: tuple[Rule, ...] = (
    _personal("card", "card", r"(?<![\w.-])(\d{12,19}|\d{4}(?:[ .-]\d{4}){2}[ .-]\d{1,7}|\d{4}[ .-]\d{6}[ .-]\d{4,5})(?![\w-]|[.,]\d)", holds=card, source="ISO/IEC 7812-1", least=12),
    _personal("phone", "phone", r"(?<![\w.,:/#-])(\+?(?:\d|\(\+?\d)[\d ().\-/]{4,24}\d(?:\s?(?:x|ext\.?)\s?\d{1,5})?)(?![\w-]|[.,:]\d)", before=3, after=10, holds=phone, source="ITU-T E.164; national numbering plans", least=6),
    _personal("us-ssn", "national_id", r"(?<![\w.-])(\d{3}-\d{2}-\d{4}|\d{3} \d{2} \d{4}|\d{9})(?![\w-])", holds=ssn, source="SSA: randomization and valid ranges", least=9),
    _id("uk-nhs", r"\d{3}[ -]?\d{3}[ -]?\d{4}", "nhs", lambda v, b, a: numbers.uk_nhs(digits_of(v)), "NHS data dictionary"),
    _id("de-tax-id", r"\d{2} ?\d{3} ?\d{3} ?\d{3}", "steuer steuernummer steuerid identifikationsnummer steueridentifikationsnummer idnr tin tax", lambda v, b, a: numbers.de_tax(digits_of(v)), "BZSt"),
    _personal("fr-nir", "national_id", rf"{EDGE}([1-478] ?\d\d ?\d\d ?\d\d ?\d{{3}} ?\d{{3}} ?\d\d){END}", holds=lambda v, b, a: numbers.fr_nir(digits_of(v)), source="INSEE", least=15),
    _id("nl-bsn", r"\d{3}[. ]?\d{3}[. ]?\d{3}|\d{4}[. ]\d{2}[. ]\d{3}", "bsn burgerservicenummer sofinummer", lambda v, b, a: numbers.nl_bsn(digits_of(v)), "RvIG"),
    _id("pl-pesel", r"\d{11}", "pesel", lambda v, b, a: numbers.pl_pesel(digits_of(v)), "gov.pl: PESEL"),
    _personal("se-personnummer", "national_id", rf"{EDGE}((?:19|20)?\d{{6}}[-+]\d{{4}}){END}", holds=lambda v, b, a: numbers.se_personnummer(digits_of(v)), source="Skatteverket", least=10),
    _id("in-aadhaar", r"\d{4} \d{4} \d{4}|\d{12}", "aadhaar aadhar uidai uid", lambda v, b, a: numbers.in_aadhaar(digits_of(v)), "UIDAI"),
    _personal("br-cpf", "national_id", rf"{EDGE}(\d{{3}}\.\d{{3}}\.\d{{3}}-\d\d){END}", holds=lambda v, b, a: numbers.br_cpf(digits_of(v)), source="Receita Federal", least=11),
    _id("br-cpf-bare", r"\d{11}", "cpf", lambda v, b, a: numbers.br_cpf(digits_of(v)), "Receita Federal"),
    _id("ca-sin", r"\d{3}[ -]?\d{3}[ -]?\d{3}", "sin social", lambda v, b, a: numbers.ca_sin(digits_of(v)), "Service Canada"),
    _id("au-tfn", r"\d{3} ?\d{3} ?\d{3}", "tfn tax", lambda v, b, a: numbers.au_tfn(digits_of(v)), "ATO"),
    _personal("ch-ahv", "national_id", rf"{EDGE}(756\.?\d{{4}}\.?\d{{4}}\.?\d\d){END}", holds=lambda v, b, a: numbers.ch_ahv(digits_of(v)), source="ZAS", least=13),
    _personal("be-nrn", "national_id", rf"{EDGE}(\d\d\.\d\d\.\d\d-\d{{3}}\.\d\d){END}", holds=lambda v, b, a: numbers.be_nrn(digits_of(v)), source="IBZ", least=11),
    _personal("cn-id", "national_id", rf"{EDGE}(\d{{17}}[\dXx]){END}", holds=lambda v, b, a: numbers.cn_id(v), source="GB 11643", least=17),
    _personal("fi-hetu", "national_id", rf"{EDGE}(\d{{6}}[-+A]\d{{3}}[0-9A-Y]){END}", holds=lambda v, b, a: numbers.fi_hetu(v), source="DVV", least=6),
    _personal("es-dni", "national_id", rf"(?<![\w.-])((?:\d{{8}}|\d\d\.\d{{3}}\.\d{{3}}|[XYZ][- ]?\d{{7}})[- ]?[A-HJ-NP-TV-Z]){END}", after=4, before=3, holds=lambda v, b, a: numbers.es_dni(v), source="Ministerio del Interior", least=7),
    _personal("it-codice-fiscale", "national_id", r"(?<!\w)([A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z])(?!\w)", ("codice", "fiscale", "cf", "tax", "italian"), "word", before=60, after=60, holds=lambda v, b, a: numbers.it_cf(v), source="Agenzia delle Entrate"),
    _personal("ip-address", "ip", r"(?<![\w.:-])(\d{1,3}(?:\.\d{1,3}){3})(?![\w-]|\.\d)", holds=ip_address, source="RFC 791, IANA special-purpose registry", least=4),
)  # fmt: skip

SHAPES: tuple[Rule, ...] = (
    _personal("iban", "iban", rf"(?i)(?<![A-Za-z0-9])(?=[^\W\d_]{{2}}\d\d)({IBAN})(?![A-Za-z0-9])", before=14, after=40, holds=lambda v, b, a: numbers.iban(v), source="ISO 13616", least=8),
    _personal("uk-nino", "national_id", r"(?<![A-Za-z0-9])([A-Z]{2} ?-?\d\d ?-?\d\d ?-?\d\d ?-?[A-D])(?![A-Za-z0-9])", before=3, after=4, holds=nino, source="HMRC: NIM39110", least=6),
    _personal("email", "email", r"(?<![A-Za-z0-9._%+'-])([A-Za-z0-9._%+'-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z][A-Za-z-]{1,23})(?![A-Za-z0-9-])", ("@",), "mark", before=64, after=120, holds=mail, source="RFC 5321"),
    _personal("email-spelled", "email", r"(?i)(?<![\w.])([A-Z0-9._%+-]{2,64}\s?[(\[{]\s?at\s?[)\]}]\s?[A-Z0-9-]{2,63}(?:\s?(?:[(\[{]\s?dot\s?[)\]}]|\.)\s?[A-Z]{2,20}){1,4})", ("at",), "word", before=70, after=70, hint=r"[(\[{]\s?[aA][tT]\s?[)\]}]"),
    _personal("ipv6-address", "ip", r"(?i)(?<![\w:.])((?:[0-9a-f]{1,4}:){2,7}(?::[0-9a-f]{1,4}|[0-9a-f]{1,4}){1,7}(?::[0-9a-f]{1,4}){0,6})(?![\w:])", ("::", ":0", ":f", ":1", ":2", ":a", ":b", ":c", ":d", ":8", "::1"), "mark", before=40, after=60, holds=ip_address, source="RFC 4291", hint=r":[0-9a-fA-F]{1,4}:"),
    _personal("mac-address", "mac", r"(?i)(?<![\w:-])([0-9a-f]{2}(?:(?::[0-9a-f]{2}){5}|(?:-[0-9a-f]{2}){5}))(?![\w:-])", ("mac", "hardware", "device", "wlan", "ethernet", "adapter", "bluetooth"), "word", before=80, after=80, source="IEEE 802"),
    _personal("passport", "passport", rf"(?i)(?:passport|reisepass|passeport|pasaporte|passaporto|paspoort)(?:s|\W?nummer)?\b{GAP}(?<![\w-])((?=[A-Z]{{0,3}}\d)[A-Z0-9]{{6,10}})(?![\w-])", ("passport", "passports", "reisepass", "reisepassnummer", "passeport", "pasaporte", "passaporto", "paspoort"), "word", before=0, holds=letters_and_digits(5), source="ICAO Doc 9303"),
    _personal("passport-before", "passport", r"(?<![\w-])((?=[A-Z]{0,3}\d)[A-Z0-9]{7,9})\s(?:is|was|\()\s?(?:my|the|his|her|their|our|a)?\s?(?:[\w']{1,20}\s){0,2}?(?i:passport)", ("passport",), "word", before=60, after=2, holds=letters_and_digits(6)),
    _personal("driving-licence", "driving_licence", rf"(?i)(?:driver'?s?'?|driving)[ -]?(?:licen[cs]e|permit|license)\b{GAP}(?<![\w-])((?=[A-Z]{{0,5}}\d)[A-Z0-9]{{1,5}}[A-Z0-9 -]{{3,18}}[A-Z0-9])(?![\w-])", ("driver", "drivers", "driving"), "word", before=0, holds=letters_and_digits(5), source="AAMVA: licence number formats; DVLA"),
    _personal("licence-number", "driving_licence", r"(?i)(?:licen[cs]e|fahrerlaubnis|führerschein)(?:nummer)?\s?(?:plate\s)?(?:(?:number|no\.?|num|#|id|is|:)|(?=[A-Z]\d{5}))(?:\s(?:is|was)|:)?\s{0,2}[#:]?\s?(?<![\w-])((?=[A-Z]{0,5}\d)[A-Z0-9][A-Z0-9-]{5,17})(?![\w-])", ("license", "licence", "führerschein", "führerscheinnummer", "fahrerlaubnis"), "word", before=0, holds=letters_and_digits(5)),
    _personal("dl-number", "driving_licence", r"(?:DLN?|dln)\s?(?:no\.?|number|#|:|is)?\s{0,2}[#:]?\s?((?=[A-Z]{0,2}\d)[A-Z0-9](?:-?[A-Z0-9]){5,16})(?![\w-])", ("dl", "dln"), "word", before=0, holds=letters_and_digits(6)),
    _personal("licence-before", "driving_licence", r"(?<![\w-])((?=[A-Z]{0,5}\d)[A-Z0-9]{6,15})\s(?:is|was|\(|as)\s?(?:my|the|his|her|their|our|a)?\s?(?i:driv\w{0,4}'?s? licen[cs]e)", ("driver", "driving", "drivers"), "word", before=60, after=12, holds=letters_and_digits(5)),
    _personal("medical-record", "medical_record", r"(?i)(?:medical|hospital|patient|clinic|health|chart|insurance|krankenversicherung\w{0,10}|patienten\w{0,10}|mrn|member)(?:'s)?(?:\s(?:record|records|chart|file|card|insurance|care|plan|patient)){0,2}"
              r"(?:\s?(?:number|no\.?|nr\.?|num|id|record)\b\.?[^\n.;]{0,24}?|\s?(?:is|was)|)[\s#:=]{1,3}((?=[A-Z]{0,4}-?\d)[A-Z0-9-]{5,16})(?![\w-]|[.,]\d)", ("medical", "hospital", "patient", "chart", "mrn", "patientennummer", "krankenversicherungsnummer"), "word", before=0, holds=no_year),
    _personal("medical-record-before", "medical_record", r"(?<![\w-])((?=[A-Z]{0,3}-?\d)[A-Z0-9-]{6,14})\s(?:is|was|\(|as)\s?(?:my|the|his|her|their|our|a)?\s?(?i:medical record|patient (?:id|number|no)|mrn|hospital (?:record|number|id))", ("medical", "patient", "mrn", "hospital"), "word", before=60, after=14, holds=no_year),
    _personal("birth-date", "birth_date", r"(?i)(?:born|birth|birthday|birthdate|dob|geboren|geburtstag|geburtsdatum)\b[^\n;]{0,40}?(\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}(?:st|nd|rd|th|\.)?\s(?:of\s)?[A-Z][a-zä]{2,8}\.?,?\s\d{4}|[A-Z][a-z]{2,8}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s\d{4})", ("born", "birth", "birthday", "birthdate", "dob", "geboren", "geburtstag", "geburtsdatum"), "word", before=0),
    _personal("street-address", "address", r"(?<![\w.])(\d{1,5}[a-z]?\s(?:[NSEW]\.?\s)?(?:[A-ZÀ-Þ][\w'.-]{1,20}\s){1,4}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Pl|Square|Sq|Terrace|Way|Close|Crescent|Gardens|Grove|Hill|Mews|Parkway|Pkwy|Row|Walk|Highway|Hwy)\b\.?(?:,?\s(?:[A-Z][\w.-]{1,20}\s?){1,3})?(?:,\s(?:[A-Z]{2}\s\d{5}(?:-\d{4})?))?)", tuple("street st road rd avenue ave lane ln drive dr boulevard blvd court ct place pl square sq terrace way close crescent gardens grove hill mews parkway pkwy row walk highway hwy".split()), "word", before=70, after=60),
    _personal("street-address-de", "address", r"(?<!\w)([A-ZÄÖÜ][\wäöüß.-]{2,30}(?:straße|strasse|str\.|weg|gasse|platz|allee|ring)\s\d{1,4}[a-z]?(?:,?\s\d{5}\s[A-ZÄÖÜ][\wäöüß-]{2,30})?)", ("straße", "strasse", "platz", "allee", "gasse", "str"), "word", before=40, after=50),
)  # fmt: skip

PERSONAL = (*NUMBERS, *SHAPES)
