"""What every embedder must do. A new one passes it with one fixture:

class TestMine(EmbedderSuite):
    colour = "loop"                      # "blocking" when `embed` never suspends

    @pytest.fixture
    def make(self):                      # each call gives another object over the same model
        return lambda: MyEmbedder()
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, ClassVar, Literal, TypeVar

import pytest

from memoranda.ports import Embedder, Space
from memoranda.step import step

T = TypeVar("T")
Make = Callable[[], Embedder]

TEXTS = (
    "The user prefers the dark theme.",
    "Asha lives in Oslo and works at a bakery.",
    "The build fails on Windows with exit code 3.",
    "tea",
    "The user has a dog called Bruno, who is four years old and afraid of thunder, cars and the neighbour's cat.",
)
ODD_TEXTS = (
    "",
    " ",
    "\n\t\r",
    "!!!",
    "\0",
    "\ufeff\u200b\u202e",
    "\ud800 half a character",
    "漢字とかな",
    "हिन्दी में",
    "العربية",
    "e\u0301 \U0001f469\u200d\U0001f4bb",
    "x" * 5000,
    "word " * 20_000,
)
# An 8-bit model measures a whole batch at once, so that neighbours move a vector a little.
SAME = 0.999


def numbers(vector: bytes) -> Sequence[float]:
    """The numbers of a vector."""
    return array("f", vector)


def cosine(one: bytes, two: bytes) -> float:
    """How near two vectors are."""
    return sum(a * b for a, b in zip(numbers(one), numbers(two), strict=True))


class EmbedderSuite:
    """The suite. `colour` says how its tests are run."""

    colour: ClassVar[Literal["blocking", "loop"]] = "blocking"

    @pytest.fixture
    def make(self) -> Make:
        """A function that gives the embedder under test; each call another object over the same model."""
        raise NotImplementedError("an embedder suite needs a fixture named 'make'")

    def run(self, flow: Coroutine[Any, Any, T]) -> T:
        """Run one call to its end."""
        if self.colour == "blocking":
            return step(flow)
        import asyncio

        return asyncio.run(flow)

    def embed(self, one: Embedder, texts: Sequence[str], *, query: bool = False) -> list[bytes]:
        """The vectors of texts."""

        async def flow() -> list[bytes]:
            return await one.embed(texts, query=query)

        return self.run(flow())

    def test_its_space_is_named_and_stays(self, make: Make) -> None:
        one = make()
        space = one.space
        assert isinstance(space, Space)
        assert space.model
        assert space.dim > 0
        assert space.weights == "" or len(bytes.fromhex(space.weights)) == 32
        self.embed(one, TEXTS)
        assert one.space == space == make().space

    @pytest.mark.parametrize("query", [False, True])
    def test_each_text_has_a_vector_of_length_one(self, make: Make, *, query: bool) -> None:
        one = make()
        made = self.embed(one, TEXTS, query=query)
        assert [len(vector) for vector in made] == [4 * one.space.dim] * len(TEXTS)
        for vector in made:
            assert isinstance(vector, bytes)
            assert math.hypot(*numbers(vector)) == pytest.approx(1, abs=1e-4)

    def test_no_texts_have_no_vectors(self, make: Make) -> None:
        assert self.embed(make(), []) == []

    def test_it_says_the_same_twice(self, make: Make) -> None:
        one = make()
        assert self.embed(one, TEXTS) == self.embed(one, TEXTS) == self.embed(make(), TEXTS)

    def test_together_is_as_alone_and_in_order(self, make: Make) -> None:
        one = make()
        together = self.embed(one, TEXTS)
        for text, vector in zip(TEXTS, together, strict=True):
            (alone,) = self.embed(one, [text])
            assert cosine(alone, vector) > SAME
        for text, vector in zip(TEXTS[::-1], self.embed(one, TEXTS[::-1]), strict=True):
            assert cosine(together[TEXTS.index(text)], vector) > SAME

    def test_many_at_once(self, make: Make) -> None:
        one = make()
        texts = [f"{TEXTS[n % 5]} {n}" for n in range(150)]
        made = self.embed(one, texts)
        assert len(made) == 150
        assert cosine(made[149], self.embed(one, texts[149:])[0]) > SAME

    def test_equal_texts_have_equal_vectors_and_others_have_others(self, make: Make) -> None:
        a, b, again = self.embed(make(), [TEXTS[0], TEXTS[1], TEXTS[0]])
        assert cosine(a, again) > SAME
        assert cosine(a, b) < SAME

    def test_odd_texts_are_texts_too(self, make: Make) -> None:
        one = make()
        made = self.embed(one, ODD_TEXTS)
        assert len(made) == len(ODD_TEXTS)
        for vector in [*made, *self.embed(one, [""], query=True)]:
            assert len(vector) == 4 * one.space.dim
            assert math.hypot(*numbers(vector)) == pytest.approx(1, abs=1e-4)
