"""OpenAI's chat completions, and every server that speaks them, through the official client.

Tolerant in reading (no usage, no content, arguments that are no JSON), strict in what goes on: nothing but role,
content and tool calls of an answer is kept. No error of ours carries a key or a word of what was said, for these
end in logs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from memoranda.errors import ContextTooLong, MissingExtra, ModelError, UsageError
from memoranda.messages import Message
from memoranda.messages.openai_chat import from_openai, to_openai_request
from memoranda.models._switch import check_real_calls
from memoranda.ports import Reply, Request, Usage

STOPS = {"stop": "end", "tool_calls": "tools", "function_call": "tools"}
TOO_LONG = (
    "context_length_exceeded",
    "exceed_context_size",
    "context length",
    "context size",
    "context window",
)


class OpenAICompatible:
    """A model behind `/chat/completions`.

    base_url: of another server than OpenAI's own (which needs no key unless it says so). timeout: seconds for
    one try. max_retries: further tries after a lost connection, a 429 or a 5xx, with back-off. http_client: an
    `httpx2.AsyncClient` of one's own, which stays open; without one each call opens and closes its own, so that
    calls may come from any event loop.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        http_client: Any = None,
        *,
        timeout: float = 120.0,
        max_retries: int = 2,
    ) -> None:
        if find_spec("openai") is None:
            raise MissingExtra("openai", "OpenAICompatible")
        if api_key is None and base_url is None:
            raise UsageError("OpenAI needs a key (OPENAI_API_KEY), another server a base URL")
        self.name = model
        self._base_url = base_url
        self._api_key = api_key or "none"
        self._http_client = http_client
        self._timeout = timeout
        self._max_retries = max_retries

    def __repr__(self) -> str:
        return f"OpenAICompatible({self.name!r}, base_url={self._base_url!r})"

    async def complete(self, request: Request) -> Reply:
        """Answer `request`. Raises `ContextTooLong`, else `ModelError`; `NotAllowed` when calls are off."""
        if self._http_client is None:
            check_real_calls()
        import openai

        client = openai.AsyncOpenAI(
            api_key=self._api_key,
            base_url=self._base_url,
            http_client=self._http_client,
            timeout=self._timeout,
            max_retries=self._max_retries,
        )
        try:
            raw = await client.chat.completions.with_raw_response.create(**self._wire(request))
            text = raw.http_response.text
        except openai.OpenAIError as error:
            raise _fault(error) from None
        finally:
            if self._http_client is None:
                await client.close()
        return _read(text)

    def _wire(self, request: Request) -> dict[str, Any]:
        """The request's JSON. OpenAI renamed the cap of an answer; other servers know the old name."""
        cap = "max_tokens" if self._base_url else "max_completion_tokens"
        wire: dict[str, Any] = {
            "model": self.name,
            "messages": to_openai_request(request.system or None, request.messages),
            cap: request.max_tokens,
        }
        if request.tools:
            wire["tools"] = [
                {
                    "type": "function",
                    "function": {
                        "name": tool.name,
                        "description": tool.description,
                        "parameters": tool.parameters,
                    },
                }
                for tool in request.tools
            ]
        clean: dict[str, Any] = _encodable(wire)
        return clean


def _encodable(value: Any) -> Any:
    """`value` with lone surrogates replaced, which no request can carry."""
    if isinstance(value, str):
        if value.isascii():
            return value
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, Mapping):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    return [_encodable(item) for item in value] if isinstance(value, (list, tuple)) else value


def _fault(error: Exception) -> ModelError:
    """Our error for the client's: its type and status, and nothing that the service wrote."""
    status = getattr(error, "status_code", None)
    kind = type(error).__name__
    if status is None:
        return ModelError(
            f"the model's service gave no answer ({kind}); is it running, is the URL right?"
        )
    written = f"{getattr(error, 'body', '')} {getattr(error, 'message', '')}".lower()
    if status in (400, 413, 422) and any(sign in written for sign in TOO_LONG):
        return ContextTooLong(f"the request is longer than the model's context (status {status})")
    return ModelError(f"the model's service refused the request (status {status}, {kind})")


def _read(text: str) -> Reply:
    """The reply in a response body, as far as it can be understood."""
    try:
        body = json.loads(text)
        choice = body["choices"][0]
        message = _message(choice["message"])
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise ModelError("the model's service sent something that is no chat completion") from None
    stop = choice.get("finish_reason")
    return Reply(message, STOPS.get(str(stop), str(stop or "end")), _usage(body.get("usage")))


def _message(data: Mapping[str, Any]) -> Message:
    """The assistant message, of which only what we know is kept."""
    content = data.get("content")
    if not isinstance(content, (str, list)):
        content = data.get("refusal") if isinstance(data.get("refusal"), str) else None
    wire: dict[str, Any] = {"role": "assistant", "content": content}
    calls = [_call(n, call) for n, call in enumerate(data.get("tool_calls") or [])]
    if calls:
        wire["tool_calls"] = calls
    return from_openai(wire)


def _call(n: int, data: Mapping[str, Any]) -> dict[str, Any]:
    function = data["function"]
    arguments = function.get("arguments")
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments if arguments is not None else {})
    return {
        "id": str(data.get("id") or f"call_{n}"),
        "type": "function",
        "function": {"name": str(function.get("name") or ""), "arguments": arguments},
    }


def _usage(data: Any) -> Usage:
    if not isinstance(data, Mapping):
        return Usage()
    details = data.get("prompt_tokens_details")
    details = details if isinstance(details, Mapping) else {}
    return Usage(
        _count(data.get("prompt_tokens")),
        _count(data.get("completion_tokens")),
        _count(details.get("cached_tokens")),
        _count(details.get("cache_write_tokens")),
    )


def _count(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None
