"""The verbs that keep the store well and clean: a part of the blocking face `Memory`."""

from __future__ import annotations

from collections.abc import Callable

from memoranda.core import Core
from memoranda.facts import health, maintain, never, reembed, rescan
from memoranda.files import upkeep
from memoranda.ports import NeverRule, Rescan
from memoranda.step import step as _step
from memoranda.types import Health, Reembedding, UnusedFile


class Upkept:
    """What is never to be kept, upkeep, health, and vectors of the present model."""

    core: Core

    def never_add(
        self,
        name: str,
        *,
        words: str | None = None,
        pattern: str | None = None,
        kind: str | None = None,
    ) -> NeverRule:
        """Add a rule: what it matches is refused everywhere, under its name, and replaced in the log.

        Give one of `words` (`*` for the rest of a word, `?` for a letter), `pattern` (a regular expression with few
        repeats) or `kind` (a kind of the screens, such as `phone`). What is kept already stays until `rescan`.
        """
        return _step(never.add(self.core, name, words=words, pattern=pattern, kind=kind))

    def never_list(self) -> list[NeverRule]:
        """Every such rule, by name."""
        return _step(never.listed(self.core))

    def never_remove(self, name: str) -> None:
        """Remove a rule. Raises `UsageError` if there is none of this name."""
        _step(never.remove(self.core, name))

    def rescan(self, *, dry_run: bool = False) -> Rescan:
        """Screen what is stored with the present rules. Safe to run twice and after every change of rules.

        Facts with secrets are erased, others that would be refused now are retired (`undo` takes that back), and
        messages, files and their versions get placeholders. A file that a person wrote into a folder is named and left
        (`done` is "left"), and so is a name. With `dry_run` nothing is changed.
        """
        return _step(rescan.rescan(self.core, dry_run=dry_run))

    def maintain(self) -> dict[str, int]:
        """Do all upkeep and say for each job how many rows it touched. Safe to run twice and at once.

        Held items lapse that waited too long, old episodes are summarised, what was kept for the trace and the log
        is dropped as the settings say, stale search terms are written anew, and deleted text is cleared from the
        bytes, also for an erasure that an open reader kept from finishing.
        """
        return _step(maintain.maintain(self.core))

    def reembed(
        self, *, subject: str | None = None, progress: Callable[[int, int], None] | None = None
    ) -> Reembedding:
        """Make every vector that is missing of the present embedder, then drop those of others. Recall works meanwhile.

        `progress` is told how many of how many are done. What was made is kept when this is interrupted, and the
        next call goes on there. Raises `UsageError` without an embedder, `EmbedderError` when it fails.
        """
        return _step(reembed.reembed(self.core, subject=subject, progress=progress))

    def health(self, *, thorough: bool = True) -> Health:
        """Place, schema, sizes, counts and findings of the store.

        Reads the whole file to look for damage, which takes seconds where it is large, and others of this face wait
        meanwhile; with `thorough` false it only counts.
        """
        return _step(health.health(self.core, thorough=thorough))

    def unused_files(self, *, days: int | None = None) -> list[UnusedFile]:
        """The files that nobody viewed or wrote for `days` (default `file_unused_days`): what `maintain` would take."""
        return _step(upkeep.unused(self.core, days=days))
