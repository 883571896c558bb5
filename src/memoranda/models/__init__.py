"""Language models behind one port. Importing this loads no provider; each is imported when it is first called."""

from __future__ import annotations

import os
from collections.abc import Mapping

from memoranda.errors import UsageError
from memoranda.models._switch import allow_real_calls
from memoranda.models.openai_compatible import OpenAICompatible
from memoranda.models.scripted import ScriptedModel
from memoranda.ports import Model

__all__ = ["OpenAICompatible", "ScriptedModel", "allow_real_calls", "model_from"]


def model_from(
    spec: str, env: Mapping[str, str] | None = None, base_url: str | None = None
) -> Model:
    """The model that `spec` names: `openai:NAME`, for OpenAI and every server that speaks its chat completions.

    `env` (default: the process environment) may hold OPENAI_API_KEY and OPENAI_BASE_URL; `base_url` outranks
    the latter. Raises `UsageError` for another spec, `MissingExtra` when the provider's package is missing.
    """
    env = os.environ if env is None else env
    provider, _, name = spec.partition(":")
    if provider != "openai" or not name:
        raise UsageError("a model is named as provider:name; known providers: openai")
    url = base_url or env.get("OPENAI_BASE_URL") or None
    return OpenAICompatible(name, base_url=url, api_key=env.get("OPENAI_API_KEY") or None)
