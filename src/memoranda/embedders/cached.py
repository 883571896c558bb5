"""What was embedded a moment ago is not embedded again: the newest vectors of a process, by content."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence

from memoranda.ports import Embedder, Space

MOST_BYTES = 8_000_000


class CachedEmbedder:
    """Another embedder, with the vectors it made last. Of a text only the hash is kept. Threads may share it."""

    def __init__(self, embedder: Embedder, most_bytes: int = MOST_BYTES) -> None:
        self.embedder = embedder
        self._most_bytes = most_bytes
        self._kept: OrderedDict[tuple[bool, bytes], bytes] = OrderedDict()
        self._guard = threading.Lock()

    @property
    def space(self) -> Space:
        """That of the embedder behind it."""
        return self.embedder.space

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[bytes]:
        """One vector for each text; equal texts, now or lately, are embedded once."""
        keys = [(query, _hash(text)) for text in texts]
        found = self._looked_up(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if missing:
            made = await self.embedder.embed(list(missing.values()), query=query)
            found.update(zip(missing, made, strict=True))
        self._keep(found)
        return [found[key] for key in keys]

    def _looked_up(self, keys: Sequence[tuple[bool, bytes]]) -> dict[tuple[bool, bytes], bytes]:
        with self._guard:
            return {key: self._kept[key] for key in keys if key in self._kept}

    def _keep(self, used: dict[tuple[bool, bytes], bytes]) -> None:
        with self._guard:
            for key, vector in used.items():
                self._kept[key] = vector
                self._kept.move_to_end(key)
            # One of them is the length of all; asked for here, since a model's own may have to be loaded first.
            most = max(1, self._most_bytes // max([1, *map(len, used.values())]))
            while len(self._kept) > most:
                self._kept.popitem(last=False)


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
