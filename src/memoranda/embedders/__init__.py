"""What turns texts into vectors, each in a module of its own that is imported when it is used."""

from __future__ import annotations

from memoranda.errors import SettingsError
from memoranda.ports import Embedder
from memoranda.settings import Settings


def named(settings: Settings) -> Embedder:
    """The embedder that the settings name. `SettingsError`, `MissingExtra` or `EmbedderError` when it cannot be had."""
    if settings.embedder == "hashing":
        from memoranda.embedders.hashing import HashingEmbedder

        return HashingEmbedder()
    raise SettingsError(f"there is no embedder {settings.embedder!r}")
