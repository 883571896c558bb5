"""The embedder without a model: the same everywhere, and near means shared words."""

import hashlib

import pytest

from memoranda.embedders.hashing import HashingEmbedder
from memoranda.errors import UsageError
from memoranda.facts.similarity import Plain
from memoranda.step import step


def test_it_is_the_same_on_every_machine():
    made = step(HashingEmbedder().embed(["The user prefers the dark theme.", "", "漢字"]))
    assert (
        hashlib.sha256(b"".join(made)).hexdigest()
        == "277a1cc21de68c9c282fba2d4d4fd85b52560c5c19e8b930242bcc46e9e39061"
    )


def test_near_means_shared_words_stems_and_spellings():
    texts = [
        "The user likes hiking in the mountains.",
        "Hiked a mountain!",
        "user likes hikng",
        "Invoices are paid in May.",
    ]
    one, *others = step(HashingEmbedder().embed(texts))
    near = Plain(others, others).similarities(one)
    assert near[0] > near[2]
    assert near[1] > near[2]


def test_it_needs_room():
    with pytest.raises(UsageError):
        HashingEmbedder(7)
