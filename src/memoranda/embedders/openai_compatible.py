"""Any service that answers `POST /embeddings` as OpenAI does, with the standard library alone.

No error of ours holds a key, a text or a word that the service wrote, for errors end in logs.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, Any
from urllib.parse import urlsplit

from memoranda.embedders.vectors import packed
from memoranda.errors import EmbedderError, UsageError
from memoranda.ports import Space

OPENAI = "https://api.openai.com/v1"
# How long the vectors of well-known models are; of others one says it.
DIMS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
    "nomic-embed-text": 768,
    "mxbai-embed-large": 1024,
    "bge-m3": 1024,
    "all-minilm": 384,
}
# Models that can be asked for shorter vectors.
SHORTENED = "text-embedding-3-"
MOST_TEXTS = 96
MOST_CHARACTERS = 100_000  # of one request
LONGEST_TEXT = 8000  # such services refuse what is over some thousand tokens
MOST_BYTES = 64_000_000
AGAIN = (408, 409, 429, 500, 502, 503, 504)
PAUSE = 0.5
# After a failure no recall shall wait for the same again.
REST_SECONDS = 30.0


class OpenAICompatibleEmbedder:
    """A model behind an endpoint.

    url: the base, up to and without `/embeddings`. key: sent as a bearer token. dim: how long its vectors are, when it
    is not a well-known model. seconds: the longest that one request may take, further tries included; after a
    failure, calls fail at once for half a minute. allowed: asked before each call; raises when calls are off.
    """

    blocking = True

    def __init__(
        self,
        model: str,
        url: str = "",
        key: str | None = None,
        *,
        dim: int = 0,
        seconds: float = 20.0,
        query_prefix: str = "",
        passage_prefix: str = "",
        allowed: Callable[[], None] = lambda: None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._url = _checked(url or OPENAI) + "/embeddings"
        if not model:
            raise UsageError("an endpoint has several models: name one (embedder_model)")
        known = DIMS.get(model.removesuffix(":latest"), 0)
        if not (dim or known):
            raise UsageError(
                "how long the vectors of this model are is not known here: say it (embedder_dim)"
            )
        self.space = Space(model, dim or known)
        self._shortened = model.startswith(SHORTENED) and self.space.dim != known
        self._key, self._seconds = key, seconds
        self._prefixes = {True: query_prefix, False: passage_prefix}
        self._allowed, self._sleep = allowed, sleep
        self._resting_until = 0.0
        self._guard = threading.Lock()
        self._opener = urllib.request.build_opener(_NoRedirects)

    def __repr__(self) -> str:
        return f"OpenAICompatibleEmbedder({self.space.model!r})"

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[bytes]:
        """One vector for each text, of its first 8,000 characters."""
        self._allowed()
        prefix = self._prefixes[query]
        made: list[bytes] = []
        for batch in _batches([_sendable(prefix + text) for text in texts]):
            made += self._asked(batch)
        return made

    def _asked(self, batch: Sequence[str]) -> list[bytes]:
        with self._guard:
            if time.monotonic() < self._resting_until:
                raise EmbedderError("the embedder's service failed a moment ago; it is left alone")
        try:
            return _vectors(self._answer(batch), len(batch), self.space.dim)
        except EmbedderError:
            with self._guard:
                self._resting_until = time.monotonic() + REST_SECONDS
            raise

    def _answer(self, batch: Sequence[str]) -> bytes:
        """The body of the answer; lost connections, 429 and 5xx are tried again while there is time."""
        wire: dict[str, Any] = {"model": self.space.model, "input": list(batch)}
        if self._shortened:
            wire["dimensions"] = self.space.dim
        body = json.dumps(wire).encode()
        end, tries = time.monotonic() + self._seconds, 0
        while True:
            try:
                return self._once(body, end)
            except _Again as again:
                pause = again.after or PAUSE * 2**tries * (0.75 + random.random() / 2)
                tries += 1
                if time.monotonic() + pause >= end:
                    raise EmbedderError(again.why) from None
                self._sleep(pause)

    def _once(self, body: bytes, end: float) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self._url, body, headers)  # noqa: S310 - the scheme was checked
        try:
            with self._opener.open(request, timeout=max(0.01, end - time.monotonic())) as answer:
                return _read(answer, end)
        except urllib.error.HTTPError as error:
            with error:
                raise _refused(error) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise _Again(
                f"the embedder's service gave no answer ({type(error).__name__}); is it running, is the URL right?"
            ) from None


class _Again(Exception):
    """A failure that may be over at the next try."""

    def __init__(self, why: str, after: float = 0.0) -> None:
        super().__init__(why)
        self.why, self.after = why, after


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows nothing: the standard handler would send the key along, wherever it is led to."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


def _checked(url: str) -> str:
    try:
        parts = urlsplit(url)
        fit = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        parts, fit = urlsplit(""), False
    if not fit:
        raise UsageError("an endpoint's URL begins with http:// or https:// and names a host")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError(
            "an endpoint's URL holds no name, password or query; a key goes in a variable"
        )
    return url.rstrip("/")


def _sendable(text: str) -> str:
    """The text as a request can carry it: cut, no half characters, and not empty, which is refused."""
    cut = text[:LONGEST_TEXT]
    if not cut.isascii():
        cut = cut.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return cut or " "


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == MOST_TEXTS or size + len(text) > MOST_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch


def _read(answer: IO[bytes], end: float) -> bytes:
    """The body, while there is time: a service that drips must not hold a recall."""
    parts, size = [], 0
    while part := answer.read(65_536):
        parts.append(part)
        size += len(part)
        if size > MOST_BYTES:
            raise EmbedderError("the embedder's service sent far more than vectors")
        if time.monotonic() > end:
            raise EmbedderError("the embedder's service took too long")
    return b"".join(parts)


def _refused(error: urllib.error.HTTPError) -> _Again | EmbedderError:
    why = f"the embedder's service refused the request (status {error.code})"
    if error.code not in AGAIN:
        return EmbedderError(why)
    after = error.headers.get("Retry-After", "") if error.headers else ""
    return _Again(why, float(after) if after.isdecimal() else 0.0)


def _vectors(body: bytes, count: int, dim: int) -> list[bytes]:
    """The vectors of an answer, in the order of the texts. `EmbedderError` for anything else."""
    try:
        found = {int(one["index"]): one["embedding"] for one in json.loads(body)["data"]}
        made = [packed(found[n]) for n in range(count)]
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
        raise EmbedderError("the embedder's service sent something that is no vectors") from None
    if len(found) != count or any(len(vector) != 4 * dim for vector in made):
        raise EmbedderError(
            f"the embedder's service sent other vectors than {count} of {dim} numbers; is embedder_dim right?"
        )
    return made


def key_of(name: str, url: str, env: Mapping[str, str] | None = None) -> str | None:
    """The key in the environment variable of this name; OpenAI's own only for OpenAI's own URL."""
    env = os.environ if env is None else env
    if name:
        if not env.get(name):
            raise UsageError(f"the environment variable {name} holds no key (embedder_key_env)")
        return env[name]
    return env.get("OPENAI_API_KEY") or None if url in ("", OPENAI) else None
