"""What vectors cost: texts a second of processor time, tokens alone, and comparing a question with many vectors."""

import random
import time
from array import array
from collections.abc import Callable
from functools import partial

import numpy

from memoranda.embedders.hashing import HashingEmbedder
from memoranda.embedders.minilm import MiniLM, vocabulary
from memoranda.embedders.vectors import packed
from memoranda.facts.similarity import Plain, Quick
from memoranda.step import step

SHORT = [
    f"{who} {does} {what}, number {n} of many such sentences that say where, when and how."
    for n, (who, does, what) in enumerate(
        (who, does, what)
        for who in ("Lena", "The user", "My neighbour", "Tom's sister")
        for does in ("prefers", "talked about", "bought", "wants to see", "repaired")
        for what in ("the blue bicycle", "two old chairs", "the new release", "a long walk")
    )
]
LONG = [" ".join(SHORT[n : n + 20]) for n in range(10)]


def seconds(work: Callable[[], object], times: int = 3) -> float:
    """Processor time, the best of some."""
    best = 9e9
    for _ in range(times):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def bench_texts() -> None:
    model, hashed, words = MiniLM(), HashingEmbedder(), vocabulary()
    step(model.embed(["warm"]))
    print()
    for name, one in (("MiniLM", model), ("hashing", hashed)):
        together = len(SHORT) / seconds(lambda one=one: step(one.embed(SHORT)))
        alone = 20 / seconds(lambda one=one: [step(one.embed([text])) for text in SHORT[:20]])
        long = len(LONG) / seconds(lambda one=one: step(one.embed(LONG)))
        print(
            f"{name}: {together:.0f} short, {alone:.0f} one by one, {long:.0f} of 256 tokens a CPU-s"
        )
    tokens = seconds(lambda: [words.encode(text) for text in SHORT]) / len(SHORT)
    print(f"tokens of a short text: {tokens * 1e6:.0f} us")


def bench_similarities() -> None:
    random.seed(1)
    print()
    for count in (100, 5000):
        blobs = [packed(array("f", (random.gauss(0, 1) for _ in range(384)))) for _ in range(count)]
        plain, quick = Plain(blobs, blobs), Quick(blobs, blobs, numpy)
        asked = [blobs[0]] * 100
        slow = seconds(partial(plain.similarities, blobs[0]))
        fast = seconds(partial(list, map(quick.similarities, asked)), 1) / 100
        print(f"{count} vectors: plain {slow * 1e3:.2f} ms, numpy {fast * 1e3:.3f} ms")
