"""Every reason that the gate and the flows behind it give, by name: what it did, and what that means. Data.

A name with `<...>` stands for many: what comes after the colon says which.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memoranda.types import Verdict


@dataclass(frozen=True, slots=True)
class Reason:
    """A named reason: the verdict it leads to (or goes with), and what it means in a sentence."""

    verdict: Verdict
    meaning: str


def _table(verdict: Verdict, **meanings: str) -> dict[str, Reason]:
    return {name.replace("_", "-"): Reason(verdict, text) for name, text in meanings.items()}


REASONS: Mapping[str, Reason] = {
    **_table(
        Verdict.REFUSED,
        model_origin="a model's own words are no source",
        empty="there is no text",
        too_long="a text, a name or the list of tags is longer than anything that is kept",
        low_confidence="its confidence is below `min_confidence`",
        already_expired="the time it is given to live is over",
        unknown_source="it says that it was derived from a fact that is not there",
        reserved_source="its source reference is one that only the verbs of this package write",
        unusable_name="its subject, run or actor is no name, or holds a control character",
        small_talk="greetings, thanks and the like say nothing to keep",
        agent_prose="it is what an agent says, not what is known",
        recalled_text="it is a recalled block or a part of one: what was put before a model is nobody's statement",
        quote_not_found="the quote is not in the step that a model says it is from",
        too_many_of_run="its run wrote `facts_per_run` facts already",
        too_many_of_source="its source, less trusted than the user, has `facts_per_source` facts of the subject",
        too_many_pending="`pending_per_subject` facts of this subject wait for a person already",
        already_retired="the same step said it before, and it was taken back since",
        already_rejected="the same step said it before, and a person turned it down",
    ),
    "secret:<rule>": Reason(
        Verdict.REFUSED,
        "a text of it holds a secret; the rule that found it is named, the secret never",
    ),
    **_table(
        Verdict.HELD,
        external_origin="it comes from outside, or was derived from something that does",
        procedure="it tells an agent what to do: only a person makes that stand",
        source_not_live="a fact that it was derived from is not believed any more",
        over_300_characters="it is longer than one fact may be",
        over_length="it is longer than `fact_characters`",
        several_sentences="it is more than one sentence",
        not_self_contained="it does not name what it is about",
        conflicts_with_higher_trust="it would replace what was said with higher trust",
        already_pending="the same statement waits already",
        no_session="a model wants it kept, and there is no conversation to look its quote up in",
        beyond_quote="it says other or more than the sentence it quotes",
        proposed_by_model="a model proposes to correct or forget a fact",
        edit_before_approval="it has to be edited before it can be approved",
    ),
    "personal:<rule>": Reason(Verdict.REFUSED, "personal data of a kind that the settings refuse"),
    "topic:<rule>": Reason(Verdict.REFUSED, "a sensitive topic that the settings refuse"),
    "never:<rule>": Reason(Verdict.REFUSED, "a rule that a person added with `never` forbids it"),
    "ask:<kind>": Reason(Verdict.HELD, "personal data or a sensitive topic that a person is asked about"),
    "screen-failed:<name>": Reason(Verdict.HELD, "a scanner that was plugged in could not look"),
    "flag:<rule>": Reason(Verdict.HELD, "the wording of planted instructions: told to the reviewer, never the reason"),
    "may-contradict:<id>": Reason(
        Verdict.HELD,
        "it has no key and seems to contradict the fact named; approving it replaces that fact",
    ),
    **_table(
        Verdict.CONFIRMED,
        said_again="it was known and has a new lease now",
        already_known="it was known, and nothing changed",
        near_duplicate="a known fact says all of it in nearly the same words",
        same_step="the same step said the same before: a retry",
        already_superseded="the same step said it before, and something newer holds",
        already_pinned="it is pinned already",
        not_pinned="it was not pinned",
    ),
    "masked:<kind>": Reason(Verdict.ACCEPTED, "personal data in it was replaced by a placeholder"),
    **_table(
        Verdict.ACCEPTED,
        approved="a person approved it",
        forgotten="a person approved the proposal, and the fact was retired",
        older_than_current="it was said before what holds now, so it is kept as history",
        pinned="a person pinned it: it is in every request",
        unpinned="a person took the pin off it",
        over_cap="more is pinned than the standing block has room for; unpin some, or raise `standing_tokens`",
    ),
}  # fmt: skip


def reason_of(name: str) -> Reason | None:
    """The entry of a reason as the gate gives it; None for one that it does not give."""
    head, colon, _ = name.partition(":")
    if not colon:
        return REASONS.get(name)
    return next((REASONS[known] for known in REASONS if known.startswith(f"{head}:<")), None)
