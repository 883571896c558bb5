"""A model of one's own: a folder with `model.onnx`, `vocab.txt` or `tokenizer.json`, and perhaps `embedder.json`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from memoranda.embedders.onnx import OnnxModel, Recipe, check_installed, file_bytes
from memoranda.embedders.wordpiece import WordPiece, from_json, from_vocabulary
from memoranda.errors import EmbedderError
from memoranda.ports import Space

CONFIG = "embedder.json"


@dataclass(frozen=True, slots=True)
class Config:
    """What `embedder.json` may say: the name that stands with the vectors, what is put before texts and questions, how
    the words' vectors become one (`mean` or `cls`), most tokens of a text, and whether letters lose their case.
    """

    name: str = ""
    query_prefix: str = ""
    passage_prefix: str = ""
    pooling: str = "mean"
    max_tokens: int = 256
    lowercase: bool = True


class OnnxFolder:
    """The model of a folder. Reads its configuration at once, the model when it is first needed."""

    blocking = True

    def __init__(self, folder: str | Path, threads: int = 1) -> None:
        check_installed("an ONNX model")
        self._folder = Path(folder).expanduser()
        self._config = config = read_config(self._folder)
        self._weights = self._mark = ""
        self._model = OnnxModel(Recipe(self._read, self._tokenizer, config.pooling, threads))

    @property
    def space(self) -> Space:
        """By the folder's name, the recipe and the hash of the weights. Loads the model the first time."""
        dim = self._model.dim
        name = self._config.name or self._folder.name
        return Space(f"{name}/{self._mark}", dim, self._weights)

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[bytes]:
        """One vector for each text, with the prefix for questions or for texts before it."""
        prefix = self._config.query_prefix if query else self._config.passage_prefix
        return self._model.vectors([prefix + text for text in texts] if prefix else texts)

    def _read(self) -> bytes:
        data = file_bytes(self._folder / "model.onnx")
        # Of the bytes that are loaded: the file may be another one by the next look.
        self._weights = hashlib.sha256(data).hexdigest()
        return data

    def _tokenizer(self) -> WordPiece:
        limit = self._config.max_tokens
        path = self._folder / "vocab.txt"
        data = file_bytes(path if path.exists() else path.with_name("tokenizer.json"))
        self._mark = _mark(self._config, data)
        try:
            text = data.decode()
        except UnicodeDecodeError:
            raise EmbedderError(f"the words in {self._folder} are not UTF-8") from None
        if not path.exists():
            return from_json(text, limit=limit)
        return from_vocabulary(text, limit=limit, lower=self._config.lowercase)


def _mark(config: Config, words: bytes) -> str:
    """What else decides over the vectors: with other words or prefixes, the same weights give another space."""
    told = {**asdict(config), "name": "", "words": hashlib.sha256(words).hexdigest()}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:8]


def read_config(folder: Path) -> Config:
    """The folder's `embedder.json`, or the defaults. `EmbedderError` names what is wrong with it."""
    path = folder / CONFIG
    if not (folder / "model.onnx").is_file():
        raise EmbedderError(f"{folder} has no model.onnx; name the folder of an ONNX model")
    if not path.exists():
        return Config()
    try:
        table: Any = json.loads(file_bytes(path))
    except ValueError:
        raise EmbedderError(f"{path} is not JSON") from None
    known = {one.name: type(one.default) for one in fields(Config)}
    for name, value in table.items() if isinstance(table, dict) else [(str(path), table)]:
        if type(value) is not known.get(name):
            raise EmbedderError(
                f"{path}: {name} is unknown or not of its type; known: {', '.join(known)}"
            )
    config = Config(**table)
    if config.pooling not in ("mean", "cls") or not 3 <= config.max_tokens <= 8192:
        raise EmbedderError(f"{path}: pooling is mean or cls, max_tokens from 3 to 8192")
    return config
