"""The attributes that facts are keyed by: names, other names, upkeep and words to look for them. Pure data.

A key may be qualified, the owner or setting first: `sister.home`, `work.editor`, `dentist.plan`. What holds
of an attribute holds of its qualified forms, but for those marked `listed`: a person has many plans, and a
dentist's appointment one date.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from memoranda.errors import UsageError
from memoranda.types import Kind

NAME_LIMIT = 80


@dataclass(frozen=True, slots=True)
class Attribute:
    """One row of the table.

    multi: several values may hold at once, so a new one adds. listed: multi, but single when qualified.
    words: what a question about it may say instead of its name.
    """

    name: str
    kind: Kind = Kind.FACT
    multi: bool = False
    listed: bool = False
    aliases: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


def _row(
    name: str,
    kind: Kind,
    aliases: str = "",
    words: str = "",
    multi: bool = False,
    listed: bool = False,
) -> Attribute:
    return Attribute(
        name, kind, multi or listed, listed, tuple(aliases.split()), tuple(words.split())
    )


_I, _P, _F, _A = Kind.IDENTITY, Kind.PREFERENCE, Kind.FACT, Kind.ACTIVITY

TABLE: tuple[Attribute, ...] = (
    _row("name", _I, "full_name first_name last_name surname real_name", "name called who"),
    _row("nickname", _I, "called call_me preferred_name", "name call called nickname address"),
    _row("pronouns", _I, "pronoun", "pronouns gender"),
    _row("age", _I, "years_old", "age old years"),
    _row("birthday", _I, "birth_date date_of_birth born_on dob", "birthday born birth date"),
    _row("birthplace", _I, "place_of_birth born_in", "born birthplace birth where"),
    _row(
        "home",
        _I,
        "city town lives_in live_in residence location address current_city based_in hometown_now",
        "live lives living city town address home where reside based",
    ),
    _row("hometown", _I, "origin from grew_up_in home_town", "from grew hometown originally"),
    _row("nationality", _I, "citizenship", "nationality country citizen passport"),
    _row("timezone", _I, "time_zone tz", "time zone timezone clock"),
    _row("postcode", _I, "zip zip_code postal_code", "postcode zip postal code"),
    _row(
        "employer",
        _I,
        "company works_at works_for work_place workplace job_at organisation organization",
        "work works job company employer employed office",
    ),
    _row(
        "role",
        _I,
        "job job_title occupation profession position works_as title",
        "job work role profession occupation position do title living",
    ),
    _row("team", _I, "department works_in", "team department group work"),
    _row(
        "school", _I, "university college studies_at alma_mater", "school university college study"
    ),
    _row(
        "field_of_study", _I, "major studies degree subject_of_study", "study studies major degree"
    ),
    _row("marital_status", _I, "relationship_status", "married single divorced relationship"),
    _row(
        "partner",
        _I,
        "wife husband spouse girlfriend boyfriend fiance fiancee significant_other",
        "partner wife husband spouse girlfriend boyfriend married dating",
    ),
    _row("children", _I, "child kids kid", "children child kids kid son daughter family", True),
    _row("mother", _I, "mum mom mama", "mother mum mom parents family"),
    _row("father", _I, "dad papa", "father dad parents family"),
    _row("sibling", _I, "siblings brothers sisters", "sibling brother sister family", True),
    _row("relative", _I, "relatives family", "family relatives", True),
    _row("friend", _I, "friends best_friend", "friend friends", True),
    _row(
        "colleague",
        _I,
        "colleagues coworker co_worker boss manager",
        "colleague boss team work",
        True,
    ),
    _row("pet", _I, "pets dog cat animal animals", "pet pets animal dog cat", True),
    _row(
        "language",
        _I,
        "languages speaks spoken_language native_language mother_tongue",
        "language languages speak speaks fluent learn",
        True,
    ),
    _row(
        "diet",
        _P,
        "eating dietary_preference food_restriction",
        "diet eat eats food vegetarian vegan meat cook",
    ),
    _row("avoids", _P, "does_not_eat", "eat eats food avoid diet", True),
    _row("eats", _P, "", "eat eats food diet", True),
    _row("drinks", _P, "", "drink drinks", True),
    _row(
        "allergy",
        _I,
        "allergies allergic_to intolerance intolerances intolerant_to",
        "allergy allergies allergic intolerant intolerance avoid food eat",
        True,
    ),
    _row("condition", _I, "health medical_condition diagnosis", "health condition illness", True),
    _row(
        "medicine",
        _F,
        "medication medications takes_medicine",
        "medicine medication take pill",
        True,
    ),
    _row("height", _I, "tall body_height", "height tall cm"),
    _row("weight", _F, "body_weight weighs", "weight weigh heavy kilos"),
    _row("salary", _F, "income pay wage earns", "salary earn income pay money"),
    _row("budget", _F, "", "budget spend money"),
    _row("shoe_size", _I, "", "shoe size"),
    _row("membership", _F, "member memberships member_of", "member club gym membership", True),
    _row(
        "subscription",
        _F,
        "subscriptions subscribes_to",
        "subscription subscribe pay streaming service",
        True,
    ),
    _row(
        "phone",
        _F,
        "phone_model mobile smartphone cell cellphone handset",
        "phone mobile smartphone",
    ),
    _row(
        "device",
        _F,
        "laptop computer tablet machine notebook console",
        "device laptop computer tablet have",
        True,
    ),
    _row("operating_system", _F, "os platform", "operating system os linux windows mac"),
    _row("car", _F, "vehicle drives automobile", "car vehicle drive drives own"),
    _row("bicycle", _F, "bike", "bicycle bike cycle"),
    _row("possession", _F, "owns has possessions", "own have has", True),
    _row("commute", _F, "transport commutes_by", "commute travel train get work"),
    _row("editor", _P, "ide code_editor text_editor", "editor ide code write"),
    _row("browser", _P, "web_browser", "browser web"),
    _row(
        "programming_language",
        _P,
        "programs_in codes_in coding_language",
        "programming language program code",
        True,
    ),
    _row(
        "tool",
        _P,
        "tools uses software app framework database stack",
        "tool tools use uses app software database framework program",
        True,
    ),
    _row("package_manager", _P, "", "package manager install dependencies"),
    _row("theme", _P, "ui_theme colour_scheme color_scheme", "theme mode dark light app colours"),
    _row(
        "format",
        _P,
        "output_format answer_format response_format",
        "format list bullet table markdown",
    ),
    _row("units", _P, "unit measurement_units unit_system", "units metric imperial measure"),
    _row("currency", _P, "", "currency money euros dollars"),
    _row("date_format", _P, "time_format clock_format", "date time format"),
    _row("indentation", _P, "indent", "indent tabs spaces"),
    _row("spelling", _P, "english_variant", "spelling british american"),
    _row(
        "answer_language", _P, "reply_language response_language", "language answer reply respond"
    ),
    _row(
        "answer_style",
        _P,
        "answer_length tone style response_style verbosity",
        "answers answer style short long length tone write",
    ),
    _row("preference", _P, "prefers preferences", "prefer prefers preference tool", True),
    _row(
        "instruction",
        Kind.PROCEDURE,
        "instructions rule standing_instruction",
        "always never rule",
        True,
    ),
    _row("reminder", Kind.PROCEDURE, "remind reminders", "remind reminder", True),
    _row(
        "likes",
        _P,
        "like loves enjoys interest interests dislikes hates",
        "like likes love enjoy hate fond favourite kind sort music food drink author book film taste",
        True,
    ),
    _row("fear", _P, "afraid_of phobia fears", "afraid fear scared", True),
    _row("supports", _P, "fan_of favourite_team", "support team club fan football sport", True),
    _row(
        "hobby",
        _A,
        "hobbies pastime activity activities sport sports plays instrument",
        "hobby hobbies sport sports play do free time instrument instruments collect",
        True,
    ),
    _row("course", _A, "courses class takes_course", "course class take", True),
    _row("teaches", _A, "teaching", "teach courses class", True),
    _row("project", _A, "works_on working_on", "project working", True),
    _row("goal", _A, "goals aim", "goal aim want", True),
    _row(
        "visited", Kind.EPISODE, "has_been_to travelled_to", "visited been countries travel", True
    ),
    _row("availability", _F, "available free_when", "available meet free reach when", True),
    _row("people", _F, "", "who team", True),
    _row("buys", _F, "", "buy shop shopping", True),
    _row("wears", _F, "", "wear shoes clothes", True),
    _row("needs", _I, "", "need", True),
    _row("reads", _F, "", "read book", True),
    _row("watches", _F, "", "watch", True),
    _row("listens_to", _F, "", "listen music", True),
    _row("follows", _F, "", "follow", True),
    _row("cooks", _F, "", "cook food", True),
    _row("bakes", _F, "", "bake", True),
    _row("volunteers_at", _F, "", "volunteer", True),
    _row("goes_by", _F, "", "go travel", True),
    _row("is_good_at", _F, "", "good", True),
    _row("is_against", _F, "", "against view opinion", True),
    _row("is_in_favour_of", _F, "", "favour view opinion", True),
    _row("is_responsible_for", _F, "", "responsible work", True),
    _row("does", _F, "", "do", True),
    _row("grows", _F, "", "grow", True),
    _row("rents", _F, "", "rent", True),
    _row("sells", _F, "", "sell", True),
    _row(
        "plan",
        Kind.PLAN,
        "plans event appointment upcoming",
        "plan plans when next going appointment",
        listed=True,
    ),
    _row("schedule", _F, "recurring timetable", "when day schedule time"),
)


def slug(phrase: str) -> str:
    """A key out of a phrase: lower case, words joined by `_`, anything but letters and digits left out."""
    words = "".join(c if c.isalnum() else " " for c in phrase.casefold().replace("'s", "")).split()
    return "_".join(words)[:NAME_LIMIT].strip("_")


def _favourite(name: str) -> str:
    return name.replace("favorite", "favourite").replace("color", "colour")


@dataclass(frozen=True, slots=True)
class Attributes:
    """The table with a user's own aliases. Immutable: `with_aliases` gives a new one."""

    rows: Mapping[str, Attribute] = field(
        default_factory=lambda: MappingProxyType({row.name: row for row in TABLE})
    )
    aliases: Mapping[str, str] = field(
        default_factory=lambda: MappingProxyType(
            {a: row.name for row in TABLE for a in row.aliases}
        )
    )

    def with_aliases(self, aliases: Mapping[str, str]) -> Attributes:
        """The same table with more names: `{"wohnort": "home"}`. A name of the table itself can't be taken."""
        fresh = {slug(alias): self.canonical(name) for alias, name in aliases.items()}
        for alias in fresh:
            if not alias or alias in self.rows:
                raise UsageError(
                    f"{alias!r} cannot be an alias: it is empty or an attribute's own name"
                )
        return Attributes(self.rows, MappingProxyType({**self.aliases, **fresh}))

    def with_multi(self, names: Iterable[str]) -> Attributes:
        """The same table with attributes that may hold several values at once: `["instrument_owned"]`."""
        keys = [self.canonical(name) for name in names]
        if not all(keys) or any("." in key for key in keys):
            raise UsageError("a multi-valued attribute is named by one word, without an owner")
        rows = {key: replace(self.rows.get(key, Attribute(key)), multi=True) for key in keys}
        return Attributes(MappingProxyType({**self.rows, **rows}), self.aliases)

    def canonical(self, name: str) -> str:
        """The name that facts are keyed by. A name not in the table is its own, spelt as a key."""
        *owners, last = [slug(part) for part in name.split(".")]
        last = _favourite(last)
        base = last if last in self.rows else self.aliases.get(last, last)
        return ".".join([*filter(None, owners), base])

    def is_multi(self, name: str) -> bool:
        """Whether several values may hold at once."""
        owner, _, last = self.canonical(name).rpartition(".")
        row = self.rows.get(last)
        return row is not None and row.multi and not (row.listed and owner)

    def kind_of(self, name: str) -> Kind:
        """The kind a fact with this attribute has when nothing else is said."""
        last = self.canonical(name).rpartition(".")[2]
        if last.startswith("favourite_"):
            return Kind.PREFERENCE
        row = self.rows.get(last)
        return Kind.FACT if row is None else row.kind

    def search_words(self, name: str) -> tuple[str, ...]:
        """Words under which a question may look for it: the name's own, its owner's, the table's."""
        full = self.canonical(name)
        row = self.rows.get(full.rpartition(".")[2])
        own = full.replace(".", "_").split("_")
        return tuple(dict.fromkeys([*filter(None, own), *(row.words if row else ())]))


ATTRIBUTES = Attributes()


def canonical(name: str) -> str:
    """`Attributes.canonical` of the table as shipped."""
    return ATTRIBUTES.canonical(name)


def is_multi(name: str) -> bool:
    """`Attributes.is_multi` of the table as shipped."""
    return ATTRIBUTES.is_multi(name)


def kind_of(name: str) -> Kind:
    """`Attributes.kind_of` of the table as shipped."""
    return ATTRIBUTES.kind_of(name)


def search_words(name: str) -> tuple[str, ...]:
    """`Attributes.search_words` of the table as shipped."""
    return ATTRIBUTES.search_words(name)
