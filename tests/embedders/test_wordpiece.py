"""Texts to ids, as the reference implementation has them."""

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.embedders.minilm import vocabulary
from memoranda.embedders.wordpiece import WordPiece, from_json, from_vocabulary
from memoranda.errors import EmbedderError

# Made once with the reference implementation (tokenizers 0.23) over the same vocabulary.
KNOWN = [
    ("", "101 102"),
    ("Hello, World!", "101 7592 1010 2088 999 102"),
    ("unaffable", "101 14477 20961 3468 102"),
    (
        "The user's e-mail is a_b@example.org (since 2024-05-01)?",
        (
            "101 1996 5310 1005 1055 1041 1011 5653 2003 1037 1035 1038 1030 "
            "2742 1012 8917 1006 2144 16798 2549 1011 5709 1011 5890 1007 1029 102"
        ),
    ),
    (
        "\xc5ngstr\xf6m caf\xe9 na\xefve \u0130stanbul \u039f\u0394\u03a5\u03a3\u03a3\u0395\u03a5\u03a3",
        "101 17076 15687 7668 15743 9960 1169 29722 29735 29733 29733 29723 29735 29733 102",
    ),
    (
        "漢字とかな 한국어 ไทย हिन्दी العربية",
        (
            "101 1904 100 1666 30177 30193 1469 30006 30021 29991 30014 30020 29999 30008 "
            "100 1339 29877 29863 29861 29878 1270 23673 29830 17149 29816 14498 19433 102"
        ),
    ),
    ("a\u200bb\tc\u00a0d\u0085e\u000bf", "101 11113 1039 13366 102"),
    (
        'x = f(1)[0] + "s" # $5 ~ `q`',
        (
            "101 1060 1027 1042 1006 1015 1007 1031 1014 1033 1009 "
            "1000 1055 1000 1001 1002 1019 1066 1036 1053 1036 102"
        ),
    ),
    ("👩‍💻 ok … — “q” ﬁ ½", "101 100 7929 1529 1517 1523 1053 1524 1984 1092 102"),
]


@pytest.fixture(scope="module")
def words():
    return vocabulary()


@pytest.mark.parametrize(("text", "ids"), KNOWN, ids=[repr(text)[:30] for text, _ in KNOWN])
def test_ids_are_those_of_the_reference(words, text, ids):
    assert words.encode(text) == [int(one) for one in ids.split()]


@given(st.text())
def test_any_text_has_ids_within_the_limit(words, text):
    ids = words.encode(text)
    assert 2 <= len(ids) <= 256
    assert (ids[0], ids[-1]) == (101, 102)
    assert all(0 <= one < 30522 for one in ids)
    assert not {101, 102, 103, 0} & set(ids[1:-1])  # no text makes a special token


@given(st.text(string.ascii_letters + " .,"), st.text(string.ascii_letters + " .,"))
def test_words_are_read_one_by_one(words, one, two):
    both = words.encode(f"{one} {two}")
    alone = [*words.encode(one)[1:-1], *words.encode(two)[1:-1]]
    assert both[1:-1] == alone[:254]


def test_a_long_text_is_cut_and_quick(words):
    assert len(words.encode("word " * 20_000)) == 256
    assert words.encode("x" * 101) == [101, 100, 102]
    assert words.encode("\n" * 100_000 + "a") == [101, 102]


def test_pieces_are_the_longest_that_fit():
    words = WordPiece({"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "a": 3, "ab": 4, "##c": 5, "##b": 6})
    assert words.encode("abc ab ac acx") == [1, 4, 5, 4, 3, 5, 0, 2]
    assert WordPiece({"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "A": 3}, lower=False).encode("A a") == [
        1,
        3,
        0,
        2,
    ]


def test_a_vocabulary_of_another_kind_is_refused():
    with pytest.raises(EmbedderError, match="CLS"):
        from_vocabulary("<s>\n</s>\na\n")


def test_tokenizer_json():
    pieces = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "a": 3}
    normal = {"type": "BertNormalizer", "lowercase": True, "strip_accents": None}

    def write(**parts):
        data = {"model": {"type": "WordPiece", "vocab": pieces}, "normalizer": normal, **parts}
        return json.dumps(data)

    assert from_json(write()).encode("A") == [1, 3, 2]
    for wrong in ({"model": {"type": "BPE", "vocab": pieces}}, {"normalizer": {"type": "NFC"}}):
        with pytest.raises(EmbedderError, match="kind"):
            from_json(write(**wrong))
    for text in ("", "[]", "{}", '{"model": {"vocab": 3}}'):
        with pytest.raises(EmbedderError, match="cannot be read"):
            from_json(text)
