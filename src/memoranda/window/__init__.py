"""Short-term memory: what a model sees in its next call. Pure functions over immutable buffers; no I/O."""

from memoranda.window.buffer import Buffer, ids_in_window, without_facts
from memoranda.window.build import Built, compose, with_recalled
from memoranda.window.compact import Compaction
from memoranda.window.policy import FAITHFUL, PRESETS, How, LastSteps, Policy, TokenBudget
from memoranda.window.render import (
    parse_block,
    render_files,
    render_recalled,
    render_scratch,
    render_standing,
    without_blocks,
)
from memoranda.window.slot import Slot
from memoranda.window.tokens import EstimateCounter, message_tokens

__all__ = [
    "FAITHFUL",
    "PRESETS",
    "Buffer",
    "Built",
    "Compaction",
    "EstimateCounter",
    "How",
    "LastSteps",
    "Policy",
    "Slot",
    "TokenBudget",
    "compose",
    "ids_in_window",
    "message_tokens",
    "parse_block",
    "render_files",
    "render_recalled",
    "render_scratch",
    "render_standing",
    "with_recalled",
    "without_blocks",
    "without_facts",
]
