"""A sentence model of BERT's kind as an ONNX file, run by onnxruntime: tokens, mean over the words, length 1."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from memoranda.embedders.wordpiece import WordPiece
from memoranda.errors import EmbedderError, MissingExtra

# Tokens of a batch, padding counted. Four times as many are a tenth quicker and take half as much memory again.
BATCH_TOKENS = 1024


def check_installed(what: str) -> None:
    """Raise `MissingExtra` unless what runs a model is there. Nothing is loaded."""
    if any(find_spec(name) is None for name in ("numpy", "onnxruntime")):
        raise MissingExtra("embed", what)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a model is read: `pooling` is "mean" (over the words) or "cls" (the first place)."""

    read: Callable[[], bytes]  # the file, checked
    tokenizer: Callable[[], WordPiece]
    pooling: str = "mean"
    threads: int = 1


class OnnxModel:
    """The model behind a file, loaded when it is first needed. Threads may share it."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._guard = threading.Lock()
        self._loaded: _Loaded | None = None

    @property
    def dim(self) -> int:
        """How many numbers its vectors have. Loads it."""
        return self._model().dim

    def vectors(self, texts: Sequence[str]) -> list[bytes]:
        """One vector for each text. `EmbedderError` when the model cannot be loaded or run."""
        if not texts:
            return []
        model = self._model()
        tokens = [model.tokenizer.encode(text) for text in texts]
        made = [b""] * len(texts)
        for batch in _batches([len(one) for one in tokens]):
            for place, vector in zip(batch, model.run([tokens[n] for n in batch]), strict=True):
                made[place] = vector
        return made

    def _model(self) -> _Loaded:
        with self._guard:
            if self._loaded is None:
                self._loaded = _Loaded(self._recipe)
            return self._loaded


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """The places of texts, those of like length together: what is padded is computed for nothing."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[place] > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


class _Loaded:
    """A session of onnxruntime with its tokenizer."""

    def __init__(self, recipe: Recipe) -> None:
        data = recipe.read()
        self.tokenizer = recipe.tokenizer()
        import numpy
        import onnxruntime

        self._numpy, self._pooling = numpy, recipe.pooling
        self._faults = _faults(onnxruntime)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = recipe.threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Threads that wait must not burn the processor, and memory goes back after a large batch.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.enable_cpu_mem_arena = False
        try:
            self._session = onnxruntime.InferenceSession(
                data, options, providers=["CPUExecutionProvider"]
            )
            self._inputs = {one.name for one in self._session.get_inputs()}
            self._output, self.dim = _output(self._session.get_outputs())
        except self._faults as error:
            raise _broken("loaded", error) from None

    def run(self, tokens: Sequence[Sequence[int]]) -> list[bytes]:
        """The vectors of texts of like length."""
        np = self._numpy
        longest = max(map(len, tokens))
        ids = np.zeros((len(tokens), longest), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, one in enumerate(tokens):
            ids[row, : len(one)] = one
            mask[row, : len(one)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        wanted = {name: value for name, value in given.items() if name in self._inputs}
        try:
            (hidden,) = self._session.run([self._output], wanted)
        except self._faults as error:
            raise _broken("run", error) from None
        return self._pooled(hidden, mask)

    def _pooled(self, hidden: Any, mask: Any) -> list[bytes]:
        np = self._numpy
        if self._pooling == "cls":
            means = hidden[:, 0].astype(np.float32)
        else:
            weights = mask[:, :, None].astype(np.float32)
            means = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
        lengths = np.linalg.norm(means, axis=1, keepdims=True)
        if not (np.isfinite(lengths).all() and (lengths > 0).all()):
            raise EmbedderError("the model gave a vector without a direction")
        return [row.tobytes() for row in (means / lengths).astype("<f4")]


def _faults(onnxruntime: Any) -> tuple[type[Exception], ...]:
    """The errors of onnxruntime, which have no common base of their own."""
    known = vars(onnxruntime.capi.onnxruntime_pybind11_state).values()
    own = [one for one in known if isinstance(one, type) and issubclass(one, Exception)]
    return (RuntimeError, ValueError, TypeError, *own)


def _broken(what: str, error: Exception) -> EmbedderError:
    return EmbedderError(
        f"the model could not be {what} ({type(error).__name__}); is it a sentence model of BERT's kind in one file?"
    )


def _output(outputs: Sequence[Any]) -> tuple[str, int]:
    """The output that holds a vector for each token, and how long these are."""
    for one in outputs:
        if len(one.shape) == 3 and isinstance(one.shape[2], int):
            return str(one.name), one.shape[2]
    raise EmbedderError("the model has no output of a vector for each token")


def file_bytes(path: Path, sha256: str | None = None) -> bytes:
    """The bytes of a file, only if their hash is this one. What was checked is what is loaded: it is read once."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise EmbedderError(f"{path} cannot be read ({error.strerror})") from None
    if sha256 is not None and hashlib.sha256(data).hexdigest() != sha256:
        raise EmbedderError(
            f"{path} is not the file that was checked: its sha256 differs. Install the extra again: "
            "pip install --force-reinstall 'memoranda[embed]'"
        )
    return data
