"""Short-term memory: what a model sees in its next call. Pure functions over immutable buffers; no I/O."""

from memoranda.window.buffer import Buffer, ids_in_window, without_answers, without_facts
from memoranda.window.build import Built, compose, with_recalled
from memoranda.window.compact import Compaction
from memoranda.window.policy import FAITHFUL, PRESETS, How, LastSteps, Policy, TokenBudget
from memoranda.window.render import (
    parse_block,
    render_files,
    render_recalled,
    render_rules,
    render_scratch,
    render_standing,
    without_blocks,
)
from memoranda.window.shown import shown_ids, without_lines
from memoranda.window.slot import Slot
from memoranda.window.taint import Cause, Taint, answers_under, direct, taint_of
from memoranda.window.tokens import EstimateCounter, message_tokens

__all__ = [
    "FAITHFUL",
    "PRESETS",
    "Buffer",
    "Built",
    "Cause",
    "Compaction",
    "EstimateCounter",
    "How",
    "LastSteps",
    "Policy",
    "Slot",
    "Taint",
    "TokenBudget",
    "answers_under",
    "compose",
    "direct",
    "ids_in_window",
    "message_tokens",
    "parse_block",
    "render_files",
    "render_recalled",
    "render_rules",
    "render_scratch",
    "render_standing",
    "shown_ids",
    "taint_of",
    "with_recalled",
    "without_answers",
    "without_blocks",
    "without_facts",
    "without_lines",
]
