"""What turns texts into vectors, each in a module of its own that is imported when it is used."""

from __future__ import annotations

from collections.abc import Callable

from memoranda.errors import MemorandaError, SettingsError
from memoranda.ports import Embedder
from memoranda.settings import Settings


def named(settings: Settings, allowed: Callable[[], None] = lambda: None) -> Embedder:
    """The embedder that the settings name. `allowed` raises when services may not be called.

    `UsageError`, `MissingExtra` or `EmbedderError` when it cannot be had.
    """
    kind, _, folder = settings.embedder.partition(":")
    threads = settings.embedder_threads
    if kind == "minilm":
        from memoranda.embedders.minilm import MiniLM

        return MiniLM(threads)
    if kind == "onnx":
        from memoranda.embedders.onnx_folder import OnnxFolder

        return OnnxFolder(folder, threads)
    if kind == "hashing":
        from memoranda.embedders.hashing import HashingEmbedder

        return HashingEmbedder()
    if kind == "openai":
        return _endpoint(settings, allowed)
    raise SettingsError(f"there is no embedder {settings.embedder!r} (setting 'embedder')")


def _endpoint(settings: Settings, allowed: Callable[[], None]) -> Embedder:
    from memoranda.embedders.openai_compatible import OpenAICompatibleEmbedder, key_of

    return OpenAICompatibleEmbedder(
        settings.embedder_model,
        settings.embedder_url,
        key_of(settings.embedder_key_env, settings.embedder_url),
        dim=settings.embedder_dim,
        seconds=settings.embedder_seconds,
        allowed=allowed,
    )


def to_hand(
    settings: Settings, allowed: Callable[[], None] = lambda: None
) -> tuple[Embedder | None, str]:
    """For a command, which must go on: the embedder of the settings, or MiniLM where they name none; or None and why.

    Nothing is loaded: weights are checked when the first text comes.
    """
    if settings.embedder == "none":
        return None, "the settings say so"
    try:
        if settings.embedder:
            return named(settings, allowed), ""
        from memoranda.embedders.minilm import MiniLM

        return MiniLM(settings.embedder_threads), ""
    except MemorandaError as error:
        return None, str(error)
